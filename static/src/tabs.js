// Which panel a phone shows, and whether the timeline is a diagram or sentences:
// attributes of the body, which no fragment touches.
export function listenToTabs() {
  for (const name of ['tab', 'log']) {
    for (const button of document.querySelectorAll(`[data-ui="${name}"]`)) {
      button.addEventListener('click', () => {
        document.body.dataset[name] = button.dataset[name];
        for (const b of document.querySelectorAll(`[data-ui="${name}"]`)) b.setAttribute('aria-pressed', String(b === button));
      });
    }
  }
}

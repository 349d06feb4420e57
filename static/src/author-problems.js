// What is wrong with a lesson's files, below their text. onGo is told the problem that
// was clicked.
export function problemList(element, onGo) {
  return (problems) => {
    element.hidden = problems.length === 0;
    element.replaceChildren(...problems.map((p) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = `problem ${p.severity}`;
      button.textContent = p.text;
      button.addEventListener('click', () => onGo(p));
      return button;
    }));
  };
}

// What a class tells its pages. A browser gives up when a server says no, as one does that is about to end: then
// it is asked again.

/**
 * @param {string} address
 * @param {(news: any) => void} onNews
 * @param {() => void} onLost
 */
export function listenTo(address, onNews, onLost) {
  /** @type {EventSource} */
  let events;
  let again = 0;
  listen();
  return () => {
    clearTimeout(again);
    events.close();
  };

  function listen() {
    events = new EventSource(address);
    events.addEventListener('message', (e) => onNews(JSON.parse(e.data)));
    events.addEventListener('moved', () => { // another server goes on: nothing is lost
      events.close();
      listen();
    });
    events.addEventListener('error', () => {
      onLost();
      if (events.readyState === EventSource.CLOSED) again = window.setTimeout(listen, 2000 + Math.random() * 2000);
    });
  }
}

// What a class tells its pages. A browser gives up when a server says no, as one does that is about to end: then
// it is asked again, and more and more seldom, as a class that is no more never answers.

const soon = 2000; // milliseconds
const late = 60000;

/**
 * @param {string} address
 * @param {(news: any) => void} onNews
 * @param {() => void} onLost
 */
export function listenTo(address, onNews, onLost) {
  /** @type {EventSource} */
  let events;
  let again = 0;
  let pause = soon;
  listen();
  return () => {
    clearTimeout(again);
    events.close();
  };

  function listen() {
    events = new EventSource(address);
    events.addEventListener('message', (e) => {
      pause = soon;
      onNews(JSON.parse(e.data));
    });
    events.addEventListener('moved', () => { // another server goes on: nothing is lost
      events.close();
      listen();
    });
    events.addEventListener('error', () => {
      onLost();
      if (events.readyState !== EventSource.CLOSED) return;
      again = setTimeout(listen, pause + Math.random() * pause);
      pause = Math.min(2 * pause, late);
    });
  }
}

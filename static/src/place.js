// Where the learner stands is in the address, so that a reload, a shared link and
// a new connection all come back to it.
export function remember(frame) {
  const b = document.body.dataset;
  Object.assign(b, { schedule: frame.schedule, pos: frame.pos, engine: frame.engine });
  const q = new URLSearchParams();
  if (frame.len > 0) {
    q.set('s', frame.schedule);
    q.set('p', frame.pos);
  }
  if (frame.engine !== 'embedded') q.set('e', frame.engine);
  const query = q.toString();
  const address = location.pathname + (query && '?' + query);
  try {
    if (address !== location.pathname + location.search) history.replaceState(null, '', address);
  } catch { /* browsers refuse very fast changes; the next frame says it again */ }
}

export function place() {
  const b = document.body.dataset;
  return { lesson: b.lesson, engine: b.engine, schedule: b.schedule, pos: Number(b.pos) };
}

// Where something opens beside the diagram, or closes, the diagram has another width at once. It is seen to go there from
// the one that it had, by a transform alone.
const still = matchMedia('(prefers-reduced-motion: reduce)');

export function glideToWidths() {
  const stage = document.querySelector('.stage');
  let was = 0;
  let page = 0;
  const glide = () => {
    const now = stage.clientWidth;
    const moves = was > 0 && now > 0 && was !== now && page === innerWidth && !still.matches; // else the window has another size
    if (moves) stage.animate({ transform: [`scaleX(${was / now})`, 'none'] }, { duration: 320, easing: 'ease-out' });
    was = now;
    page = innerWidth;
  };
  if (stage) new ResizeObserver(glide).observe(stage);
}

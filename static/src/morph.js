// Fragments replace their elements by id. Focus, scrolling and a thumb that is
// being dragged stay as they are.
import { Idiomorph } from 'idiomorph';

let dragging = null;
addEventListener('pointerdown', (e) => { if (e.target instanceof Element && e.target.matches('[data-ui="scrub"]')) dragging = e.target; });
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => { dragging = null; });

/** @param {import('../types/protocol').Frag[]} frags */
export function draw(frags) {
  const missing = [];
  for (const { id, html } of frags) {
    const element = document.getElementById(id);
    if (!element) {
      missing.push(id);
      continue;
    }
    Idiomorph.morph(element, html, {
      morphStyle: 'outerHTML',
      callbacks: {
        // What the learner drags or has opened stays.
        beforeAttributeUpdated: (name, node) => !(name === 'value' && node === dragging) && !(name === 'open' && node.matches('details')),
        afterNodeMorphed: keepValue,
      },
    });
  }
  // Otherwise an outdated part of the page would stay without anybody noticing.
  if (missing.length) throw new Error(`there is no #${missing.join(', #')} in this page`);
}

// A range that was once moved by hand no longer follows its attribute.
function keepValue(node) {
  if (node instanceof HTMLInputElement && node.type === 'range' && node !== dragging) {
    node.value = node.getAttribute('value');
  }
}

// What a learner takes along: the link, the timeline as a picture, the trace as a file, and
// the code that puts the lesson into a frame of another page.
import { linkOf } from './edits.js';
import { drafted } from './authoring.js';
import { say, warn } from './notices.js';

/**
 * Copies the link to the place where the learner stands.
 * @param {HTMLElement} button
 */
export async function share(button) {
  const { done = '', draft = '', long = '', two = '', fail = '' } = button.dataset;
  try {
    const { link, lacks, halved } = linkOf(withoutView(location.href));
    if (halved) return warn(two);
    await navigator.clipboard.writeText(link);
    if (drafted()) return warn(draft);
    if (lacks) return warn(long);
    say(done);
    flash(button, done);
  } catch {
    warn(fail);
  }
}

/**
 * The address without the way to look at the page, which is everybody's own.
 * @param {string} address
 */
export function withoutView(address) {
  const url = new URL(address);
  url.searchParams.delete('view');
  return url.href;
}

/**
 * Copies the code of a frame with the lesson at this place.
 * @param {HTMLElement} button
 */
export async function embed(button) {
  const { to = '', title = '', done = '', two = '', fail = '' } = button.dataset;
  if (linkOf(location.href).halved) return warn(two);
  const address = embedAddress(location.href, to);
  try {
    await navigator.clipboard.writeText(frameOf(address, title));
    say(done);
    flash(/** @type {HTMLElement} */ (document.querySelector('[data-ui="share"]')), done);
  } catch {
    warn(fail.replace('{0}', address));
  }
}

/**
 * The address for frames of the place that a page's address names.
 * @param {string} page
 * @param {string} to relative to the page
 */
export function embedAddress(page, to) {
  const { link } = linkOf(withoutView(page));
  const address = new URL(to, link);
  address.search = new URL(link).search;
  return address.href;
}

/**
 * @param {string} address
 * @param {string} title
 */
export function frameOf(address, title) {
  const text = (/** @type {string} */ s) => s.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<iframe src="${text(address)}" title="${text(title)}" width="100%" height="640" loading="lazy" style="border: 1px solid #868f9e"></iframe>`;
}

/** The formats in which the player gives a timeline, and what browsers call them. */
const formats = {
  svg: { from: 'svg', ends: 'svg', type: 'image/svg+xml' },
  png: { from: 'svg', ends: 'png', type: 'image/png' },
  text: { from: 'text', ends: 'txt', type: 'text/plain;charset=utf-8' },
  json: { from: 'json', ends: 'json', type: 'application/json' },
};

/**
 * Offers the timeline as a file.
 * @param {HTMLElement} button
 * @param {(command: Partial<import('../types/protocol').Command>) => Promise<import('../types/protocol').Reply>} request
 */
export async function save(button, request) {
  const format = formats[/** @type {keyof typeof formats} */ (button.dataset.format)];
  const reply = await request({ op: 'export', text: format.from });
  if (!reply.ok || reply.file === undefined) return warn(reply.err?.msg ?? '');
  const data = format.ends === 'png' ? await pictureOf(reply.file) : new Blob([reply.file], { type: format.type });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(data);
  link.download = `${document.body.dataset.lesson}.${format.ends}`;
  link.click();
  URL.revokeObjectURL(link.href);
}

const sharp = 2; // pixels of a picture for each of the drawing
const largest = 16000; // pixels that browsers draw in one direction

/**
 * Draws an SVG as a PNG. As data it may be drawn: a page of ours is all that it comes from.
 * @param {string} svg
 * @returns {Promise<Blob>}
 */
async function pictureOf(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const scale = Math.min(sharp, largest / Math.max(image.width, image.height));
  const canvas = document.createElement('canvas');
  canvas.width = image.width * scale;
  canvas.height = image.height * scale;
  /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')).drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, failed) => {
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('png'))), 'image/png');
  });
}

/**
 * Shows a text below a button for a moment, over the page, so that it moves nothing.
 * @param {HTMLElement} button
 * @param {string} text
 */
function flash(button, text) {
  button.dataset.flash = text;
  setTimeout(() => { delete button.dataset.flash; }, 1600);
}

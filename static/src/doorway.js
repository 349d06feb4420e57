// The start page of a static site, which has no server to choose the language.
import { keep, kept } from './kept.js';

const key = 'lockstep-lang';
const languages = ['en', 'zh'];

// enter goes to an address, at the place that this one names, or else to the language that was
// read last, or the one that the browser prefers. Where a lesson has taken in the one that was
// here, it begins: the moves of a link were of another story.
export function enter(to, was) {
  if (to) {
    const address = new URL(to, location.href);
    const here = new URLSearchParams(location.search);
    if (was && here.has('s')) address.searchParams.set('was', was);
    for (const [name, value] of here) {
      if (!was || ['e', 'view'].includes(name)) address.searchParams.set(name, value);
    }
    return location.replace(address);
  }
  let lang = kept(key);
  if (!languages.includes(lang)) lang = navigator.languages.map((l) => l.slice(0, 2).toLowerCase()).find((l) => languages.includes(l)) ?? 'en';
  location.replace(`${lang}/`);
}

export function rememberLanguage(lang) {
  keep(key, lang);
}

import { drafts } from './editor-drafts.js';

// authorDraft is what an author has typed, by lesson: {of, folder, files}, of which original it was made, and all texts.
export function authorDraft(lesson, onFailed) {
  const texts = drafts('lockstep-author', onFailed);
  return {
    get() {
      try {
        const draft = JSON.parse(texts.get(lesson));
        return Array.isArray(draft?.files) ? draft : null;
      } catch {
        return null;
      }
    },
    // set keeps a draft; null forgets it.
    set: (draft) => texts.set(lesson, draft && JSON.stringify(draft)),
  };
}

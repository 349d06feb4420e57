// The texts of a lesson as they are typed, beside the files that are kept.
export function lessonTexts() {
  let own = { of: '', folder: '', files: [] }; // the lesson as it is kept
  let offers = new Map(); // files that could be added, by name
  let texts = new Map(); // as they are typed, by file
  let opened = new Map(); // of files that were added, what tells what they were

  const isKept = (name) => own.files.some((f) => f.name === name);
  const equal = (a, b) => a.length === b.length && a.every((f) => b.some((g) => g.name === f.name && g.text === f.text));

  // files are the lesson's own, and then those that were added.
  function files() {
    const kept = own.files.map((f) => f.name).filter((name) => texts.has(name));
    const added = [...texts.keys()].filter((name) => !isKept(name));
    return [...kept, ...added].map((name) => ({ name, text: texts.get(name), ...(opened.has(name) ? { of: opened.get(name) } : {}) }));
  }

  return {
    own: () => own,
    names: () => [...texts.keys()],
    offered: () => [...offers.keys()],
    has: (name) => texts.has(name),
    get: (name) => texts.get(name),
    set: (name, text) => texts.set(name, text),
    isKept,
    files,
    are: (other) => equal(files(), other),
    // keep is told the lesson as it is kept, by a reply.
    keep(reply) {
      own = { of: reply.of, folder: reply.folder, files: reply.files.map(plain) };
      offers = new Map((reply.offers ?? []).map((f) => [f.name, plain(f)]));
      for (const f of own.files) opened.delete(f.name);
    },
    // take begins with other texts.
    take(all) {
      texts = new Map(all.map((f) => [f.name, f.text]));
      opened = new Map(all.filter((f) => f.of).map((f) => [f.name, f.of]));
    },
    // add has another file, with the text that is offered for it.
    add(name) {
      const offer = offers.get(name);
      texts.set(name, offer?.text ?? '');
      if (offer?.of) opened.set(name, offer.of);
    },
    remove(name) {
      texts.delete(name);
      opened.delete(name);
    },
    // namedClient is the file of the client that the lesson names, when that lies in the
    // lesson's folder and is not among the texts.
    namedClient() {
      const [, client] = /^client:[ \t]*([\w-]+)/m.exec(texts.get(own.files[0].name)) ?? [];
      const name = `clients/${client}.lua`;
      return offers.get(name)?.of && !texts.has(name) ? name : undefined;
    },
  };
}

const plain = (f) => ({ ...f, text: f.text.replaceAll('\r\n', '\n') });

// zip packs files {name, text} into an archive, uncompressed: texts are small.
export function zip(files) {
  const local = [];
  const central = [];
  let at = 0;
  for (const { name, text } of files) {
    const path = new TextEncoder().encode(name);
    const data = new TextEncoder().encode(text);
    const facts = [20, 0x0800, 0, 0, 0x21, // version, names are UTF-8, stored, midnight of 1980-01-01
      ...words(crc(data)), ...words(data.length), ...words(data.length), path.length, 0];
    const head = bytes(0x4b50, 0x0403, ...facts);
    central.push(bytes(0x4b50, 0x0201, 20, ...facts, 0, 0, 0, 0, 0, ...words(at)), path);
    local.push(head, path, data);
    at += head.length + path.length + data.length;
  }
  const size = central.reduce((n, part) => n + part.length, 0);
  const end = bytes(0x4b50, 0x0605, 0, 0, files.length, files.length, ...words(size), ...words(at), 0);
  return new Blob([...local, ...central, end], { type: 'application/zip' });
}

const words = (n) => [n & 0xffff, n >>> 16]; // the format counts in 16 bits, the lower ones first
const bytes = (...all) => new Uint8Array(all.flatMap((n) => [n & 0xff, n >>> 8]));

function crc(data) {
  let sum = -1;
  for (const byte of data) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (0xedb88320 & -(sum & 1));
  }
  return ~sum >>> 0;
}

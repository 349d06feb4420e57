import { zip } from './zip.js';

// download offers the folder of a lesson as a zip, which playground check reads.
export function download(folder, files) {
  const home = folder.replace(/^(?!\d+-)/, '01-'); // lessons are read in the order of their numbers
  const inside = (name) => (name.startsWith('clients/') ? name : `${home}/${name}`);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(zip(files.map((f) => ({ name: inside(f.name), text: f.text }))));
  link.download = `${home}.zip`;
  link.click();
  URL.revokeObjectURL(link.href);
}

// Writes what the code can print of itself: the reference pages of the documentation, the manual, the completion
// scripts. A test compares them.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bundle-options.ts';
import { generatedFolders } from './generated-folders.ts';
import { generatedPages } from './generated-pages.ts';

const pages = await generatedPages();
for (const folder of generatedFolders) {
  mkdirSync(join(root, folder), { recursive: true });
  // what a command left that is no more
  for (const name of readdirSync(join(root, folder))) {
    if (!pages.has(`${folder}/${name}`)) rmSync(join(root, folder, name));
  }
}
for (const [path, text] of pages) {
  writeFileSync(join(root, path), text);
  process.stdout.write(`${path}\n`);
}

// Writes the generated files: the reference pages of the documentation, the manual pages and the completion
// scripts. A test compares them with the output of the code.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bundle-options.ts';
import { generatedFolders } from './generated-folders.ts';
import { generatedPages } from './generated-pages.ts';

const pages = await generatedPages();
for (const folder of generatedFolders) {
  mkdirSync(join(root, folder), { recursive: true });
  // remove pages of commands that no longer exist
  for (const name of readdirSync(join(root, folder))) {
    if (!pages.has(`${folder}/${name}`)) rmSync(join(root, folder, name));
  }
}
for (const [path, text] of pages) {
  writeFileSync(join(root, path), text);
  process.stdout.write(`${path}\n`);
}

// Writes what the code can print of itself: the reference pages of the documentation. A test compares them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedPages } from './generated-pages.ts';

const root = join(import.meta.dirname, '..');
for (const [path, text] of await generatedPages()) {
  writeFileSync(join(root, path), text);
  process.stdout.write(`${path}\n`);
}

// build-binary [FOLDER]: builds FOLDER/svc (default binary/svc), a single file with the complete program: the runtime,
// the code, its compiled form and the password hash. It needs neither Node nor a network, and runs from a read-only
// folder.
//
// The program is one CommonJS script, because the runtime embeds compiled code only for such a script. Other parts are
// embedded beside it and loaded from memory. They are the terminal library of the dialog, which uses top-level await, and
// the threads that hash, pack, merge and parse. The native password hash must be a file for the loader; the file exists
// only while it is loaded.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from './bundle-options.ts';
import { bundleProgram, ownPlatform, packProgram } from './single-file.ts';

if (process.platform !== 'linux') throw new Error('the single file is built on Linux, for Linux');
const target = resolve(process.argv[2] ?? join(root, 'binary'));
const folder = mkdtempSync(`${target}.`);
try {
  await bundleProgram(folder);
  await packProgram(folder, ownPlatform(), join(target, 'svc'));
  const { size } = statSync(join(target, 'svc'));
  process.stdout.write(`${join(target, 'svc')} (${(size / 2 ** 20).toFixed(0)} MiB)\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

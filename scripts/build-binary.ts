// build-binary [FOLDER]: builds FOLDER/svc (default binary/svc), a single file with the complete program: the
// runtime, the code, its compiled form and the password hash. It needs neither Node nor a network, and runs
// from a read-only folder.
//
// The program is one CommonJS script, because the runtime embeds compiled code only for such a script. Other
// parts are embedded beside it and loaded from memory: the terminal library of the dialog, which uses
// top-level await, and the threads that hash, pack and parse. The native password hash must be a file for the
// loader; the file exists only while it is loaded.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { bundleOptions, native, root } from './bundle-options.ts';
import { embedAssets } from './embed-assets.ts';
import { embedNote } from './embed-note.ts';

const shims = join(root, 'scripts', 'binary');

/** Modules that the single file replaces, with their replacements. */
const replaced: readonly (readonly [filter: RegExp, shim: string])[] = [
  [/^@node-rs\/argon2$/, 'argon2.ts'],
  [/\/quickstart\/dialogue\.ts$/, 'dialogue.ts'],
  [/\/hash-worker-url\.ts$/, 'hash-worker-url.ts'],
  [/\/pack-thread-url\.ts$/, 'pack-thread-url.ts'],
  [/\/document-thread-url\.ts$/, 'document-thread-url.ts'],
];
const replacing: Plugin = {
  name: 'replacing',
  setup({ onResolve }) {
    for (const [filter, shim] of replaced) onResolve({ filter }, () => ({ path: join(shims, shim) }));
  },
};

/** Marker in the runtime; the flag after it says whether a program is embedded. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Bundles the program into a folder. @returns the configuration with which the runtime packs it */
async function bundle(folder: string): Promise<object> {
  const common: BuildOptions = { ...bundleOptions(), legalComments: 'none' };
  const main = join(folder, 'main.cjs');
  await build({
    ...common,
    entryPoints: ['commands/main.ts'],
    outfile: main,
    format: 'cjs',
    plugins: [replacing, embedAssets, ...common.plugins!],
    supported: { 'dynamic-import': false },
    define: { ...common.define, 'import.meta.url': '"file:///svc"', 'import.meta.dirname': '"/"' },
  });
  const modules = {
    dialogue: 'commands/quickstart/dialogue.ts',
    'hash-worker': 'src/disk/threads/hash-worker.ts',
    'pack-thread': 'src/fileset/pack-thread.ts',
    'document-thread': 'src/recipe/document-thread.ts',
  };
  await build({
    ...common,
    entryPoints: modules,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    minify: true,
    banner: { js: 'const require = (name) => process.getBuiltinModule(name);' },
  });
  return {
    main,
    output: join(folder, 'program.blob'),
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    execArgv: ['--max-semi-space-size=8'],
    assets: {
      'dialogue.mjs': join(folder, 'dialogue.mjs'),
      'hash-worker.mjs': join(folder, 'hash-worker.mjs'),
      'pack-thread.mjs': join(folder, 'pack-thread.mjs'),
      'document-thread.mjs': join(folder, 'document-thread.mjs'),
      'argon2.node': findAddon(),
    },
  };
}

/** Finds the native password hash of this platform, which is a package of its own. */
function findAddon(): string {
  const require = createRequire(join(root, 'package.json'));
  return createRequire(require.resolve(native)).resolve(`${native}-${process.platform}-${process.arch}-gnu`);
}

/**
 * Reads the runtime, without its symbols when `strip` is available. A program can be stripped only before the
 * note is added.
 */
function readRuntime(folder: string): Buffer {
  const stripped = join(folder, 'runtime');
  const { status } = spawnSync('strip', ['-o', stripped, process.execPath]);
  return readFileSync(status === 0 ? stripped : process.execPath);
}

function setFuse(program: Buffer): void {
  const at = program.indexOf(`${fuse}:0`);
  if (at < 0 || program.indexOf(`${fuse}:0`, at + 1) >= 0) {
    throw new Error(`${process.execPath} has no single marker for an embedded program`);
  }
  program.write('1', at + fuse.length + 1);
}

if (process.platform !== 'linux') throw new Error('the single file is built on Linux, for Linux');
const target = resolve(process.argv[2] ?? join(root, 'binary'));
const folder = mkdtempSync(`${target}.`);
try {
  const config = join(folder, 'config.json');
  const sea = await bundle(folder);
  writeFileSync(config, JSON.stringify(sea));
  execFileSync(process.execPath, ['--experimental-sea-config', config], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const runtime = readRuntime(folder);
  setFuse(runtime);
  const program = join(folder, 'svc');
  const parts = embedNote(runtime, 'NODE_SEA_BLOB', readFileSync(join(folder, 'program.blob')));
  await pipeline(Readable.from(parts), createWriteStream(program));
  chmodSync(program, 0o755);
  execFileSync(program, ['version'], { stdio: ['ignore', 'ignore', 'inherit'] });
  mkdirSync(target, { recursive: true });
  renameSync(program, join(target, 'svc'));
  const { size } = statSync(join(target, 'svc'));
  process.stdout.write(`${join(target, 'svc')} (${(size / 2 ** 20).toFixed(0)} MiB)\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  createWriteStream,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { bundleOptions, native, root } from './bundle-options.ts';
import { embedAssets } from './embed-assets.ts';
import { embedNote } from './embed-note.ts';
import { endConfigFiles } from './end-config-files.ts';
import { stripSymbols } from './strip-symbols.ts';

const shims = join(root, 'scripts', 'binary');

/** Modules that the single file replaces, with their replacements. */
const replaced: readonly (readonly [filter: RegExp, shim: string])[] = [
  [/^@node-rs\/argon2$/, 'argon2.ts'],
  [/\/quickstart\/dialogue\/dialogue\.ts$/, 'dialogue.ts'],
  [/\/hash-worker-url\.ts$/, 'hash-worker-url.ts'],
  [/\/pack-thread-url\.ts$/, 'pack-thread-url.ts'],
  [/\/document-thread-url\.ts$/, 'document-thread-url.ts'],
  [/\/author-thread-url\.ts$/, 'author-thread-url.ts'],
  [/\/tree-thread-url\.ts$/, 'tree-thread-url.ts'],
];
const replacing: Plugin = {
  name: 'replacing',
  setup({ onResolve }) {
    for (const [filter, shim] of replaced) onResolve({ filter }, () => ({ path: join(shims, shim) }));
  },
};

/** Marker in the runtime; the flag after it says whether a program is embedded. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Modules that are embedded beside the program and loaded from memory: their entry points below the root. */
export const modules = {
  dialogue: 'commands/quickstart/dialogue/dialogue.ts',
  'hash-worker': 'src/disk/threads/hash-worker.ts',
  'pack-thread': 'src/fileset/pack-thread.ts',
  'document-thread': 'src/recipe/document-thread.ts',
  'author-thread': 'src/authoring/author-thread.ts',
  'tree-thread': 'src/fileset/tree/tree-thread.ts',
} as const;

/** Bundles the program into a folder. @returns the inputs of each file */
export async function bundleProgram(folder: string): Promise<readonly Metafile[]> {
  const common: BuildOptions = { ...bundleOptions(), legalComments: 'none' };
  const program = await build({
    ...common,
    entryPoints: ['commands/main.ts'],
    outfile: join(folder, 'main.cjs'),
    format: 'cjs',
    plugins: [replacing, embedAssets, ...common.plugins!],
    supported: { 'dynamic-import': false },
    define: { ...common.define, 'import.meta.url': '"file:///svc"', 'import.meta.dirname': '"/"' },
    metafile: true,
  });
  const beside = await build({
    ...common,
    entryPoints: modules,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    minify: true,
    banner: { js: 'const require = (name) => process.getBuiltinModule(name);' },
    metafile: true,
  });
  return [program.metafile, beside.metafile];
}

/** Native parts of a single file, for one processor. */
export interface Platform {
  /** Path of the runtime. */
  readonly runtime: string;
  /** Path of the native password hash. */
  readonly addon: string;
  /** Whether the runtime starts on this machine: its compiled form of the code is embedded then. */
  readonly isOwn: boolean;
}

/** The runtime that runs this script, and the native password hash of its platform, which is a package of its own. */
export function ownPlatform(): Platform {
  const require = createRequire(join(root, 'package.json'));
  const addon = createRequire(require.resolve(native)).resolve(
    `${native}-${process.platform}-${process.arch}-gnu`,
  );
  return { runtime: process.execPath, addon, isOwn: true };
}

function setFuse(program: Buffer, path: string): void {
  const at = program.indexOf(`${fuse}:0`);
  if (at < 0 || program.indexOf(`${fuse}:0`, at + 1) >= 0) {
    throw new Error(`${path} has no single marker for an embedded program`);
  }
  program.write('1', at + fuse.length + 1);
}

/** Starts a made program, also with flags that the runtime must not see. @throws Error when it answers otherwise */
function checkProgram(made: string): void {
  execFileSync(made, ['version'], { stdio: ['ignore', 'ignore', 'inherit'] });
  for (const flag of ['--experimental-config-file=absent', '--experimental-default-config-file']) {
    const { status, stderr } = spawnSync(made, [flag, 'version'], { encoding: 'utf8' });
    if (status !== 2) throw new Error(`${made} ${flag} ended with ${status}: ${stderr}`);
  }
}

/**
 * Packs the files of `bundleProgram` and a runtime into one program. For another processor no compiled form is
 * embedded, which its own runtime would have to make; the program then compiles when it starts.
 *
 * @param bundled folder of the bundle; it gets temporary files
 * @param target path of the program, which is replaced when the new one is complete
 */
export async function packProgram(bundled: string, platform: Platform, target: string): Promise<void> {
  const blob = join(bundled, 'program.blob');
  const assets = Object.keys(modules).map((name) => [`${name}.mjs`, `${name}.mjs`]);
  const config = join(bundled, 'config.json');
  const settings = {
    // relative to the bundle: the runtime keeps this path in the embedded script
    main: 'main.cjs',
    output: 'program.blob',
    disableExperimentalSEAWarning: true,
    useCodeCache: platform.isOwn,
    // the runtime looks for --env-file and the like in all arguments up to --
    execArgv: ['--max-semi-space-size=8', '--'],
    assets: { ...Object.fromEntries(assets), 'argon2.node': platform.addon },
  };
  writeFileSync(config, JSON.stringify(settings));
  // The seed makes the compiled form the same in every build. Unlike --hash-seed, it is no setting that the program
  // must be started with for its compiled form to be accepted.
  execFileSync(process.execPath, ['--random-seed=1', '--experimental-sea-config', config], {
    cwd: bundled,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // symbols can be removed only before the note is added
  const runtime = stripSymbols(readFileSync(platform.runtime));
  setFuse(runtime, platform.runtime);
  endConfigFiles(runtime, platform.runtime);
  mkdirSync(dirname(target), { recursive: true });
  const made = join(dirname(target), `.${basename(target)}.part`);
  try {
    const parts = embedNote(runtime, 'NODE_SEA_BLOB', readFileSync(blob));
    await pipeline(Readable.from(parts), createWriteStream(made));
    chmodSync(made, 0o755);
    if (platform.isOwn) checkProgram(made);
    renameSync(made, target);
  } finally {
    rmSync(made, { force: true });
    rmSync(blob, { force: true });
  }
}

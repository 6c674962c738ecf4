// build [FOLDER]: builds the package for distribution in FOLDER (default dist). It has bundled code, split so that a
// small command loads little, a launcher, and a package.json of its own. The password hash is native code: it is copied
// into node_modules for the platforms that are installed here, and is a dependency on others.
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { commandIndex } from '../commands/command-index.ts';
import { bundleOptions, manifest, native, root } from './bundle-options.ts';
import { commonChunk } from './common-chunk.ts';
import { embedAssets } from './embed-assets.ts';
import { packagedFolders } from './generated-folders.ts';
import { lightStart } from './light-start.ts';
import { toScripts } from './to-scripts.ts';

/** Replaces the dialogue by an import of its own module. */
const dialogueBeside: Plugin = {
  name: 'dialogue-beside',
  setup({ onResolve }) {
    onResolve({ filter: /\/dialogue\/dialogue\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: join(root, 'scripts', 'launcher', 'dialogue.ts') } : undefined,
    );
  },
};

/** Copies the native password hash and its platform packages, as a package manager would install them. */
function carryNative(folder: string): void {
  const scope = dirname(native);
  const installed = join(root, 'node_modules', scope);
  for (const name of readdirSync(installed)) {
    if (!name.startsWith(basename(native))) continue;
    cpSync(join(installed, name), join(folder, 'node_modules', scope, name), { recursive: true });
  }
}

/** Builds the package in a folder. @returns bytes and number of its code files */
async function buildPackage(folder: string): Promise<{ bytes: number; files: number }> {
  const options = bundleOptions();
  const { metafile, outputFiles } = await build({
    ...options,
    plugins: [embedAssets, dialogueBeside, commonChunk(root), ...options.plugins!],
    entryPoints: { program: 'commands/program.ts' },
    outdir: join(folder, 'lib'),
    splitting: true,
    format: 'esm',
    legalComments: 'linked',
    external: [native],
    chunkNames: 'chunk-[hash]',
    metafile: true,
    write: false,
  });
  mkdirSync(join(folder, 'lib'), { recursive: true });
  const files = outputFiles!.map(({ path, text }) => ({ name: basename(path), text }));
  const { scripts, id } = await toScripts(files.filter(({ name }) => name.endsWith('.js')));
  for (const { name, text } of [...scripts, ...files.filter(({ name }) => !name.endsWith('.js'))])
    writeFileSync(join(folder, 'lib', name), text);
  await build({
    ...options,
    entryPoints: { program: 'scripts/launcher/load-program.ts' },
    define: {
      ...options.define,
      SVC_SCRIPTS: JSON.stringify(id),
      SVC_COMMANDS: JSON.stringify(commandIndex.map(({ path }) => path.join(' '))),
    },
    outdir: join(folder, 'lib'),
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
  });
  await build({
    ...options,
    entryPoints: { dialogue: 'commands/quickstart/dialogue/dialogue.ts' },
    outdir: join(folder, 'lib'),
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    legalComments: 'linked',
    banner: { js: 'const require = (name) => process.getBuiltinModule(name);' },
  });
  // the modules that every command starts with: a script starts a sixth faster than modules
  await build({
    ...options,
    plugins: [lightStart(root), ...options.plugins!],
    entryPoints: { main: 'commands/main.ts' },
    define: { ...options.define, 'import.meta.dirname': '__dirname' },
    supported: { 'dynamic-import': false },
    outdir: join(folder, 'lib'),
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
  });
  // found beside the code that starts them; one script loads in half the time of its modules
  const threads = await build({
    ...bundleOptions(),
    entryPoints: {
      'hash-worker': 'src/disk/threads/hash-worker.ts',
      'pack-thread': 'src/fileset/pack-thread.ts',
      'document-thread': 'src/recipe/document-thread.ts',
      'author-thread': 'src/authoring/author-thread.ts',
      'tree-thread': 'src/fileset/tree/tree-thread.ts',
    },
    outdir: join(folder, 'lib'),
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    metafile: true,
  });
  for (const name of ['start.cjs', 'start-hidden.cjs']) {
    copyFileSync(join(root, 'scripts', 'launcher', name), join(folder, 'lib', name));
  }
  copyFileSync(join(root, 'scripts', 'launcher', 'svc'), join(folder, 'svc'));
  chmodSync(join(folder, 'svc'), 0o755);
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  carryNative(folder);
  for (const generated of packagedFolders) {
    cpSync(join(root, generated), join(folder, generated), { recursive: true });
  }
  const { name, version, description, license } = manifest;
  const shipped = {
    name,
    version,
    description,
    license,
    type: 'module',
    bin: { svc: 'svc' },
    man: readdirSync(join(folder, 'man')).map((page) => `man/${page}`),
    files: ['svc', 'lib', ...packagedFolders, 'LICENSE'],
    engines: { node: '>=24.15' },
    dependencies: { [native]: manifest.dependencies[native] },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(shipped, null, 2)}\n`);
  const outputs = [metafile, threads.metafile].flatMap((made) => Object.values(made.outputs));
  return { bytes: outputs.reduce((sum, output) => sum + output.bytes, 0), files: outputs.length };
}

// built beside the target and renamed, so that a failed build leaves the previous package
const dist = resolve(process.argv[2] ?? join(root, 'dist'));
const beside = mkdtempSync(`${dist}.`);
try {
  const fresh = join(beside, 'new');
  const { bytes, files } = await buildPackage(fresh);
  try {
    renameSync(dist, join(beside, 'old'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  renameSync(fresh, dist);
  process.stdout.write(`${join(dist, 'svc')} (${(bytes / 2 ** 20).toFixed(1)} MiB in ${files} files)\n`);
} finally {
  rmSync(beside, { recursive: true, force: true });
}

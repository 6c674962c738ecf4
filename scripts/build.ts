// Builds the package that is shipped, in `dist`: code bundled and split so that a light command loads little, a
// launcher, and a package.json of its own. The password hash is native code and stays a dependency.
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
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions, manifest, native, root } from './bundle-options.ts';
import { commonChunk } from './common-chunk.ts';
import { generatedFolders } from './generated-folders.ts';

/** Gives the one file that loads modules of the runtime on behalf of old packages what it loads them by. */
function withRequire(code: string): string {
  if (!code.includes('var __require =')) return code;
  return `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);\n${code}`;
}

/** Fills a folder with the package. @returns bytes and number of its code files */
async function buildPackage(folder: string): Promise<{ bytes: number; files: number }> {
  const options = bundleOptions();
  const { metafile, outputFiles } = await build({
    ...options,
    plugins: [...options.plugins!, commonChunk(root)],
    entryPoints: { main: 'commands/main.ts' },
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
  for (const { path, text } of outputFiles!) writeFileSync(path, withRequire(text));
  // looked for beside the code that starts them; one script each is loaded in half the time of its modules
  const threads = await build({
    ...bundleOptions(),
    entryPoints: { 'hash-worker': 'src/disk/hash-worker.ts', 'pack-thread': 'src/fileset/pack-thread.ts' },
    outdir: join(folder, 'lib'),
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    metafile: true,
  });
  copyFileSync(join(root, 'scripts', 'launcher', 'start.mjs'), join(folder, 'lib', 'start.mjs'));
  copyFileSync(join(root, 'scripts', 'launcher', 'svc'), join(folder, 'svc'));
  chmodSync(join(folder, 'svc'), 0o755);
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  for (const generated of generatedFolders) {
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
    files: ['svc', 'lib', ...generatedFolders, 'LICENSE'],
    engines: { node: '>=24.15' },
    dependencies: { [native]: manifest.dependencies[native] },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(shipped, null, 2)}\n`);
  const outputs = [metafile, threads.metafile].flatMap((made) => Object.values(made.outputs));
  return { bytes: outputs.reduce((sum, output) => sum + output.bytes, 0), files: outputs.length };
}

// built beside and renamed: a build that fails leaves the last one as it was
const dist = join(root, 'dist');
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
  process.stdout.write(`dist/svc (${(bytes / 2 ** 20).toFixed(1)} MiB in ${files} files)\n`);
} finally {
  rmSync(beside, { recursive: true, force: true });
}

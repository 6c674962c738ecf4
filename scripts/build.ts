// Builds the package that is shipped, in `dist`: code bundled and split so that a light command loads little, a
// launcher, and a package.json of its own. The password hash is native code and stays a dependency.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const native = '@node-rs/argon2';

/** The commit, and its date as the build date, so that one commit builds the same bytes; unknown outside git. */
function git(...args: string[]): string {
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return '';
  }
}

rmSync(dist, { recursive: true, force: true });
const result = await build({
  absWorkingDir: root,
  // the thread of the hash pool is looked for beside the code that starts it
  entryPoints: { main: 'commands/main.ts', 'hash-worker': 'src/disk/hash-worker.ts' },
  outdir: join(dist, 'lib'),
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24.15',
  minifySyntax: true,
  legalComments: 'linked',
  external: [native],
  define: {
    SVC_BUILD: JSON.stringify({
      version: manifest.version,
      commit: git('rev-parse', '--short=12', 'HEAD') || 'unknown',
      date: git('log', '-1', '--format=%cI') || 'unknown',
    }),
  },
  banner: {
    js: "import { createRequire as __svcRequire } from 'node:module'; const require = __svcRequire(import.meta.url);",
  },
  chunkNames: 'chunk-[hash]',
  metafile: true,
  logLevel: 'warning',
});
copyFileSync(join(root, 'scripts', 'launcher', 'start.mjs'), join(dist, 'lib', 'start.mjs'));
copyFileSync(join(root, 'scripts', 'launcher', 'svc'), join(dist, 'svc'));
chmodSync(join(dist, 'svc'), 0o755);
copyFileSync(join(root, 'LICENSE'), join(dist, 'LICENSE'));
writeFileSync(
  join(dist, 'package.json'),
  `${JSON.stringify(
    {
      name: manifest.name,
      version: manifest.version,
      description: manifest.description,
      license: manifest.license,
      type: 'module',
      bin: { svc: 'svc' },
      files: ['svc', 'lib', 'LICENSE'],
      engines: { node: '>=24.15' },
      dependencies: { [native]: manifest.dependencies[native] },
    },
    null,
    2,
  )}\n`,
);
const bytes = Object.values(result.metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
process.stdout.write(
  `dist/svc (${(bytes / 2 ** 20).toFixed(1)} MiB in ${Object.keys(result.metafile.outputs).length} files)\n`,
);

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';

export const root: string = join(import.meta.dirname, '..');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

export const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The password hash: native code, which no bundler takes in. */
export const native = '@node-rs/argon2';

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

/** The terminal library's connection to a debugger needs a package that is not there, and is never opened. */
const withoutDebugger: Plugin = {
  name: 'without-debugger',
  setup({ onLoad }) {
    onLoad({ filter: /\/ink\/build\/devtools\.js$/ }, () => ({ contents: '' }));
  },
};

/** What every bundle of the program has in common. */
export function bundleOptions(): BuildOptions {
  const build = {
    version: manifest.version,
    commit: git('rev-parse', '--short=12', 'HEAD') || 'unknown',
    date: git('log', '-1', '--format=%cI') || 'unknown',
  };
  return {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node24.15',
    minifySyntax: true,
    plugins: [withoutDebugger],
    // switches of libraries between development and release, settled here
    define: {
      // as text: an object would be a module of its own, that every file of the bundle loads
      SVC_BUILD: JSON.stringify(JSON.stringify(build)),
      'process.env.NODE_ENV': '"production"',
      'process.env.DEV': '"false"',
    },
    logLevel: 'warning',
  };
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { setFrenchSpaces } from '../src/text/language.ts';
import { withErrorKinds } from './error-kinds.ts';
import { runGit } from './release/tools/git.ts';

export const root: string = join(import.meta.dirname, '..');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

export const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The password hash: native code, which a bundler cannot include. */
export const native = '@node-rs/argon2';

/**
 * Runs git. The commit and its date, used as the build date, make builds of one commit identical; empty
 * outside a repository.
 */
function git(...args: string[]): string {
  try {
    return runGit(root, ...args);
  } catch {
    return '';
  }
}

/**
 * Removes the debugger connection of the terminal library: it needs a package that is not installed, and is
 * never used.
 */
const withoutDebugger: Plugin = {
  name: 'without-debugger',
  setup({ onLoad }) {
    onLoad({ filter: /\/ink\/build\/devtools\.js$/ }, () => ({ contents: '' }));
  },
};

/**
 * Sets the no-break spaces of French texts when the program is built. It has more than two thousand, and a light command
 * would set those of every error at its start.
 */
const withFrenchSpaces: Plugin = {
  name: 'with-french-spaces',
  setup({ onLoad }) {
    onLoad({ namespace: 'file', filter: /\/(?:src|commands|server)\/[^.]*\.tsx?$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/\bfr`([^`\\$]*)`/g, (_, text: string) =>
        JSON.stringify(setFrenchSpaces(text)),
      ),
      loader: path.endsWith('x') ? 'tsx' : 'ts',
    }));
  },
};

/** Options common to all bundles of the program. */
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
    plugins: [withoutDebugger, withErrorKinds, withFrenchSpaces],
    // constants with which libraries select development or release
    define: {
      // as text: an object would become a module that every file of the bundle loads
      SVC_BUILD: JSON.stringify(JSON.stringify(build)),
      'process.env.NODE_ENV': '"production"',
      'process.env.DEV': '"false"',
    },
    logLevel: 'warning',
  };
}

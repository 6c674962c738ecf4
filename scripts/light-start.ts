import { join, relative } from 'node:path';
import type { Plugin } from 'esbuild';

const program = 'commands/program.ts';
/** Loads the code of a command, which the pages of the light start never do. */
const index = 'commands/command-index.ts';

/** Leaves out of the start script the modules that a version or an overview does not need. */
export function lightStart(root: string): Plugin {
  return {
    name: 'light-start',
    setup({ onResolve }) {
      onResolve({ filter: /^\.{1,2}\// }, ({ kind, path, importer, resolveDir }) => {
        if (kind !== 'dynamic-import') return;
        const isProgram = relative(root, join(resolveDir, path)) === program;
        if (isProgram || relative(root, importer) === index) return { path: './program.cjs', external: true };
      });
    },
  };
}

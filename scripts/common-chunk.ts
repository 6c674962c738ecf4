import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'esbuild';

const name = 'common';
const whole = 'whole';

/**
 * Modules that nearly every command needs. None of them opens a connection: those that do take a quarter
 * longer to load.
 */
const common = [
  'commands/cli/progress.ts',
  'src/config/load-config.ts',
  'src/config/validate-config.ts',
  'src/log/create-report.ts',
  'src/operation/open-medium.ts',
  'src/store/opening/open-store.ts',
];

/**
 * Modules that run before a command is selected. A version or a help page needs nothing else, so they do not
 * load the common file.
 */
const light = new Set([
  'commands/program.ts',
  'commands/cli/dispatch.ts',
  'commands/cli/render-light.ts',
  'commands/command-index.ts',
  'commands/cli/run-command.ts',
]);

/**
 * Puts the modules that nearly every command loads into one file. By default the bundler makes a file for each set of
 * modules that is imported together, about a hundred. Finding and linking them takes longer than running them. With this
 * plugin, each dynamic import loads the common file first.
 */
export function commonChunk(root: string): Plugin {
  return {
    name: 'common-chunk',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.{1,2}\// }, ({ kind, path, importer, resolveDir, namespace }) => {
        if (kind !== 'dynamic-import' || namespace === whole) return;
        if (light.has(relative(root, importer))) return;
        return { path: join(resolveDir, path), namespace: whole };
      });
      onLoad({ filter: /./, namespace: whole }, ({ path }) => ({
        contents: `import '${name}';\nexport * from ${JSON.stringify(path)};\n`,
        resolveDir: dirname(path),
      }));
      onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: name }));
      onLoad({ filter: /./, namespace: name }, () => ({
        contents: common.map((path) => `import ${JSON.stringify(join(root, path))};\n`).join(''),
        resolveDir: root,
      }));
    },
  };
}

import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'esbuild';

const name = 'common';
const whole = 'whole';

/** What nearly every command that does work loads. None of it opens a connection: what does, loads a quarter longer. */
const common = [
  'commands/cli/progress.ts',
  'src/config/load-config.ts',
  'src/config/validate-config.ts',
  'src/log/create-report.ts',
  'src/operation/open-medium.ts',
  'src/store/opening/open-store.ts',
];

/** Who comes before the work: what these load, an answer or a help may be made of alone. */
const light = new Set([
  'commands/main.ts',
  'commands/cli/dispatch.ts',
  'commands/command-index.ts',
  'commands/cli/run-command.ts',
]);

/**
 * Has what nearly every command loads put into one file. The bundler makes a file of its own for each set of modules
 * that is asked for together, a hundred of them, and finding and linking them takes longer than running them: here
 * whoever asks for anything asks for all that is common first.
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

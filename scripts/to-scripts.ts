import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { transform } from 'esbuild';

/** A file of the program. */
interface CodeFile {
  readonly name: string;
  readonly text: string;
}

/** Each import of another file names the script made of it. */
const importedFile = /(?<=(?:from |import |import\()")\.\/([\w-]+)\.js(?=")/g;

/** @param name of a module @returns the name of its script: the entry is not the loader */
const toScriptName = (name: string): string => (name === 'program' ? 'program-code.cjs' : `${name}.cjs`);

/**
 * Converts the modules of the program into scripts that `load-program.ts` loads: finding, linking and compiling a module
 * takes the runtime three times as long.
 *
 * @returns the scripts, and an identifier of all of them together
 */
export async function toScripts(
  modules: readonly CodeFile[],
): Promise<{ readonly scripts: readonly CodeFile[]; readonly id: string }> {
  const scripts = await Promise.all(
    modules.map(async ({ name, text }): Promise<CodeFile> => {
      const { code } = await transform(
        text.replace(importedFile, (_, imported: string) => `./${toScriptName(imported)}`),
        {
          format: 'cjs',
          platform: 'node',
          target: 'node24.15',
          supported: { 'dynamic-import': false },
          define: { 'import.meta.url': 'scriptUrl', 'import.meta.dirname': 'scriptFolder' },
          logLevel: 'warning',
        },
      );
      return {
        name: toScriptName(basename(name, '.js')),
        text: `(function (exports, require, module, scriptUrl, scriptFolder, importBeside) {${code}\n})`,
      };
    }),
  );
  const hash = createHash('sha256');
  for (const { name, text } of scripts) hash.update(`${name}\n${text}\n`);
  return { scripts, id: hash.digest('hex').slice(0, 16) };
}

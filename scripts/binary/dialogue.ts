import { constants, Script } from 'node:vm';
import type * as dialogue from '../../commands/quickstart/dialogue/dialogue.ts';
import { toModuleUrl } from './asset.ts';

/** The embedded script cannot import modules itself, but a script that it compiles can. */
const importModule = (): ((url: string) => Promise<typeof dialogue>) =>
  new Script('(url) => import(url)', {
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }).runInThisContext();

/** Suppresses the warning of the runtime that this kind of import is experimental. */
async function withoutWarning<T>(work: () => Promise<T>): Promise<T> {
  const { emitWarning } = process;
  const silenced = (warning: string | Error, ...rest: unknown[]): void => {
    if (rest[0] === 'ExperimentalWarning') return;
    (emitWarning as (warning: string | Error, ...rest: unknown[]) => void).call(process, warning, ...rest);
  };
  process.emitWarning = silenced as typeof process.emitWarning;
  try {
    return await work();
  } finally {
    process.emitWarning = emitWarning;
  }
}

export const runDialogue: typeof dialogue.runDialogue = async (options) => {
  const { runDialogue: run } = await withoutWarning(() => importModule()(toModuleUrl('dialogue.mjs').href));
  return run(options);
};

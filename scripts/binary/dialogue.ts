import { constants, Script } from 'node:vm';
import type * as dialogue from '../../commands/quickstart/dialogue.ts';
import { toModuleUrl } from './asset.ts';

/** The embedded script cannot import modules itself, but a script that it compiles can. */
const importModule = (): ((url: string) => Promise<typeof dialogue>) =>
  new Script('(url) => import(url)', {
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }).runInThisContext();

export const runDialogue: typeof dialogue.runDialogue = async (options) => {
  const module = await importModule()(toModuleUrl('dialogue.mjs').href);
  return module.runDialogue(options);
};

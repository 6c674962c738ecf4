import type * as dialogue from '../../commands/quickstart/dialogue/dialogue.ts';

/** Imports a module beside the scripts of the program. */
declare const importBeside: (name: string) => Promise<typeof dialogue>;

/** The terminal library awaits at its top level, which only a module can. */
export const runDialogue: typeof dialogue.runDialogue = async (options) =>
  (await importBeside('dialogue.mjs')).runDialogue(options);

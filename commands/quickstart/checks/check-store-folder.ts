import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findUnmounted } from '../../../src/store/opening/find-unmounted.ts';
import { isStateFolder } from '../../../src/store/opening/is-state-folder.ts';
import { listStrangers } from '../../../src/store/opening/require-unused.ts';
import { escapeText } from '../../../src/text/escape.ts';
import { fr, type Sentence } from '../../../src/text/language.ts';
import { checkFolder } from './check-folder.ts';

/** Maximum number of file names in the message. */
const shown = 3;

/** Checks whether a folder is a store or can become one. @returns the reason why not, as a short phrase */
export async function checkStoreFolder(path: string): Promise<Sentence | undefined> {
  const problem = await checkFolder(path);
  if (problem !== undefined || (await hasLedger(path))) return problem;
  const mount = await findUnmounted(path);
  if (mount !== undefined) return [`nothing is mounted at ${mount}`, fr`rien n’est monté sur ${mount}`];
  const strangers = await listStrangers(path).catch(() => []);
  if (strangers.length === 0) return undefined;
  if (await isStateFolder(path))
    return [`${path} is the state folder of an instance`, fr`${path} est le dossier d’état d’une instance`];
  const names = [
    ...strangers.slice(0, shown).map(escapeText),
    ...(strangers.length > shown ? ['…'] : []),
  ].join(', ');
  return [
    `${path} is not a store and contains other files: ${names}`,
    fr`${path} n’est pas un stockage et contient d’autres fichiers : ${names}`,
  ];
}

async function hasLedger(path: string): Promise<boolean> {
  const names = await readdir(join(path, 'ledger')).catch(() => []);
  return names.length > 0;
}

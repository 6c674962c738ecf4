import { findOpenMode, readBounded } from '../../src/disk/named-file.ts';
import { fr, type Sentence } from '../../src/text/language.ts';
import { CommandLineError } from '../cli/command-line-error.ts';

/** Maximum size of a password file in bytes. */
const fileLimit = 64 << 10;

type Warn = (sentence: Sentence) => void;

/**
 * Reads a password from the first line of a file that a flag names. Warns when other users can read the file.
 *
 * @throws CommandLineError for an empty line; the errors of `readBounded`
 */
export async function readPasswordFile(file: string, warn: Warn): Promise<string> {
  const text = (await readBounded(file, fileLimit)).toString('utf8');
  const line = text.split('\n', 1)[0]!.replace(/\r$/, '');
  if (line !== '') {
    await warnIfOpen(file, warn);
    return line;
  }
  throw new CommandLineError([
    `the first line of the password file ${file} is empty`,
    fr`la première ligne du fichier de mot de passe ${file} est vide`,
  ]);
}

async function warnIfOpen(file: string, warn: Warn): Promise<void> {
  if ((await findOpenMode(file)) === undefined) return;
  warn([
    `other users can read or change the password file ${file}: chmod 600 protects it`,
    fr`d’autres utilisateurs peuvent lire ou modifier le fichier de mot de passe ${file} : chmod 600 le protège`,
  ]);
}

import { fr, type Sentence } from '../../src/base/language.ts';
import { findOpenMode } from '../../src/disk/named-file.ts';
import type { CommandContext } from '../cli/command-context.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { readBounded } from '../cli/read-bounded.ts';
import { readPassword } from '../user/read-password.ts';

/** Maximum size of a password file in bytes. */
const fileLimit = 64 << 10;

interface PasswordSources {
  /** File given by a flag. */
  readonly file?: string | undefined;
  readonly stdin: boolean;
  /** File of the configuration, for the key of the configuration. */
  readonly configured?: string | undefined;
  /** Prints a warning. */
  readonly warn: (sentence: Sentence) => void;
}

/**
 * Reads the password of a signing key: from the file or stdin that a flag names, else from SVC_SIGNING_PASSWORD, else
 * from the file of the configuration. Never asked for, and never the value of a flag.
 *
 * @returns undefined when none is given
 * @throws CommandLineError for both flags, and for an empty file or stdin; the errors of `readBounded`
 */
export async function readKeyPassword(
  context: CommandContext,
  { file, stdin, configured, warn }: PasswordSources,
): Promise<string | undefined> {
  if (file !== undefined && stdin)
    throw new CommandLineError([
      '--key-password-file and --password-stdin are two ways to give the password: use one',
      fr`--key-password-file et --password-stdin sont deux manières de donner le mot de passe : utilisez-en une`,
    ]);
  if (stdin) return readPassword(context, true);
  if (file !== undefined) return readFirstLine(file, warn);
  const { SVC_SIGNING_PASSWORD: variable } = context.env;
  if (variable !== undefined && variable !== '') return variable;
  return configured === undefined ? undefined : readFirstLine(configured, warn);
}

async function readFirstLine(file: string, warn: PasswordSources['warn']): Promise<string> {
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

async function warnIfOpen(file: string, warn: PasswordSources['warn']): Promise<void> {
  if ((await findOpenMode(file)) === undefined) return;
  warn([
    `other users can read or change the password file ${file}: chmod 600 protects it`,
    fr`d’autres utilisateurs peuvent lire ou modifier le fichier de mot de passe ${file} : chmod 600 le protège`,
  ]);
}

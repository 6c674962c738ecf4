import { fr, type Sentence } from '../../src/text/language.ts';
import type { CommandContext } from '../cli/command-context.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { readPassword } from '../user/read-password.ts';
import { readPasswordFile } from '../user/read-password-file.ts';

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
 * @throws CommandLineError for both flags, and for an empty file or stdin; the errors of `readPasswordFile`
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
  if (file !== undefined) return readPasswordFile(file, warn);
  const { SVC_SIGNING_PASSWORD: variable } = context.env;
  if (variable !== undefined && variable !== '') return variable;
  return configured === undefined ? undefined : readPasswordFile(configured, warn);
}

import type { CommandContext } from '../cli/command-context.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { readPassword, typePassword } from '../user/read-password.ts';

/** Maximum number of attempts to type the password. */
const attempts = 3;

/**
 * Reads the password of the first administrator: typed twice on the terminal, with repeated attempts, or the
 * first line of stdin.
 *
 * @throws CommandLineError when none was given, SVC-AUTH-007 when the password on stdin is not allowed
 */
export async function readAdminPassword(
  context: CommandContext,
  name: string,
  isAsking: boolean,
): Promise<string> {
  const { findPasswordFlaw, parsePassword } = await import('../../src/account/credential-rules.ts');
  if (!isAsking) return parsePassword(await readPassword(context, true));
  const printLine = (text: string): unknown => context.stderr.write(`${text}\n`);
  printLine(`Password for ${name} (not shown while you type).`);
  for (let left = attempts - 1; ; left -= 1) {
    const { password, problem } = await typePassword(context);
    if (password === undefined) throw new CommandLineError('no password was given; nothing was written');
    const flaw = problem ?? findPasswordFlaw(password);
    if (flaw === undefined) return password;
    if (left === 0) throw new CommandLineError(`${flaw}; nothing was written`);
    printLine(`svc: ${flaw}; try again`);
  }
}

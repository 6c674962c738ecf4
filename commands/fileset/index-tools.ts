import { findProgram } from '../../src/program/find-program.ts';
import { lastLine, type OutsideResult, runOutside } from '../../src/program/run-outside.ts';
import { svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';

/** The surroundings in which a command runs programs of the platform. */
export interface Tools {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Folder of the packages, for errors. */
  readonly folder: string;
}

/** Milliseconds for a program that reads every package of an archive. */
const patience = 6 * 3_600_000;

/** Runs a program that must succeed. @throws SVC-FIL-009 when it is not installed, or fails */
export async function runTool(
  { env, signal, folder }: Tools,
  program: string,
  args: readonly string[],
  options: {
    readonly cwd?: string;
    readonly onOutput?: (chunk: Buffer) => void;
    readonly mayFail?: boolean;
  } = {},
): Promise<OutsideResult> {
  const path = findProgram(program, env);
  if (path === undefined) throw svcError('SVC-FIL-009', { program, path: folder, absent: 'yes' });
  const { mayFail = false, ...rest } = options;
  const result = await runOutside(path, args, {
    ...rest,
    // messages and numbers that do not depend on the language of the user
    env: { ...env, LC_ALL: 'C' },
    signal,
    timeout: patience,
  });
  if (result.exitCode === 0 || mayFail) return result;
  const detail =
    lastLine(result.stderr) ||
    rule(['exit code {exitCode}', fr`code de sortie {exitCode}`], { exitCode: result.exitCode });
  const problem = program === 'gpg' ? toKeyProblem(result.stderr) : undefined;
  throw svcError('SVC-FIL-009', { program, path: folder, detail, problem });
}

/** Why gpg did not use a key, by its messages in English (libgpg-error, `err-codes.h.in`). */
function toKeyProblem(text: string): 'locked' | 'no-key' | undefined {
  if (/: No secret key$/m.test(text)) return 'no-key';
  const locked =
    /: (?:No pinentry|No passphrase given|Bad passphrase|Operation cancelled|Inappropriate ioctl for device)$/m;
  return locked.test(text) ? 'locked' : undefined;
}

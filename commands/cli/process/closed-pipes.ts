import process from 'node:process';
import { exitCodes } from '../../../src/text/exit-codes.ts';

/**
 * Ignores closed pipes: when the reader of stdout exits, the command continues without output. Other lost output on
 * stdout is reported and makes the process fail; lost output on stderr does not.
 *
 * @returns the exit code of a command, with regard to the output that was lost so far
 */
export function ignoreClosedPipes(): { toExitCode(exitCode: number): number } {
  let isLost = false;
  const toExitCode = (exitCode: number): number =>
    isLost && isAnswer(exitCode) ? exitCodes.failure : exitCode;
  process.stderr.on('error', () => {});
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED') return;
    // each piece of a report is lost for the same reason
    if (isLost) return;
    isLost = true;
    process.exitCode = toExitCode(Number(process.exitCode ?? exitCodes.ok));
    process.stderr.write(`svc: the output cannot be written: ${code}\n`);
  });
  return { toExitCode };
}

/** Whether a code tells a result, which the lost output has: any other one tells a failure of its own. */
const isAnswer = (exitCode: number): boolean =>
  exitCode === exitCodes.ok || exitCode === exitCodes['changes-planned'];

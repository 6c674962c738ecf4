import process from 'node:process';

/**
 * Ignores closed pipes: when the reader of stdout exits, the command continues without output. Other lost output on
 * stdout is reported and makes the process fail; lost output on stderr does not.
 *
 * @returns the exit code for the output lost so far: 0 for none
 */
export function ignoreClosedPipes(): { exitCode(): number } {
  let lostOutput = 0;
  process.stderr.on('error', () => {});
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED') return;
    lostOutput = 1;
    process.exitCode ||= lostOutput;
    process.stderr.write(`svc: the output cannot be written: ${code}\n`);
  });
  return { exitCode: () => lostOutput };
}

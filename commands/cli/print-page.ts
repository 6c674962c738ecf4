import { writeSync } from 'node:fs';
import process from 'node:process';
import { ignoreClosedPipes } from './process/closed-pipes.ts';

/**
 * Writes a page to stdout. One call of the system writes it, unless a pipe is full or closed: the stream then writes the
 * rest, or reports why it cannot. Making the stream takes 3 ms.
 */
export function printPage(text: string): void {
  let left = Buffer.from(text);
  try {
    left = left.subarray(writeSync(1, left));
  } catch {
    // the stream meets the same error
  }
  if (left.length === 0) return;
  ignoreClosedPipes();
  process.stdout.write(left);
}

import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killChildren } from '../../test/kit/program/svc.ts';
import { UsageError } from '../parse-flags.ts';
import { runStoppable, toOwnFolder } from '../release/stoppable.ts';
import { ToolError } from '../release/tools/run-tool.ts';
import { parseCompareArguments, usage } from './arguments.ts';
import { compareGroups } from './compare-groups.ts';
import { openSides, RefusedError } from './open-sides.ts';

const say = (line: string): void => void process.stderr.write(`compare: ${line}\n`);

/**
 * Compares an older commit with the working tree. Prints the differences to stdout.
 *
 * @param args as `usage` describes them
 * @returns the exit code
 */
export async function runCompareCommand(args: readonly string[]): Promise<number> {
  const place = join(tmpdir(), 'svc-compare');
  try {
    const parsed = parseCompareArguments(args);
    if (parsed === 'help') {
      process.stdout.write(usage);
      return 0;
    }
    return await runStoppable([place], say, async (stop) => {
      // a folder that is removed needs no process in it
      stop.addEventListener('abort', () => void killChildren(), { once: true });
      const folder = toOwnFolder(place);
      mkdirSync(folder);
      try {
        const sides = await openSides(parsed.commit, folder, say);
        const print = (text: string): void => void process.stdout.write(text);
        return (await compareGroups(sides, parsed.only, { stop, say, print })) ? 0 : 1;
      } finally {
        await killChildren();
      }
    });
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`compare: ${error.message}\n\n${usage}`);
      return 2;
    }
    if (!(error instanceof RefusedError || error instanceof ToolError)) throw error;
    say(error.message);
    return 1;
  }
}

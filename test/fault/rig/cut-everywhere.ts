import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { DiskRecord } from './disk-record.ts';
import { onlyRound, seed } from './form.ts';
import { toRandom } from './random.ts';
import { repeatable } from './repeatable.ts';
import { fates, replayDisk } from './replay-disk.ts';

/** The recorded writes below a folder, and that folder. */
export interface RecordedLife {
  readonly record: DiskRecord;
  readonly root: string;
}

/**
 * Cuts the power at a line of the record in each round, and looks at the bytes that a disk may have kept by then.
 *
 * @param folder where each round has a folder of its own
 * @param look at the folder of a round, which stands as the recorded one stood; `cut`: the line
 */
export async function cutEverywhere(
  t: TestContext,
  part: string,
  rounds: number,
  { record, root }: RecordedLife,
  folder: string,
  look: (target: string, cut: number) => Promise<void>,
): Promise<void> {
  for (let round = onlyRound ?? 0; round < (onlyRound ?? rounds - 1) + 1; round += 1) {
    const random = toRandom(`${seed} ${part} ${round}`);
    const cut = Math.floor(random() * (record.lines + 1));
    const fate = fates[round % fates.length]!;
    const target = join(folder, `after-${round}`);
    await repeatable(part, round, `cut at ${cut} of ${record.lines}, ${fate}`, async () => {
      replayDisk(record, cut, fate, random, root, target);
      await look(target, cut);
    });
    await rm(target, { recursive: true });
  }
  t.diagnostic(`${part}: ${rounds} cuts in ${record.lines} lines, lost: none`);
}

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { FaultPlan, FaultReport } from './fault-plan.ts';
import { only, onlyRound, seed } from './form.ts';
import { toRandom } from './random.ts';
import { endFaultyInstances } from './start-instance.ts';

/** An operation that writes, in a process that may be killed at each of its writes. */
export interface KillRig extends AsyncDisposable {
  /** Does the operation once in a process of its own, under this plan, until that process is gone. */
  run(kill: FaultPlan['kill'], round: number): Promise<FaultReport>;
  /** Requires that the files on the disk are whole and that all acknowledged content is there. */
  check(round: number): Promise<void>;
  /** The next run completes, and moves nothing that had arrived. */
  complete(round: number): Promise<void>;
}

const moments = ['before', 'during', 'after'] as const;

/**
 * Kills an operation so many times, at a write chosen by the seed and the number of the round, from its first to its
 * last. A failing round says how it is repeated.
 */
export async function runKills(
  t: TestContext,
  name: string,
  open: () => Promise<KillRig>,
  kills: number,
): Promise<void> {
  if (only !== undefined && only !== name) return t.skip(`not run: only ${only} was asked for`);
  await using rig = await open();
  // no process of the rig outlives it, even after a failure
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(endFaultyInstances);
  let { count: total } = await rig.run(undefined, 0);
  await rig.check(0);
  await rig.complete(0);
  assert.ok(total > 0, 'the operation writes nothing');
  let done = 0;
  const struck = new Set<number>();
  for (let round = onlyRound ?? 1; done < kills; round += 1) {
    assert.ok(round <= 3 * kills + (onlyRound ?? 0), `only ${done} of ${round} runs could be killed`);
    const random = toRandom(`${seed} ${name} ${round}`);
    const at = 1 + Math.floor(random() * total);
    // in turn, so that three kills are one at each moment
    const when = moments[round % moments.length]!;
    let report: FaultReport | undefined;
    try {
      report = await rig.run({ at, when }, round);
      await rig.check(round);
      await rig.complete(round);
    } catch (error) {
      const place = `${when} write ${at} of ${total} (${report?.last ?? 'unknown'})`;
      const message = `${name}: killed ${place}; repeat with: npm run test:fault -- --seed ${seed} --round ${round} --only ${name}`;
      throw new Error(`${message}\n${error instanceof Error ? error.stack : error}`, { cause: error });
    }
    if (report.killed) {
      done += 1;
      struck.add(at);
    } else total = Math.max(1, report.count);
    if (onlyRound !== undefined) break;
  }
  t.diagnostic(`${name}: ${done} kills at ${struck.size} of ${total} writes, lost: none`);
}

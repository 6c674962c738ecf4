import type { TestContext } from 'node:test';
import { asked, only, onlyRound, seed } from './form.ts';
import { toRandom } from './random.ts';

/** Draws from the seed of a history. */
export interface Draw {
  /** A whole number from 0 up to, and without, `end`. */
  below(end: number): number;
  pick<T>(items: readonly T[]): T;
  /** @param share of the draws that are true, from 0 to 1 */
  chance(share: number): boolean;
}

/** One operation of a history. It is complete in itself: its dependencies are drawn with it. */
export interface Step<World> {
  /** Its name in the output of a failing history. */
  readonly name: string;
  /** Does nothing where the world gives no occasion, so that a history stays one when other steps are left out. */
  run(world: World): Promise<void>;
}

export interface Histories<World extends AsyncDisposable> {
  /** Names the property in the command that repeats a history. */
  readonly name: string;
  readonly count: number;
  /** Steps in one history. */
  readonly length: number;
  /** A new world. The same seed makes the same world. */
  open(seed: string): Promise<World>;
  /** The next step, by the draws alone: never by the world. */
  draw(draw: Draw): Step<World>;
  /** When the property is asked for. Default: after each step. */
  readonly checks?: 'each step' | 'end';
  /** Throws when the property does not hold. */
  check(world: World): Promise<void>;
}

interface Failure {
  /** How many steps were run, the failing one included. */
  readonly after: number;
  readonly error: unknown;
}

/** Runs of a failing history that look for steps it can do without. */
const shrinkingRuns = 200;

/**
 * Runs histories of random steps and checks a property after each step. A failing history is shortened to steps that
 * still fail, and printed with the command that repeats it.
 *
 * @returns how often each step was run, by its name up to the first blank
 * @throws Error with the steps, the command and the failure
 */
export async function runHistories<World extends AsyncDisposable>(
  t: TestContext,
  histories: Histories<World>,
): Promise<ReadonlyMap<string, number>> {
  const { name, length } = histories;
  const ran = new Map<string, number>();
  if (only !== undefined && only !== name) {
    t.skip(`not run: only ${only} was asked for`);
    return ran;
  }
  const first = onlyRound ?? 1;
  const last = onlyRound ?? asked ?? histories.count;
  const before = process.cpuUsage();
  for (let round = first; round <= last; round += 1) {
    const key = `${seed} ${name} ${round}`;
    const draw = toDraw(key);
    const steps = Array.from({ length }, () => histories.draw(draw));
    const failure = await runOne(histories, key, steps);
    for (const step of steps.slice(0, failure?.after)) {
      const [verb] = step.name.split(' ') as [string];
      ran.set(verb, (ran.get(verb) ?? 0) + 1);
    }
    if (failure === undefined) continue;
    const least = await shrink(histories, key, steps, failure);
    throw new Error(
      [
        `${name}: a history fails; repeat with: npm run test:fault -- --seed ${seed} --round ${round} --only ${name}`,
        ...least.steps.map((step, at) => `  ${at + 1}. ${step.name}`),
        least.error instanceof Error ? least.error.stack : String(least.error),
      ].join('\n'),
      { cause: least.error },
    );
  }
  const count = last - first + 1;
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1e6;
  t.diagnostic(
    `${name}: ${count} histories of ${length} steps in ${seconds.toFixed(1)} s of processor time, seed ${seed}`,
  );
  return ran;
}

/** Draws that depend on the seed only. */
export function toDraw(key: string): Draw {
  const random = toRandom(key);
  const below = (end: number): number => Math.floor(random() * end);
  return {
    below,
    pick: (items) => items[below(items.length)]!,
    chance: (share) => random() < share,
  };
}

async function runOne<World extends AsyncDisposable>(
  histories: Histories<World>,
  key: string,
  steps: readonly Step<World>[],
): Promise<Failure | undefined> {
  let after = 0;
  try {
    await using world = await histories.open(key);
    for (const step of steps) {
      after += 1;
      await step.run(world);
      if (histories.checks !== 'end') await histories.check(world);
    }
    if (histories.checks === 'end') await histories.check(world);
    return undefined;
  } catch (error) {
    return { after, error };
  }
}

/** Leaves out longer, then shorter stretches of steps for as long as the rest still fails. */
async function shrink<World extends AsyncDisposable>(
  histories: Histories<World>,
  key: string,
  all: readonly Step<World>[],
  failure: Failure,
): Promise<{ readonly steps: readonly Step<World>[]; readonly error: unknown }> {
  let steps = all.slice(0, failure.after);
  let { error } = failure;
  let runs = 0;
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < steps.length && runs < shrinkingRuns; ) {
      const fewer = steps.toSpliced(at, size);
      runs += 1;
      const found = await runOne(histories, key, fewer);
      if (found === undefined) at += size;
      else {
        steps = fewer.slice(0, found.after);
        error = found.error;
      }
    }
  }
  return { steps, error };
}

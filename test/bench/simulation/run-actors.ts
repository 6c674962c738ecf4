/** A link or a processor: only so much passes in a second. */
export interface Resource {
  /** Units a second; `Infinity` for one that only counts. */
  readonly capacity: number;
}

/** How much of a resource one unit of some work takes. */
export interface Use {
  readonly of: Resource;
  readonly per: number;
}

/** The same work of several members at once. */
export interface Work {
  /** Units of each member. */
  readonly amount: number;
  readonly members: number;
  readonly uses: readonly Use[];
  /** Units a second of each member at most. */
  readonly most?: number;
}

export type Step = Work | { readonly pause: number };

/** Does one step after the other. Each `yield` ends when its step ends, and returns the time. */
export type Actor = Generator<Step, void, number>;

/** What passed through a resource. */
export interface Usage {
  readonly total: number;
  /** The most in one second of the clock. */
  readonly busiest: number;
}

export interface Run {
  readonly seconds: number;
  usage(resource: Resource): Usage;
}

const least = 1e-9;

/**
 * Shares the resources as fairly as they allow: the rate of all members rises until a resource is full or a member has
 * its most, and that of the others continues to rise.
 *
 * @returns units a second of one member of each work
 */
export function shareRates(works: readonly Work[]): number[] {
  const rates = works.map(() => 0);
  const open = new Set(works.keys());
  const left = new Map<Resource, number>();
  for (const { uses } of works) for (const { of } of uses) left.set(of, of.capacity);
  while (open.size > 0) {
    const wanted = new Map<Resource, number>();
    let rise = Number.POSITIVE_INFINITY;
    for (const i of open) {
      const { members, uses, most = Number.POSITIVE_INFINITY } = works[i]!;
      rise = Math.min(rise, most - rates[i]!);
      for (const { of, per } of uses) wanted.set(of, (wanted.get(of) ?? 0) + members * per);
    }
    for (const [resource, sum] of wanted) rise = Math.min(rise, Math.max(0, left.get(resource)!) / sum);
    if (!Number.isFinite(rise)) throw new Error('a work without a limit');
    for (const [resource, sum] of wanted) left.set(resource, left.get(resource)! - rise * sum);
    const full = new Set(
      [...wanted.keys()].filter(
        (resource) => Number.isFinite(resource.capacity) && left.get(resource)! <= least * resource.capacity,
      ),
    );
    for (const i of [...open]) {
      const { uses, most = Number.POSITIVE_INFINITY } = works[i]!;
      rates[i]! += rise;
      if (rates[i]! >= most * (1 - least) || uses.some(({ of }) => full.has(of))) open.delete(i);
    }
  }
  return rates;
}

/** Runs actors until the last one ends. Steps that end at the same time continue in the order of the actors. */
export function runActors(actors: readonly Actor[]): Run {
  const seconds = new Map<Resource, number[]>();
  const count = (resource: Resource, from: number, to: number, rate: number): void => {
    const buckets = seconds.get(resource) ?? [];
    seconds.set(resource, buckets);
    for (let second = Math.floor(from); second < to; second += 1)
      buckets[second] = (buckets[second] ?? 0) + rate * (Math.min(to, second + 1) - Math.max(from, second));
  };
  let now = 0;
  const running = new Map<Actor, { readonly step: Step; left: number }>();
  const proceed = (actor: Actor): void => {
    const { done, value: step } = actor.next(now);
    if (done) running.delete(actor);
    else running.set(actor, { step, left: 'pause' in step ? step.pause : step.amount });
  };
  for (const actor of actors) proceed(actor);
  while (running.size > 0) {
    const entries = [...running.values()];
    const works = entries.flatMap(({ step }) => ('pause' in step ? [] : [step]));
    const shared = shareRates(works);
    let work = 0;
    const rates = entries.map(({ step }) => ('pause' in step ? 1 : shared[work++]!));
    const wait = Math.min(...entries.map(({ left }, i) => (left === 0 ? 0 : left / rates[i]!)));
    for (const [i, { step }] of entries.entries())
      if ('uses' in step && wait > 0)
        for (const { of, per } of step.uses) count(of, now, now + wait, rates[i]! * per * step.members);
    now += wait;
    for (const [i, entry] of entries.entries()) entry.left = Math.max(0, entry.left - wait * rates[i]!);
    for (const actor of actors) {
      const entry = running.get(actor);
      if (entry === undefined) continue;
      const whole = 'pause' in entry.step ? entry.step.pause : entry.step.amount;
      if (entry.left <= least * whole) proceed(actor);
    }
  }
  return {
    seconds: now,
    usage: (resource) => {
      const buckets = [...(seconds.get(resource) ?? [])].map((one = 0) => one);
      return { total: buckets.reduce((sum, one) => sum + one, 0), busiest: Math.max(0, ...buckets) };
    },
  };
}

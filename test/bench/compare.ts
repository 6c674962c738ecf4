import { busyShare } from './process-usage.ts';
import { type Spread, toSpread } from './statistics.ts';
import type { Comparison, Sample, Target } from './workload.ts';

export interface Verdict {
  readonly measure: string;
  /** The peer that was the best, where the target is against the best; absent: the project held to a figure. */
  readonly peer?: string;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** This project ÷ peer, of the samples of one round each; without a peer the samples themselves. */
  readonly value: Spread;
  readonly met: boolean;
}

export interface Outcome {
  readonly workload: string;
  readonly title: string;
  readonly rounds: number;
  /** Contender, measure, spread. */
  readonly figures: readonly {
    readonly contender: string;
    readonly measure: string;
    readonly unit: string;
    readonly spread: Spread;
    readonly samples: readonly number[];
    /** This project ÷ this contender. */
    readonly ratio?: Spread;
  }[];
  readonly verdicts: readonly Verdict[];
  readonly missing: readonly string[];
  readonly ceiling?: number;
  /** Share of the machine's processors that others used between the rounds: the median. */
  readonly foreignLoad: number;
}

const pairwise = (ours: readonly Sample[], theirs: readonly Sample[], key: string): Spread =>
  toSpread(ours.map((sample, i) => sample[key]! / theirs[i]![key]!));

/** Has the contenders take turns, each first in turn, after one round that is not counted. */
export async function compareContenders(
  workload: string,
  comparison: Comparison,
  options: { readonly pairs: number; readonly tell: (text: string) => void },
): Promise<Outcome> {
  const { contenders, measures } = comparison;
  const samples = new Map(contenders.map(({ name }) => [name, [] as Sample[]]));
  const busy: number[] = [];
  const rounds = comparison.pairs ?? options.pairs;
  options.tell(`${workload} ${comparison.title}: ${contenders.map(({ name }) => name).join(', ')}`);
  const ceiling = await comparison.ceiling?.();
  for (let round = -1; round < rounds; round += 1) {
    if (round < 0 && rounds === 1) continue;
    for (let i = 0; i < contenders.length; i += 1) {
      const contender = contenders[(i + Math.max(0, round)) % contenders.length]!;
      const sample = await contender.run();
      if (round < 0) continue;
      samples.get(contender.name)!.push(sample);
      const first = measures[0]!;
      options.tell(
        `  ${round + 1}/${rounds} ${contender.name}: ${sample[first.key]!.toPrecision(4)} ${first.unit}`,
      );
    }
    busy.push(await busyShare(400));
  }
  const [ours] = contenders;
  const own = samples.get(ours!.name)!;
  const figures = measures.flatMap(({ key, unit, better }) =>
    contenders.flatMap(({ name }) => {
      const these = samples.get(name)!;
      const values = these.map((sample) => sample[key]).filter((value) => value !== undefined);
      if (values.length === 0) return [];
      const compared = better !== 'none' && name !== ours!.name && own.every((sample) => key in sample);
      return [
        {
          contender: name,
          measure: key,
          unit,
          spread: toSpread(values),
          samples: values,
          ...(compared ? { ratio: pairwise(own, these, key) } : {}),
        },
      ];
    }),
  );
  const judge = (value: Spread, bound: Pick<Target, 'atLeast' | 'atMost'>): boolean =>
    (bound.atLeast === undefined || value.median >= bound.atLeast) &&
    (bound.atMost === undefined || value.median <= bound.atMost);
  const verdicts = (comparison.targets ?? []).flatMap(({ against, measure, ...bound }): Verdict[] => {
    const less = measures.find(({ key }) => key === measure)?.better === 'less';
    const hardest = contenders
      .slice(1)
      .filter(({ name }) => against === 'best' || against === name)
      .map(({ name }) => ({ peer: name, value: pairwise(own, samples.get(name)!, measure) }))
      .sort((x, y) => (less ? y.value.median - x.value.median : x.value.median - y.value.median))[0];
    return hardest ? [{ measure, ...bound, ...hardest, met: judge(hardest.value, bound) }] : [];
  });
  for (const { measure, atMost } of comparison.limits ?? []) {
    const value = toSpread(own.map((sample) => sample[measure]!));
    verdicts.push({ measure, atMost, value, met: judge(value, { atMost }) });
  }
  return {
    workload,
    title: comparison.title,
    rounds,
    figures,
    verdicts,
    missing: comparison.missing ?? [],
    ...(ceiling === undefined ? {} : { ceiling }),
    foreignLoad: toSpread(busy).median,
  };
}

import { busyShare } from './process-usage.ts';
import { type Spread, toSpread } from './statistics.ts';
import type { Comparison, Sample, Target } from './workload.ts';

export interface Verdict extends Target {
  /** This project ÷ peer, of the samples of one round each. */
  readonly ratio: Spread;
  /** The peer that was the best, where the target is against the best. */
  readonly peer: string;
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
  const { contenders, measures, targets } = comparison;
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
  const verdicts = targets.flatMap((target): Verdict[] => {
    const less = measures.find(({ key }) => key === target.measure)?.better === 'less';
    const ratios = contenders
      .slice(1)
      .filter(({ name }) => target.against === 'best' || target.against === name)
      .map(({ name }) => ({ peer: name, ratio: pairwise(own, samples.get(name)!, target.measure) }))
      .sort((a, b) => (less ? b.ratio.median - a.ratio.median : a.ratio.median - b.ratio.median));
    const hardest = ratios[0];
    if (hardest === undefined) return [];
    const { median } = hardest.ratio;
    const met =
      (target.atLeast === undefined || median >= target.atLeast) &&
      (target.atMost === undefined || median <= target.atMost);
    return [{ ...target, ...hardest, met }];
  });
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

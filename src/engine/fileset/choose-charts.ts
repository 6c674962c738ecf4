import type { Digest } from '../../base/digest.ts';
import type { Steps } from '../../base/pacer.ts';
import type { TagRecord } from '../../catalog/model.ts';
import { toChartTag } from '../../chart/chart-artifact.ts';
import type { ChartFacts, ListedChart } from '../../chart/chart-facts.ts';
import type { LeftOut, LeftOutChart } from '../../contract/fileset.ts';
import { compareParsed } from '../../recipe/version.ts';

/** A tag of a chart that a view may list. */
export interface Candidate {
  readonly tag: TagRecord;
  /** `<repository>:<tag>` */
  readonly reference: string;
  readonly isOfRecipe: boolean;
  /** As of `StoreIndex.sinceOf`. */
  readonly since: number;
}

interface Choice {
  /** Sorted by name, and by version from the highest. */
  readonly chosen: readonly ListedChart[];
  /** Sorted by name. */
  readonly leftOut: readonly LeftOutChart[];
}

/** Charts that are judged in one step. */
const step = 64;

/**
 * Chooses one chart of each name and version, and of each file name. Charts of recipes come first, then the first to
 * arrive in this store; dates in charts are ignored. The others are reported, unless they are the same archive under
 * another tag. A chart is listed only under its name and version for helm: the end of its repository, and its tag, as
 * of `helm push`. Other claims of its config are not trusted.
 *
 * @param facts of the candidates, in their order; undefined for those that could not be read
 * @param sizeOf bytes of a blob in the store: a chart whose archive is absent or of another size is left out
 */
export function* chooseCharts(
  candidates: readonly Candidate[],
  facts: readonly (ChartFacts | undefined)[],
  sizeOf: (blob: Digest) => number | undefined,
): Steps<Choice> {
  const leftOut: LeftOutChart[] = [];
  const leave = ({ repository, tag }: TagRecord, reason: LeftOut) =>
    leftOut.push({ repository, tag, reason });
  const isThere = ({ digest, size }: ListedChart['archive']): boolean => sizeOf(digest) === size;
  const usable: { readonly candidate: Candidate; readonly chart: ListedChart }[] = [];
  const misnamed: typeof usable = [];
  for (const [i, candidate] of candidates.entries()) {
    const chart = facts[i] ?? { leftOut: 'archive' };
    if ('leftOut' in chart) leave(candidate.tag, chart.leftOut);
    else if (!isThere(chart.archive)) leave(candidate.tag, 'archive');
    else (isNamedSo(candidate.tag, chart) ? usable : misnamed).push({ candidate, chart });
    if (i % step === 0) yield;
  }
  usable.sort(
    ({ candidate: a }, { candidate: b }) =>
      Number(b.isOfRecipe) - Number(a.isOfRecipe) ||
      a.since - b.since ||
      (a.reference < b.reference ? -1 : 1),
  );
  yield;
  // a name and a version may give the file name of another name and version
  const taken = new Map<string, ListedChart>();
  const byName = new Map<string, ListedChart[]>();
  for (const [i, { candidate, chart }] of usable.entries()) {
    const { entry, archive, provenance } = chart;
    const holder = taken.get(entry.file);
    if (holder === undefined) {
      const isWhole = provenance === undefined || isThere(provenance);
      const listed = isWhole ? chart : { entry, archive };
      taken.set(entry.file, listed);
      const same = byName.get(entry.name);
      if (same === undefined) byName.set(entry.name, [listed]);
      else same.push(listed);
    } else if (holder.archive.digest !== archive.digest) leave(candidate.tag, 'duplicate');
    if (i % step === 0) yield;
  }
  const archives = new Set([...taken.values()].map(({ archive }) => archive.digest));
  for (const { candidate, chart } of misnamed)
    if (!archives.has(chart.archive.digest)) leave(candidate.tag, 'reference');
  const chosen: ListedChart[] = [];
  for (const name of [...byName.keys()].sort()) {
    const versions = byName
      .get(name)!
      .sort(
        ({ entry: a }, { entry: b }) => compareParsed(b.parsed, a.parsed) || (a.version < b.version ? -1 : 1),
      );
    for (const version of versions) chosen.push(version);
    yield;
  }
  return { chosen, leftOut: leftOut.sort((a, b) => (toName(a) < toName(b) ? -1 : 1)) };
}

/** Whether a tag is the one under which `helm push` would have put the chart. */
const isNamedSo = ({ repository, tag }: TagRecord, { entry: { name, version } }: ListedChart): boolean =>
  tag === toChartTag(version) &&
  repository.endsWith(name) &&
  repository.charCodeAt(repository.length - name.length - 1) === 47;

const toName = ({ repository, tag }: LeftOutChart): string => `${repository}:${tag}`;

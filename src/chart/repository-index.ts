import { setImmediate as turn } from 'node:timers/promises';
import type { SemVer } from 'semver';
import { type Digest, parseDigest } from '../base/digest.ts';
import { mapInTurns, Pacer, runInTurns } from '../base/pacer.ts';
import { ConstraintError, findVersion, isConstraint } from '../recipe/constraint.ts';
import type { WantedValue } from '../recipe/pick-value.ts';
import { readDocumentValue } from '../recipe/read-document.ts';
import { isYamlMap, toItems, type YamlMap, type YamlValue } from '../recipe/read-yaml.ts';
import { compareParsed, parseVersionTag } from '../recipe/version.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { toText } from './embedded-dependencies.ts';
import { isInHelmRange, parseHelmRange, parseHelmVersion } from './helm-range.ts';

/** Maximum bytes of the `index.yaml` of a repository. */
export const chartIndexLimit = 33_554_432;

/** One version of a chart in the index of a repository. */
export interface IndexedChart {
  readonly version: string;
  /** Absolute, or relative to the repository; at least one. */
  readonly urls: readonly string[];
  /** Digest of the archive, if the repository gives it. */
  readonly digest?: Digest;
  /** The repository gives a digest that is none of SHA-256: the archive could not be compared with it. */
  readonly hasForeignDigest?: true;
}

const lineFeed = 10;
const hyphen = 45;
/** Bytes that are searched without a turn of the event loop. */
const scanBytes = 1 << 16;
/** Matches a chart name in the index, plain or quoted, without a value after its colon. */
const nameLine = /^(?:"([^"\\]*)"|'([^']*)'|([A-Za-z0-9_][^\s:#"']*))\s*:\s*(?:#.*)?$/;

/** Members of a version that are read. */
const entryMembers = ['name', 'version', 'urls', 'digest'] as const;

/** The lines of the versions of one chart in an index. */
interface Section {
  readonly items: readonly Buffer[];
}

/**
 * Finds the versions of one chart without decoding the rest, which may have thousands of others.
 *
 * @returns undefined when the index is not formatted as helm formats it, and must be read as a whole
 */
async function findSection(index: Buffer, chart: string): Promise<Section | undefined> {
  let isInside = false;
  let wasInside = false;
  let width = 0;
  let current: string | undefined;
  let seen = false;
  let itemWidth = -1;
  let itemStart = -1;
  const items: Buffer[] = [];
  const close = (end: number): void => {
    if (itemStart >= 0) items.push(index.subarray(itemStart, end));
    itemStart = -1;
  };
  let rested = 0;
  for (let at = 0; at < index.length; ) {
    const found = index.indexOf(lineFeed, at);
    const end = found < 0 ? index.length : found;
    const start = at;
    at = end + 1;
    if (start - rested > scanBytes) {
      rested = start;
      await turn();
    }
    let indent = 0;
    while (start + indent < end && index[start + indent] === 32) indent += 1;
    const first = index[start + indent];
    if (start + indent === end || first === 13 || first === 35) continue;
    if (first === 9) return undefined;
    if (indent === 0) {
      close(start);
      isInside = false;
      const line = index.toString('utf8', start, Math.min(end, start + 256)).trimEnd();
      if (line === '---' && start === 0) continue;
      if (/^entries\s*:/.test(line)) {
        if (wasInside || !/^entries\s*:\s*(?:#.*)?$/.test(line)) return undefined;
        isInside = true;
        wasInside = true;
      } else if (!/^[A-Za-z]/.test(line)) return undefined;
      continue;
    }
    if (!isInside) continue;
    if (width === 0) width = indent;
    if (indent < width) return undefined;
    const isItem = first === hyphen && (start + indent + 1 === end || index[start + indent + 1] === 32);
    if (indent === width && !isItem) {
      close(start);
      const match = nameLine.exec(
        index.toString('utf8', start + indent, Math.min(end, start + 512)).trimEnd(),
      );
      if (!match) return undefined;
      current = match[1] ?? match[2] ?? match[3];
      if (current === chart) {
        if (seen) return undefined;
        seen = true;
        itemWidth = -1;
      }
      continue;
    }
    if (current !== chart) continue;
    if (isItem && (itemWidth < 0 || indent === itemWidth)) {
      close(start);
      itemWidth = indent;
      itemStart = start;
    } else if (itemStart < 0 || indent <= itemWidth) return undefined;
  }
  close(index.length);
  return wasInside ? { items } : undefined;
}

function toIndexed(entry: YamlMap, chart: string): IndexedChart | undefined {
  const version = toText(entry.get('version'));
  const name = toText(entry.get('name'));
  const list = entry.get('urls');
  const urls = Array.isArray(list) ? (list as readonly YamlValue[]).flatMap((url) => toText(url) ?? []) : [];
  if (version === undefined || urls.length === 0 || (name !== undefined && name !== chart)) return undefined;
  const written = (toText(entry.get('digest')) ?? '').toLowerCase();
  if (written === '') return { version, urls };
  const digest = parseDigest(written.startsWith('sha256:') ? written : `sha256:${written}`);
  return { version, urls, ...(digest === undefined ? { hasForeignDigest: true } : { digest }) };
}

/**
 * Returns the versions of one chart in the index of a repository, in its order. Entries without version or URL are
 * ignored, as helm does. Empty when the index has no such chart.
 *
 * @param index at most 32 MiB; at most 4 MiB if it is not formatted line by line, as helm does
 * @param file name of the index in errors
 * @throws SVC-VAL-001, SVC-VAL-002; the signal's reason
 */
export async function readChartIndex(
  index: Buffer,
  chart: string,
  file: string,
  signal?: AbortSignal,
): Promise<readonly IndexedChart[]> {
  const section = await findSection(index, chart);
  const entries: YamlValue[] = [];
  if (section) {
    for (const item of section.items) {
      signal?.throwIfAborted();
      const wanted = { duplicateKeys: 'last', members: entryMembers } as const;
      entries.push(...toItems(await readDocumentValue(item, file, wanted, { signal })));
      await turn();
    }
  } else {
    const read = (wanted: WantedValue) => readDocumentValue(index, file, wanted, { signal });
    const found = await read({ path: ['entries', chart], members: entryMembers });
    // a document without entries is no index
    if (found === undefined && !isYamlMap(await read({ path: ['entries'], members: [] })))
      throw svcError('SVC-VAL-001', {
        file,
        path: 'entries',
        rule: rule(['must be a map', fr`doit être un objet`]),
      });
    entries.push(...toItems(found));
  }
  return mapInTurns(entries, (entry) => (isYamlMap(entry) ? toIndexed(entry, chart) : undefined));
}

const listedCandidates = 20;

function listCandidates(charts: readonly { readonly version: string }[]): string[] {
  const listed: string[] = [];
  for (const { version } of charts) {
    if (listed.length === listedCandidates) break;
    if (parseVersionTag(version)) listed.push(version);
  }
  return listed;
}

/**
 * Selects a version: exactly the wanted one, the highest that a constraint allows, or the highest release.
 *
 * @param reference name of the chart in errors
 * @throws SVC-REG-006 when there is none, SVC-REG-001 for an invalid constraint
 */
export async function selectChart<T extends { readonly version: string }>(
  charts: readonly T[],
  wanted: string | undefined,
  reference: string,
): Promise<T> {
  const versions = charts.map(({ version }) => version);
  const constraint = wanted ?? '*';
  const exact = charts.find(({ version }) => version === wanted);
  if (exact) return exact;
  try {
    const selected = isConstraint(constraint)
      ? await runInTurns(findVersion(constraint, versions))
      : undefined;
    const chart = charts.find(({ version }) => version === selected);
    if (chart) return chart;
  } catch (error) {
    if (!(error instanceof ConstraintError)) throw error;
    throw svcError('SVC-REG-001', { reference: `${reference}:${constraint}`, rule: error.rule });
  }
  throw svcError('SVC-REG-006', { reference, constraint, candidates: listCandidates(charts) });
}

/**
 * Selects the version that a chart declares for a dependency, by helm's rules: exactly this one, or the highest in the
 * range.
 *
 * @param wanted absent: the highest release
 * @param reference name of the chart in errors
 * @throws SVC-REG-006 when there is none, SVC-REG-001 for a range that helm cannot read either
 */
export async function selectDependency<T extends { readonly version: string }>(
  charts: readonly T[],
  wanted: string | undefined,
  reference: string,
): Promise<T> {
  const text = wanted?.trim() || '*';
  const exact = charts.find(({ version }) => version === text);
  if (exact) return exact;
  const range = parseHelmRange(text);
  if (!range)
    throw svcError('SVC-REG-001', {
      reference: `${reference}:${text.slice(0, 256)}`,
      rule: rule([
        'the version range of the dependency is not valid',
        fr`la plage de versions de la dépendance n’est pas valide`,
      ]),
    });
  let best: { readonly chart: T; readonly version: SemVer } | undefined;
  const pacer = new Pacer();
  for (const chart of charts) {
    if (pacer.isDue()) await pacer.rest();
    const version = parseHelmVersion(chart.version);
    if (!version || !isInHelmRange(version, range)) continue;
    if (!best || compareParsed(version, best.version) > 0) best = { chart, version };
  }
  if (best) return best.chart;
  throw svcError('SVC-REG-006', { reference, constraint: text, candidates: listCandidates(charts) });
}

import type { FileHandle } from 'node:fs/promises';
import { forEachBounded } from '../../base/concurrency.ts';
import { type Digest, digestAlgorithm, hashBytes } from '../../base/digest.ts';
import { isSvcError, svcError } from '../../base/error.ts';
import { matchGlob } from '../../base/glob.ts';
import type { Report } from '../../base/report.ts';
import type { TagRecord } from '../../catalog/model.ts';
import {
  type IndexEntry,
  type LeftOut,
  listedConfigBytes,
  toChartIndex,
  toIndexEntry,
} from '../../chart/index-entry.ts';
import type { Config } from '../../config/model.ts';
import { readWhole } from '../../disk/plain-file.ts';
import type { FilesetFile } from '../../fileset/model.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { ManifestError, parseManifest } from '../../oci/manifest.ts';
import { mediaTypes } from '../../oci/media-types.ts';
import { isAttachmentTag } from '../../oci/reference.ts';
import { compareVersions } from '../../recipe/version.ts';
import { isDamage } from '../../store/blobs/judge-blob.ts';
import { readAhead, readCached } from '../../store/blobs/read-ahead.ts';
import type { Store } from '../../store/model.ts';
import { openBlob } from '../../store/open-blob.ts';
import { readStoredManifest } from '../../store/read-stored-manifest.ts';
import type { FilesetGate } from './select-fileset.ts';

/** Charts whose manifests and configs are read together; these bytes are in memory at once, at most 64 KiB each. */
const together = 256;
/** Charts that are read at once, where their bytes could not be read together. */
const parallel = 16;

/** Configuration of a view: a generated tree below `/files/`. */
export type ViewSetting = Config['files']['views'][number];

/** A chart that a view does not list. */
export interface LeftOutChart {
  readonly repository: string;
  readonly tag: string;
  readonly reason: LeftOut;
}

/** The index of a view, and what it names. */
export interface ChartIndex {
  readonly bytes: Buffer;
  /** Digest of the bytes. */
  readonly digest: Digest;
  /** Number of listed versions. */
  readonly charts: number;
  readonly leftOut: readonly LeftOutChart[];
}

/** A file of a view in the store, as the sender of files takes it. */
export interface ViewFile extends FilesetFile {
  readonly isBlob: true;
}

/** The views of an instance. */
export interface ChartViews {
  /** Configured views by name. */
  readonly settings: ReadonlyMap<string, ViewSetting>;
  /**
   * Makes the index of a view, or returns the one of the same head of the store.
   *
   * @throws SVC-MED-030 or SVC-MED-032 while the gate is closed; the errors of reading the store
   */
  index(setting: ViewSetting): Promise<ChartIndex>;
  /** Finds an archive or a provenance file. @throws as {@link index} */
  find(setting: ViewSetting, file: string): Promise<ViewFile | undefined>;
  /** Opens the bytes of a file; the caller closes it. @throws SVC-STO-00x, SVC-SIG-002 */
  open(file: Pick<FilesetFile, 'layer'>): Promise<{ readonly file: FileHandle; readonly start: number }>;
  /** Makes the index of every view that changed, so that no client waits for it. Never throws. */
  prepare(): Promise<void>;
}

/** What of a chart does not change as long as its manifest does not. */
type Facts =
  | { readonly leftOut: LeftOut }
  | { readonly entry: IndexEntry; readonly archive: Descriptor; readonly provenance?: Descriptor };

interface Listed {
  readonly tag: TagRecord;
  /** `<repository>:<tag>` */
  readonly reference: string;
  readonly isOfRecipe: boolean;
  /** As of `StoreIndex.sinceOf`. */
  readonly since: number;
}

interface Made extends ChartIndex {
  readonly head: string;
  /** As of `toKey`. */
  readonly key: string;
  readonly files: ReadonlyMap<string, Descriptor>;
}

interface ChartViewsOptions {
  readonly config: Pick<Config, 'files' | 'storage'>;
  readonly store: Store;
  readonly gate: FilesetGate;
  readonly report: Report;
}

export function createChartViews({ config, store, gate, report }: ChartViewsOptions): ChartViews {
  const settings = new Map(config.files.views.map((setting) => [setting.name, setting]));
  const facts = new Map<Digest, Facts>();
  const made = new Map<string, Made>();
  const making = new Map<string, Promise<Made>>();

  const list = ({ repositories }: ViewSetting): readonly Listed[] => {
    const prefix = config.storage.basePrefix ? `${config.storage.basePrefix}/` : '';
    const listed: Listed[] = [];
    for (const name of store.index.repositoriesOf('HelmChart')) {
      const nominal = name.startsWith(prefix) ? name.slice(prefix.length) : name;
      if (!repositories.some((glob) => matchGlob(glob, nominal, '/'))) continue;
      for (const tag of store.index.tags(name)) {
        if (tag.kind !== 'HelmChart' || tag.held || isAttachmentTag(tag.tag)) continue;
        if (!gate.allowsTag(name, tag.tag)) continue;
        listed.push({
          tag,
          reference: `${name}:${tag.tag}`,
          isOfRecipe: tag.owners.some(({ provenance }) => provenance === 'recipe'),
          since: store.index.sinceOf(name, tag.tag) ?? 0,
        });
      }
    }
    return listed;
  };

  const read = async ({ tag: { digest }, reference }: Listed): Promise<void> => {
    try {
      facts.set(digest, await readFacts(store, reference, digest));
    } catch (error) {
      if (isDamage(error)) gate.onAltered(digest);
      throw error;
    }
  };

  const make = async (setting: ViewSetting, head: string): Promise<Made> => {
    const listed = list(setting);
    const key = toKey(listed);
    const before = made.get(setting.name);
    if (before?.key === key) return { ...before, head };
    const fresh = new Map<Digest, Listed>();
    for (const each of listed) if (!facts.has(each.tag.digest)) fresh.set(each.tag.digest, each);
    const unread = [...fresh.values()];
    for (let at = 0; at < unread.length; at += together) {
      const some = unread.slice(at, at + together);
      await readTogether(store, some);
      await forEachBounded(some, parallel, read);
    }
    const { chosen, leftOut } = choose(listed, facts);
    const bytes = Buffer.from(toChartIndex(chosen.map(({ entry }) => entry)));
    const files = new Map<string, Descriptor>();
    for (const { entry, archive, provenance } of chosen) {
      files.set(entry.file, archive);
      if (provenance !== undefined) files.set(`${entry.file}.prov`, provenance);
    }
    const digest = hashBytes(bytes);
    if (leftOut.length > 0 && JSON.stringify(before?.leftOut) !== JSON.stringify(leftOut))
      report.log('warn', 'a view leaves out charts', {
        view: setting.name,
        count: leftOut.length,
        first: leftOut.slice(0, 20),
      });
    return { head, key, bytes, digest, charts: chosen.length, leftOut, files };
  };

  const forget = (): void => {
    const needed = new Set([...settings.values()].flatMap((each) => list(each).map(({ tag }) => tag.digest)));
    for (const digest of facts.keys()) if (!needed.has(digest)) facts.delete(digest);
  };

  const requireOpen = (): void => {
    const refusal = gate.refusal();
    if (refusal) throw svcError(refusal.code, { mediaId: refusal.mediaId });
  };

  const get = async (setting: ViewSetting): Promise<Made> => {
    requireOpen();
    const { head } = store;
    const known = made.get(setting.name);
    // what a gate lets through can change while the head of the store does not
    if (known?.head === head && !gate.guarded) return known;
    const running = making.get(setting.name);
    if (running !== undefined) {
      // it may have begun before the last change
      await running.catch(() => undefined);
      return get(setting);
    }
    const work = make(setting, head);
    making.set(setting.name, work);
    let fresh: Made;
    try {
      fresh = await work;
    } finally {
      making.delete(setting.name);
    }
    requireOpen();
    // withdrawn while it was read
    if (gate.guarded && toKey(list(setting)) !== fresh.key) return get(setting);
    made.set(setting.name, fresh);
    if (facts.size > 2 * fresh.charts + 1000) forget();
    return fresh;
  };

  return {
    settings,
    index: get,
    find: async (setting, file) => {
      const layer = (await get(setting)).files.get(file);
      return layer && { digest: layer.digest, size: layer.size, layer, offset: 0, isBlob: true };
    },
    open: async ({ layer }) => {
      try {
        return { file: (await openBlob(store, layer.digest)).file, start: 0 };
      } catch (error) {
        if (isDamage(error)) gate.onAltered(layer.digest);
        throw error;
      }
    },
    prepare: async () => {
      for (const setting of settings.values()) {
        if (gate.refusal() !== undefined) return;
        try {
          await get(setting);
        } catch (error) {
          report.log('warn', 'a view cannot be made', { view: setting.name, error });
        }
      }
    },
  };
}

/** Reads manifests and configs of charts into the cache. What cannot be read is left to `readFacts`. */
async function readTogether(store: Store, charts: readonly Listed[]): Promise<void> {
  const manifests = charts.map(({ tag }) => tag.digest);
  // the first blob of a chart is its config
  const configs = manifests.flatMap((digest) => store.index.manifest(digest)?.blobs[0]?.digest ?? []);
  await readAhead(store, [...manifests, ...configs]);
}

/** Reads the config of a chart. */
async function readFacts(store: Store, reference: string, digest: Digest): Promise<Facts> {
  const content = await readStoredManifest(store, digest);
  if (content === undefined) return { leftOut: 'archive' };
  try {
    const manifest = parseManifest(content.bytes, content.descriptor.mediaType);
    if (manifest.kind === 'index') return { leftOut: 'archive' };
    const layerOf = (type: string) => manifest.layers.find(({ mediaType }) => mediaType === type);
    const archive = layerOf(mediaTypes.helmChart);
    if (archive === undefined || store.index.sizeOf(archive.digest) !== archive.size)
      return { leftOut: 'archive' };
    if (manifest.config.size > listedConfigBytes) return { leftOut: 'config' };
    const config = await readConfig(store, manifest.config, reference);
    const created = manifest.annotations['org.opencontainers.image.created'];
    const entry = toIndexEntry(config, archive.digest, created);
    if ('leftOut' in entry) return entry;
    const claimed = layerOf(mediaTypes.helmProvenance);
    const provenance =
      claimed !== undefined && store.index.sizeOf(claimed.digest) === claimed.size ? claimed : undefined;
    return { entry, archive, ...(provenance === undefined ? {} : { provenance }) };
  } catch (error) {
    if (error instanceof ManifestError || isSvcError(error, 'SVC-STO-001')) return { leftOut: 'archive' };
    throw error;
  }
}

/** Reads a blob whole, from the cache or without a stream, as thousands are read. @throws SVC-STO-001, SVC-SIG-002 when it was altered */
async function readConfig(store: Store, { digest, size }: Descriptor, reference: string): Promise<Buffer> {
  const known = readCached(store, digest);
  if (known !== undefined) return known;
  const { file } = await openBlob(store, digest);
  try {
    const bytes = await readWhole(file, size);
    const actual = hashBytes(bytes, digestAlgorithm(digest));
    if (actual !== digest) throw svcError('SVC-SIG-002', { reference, expected: digest, actual });
    return bytes;
  } finally {
    await file.close();
  }
}

type Chosen = Exclude<Facts, { readonly leftOut: LeftOut }>;

/**
 * Chooses one chart of each name and version, and of each file name: what a recipe brought comes first, then what this
 * store got first, whatever date a chart claims. The others are reported, unless they are the same archive under another
 * tag.
 */
function choose(
  listed: readonly Listed[],
  facts: ReadonlyMap<Digest, Facts>,
): { readonly chosen: readonly Chosen[]; readonly leftOut: readonly LeftOutChart[] } {
  const leftOut: LeftOutChart[] = [];
  const candidates: (Listed & { readonly chart: Chosen })[] = [];
  for (const each of listed) {
    const chart = facts.get(each.tag.digest)!;
    const { repository, tag } = each.tag;
    if ('leftOut' in chart) leftOut.push({ repository, tag, reason: chart.leftOut });
    else candidates.push({ ...each, chart });
  }
  candidates.sort(
    (a, b) =>
      Number(b.isOfRecipe) - Number(a.isOfRecipe) ||
      a.since - b.since ||
      (a.reference < b.reference ? -1 : 1),
  );
  // a name and a version may give the file name of another name and version
  const taken = new Map<string, Chosen>();
  for (const { tag, chart } of candidates) {
    const holder = taken.get(chart.entry.file);
    if (holder === undefined) taken.set(chart.entry.file, chart);
    else if (holder.archive.digest !== chart.archive.digest)
      leftOut.push({ repository: tag.repository, tag: tag.tag, reason: 'duplicate' });
  }
  const chosen = [...taken.values()].sort(
    ({ entry: a }, { entry: b }) =>
      (a.name === b.name ? 0 : a.name < b.name ? -1 : 1) ||
      compareVersions(b.version, a.version) ||
      (a.version < b.version ? -1 : 1),
  );
  return { chosen, leftOut: leftOut.sort((a, b) => (toName(a) < toName(b) ? -1 : 1)) };
}

/** Names what was listed, to recognise the same content under another head. */
const toKey = (listed: readonly Listed[]): string =>
  listed
    .map(({ tag, reference, isOfRecipe, since }) => `${reference}@${tag.digest} ${isOfRecipe} ${since}`)
    .join('\n');

const toName = ({ repository, tag }: Pick<TagRecord, 'repository' | 'tag'>): string => `${repository}:${tag}`;

import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { type Digest, toDigest } from '../../base/digest.ts';
import { toGateError } from '../../base/gate-refusal.ts';
import { matchGlob } from '../../base/glob.ts';
import { Pacer, runAtOnce, runInTurns, type Steps } from '../../base/pacer.ts';
import type { Report } from '../../base/report.ts';
import type { ChartLayer, ListedChart } from '../../chart/chart-facts.ts';
import { formatChartIndex } from '../../chart/index-entry.ts';
import type { Config } from '../../config/model.ts';
import type { LeftOutChart } from '../../contract/fileset.ts';
import type { FilesetFile } from '../../fileset/model.ts';
import { isAttachmentTag } from '../../oci/reference.ts';
import { isDamage } from '../../store/blobs/judge-blob.ts';
import { expectReading } from '../../store/blobs/read-ahead.ts';
import type { Store } from '../../store/model.ts';
import { openBlob } from '../../store/open-blob.ts';
import { type ChartMemory, openChartMemory } from './chart-memory.ts';
import { type Candidate, chooseCharts } from './choose-charts.ts';
import { readCharts, type StoredChart } from './read-charts.ts';
import { createReview } from './review.ts';
import type { FilesetGate } from './select-fileset.ts';

/** Bytes of an index that are hashed at once. */
const pieceSize = 1 << 18;

/** Configuration of a view: a generated tree below `/files/`. */
export type ViewSetting = Config['files']['views'][number];

/** The index of a view, and the charts in it. */
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
export interface ChartViews extends AsyncDisposable {
  /** Configured views by name. */
  readonly settings: ReadonlyMap<string, ViewSetting>;
  /**
   * Makes the index of a view, or returns the one of the same tags of charts.
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
  /** Has the indexes prepared soon, as the store changed: many changes in a short time have them made once. */
  review(): void;
  /** Resolves when no index is to be prepared any more. */
  idle(): Promise<void>;
}

/** State of the store and of the gate: another one may have other charts. */
interface Moment {
  readonly mark: object;
  readonly gateMark: object;
  readonly isGuarded: boolean;
  readonly head: string;
}

interface Made extends ChartIndex {
  readonly moment: Moment;
  /** As of `toKey`. */
  readonly key: string;
  /** Whether all charts could be read. */
  readonly isComplete: boolean;
  /** Layers by the names of their files. */
  readonly files: () => ReadonlyMap<string, ChartLayer>;
  /** All charts, those that are left out included. */
  readonly listed: readonly Candidate[];
}

interface ChartViewsOptions {
  readonly config: Pick<Config, 'files' | 'storage' | 'state'>;
  readonly store: Store;
  readonly gate: FilesetGate;
  readonly report: Report;
}

export function createChartViews({ config, store, gate, report }: ChartViewsOptions): ChartViews {
  const settings = new Map(config.files.views.map((setting) => [setting.name, setting]));
  const made = new Map<string, Made>();
  const making = new Map<string, Promise<Made>>();
  let opening: Promise<ChartMemory> | undefined;

  const openMemory = (): Promise<ChartMemory> => {
    opening ??= openChartMemory({ stateRoot: config.state.root, report });
    return opening;
  };

  function* list({ repositories }: ViewSetting): Steps<readonly Candidate[]> {
    const prefix = config.storage.basePrefix ? `${config.storage.basePrefix}/` : '';
    const listed: Candidate[] = [];
    for (const name of store.index.repositoriesOf('HelmChart')) {
      yield;
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
  }

  const toMoment = (): Moment => ({
    mark: store.index.markOf('HelmChart'),
    gateMark: gate.mark,
    isGuarded: gate.guarded,
    head: store.head,
  });

  /** Whether the charts of a moment are listed now too, and the gate allows the same ones. */
  const isNow = ({ mark, gateMark, isGuarded }: Moment): boolean => {
    const now = toMoment();
    return mark === now.mark && gateMark === now.gateMark && isGuarded === now.isGuarded;
  };

  /** Lists the charts of one moment. */
  const listNow = async (setting: ViewSetting, pacer: Pacer) => {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const moment = toMoment();
      const listed = await runInTurns(list(setting), pacer);
      if (isNow(moment)) return { moment, listed };
    }
    return { moment: toMoment(), listed: runAtOnce(list(setting)) };
  };

  const make = async (setting: ViewSetting): Promise<Made> => {
    const memory = await openMemory();
    const pacer = new Pacer();
    if (memory.size === 0) expectReading(store);
    const { listed, moment } = await listNow(setting, pacer);
    const key = toKey(listed);
    const before = made.get(setting.name);
    if (before?.key === key && before.isComplete) return { ...before, moment };
    const facts = listed.map(({ tag }) => memory.get(tag.digest));
    const unread = new Map<Digest, StoredChart>();
    for (const [i, { tag, reference }] of listed.entries())
      if (facts[i] === undefined) unread.set(tag.digest, { manifest: tag.digest, reference });
    await readCharts(store, {
      charts: [...unread.values()],
      take: (manifest, read) => memory.set(manifest, read),
      fail: (manifest, error) => {
        if (isDamage(error)) gate.onAltered(manifest);
      },
    });
    if (unread.size > 0) for (const [i, { tag }] of listed.entries()) facts[i] ??= memory.get(tag.digest);
    const sizeOf = (blob: Digest): number | undefined => store.index.sizeOf(blob);
    const { chosen, leftOut } = await runInTurns(chooseCharts(listed, facts, sizeOf), pacer);
    if (leftOut.length > 0 && JSON.stringify(before?.leftOut) !== JSON.stringify(leftOut))
      report.log('warn', 'a view leaves out charts', {
        view: setting.name,
        count: leftOut.length,
        first: leftOut.slice(0, 20),
      });
    return {
      moment,
      key,
      isComplete: !facts.includes(undefined),
      ...(await encode(chosen, pacer)),
      charts: chosen.length,
      leftOut,
      files: once(() => toFiles(chosen)),
      listed,
    };
  };

  /** Forgets charts that no view lists any more, once every view was made. */
  const forget = (memory: ChartMemory): void => {
    const views = [...settings.keys()].map((name) => made.get(name)?.listed);
    if (views.includes(undefined)) return;
    const needed = views.reduce((sum, listed) => sum + listed!.length, 0);
    if (memory.size > needed + needed / 4 + 100)
      memory.retain(new Set(views.flatMap((listed) => listed!.map(({ tag }) => tag.digest))));
  };

  const requireOpen = (): void => {
    const refusal = gate.refusal();
    if (refusal) throw toGateError(refusal);
  };

  const get = async (setting: ViewSetting): Promise<Made> => {
    requireOpen();
    const known = made.get(setting.name);
    if (known && isNow(known.moment) && (known.isComplete || known.moment.head === store.head)) return known;
    const running = making.get(setting.name);
    if (running !== undefined) {
      // it may have begun before the last change
      await running.catch(() => undefined);
      return get(setting);
    }
    const work = make(setting);
    making.set(setting.name, work);
    let fresh: Made;
    try {
      fresh = await work;
    } finally {
      making.delete(setting.name);
    }
    requireOpen();
    // withdrawn while it was read
    if (fresh.moment.gateMark !== gate.mark) return get(setting);
    made.set(setting.name, fresh);
    forget(await openMemory());
    return fresh;
  };

  const prepare = async (): Promise<void> => {
    for (const setting of settings.values()) {
      if (gate.refusal() !== undefined) return;
      try {
        await get(setting);
      } catch (error) {
        report.log('warn', 'a view cannot be made', { view: setting.name, error });
      }
    }
  };
  const reviews = createReview(prepare);

  return {
    settings,
    index: get,
    find: async (setting, file) => {
      const layer = (await get(setting)).files().get(file);
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
    prepare,
    review: () => {
      if (settings.size > 0) reviews.ask();
    },
    idle: () => reviews.idle(),
    [Symbol.asyncDispose]: async () => {
      await reviews.end();
      await Promise.allSettled(making.values());
      await (await opening)?.save();
    },
  };
}

/** Formats and hashes an index, in slices. */
async function encode(
  charts: readonly ListedChart[],
  pacer: Pacer,
): Promise<Pick<ChartIndex, 'bytes' | 'digest'>> {
  const bytes = Buffer.concat([...formatChartIndex(charts.map(({ entry }) => entry))]);
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += pieceSize) {
    if (pacer.isDue()) await pacer.rest();
    hash.update(bytes.subarray(at, at + pieceSize));
  }
  return { bytes, digest: toDigest('sha256', hash) };
}

/** Does work when its result is needed first. */
function once<T>(work: () => T): () => T {
  let done: { readonly result: T } | undefined;
  return () => {
    done ??= { result: work() };
    return done.result;
  };
}

function toFiles(charts: readonly ListedChart[]): Map<string, ChartLayer> {
  const files = new Map<string, ChartLayer>();
  for (const { entry, archive, provenance } of charts) {
    files.set(entry.file, archive);
    if (provenance !== undefined) files.set(`${entry.file}.prov`, provenance);
  }
  return files;
}

/** Key of a list of candidates, to recognise the same content under another head. */
const toKey = (listed: readonly Candidate[]): string =>
  listed
    .map(({ tag, reference, isOfRecipe, since }) => `${reference}@${tag.digest} ${isOfRecipe} ${since}`)
    .join('\n');

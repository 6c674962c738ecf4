import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Serial } from '../base/concurrency.ts';
import type { Digest } from '../base/digest.ts';
import { svcError, toErrorRecord } from '../base/error.ts';
import type { Report } from '../base/report.ts';
import type { Config } from '../config/model.ts';
import { isTransient, toReadError } from '../disk/read-error.ts';
import { inspectVolume } from '../disk/volume.ts';
import { resolveFileset } from '../engine/fileset/resolve-fileset.ts';
import {
  type FilesetGate,
  type FilesetSetting,
  filesetRepository,
  type SelectedFileset,
  selectFileset,
} from '../engine/fileset/select-fileset.ts';
import { passPreflight } from '../engine/sync/pass-preflight.ts';
import { judgeVolume } from '../engine/sync/preflight.ts';
import { compressionOf } from '../fileset/compression-of.ts';
import { type FilesetCache, openFilesetCache } from '../fileset/fileset-cache.ts';
import type { FilesetFile, FilesetImage, FilesetTree } from '../fileset/model.ts';
import { nominalRepository } from '../recipe/relocation.ts';
import { isDamage } from '../store/blobs/judge-blob.ts';
import type { Store } from '../store/model.ts';
import { openBlob } from '../store/open-blob.ts';

/** Milliseconds for which an image that cannot be served is not read again. */
const failureRest = 60_000;

interface ServedFilesetsOptions {
  readonly config: Pick<Config, 'files' | 'storage' | 'state' | 'preflight'>;
  readonly store: Store;
  readonly gate: FilesetGate;
  readonly report: Report;
  /** Ends reading that goes on after its client has left. */
  readonly signal: AbortSignal;
  readonly now?: () => number;
}

/** A file of a file set, found. */
export interface FoundFile extends FilesetFile {
  /** Its bytes lie in a blob of the store, not in an unpacked copy of ours. */
  readonly isBlob: boolean;
}

/** The file sets of an instance. */
export interface ServedFilesets extends AsyncDisposable {
  /** What is configured, by name. */
  readonly settings: ReadonlyMap<string, FilesetSetting>;
  /** Of the store. @throws SVC-DST-001 */
  repositoryOf(setting: FilesetSetting): string;
  /** The nominal name of a repository of the store. */
  nominalOf(repository: string): string;
  /** @throws as `selectFileset` */
  select(setting: FilesetSetting): SelectedFileset;
  /**
   * Resolves what a request for a file would be answered from, without reading layers.
   *
   * @throws as `selectFileset` and `resolveFileset`; what reading the layers threw, where that failed lately
   */
  requireServable(setting: FilesetSetting): Promise<void>;
  /**
   * A file by its path (one character a byte); undefined when the file set has none there. The first time, all layers
   * are read, which takes as long as it takes: `patience` bounds the waiting, in milliseconds, not the reading.
   *
   * @throws as `selectFileset` and `resolveFileset`; SVC-FIL-004 when the image cannot be served, SVC-CFG-001 without
   *   `state.root`, SVC-SRV-006 when the patience has ended, SVC-SIG-002, SVC-STO-00x
   */
  find(setting: FilesetSetting, path: string, patience?: number): Promise<FoundFile | undefined>;
  /** The open file that has the bytes, from `start` on; the caller closes it. @throws as `find` */
  open(file: FoundFile): Promise<{ readonly file: FileHandle; readonly start: number }>;
  /**
   * Warns of, and audits, every file set that serves another version, digest or provenance than when it was last looked
   * at.
   *
   * @param actor who has just changed the store
   */
  review(actor: string, origin?: string): void;
  /** Reads all file sets that can be served, and says which they are. */
  prepare(): Promise<void>;
}

interface Kept {
  readonly image: FilesetImage;
  readonly tree: Promise<FilesetTree>;
  /** When its reading failed. */
  failedAt?: number;
  isClosed?: true;
}

/** What a file set stands for while the store is as it was. */
interface Resolution {
  readonly head: string;
  readonly selected: SelectedFileset;
  image?: Promise<FilesetImage>;
}

export function createServedFilesets(options: ServedFilesetsOptions): ServedFilesets {
  const { config, store, gate, report, signal } = options;
  const now = options.now ?? (() => performance.now());
  const settings = new Map(config.files.filesets.map((setting) => [setting.name, setting]));
  const stateRoot = config.state.root;
  /** Trees by their image, and which of them each file set shows now. */
  const trees = new Map<Digest, Kept>();
  const shown = new Map<string, Digest>();
  const resolutions = new Map<string, Resolution>();
  /** Reading is work for the disk: one file set after the other. */
  const reading = new Serial();
  let cache: Promise<FilesetCache> | undefined;

  /** What a file set serves, and by whose doing; undefined while it serves nothing. */
  const describe = (setting: FilesetSetting) => {
    try {
      const {
        repository,
        tag: version,
        digest,
      } = selectFileset(store, gate, setting, config.storage.basePrefix);
      const { owners = [] } = store.index.tag(repository, version) ?? {};
      const provenance = [...new Set(owners.map((owner) => owner.provenance))].sort().join(', ');
      return { version, digest, provenance };
    } catch {
      return undefined;
    }
  };
  const reviewed = new Map([...settings.values()].map((setting) => [setting.name, describe(setting)]));

  const openCache = (): Promise<FilesetCache> => {
    if (stateRoot === undefined) {
      const detail = 'is not set, and the indexes of FileSets are stored there';
      throw svcError('SVC-CFG-001', { setting: 'state.root', detail });
    }
    const folder = join(stateRoot, 'files');
    const judge = async (bytes: number) =>
      judgeVolume(
        {
          target: 'state',
          path: folder,
          volume: await inspectVolume(folder),
          neededBytes: bytes,
          largestFileBytes: bytes,
          folderEntries: 0,
        },
        config.preflight.safetyMarginPercent,
      );
    cache ??= openFilesetCache({
      folder,
      openBlob: (digest) => openBlob(store, digest),
      room: {
        has: async (bytes) => (await judge(bytes)).refusal === undefined,
        require: async (bytes) => passPreflight([await judge(bytes)], config.preflight.disabled, report),
      },
      report,
    }).catch((error: unknown) => {
      cache = undefined;
      throw error;
    });
    return cache;
  };

  const resolve = (setting: FilesetSetting): Resolution => {
    const { head } = store;
    const known = resolutions.get(setting.name);
    // what a gate lets out can change without the store
    if (known?.head === head && !gate.guarded) return known;
    const selected = selectFileset(store, gate, setting, config.storage.basePrefix);
    if (known?.head === head && known.selected.digest === selected.digest) return known;
    const fresh = { head, selected };
    resolutions.set(setting.name, fresh);
    return fresh;
  };

  const toImage = (setting: FilesetSetting, resolution: Resolution): Promise<FilesetImage> => {
    resolution.image ??= resolveFileset(store, gate, setting, resolution.selected).catch((error: unknown) => {
      delete resolution.image;
      throw error;
    });
    return resolution.image;
  };

  /** What is known to be wrong with a layer is told to the gate, which withdraws what reaches it. */
  const watchLayers = async <T>(image: Pick<FilesetImage, 'layers'>, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (isDamage(error)) {
        const { reference, path } = error.params;
        for (const { digest } of image.layers)
          if (digest === reference || String(path).endsWith(digest.slice(7))) gate.onAltered(digest);
      }
      throw error;
    }
  };

  const keep = (image: FilesetImage): Kept => {
    const known = trees.get(image.digest);
    if (known && (known.failedAt === undefined || now() - known.failedAt < failureRest)) return known;
    const tree = reading.run(async () => {
      const files = await openCache();
      try {
        return await watchLayers(image, () => files.openTree(image, { signal }));
      } catch (error) {
        // neither room nor a damaged copy is kept for what may never be served
        const others = images().filter(({ digest }) => digest !== image.digest);
        if (!signal.aborted) await files.forget(image, others);
        throw error;
      }
    });
    const kept: Kept = { image, tree };
    trees.set(image.digest, kept);
    tree.catch((error: unknown) => {
      // what lacked descriptors or memory is read again by the next request
      kept.failedAt = isTransient(error) ? Number.NEGATIVE_INFINITY : now();
      if (signal.aborted) return;
      const { code, params } = toErrorRecord(error);
      report.log('warn', 'FileSet cannot be read', { fileset: image.reference, code, params });
    });
    return kept;
  };

  /** What is kept of an image that no file set shows any more goes. Never waits for reading: it stands in that queue. */
  const drop = async (digest: Digest | undefined): Promise<void> => {
    const files = await openCache();
    const kept = digest === undefined ? undefined : trees.get(digest);
    if (kept && !new Set(shown.values()).has(kept.image.digest)) {
      trees.delete(kept.image.digest);
      close(kept, await kept.tree);
      await files.forget(kept.image, images());
    }
    // what was kept of earlier starts: a file set that cannot be resolved now may want it again
    if (shown.size === settings.size) await files.retain(images());
  };

  const images = (): readonly FilesetImage[] => [...trees.values()].map(({ image }) => image);

  /** Looks into the tree of the version that is served now. */
  const look = async <T>(setting: FilesetSetting, into: (tree: FilesetTree) => T): Promise<T> => {
    const resolution = resolve(setting);
    const image = await toImage(setting, resolution);
    const kept = keep(image);
    const tree = await kept.tree;
    if (kept.isClosed) return look(setting, into);
    if (shown.get(setting.name) !== image.digest) show(setting, resolution.selected, image);
    try {
      return into(tree);
    } catch (error) {
      // an index that goes bad while it is open is looked at again, and made anew, by the next request
      trees.delete(image.digest);
      close(kept, tree);
      throw toReadError(error, join(String(stateRoot), 'files'));
    }
  };

  const close = (kept: Kept, tree: FilesetTree | undefined): void => {
    if (kept.isClosed) return;
    kept.isClosed = true;
    tree?.[Symbol.dispose]();
  };

  const show = (
    { name, anonymous }: FilesetSetting,
    selected: SelectedFileset,
    image: FilesetImage,
  ): void => {
    const before = shown.get(name);
    shown.set(name, image.digest);
    const { tag: version, digest } = selected;
    report.log('info', 'FileSet served', { fileset: name, version, digest, anonymous });
    reading
      .run(() => drop(before))
      .catch((error: unknown) => {
        report.log('warn', 'the FileSet cache could not be cleared', { error });
      });
  };

  return {
    settings,
    repositoryOf: (setting) => filesetRepository(setting, config.storage.basePrefix),
    nominalOf: (repository) => nominalRepository(repository, config.storage.basePrefix),
    select: (setting) => resolve(setting).selected,
    requireServable: async (setting) => {
      const image = await toImage(setting, resolve(setting));
      const kept = trees.get(image.digest);
      if (kept?.failedAt !== undefined && now() - kept.failedAt < failureRest) await kept.tree;
    },
    find: (setting, path, patience) =>
      bounded(
        look(setting, (tree) => {
          const found = tree.find(path);
          return found && { ...found, isBlob: compressionOf(found.layer.mediaType) === 'none' };
        }),
        patience,
      ),
    open: async (file) => {
      const files = await openCache();
      return watchLayers({ layers: [file.layer] }, () => files.openContent(file, { signal }));
    },
    review: (actor, origin) => {
      for (const setting of settings.values()) {
        const { name } = setting;
        const [before, now] = [reviewed.get(name), describe(setting)];
        reviewed.set(name, now);
        // a store that has just been opened to readers serves what it had
        if (before === undefined || JSON.stringify(before) === JSON.stringify(now)) continue;
        report.log('warn', 'the content of a FileSet changed', { fileset: name, actor, before, now });
        report.audit({
          actor,
          action: 'fileset.change',
          target: name,
          outcome: 'success',
          origin,
          details: { before, now },
        });
      }
    },
    prepare: async () => {
      for (const setting of settings.values()) {
        try {
          await look(setting, () => undefined);
        } catch (error) {
          if (signal.aborted) return;
          const { code, params } = toErrorRecord(error);
          report.log('warn', 'FileSet cannot be served', { fileset: setting.name, code, params });
        }
      }
    },
    [Symbol.asyncDispose]: async () => {
      for (const kept of trees.values()) close(kept, await kept.tree.catch(() => undefined));
      trees.clear();
    },
  };
}

/** @throws SVC-SRV-006 when the work goes on for longer than that */
async function bounded<T>(work: Promise<T>, patience: number | undefined): Promise<T> {
  if (patience === undefined) return work;
  let timer: NodeJS.Timeout | undefined;
  const impatient = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(svcError('SVC-SRV-006', {})), patience);
  });
  try {
    return await Promise.race([work, impatient]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}

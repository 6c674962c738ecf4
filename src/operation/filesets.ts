import { join } from 'node:path';
import { Serial } from '../base/concurrency.ts';
import type { Digest } from '../base/digest.ts';
import type { Report } from '../base/report.ts';
import type { Config } from '../config/model.ts';
import { isTransient, toReadError } from '../disk/read-error.ts';
import { inspectVolume } from '../disk/volume.ts';
import { bounded } from '../engine/fileset/bounded.ts';
import { resolveFileset } from '../engine/fileset/resolve-fileset.ts';
import { createReview } from '../engine/fileset/review.ts';
import {
  type FilesetGate,
  type FilesetSetting,
  filesetRepository,
  type SelectedFileset,
  selectFileset,
} from '../engine/fileset/select-fileset.ts';
import type { FilesetIndexes, ServedFilesets } from '../engine/fileset/served-model.ts';
import { createUnservedBoard } from '../engine/fileset/unserved-board.ts';
import { watchVersions } from '../engine/fileset/watch-versions.ts';
import { judgeVolume } from '../engine/sync/preflight/judge-volume.ts';
import { passPreflight } from '../engine/sync/preflight/pass-preflight.ts';
import { compressionOf } from '../fileset/compression-of.ts';
import { type FilesetCache, openFilesetCache } from '../fileset/fileset-cache.ts';
import type { FilesetImage, FilesetTree } from '../fileset/model.ts';
import { nominalRepository } from '../recipe/relocation.ts';
import { isDamage } from '../store/blobs/judge-blob.ts';
import type { Store } from '../store/model.ts';
import { openBlob } from '../store/open-blob.ts';
import { isSvcError, svcError, toErrorRecord } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';

/** Milliseconds until an image that could not be served is read again. */
const failureRest = 60_000;

interface ServedFilesetsOptions {
  readonly config: Pick<Config, 'files' | 'storage' | 'state' | 'preflight'>;
  readonly store: Store;
  readonly gate: FilesetGate;
  readonly report: Report;
  /** Aborts reading that continues after its client has disconnected. */
  readonly signal: AbortSignal;
  readonly now?: () => number;
}

interface Kept {
  /** Result of `listIndexes`; the tree of an image never changes. */
  repositories?: Pick<FilesetIndexes, 'indexes' | 'unsigned'>;
  readonly image: FilesetImage;
  readonly tree: Promise<FilesetTree>;
  /** Time of the failure to read the image, in milliseconds on the clock of `now`. */
  failedAt?: number;
  isClosed?: true;
}

/** Selected image of a FileSet, valid while the head of the store is unchanged. */
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
  const board = createUnservedBoard(report);
  const watch = watchVersions({ store, gate, settings, basePrefix: config.storage.basePrefix, report });
  /** Trees by the digest of their image; `shown` has the image that each FileSet serves now. */
  const trees = new Map<Digest, Kept>();
  const shown = new Map<string, Digest>();
  const resolutions = new Map<string, Resolution>();
  /** One FileSet is read at a time, since reading is limited by the disk. */
  const reading = new Serial();
  let cache: Promise<FilesetCache> | undefined;

  const openCache = (): Promise<FilesetCache> => {
    if (stateRoot === undefined) {
      const detail = rule([
        'is not set, and the indexes of FileSets are stored there',
        fr`n’est pas défini, alors que les index des FileSets y sont conservés`,
      ]);
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
    // the decision of a gate can change while the head of the store does not
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

  /** Reports a damaged layer to the gate, which withdraws everything that reaches it. */
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
        // free the space of an image that may never be served
        const others = images().filter(({ digest }) => digest !== image.digest);
        if (!signal.aborted) await files.forget(image, others);
        throw error;
      }
    });
    const kept: Kept = { image, tree };
    trees.set(image.digest, kept);
    tree.catch((error: unknown) => {
      // after a transient failure the next request reads the image again
      kept.failedAt = isTransient(error) ? Number.NEGATIVE_INFINITY : now();
      if (signal.aborted) return;
      const { code, params } = toErrorRecord(error);
      report.log('warn', 'FileSet cannot be read', { fileset: image.reference, code, params });
    });
    return kept;
  };

  /**
   * Removes the cached files of an image that no FileSet serves any more. It runs in the queue of `reading`,
   * so it must not wait for another task of that queue.
   */
  const drop = async (digest: Digest | undefined): Promise<void> => {
    const files = await openCache();
    const kept = digest === undefined ? undefined : trees.get(digest);
    if (kept && !new Set(shown.values()).has(kept.image.digest)) {
      trees.delete(kept.image.digest);
      close(kept, await kept.tree);
      await files.forget(kept.image, images());
    }
    // A FileSet that cannot be resolved now may need its files of earlier starts again, so they are removed
    // only when all are shown.
    if (shown.size === settings.size) await files.retain(images());
  };

  const images = (): readonly FilesetImage[] => [...trees.values()].map(({ image }) => image);

  /** Reads from the tree of the version that is served now, and notes whether that can be served. */
  const look = async <T>(setting: FilesetSetting, into: (tree: FilesetTree, kept: Kept) => T): Promise<T> => {
    try {
      const found = await lookInto(setting, into);
      board.note(setting.name, undefined);
      return found;
    } catch (error) {
      if (!signal.aborted && gate.refusal() === undefined) board.note(setting.name, error);
      throw error;
    }
  };

  const lookInto = async <T>(
    setting: FilesetSetting,
    into: (tree: FilesetTree, kept: Kept) => T,
  ): Promise<T> => {
    const resolution = resolve(setting);
    const image = await toImage(setting, resolution);
    const kept = keep(image);
    const tree = await kept.tree;
    if (kept.isClosed) return lookInto(setting, into);
    if (shown.get(setting.name) !== image.digest) show(setting, resolution.selected, image);
    try {
      return into(tree, kept);
    } catch (error) {
      // an index that is damaged while open is rebuilt by the next request
      trees.delete(image.digest);
      close(kept, tree);
      throw toReadError(error, join(String(stateRoot), 'files'));
    }
  };

  const requireServable = async (setting: FilesetSetting): Promise<void> => {
    const image = await toImage(setting, resolve(setting));
    const kept = trees.get(image.digest);
    if (kept?.failedAt !== undefined && now() - kept.failedAt < failureRest) await kept.tree;
  };

  /** State of the store at the last judgement. */
  let judged: { readonly head: string; readonly mark: object } | undefined;
  const assessment = createReview(async () => {
    if (signal.aborted || gate.refusal() !== undefined) return;
    judged = { head: store.head, mark: gate.mark };
    for (const setting of settings.values()) {
      const failure: unknown = await requireServable(setting).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (signal.aborted || gate.refusal() !== undefined) return;
      board.note(setting.name, failure);
    }
  });
  if (settings.size > 0) assessment.ask();

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
    requireServable,
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
    listIndexes: async (patience) => {
      const listed: FilesetIndexes[] = [];
      for (const setting of settings.values()) {
        const { name, anonymous } = setting;
        try {
          const { repository, digest } = resolve(setting).selected;
          const repositories = await bounded(
            look(
              setting,
              (tree, kept) =>
                (kept.repositories ??= {
                  indexes: tree.packageIndexes(),
                  unsigned: tree.unsignedRepositories(),
                }),
            ),
            patience,
          );
          listed.push({ name, anonymous, repository, digest, ...repositories });
        } catch (error) {
          // the list of FileSets says why one is not served
          if (!isSvcError(error) || error.code === 'SVC-SRV-006') throw error;
        }
      }
      return listed;
    },
    assess: () => assessment.ask(),
    unserved: () => {
      if (settings.size === 0 || gate.refusal() !== undefined) return [];
      if (judged?.head !== store.head || judged.mark !== gate.mark) assessment.ask();
      return board.list();
    },
    review: (actor, origin) => {
      assessment.ask();
      watch.review(actor, origin);
    },
    prepare: async () => {
      for (const setting of settings.values()) {
        try {
          await look(setting, () => undefined);
        } catch {
          // noted
          if (signal.aborted) return;
        }
      }
    },
    [Symbol.asyncDispose]: async () => {
      await assessment.end();
      for (const kept of trees.values()) close(kept, await kept.tree.catch(() => undefined));
      trees.clear();
    },
  };
}

import { join } from 'node:path';
import { Serial } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import type { Report } from '../../base/report.ts';
import type { Config } from '../../config/model.ts';
import { isTransient, toReadError } from '../../disk/read-error.ts';
import { inspectVolume } from '../../disk/volume.ts';
import { type FilesetCache, openFilesetCache } from '../../fileset/fileset-cache.ts';
import type { FilesetImage, FilesetTree } from '../../fileset/model.ts';
import { isDamage } from '../../store/blobs/judge-blob.ts';
import type { Store } from '../../store/model.ts';
import { openBlob } from '../../store/open-blob.ts';
import { svcError, toErrorRecord } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { judgeVolume } from '../sync/preflight/judge-volume.ts';
import { passPreflight } from '../sync/preflight/pass-preflight.ts';
import type { FilesetGate } from './select-fileset.ts';
import type { FilesetIndexes } from './served-model.ts';

/** Milliseconds until an image that could not be read is read again. */
const failureRest = 60_000;

export interface KeptTreesOptions {
  readonly config: Pick<Config, 'files' | 'storage' | 'state' | 'preflight'>;
  readonly store: Store;
  readonly gate: FilesetGate;
  readonly report: Report;
  /** Aborts reading that continues after its client has disconnected. */
  readonly signal: AbortSignal;
  readonly now?: () => number;
}

/** The tree of one image, which is read once. */
export interface KeptTree {
  /** Result of `listIndexes`; the tree of an image never changes. */
  repositories?: Pick<FilesetIndexes, 'indexes' | 'unsigned'>;
  readonly image: FilesetImage;
  readonly tree: Promise<FilesetTree>;
  isSettled?: true;
  /** Time of the failure to read the image, in milliseconds on the clock of `now`. */
  failedAt?: number;
  /** The last failure to read the image that was not transient: it stands until the image has been read. */
  failure?: unknown;
  isClosed?: true;
}

/** The trees of images in the state root: of those that are served, and of those that somebody looks at. */
export interface KeptTrees extends AsyncDisposable {
  /** Reads the layers of an image. Images of one purpose are read one after the other: the disk limits reading. */
  keep(image: FilesetImage, purpose: 'serve' | 'look'): KeptTree;
  get(digest: Digest): KeptTree | undefined;
  /**
   * Reads from a tree. @returns undefined when the tree was closed meanwhile
   * @throws SVC-STO-001 for a damaged index, which the next call reads again; the errors of reading the layers
   */
  read<T>(kept: KeptTree, into: (tree: FilesetTree) => T): Promise<{ readonly found: T } | undefined>;
  /** Removes the files of an image, in the queue of those that are served. @param isUnused is asked in its turn */
  drop(digest: Digest | undefined, isUnused: (digest: Digest) => boolean, retain: () => boolean): void;
  openCache(): Promise<FilesetCache>;
  /** Reports a damaged layer to the gate, which withdraws everything that reaches it. */
  watchLayers<T>(image: Pick<FilesetImage, 'layers'>, work: () => Promise<T>): Promise<T>;
}

export function createKeptTrees(options: KeptTreesOptions): KeptTrees {
  const { config, store, gate, report, signal } = options;
  const now = options.now ?? (() => performance.now());
  const stateRoot = config.state.root;
  /** By the digest of their image. */
  const trees = new Map<Digest, KeptTree>();
  // a large image that somebody looks at does not keep clients of package managers waiting
  const queues = { serve: new Serial(), look: new Serial() };
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

  const watchLayers: KeptTrees['watchLayers'] = async (image, work) => {
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

  const images = (): readonly FilesetImage[] => [...trees.values()].map(({ image }) => image);

  const hasFailed = ({ failedAt }: KeptTree): boolean =>
    failedAt !== undefined && now() - failedAt < failureRest;

  const keep = (image: FilesetImage, purpose: 'serve' | 'look'): KeptTree => {
    const known = trees.get(image.digest);
    if (known && (known.failedAt === undefined || hasFailed(known))) return known;
    const tree = queues[purpose].run(async () => {
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
    const kept: KeptTree = { image, tree, failure: known?.failure };
    trees.set(image.digest, kept);
    tree.then(
      () => {
        kept.isSettled = true;
        kept.failure = undefined;
      },
      (error: unknown) => {
        kept.isSettled = true;
        if (!isTransient(error)) kept.failure = error;
        // after a transient failure the next request reads the image again
        kept.failedAt = isTransient(error) ? Number.NEGATIVE_INFINITY : now();
        if (signal.aborted) return;
        const { code, params } = toErrorRecord(error);
        report.log('warn', 'FileSet cannot be read', { fileset: image.reference, code, params });
      },
    );
    return kept;
  };

  const close = (kept: KeptTree, tree: FilesetTree | undefined): void => {
    if (kept.isClosed) return;
    kept.isClosed = true;
    tree?.[Symbol.dispose]();
  };

  return {
    keep,
    openCache,
    watchLayers,
    get: (digest) => trees.get(digest),
    read: async (kept, into) => {
      const tree = await kept.tree;
      if (kept.isClosed) return undefined;
      try {
        return { found: into(tree) };
      } catch (error) {
        // an index that is damaged while open is rebuilt by the next request
        trees.delete(kept.image.digest);
        close(kept, tree);
        throw toReadError(error, join(String(stateRoot), 'files'));
      }
    },
    // It runs in the queue of served FileSets, so it must not wait for another task of that queue.
    drop: (digest, isUnused, retain) => {
      queues.serve
        .run(async () => {
          const files = await openCache();
          const kept = digest === undefined ? undefined : trees.get(digest);
          if (kept && isUnused(kept.image.digest)) {
            trees.delete(kept.image.digest);
            close(kept, await kept.tree.catch(() => undefined));
            await files.forget(kept.image, images());
          }
          if (retain()) await files.retain(images());
        })
        .catch((error: unknown) => {
          report.log('warn', 'the FileSet cache could not be cleared', { error });
        });
    },
    [Symbol.asyncDispose]: async () => {
      for (const kept of trees.values()) close(kept, await kept.tree.catch(() => undefined));
      trees.clear();
    },
  };
}

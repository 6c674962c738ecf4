import type { Digest } from '../base/digest.ts';
import { bounded } from '../engine/fileset/bounded.ts';
import { createKeptTrees, type KeptTree, type KeptTreesOptions } from '../engine/fileset/kept-trees.ts';
import { resolveFileset } from '../engine/fileset/resolve-fileset.ts';
import { createReview } from '../engine/fileset/review.ts';
import {
  type FilesetSetting,
  filesetRepository,
  type SelectedFileset,
  selectFileset,
} from '../engine/fileset/select-fileset.ts';
import type { FilesetIndexes, FoundFile, ServedFilesets } from '../engine/fileset/served-model.ts';
import { createUnservedBoard } from '../engine/fileset/unserved-board.ts';
import { watchVersions } from '../engine/fileset/watch-versions.ts';
import { compressionOf } from '../fileset/compression-of.ts';
import type { FilesetFile, FilesetImage, FilesetTree } from '../fileset/model.ts';
import { nominalRepository } from '../recipe/relocation.ts';
import { isSvcError, svcError } from '../text/error.ts';

/** Versions besides those served whose trees are kept for their pages. */
const mostBrowsed = 4;

/** Selected image of a FileSet, valid while the head of the store is unchanged. */
interface Resolution {
  readonly head: string;
  readonly selected: SelectedFileset;
  image?: Promise<FilesetImage>;
}

/** A file of a tree with the place of its bytes. */
export const toFound = (file: FilesetFile): FoundFile => ({
  ...file,
  isBlob: compressionOf(file.layer.mediaType) === 'none',
});

export function createServedFilesets(options: KeptTreesOptions): ServedFilesets {
  const { config, store, gate, report, signal } = options;
  const settings = new Map(config.files.filesets.map((setting) => [setting.name, setting]));
  const board = createUnservedBoard(report);
  const watch = watchVersions({ store, gate, settings, basePrefix: config.storage.basePrefix, report });
  const trees = createKeptTrees(options);
  /** The image that each FileSet serves now. */
  const shown = new Map<string, Digest>();
  const resolutions = new Map<string, Resolution>();

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

  /** Reads from the tree of the version that is served now, and notes whether that can be served. */
  const look = async <T>(
    setting: FilesetSetting,
    into: (tree: FilesetTree, kept: KeptTree) => T,
  ): Promise<T> => {
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
    into: (tree: FilesetTree, kept: KeptTree) => T,
  ): Promise<T> => {
    const resolution = resolve(setting);
    const image = await toImage(setting, resolution);
    const kept = trees.keep(image, 'serve');
    const read = await trees.read(kept, (tree) => {
      if (shown.get(setting.name) !== image.digest) show(setting, resolution.selected, image);
      return into(tree, kept);
    });
    return read === undefined ? lookInto(setting, into) : read.found;
  };

  const requireServable = async (setting: FilesetSetting): Promise<void> => {
    const image = await toImage(setting, resolve(setting));
    const { failure } = trees.get(image.digest) ?? {};
    if (failure !== undefined) throw failure;
  };

  /** As {@link requireServable}, and reads an image again that could not be read: the store may have mended a layer of it. */
  const readAgain = async (setting: FilesetSetting): Promise<void> => {
    const image = await toImage(setting, resolve(setting));
    if (trees.get(image.digest)?.failure !== undefined) await trees.keep(image, 'look').tree;
  };

  /** Notes whether each FileSet can be served. */
  const judgeAll = async (check: (setting: FilesetSetting) => Promise<void>): Promise<void> => {
    for (const setting of settings.values()) {
      const failure: unknown = await check(setting).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (signal.aborted || gate.refusal() !== undefined) return;
      board.note(setting.name, failure);
    }
  };

  /** State of the store at the last judgement. */
  let judged: { readonly head: string; readonly mark: object } | undefined;
  const assessment = createReview(async () => {
    if (signal.aborted || gate.refusal() !== undefined) return;
    judged = { head: store.head, mark: gate.mark };
    await judgeAll(readAgain);
  });
  if (settings.size > 0) assessment.ask();

  const show = (
    { name, anonymous }: FilesetSetting,
    selected: SelectedFileset,
    image: FilesetImage,
  ): void => {
    const before = shown.get(name);
    shown.set(name, image.digest);
    const { tag: version, digest } = selected;
    report.log('info', 'FileSet served', { fileset: name, version, digest, anonymous });
    drop(before);
  };

  const isShown = (digest: Digest): boolean => [...shown.values()].includes(digest);

  /**
   * Removes the cached files of an image that nobody reads any more. A FileSet that cannot be resolved now may need its
   * files of earlier starts again, so that those are removed only when all are shown.
   */
  const drop = (digest: Digest | undefined): void =>
    trees.drop(
      digest,
      (image) => !isShown(image) && !browsed.has(image),
      () => shown.size === settings.size,
    );

  /** Images that somebody looks at, the last one last. */
  const browsed = new Set<Digest>();

  /** Makes room for one more image to look at. @throws SVC-SRV-006 while as many are being read */
  const admit = (digest: Digest): void => {
    if (browsed.delete(digest)) {
      browsed.add(digest);
      return;
    }
    let oldest: Digest | undefined;
    if (browsed.size >= mostBrowsed) {
      oldest = [...browsed].find((each) => trees.get(each)?.isSettled ?? trees.get(each) === undefined);
      if (oldest === undefined) throw svcError('SVC-SRV-006', {});
      browsed.delete(oldest);
    }
    browsed.add(digest);
    drop(oldest);
  };

  const browse: ServedFilesets['browse'] = async (version, into) => {
    const { repository, tag, digest, platform } = version;
    const ref = nominalRepository(repository, config.storage.basePrefix);
    const name = `${repository}:${tag}`;
    const image = await resolveFileset(
      store,
      gate,
      { name, ref, platform, anonymous: false },
      { repository, tag, digest },
    );
    if (!isShown(image.digest)) admit(image.digest);
    const kept = trees.keep(image, 'look');
    const { isSettled } = kept;
    try {
      const read = await trees.read(kept, into);
      return read === undefined ? await browse(version, into) : read.found;
    } finally {
      // the image may be one that is served: what was found here holds there
      if (!isSettled) await judgeAll(requireServable);
    }
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
          return found && toFound(found);
        }),
        patience,
      ),
    browse: (version, into, patience) => bounded(browse(version, into), patience),
    open: async (file) => {
      const files = await trees.openCache();
      return trees.watchLayers({ layers: [file.layer] }, () => files.openContent(file, { signal }));
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
      await trees[Symbol.asyncDispose]();
    },
  };
}

import { hash } from 'node:crypto';
import { linkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Digest } from '../../src/base/digest.ts';
import { silentReport } from '../../src/base/report.ts';
import { type ContentChange, parseContentChange } from '../../src/catalog/content-records.ts';
import { parseRecipeChange, type RecipeChange } from '../../src/catalog/recipe-book.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { mediaTypes } from '../../src/oci/media-types.ts';
import type { OpenStoreOptions } from '../../src/store/model.ts';
import { openStore } from '../../src/store/opening/open-store.ts';
import { readStoreKey } from '../../src/store/opening/store-key.ts';
import {
  countRecipes,
  isPinned,
  type PinnedImage,
  recipeVersions,
  toPinnedRepositories,
  toRecipeChanges,
} from './large-recipes.ts';
import { makeLargeTasks } from './large-tasks.ts';

export interface LargeStoreShape {
  readonly repositories: number;
  /** Images in each, with a tag, a configuration and layers of its own. */
  readonly tags: number;
  /** Layers of an image. Default 4: six files an image. */
  readonly layers?: number;
  /**
   * Repositories whose files have their own bytes. The files of the others are names of one empty file, which cost the
   * disk a name each. Five million blobs are then made in minutes. Default: all.
   */
  readonly isWritten?: (repository: number) => boolean;
}

const hexOf = (bytes: Buffer | string): string => hash('sha256', bytes, 'hex');

/** The content of a layer of an image: a few bytes of its own. */
const toLayer = (repository: number, tag: number, layer: number): string => `${repository} ${tag} ${layer}`;

export function toLayerDigest(repository: number, tag: number, layer: number): Digest {
  return `sha256:${hexOf(toLayer(repository, tag, layer))}` as Digest;
}

/** A repository beside the others that has the first image of every second one: 2500 tags in the large store. */
export const crowdedRepository = 'team-0/every-release';

/** Finished tasks of a store of so many repositories. */
export function countTasks(repositories: number): number {
  return Math.min(1250, Math.max(20, Math.round(repositories / 4)));
}

/** How the store of a folder is opened, by this process or by one that is measured. */
export function toLargeStoreOptions(folder: string): OpenStoreOptions {
  return {
    root: join(folder, 'store'),
    stateRoot: join(folder, 'state'),
    mode: 'passthrough',
    access: 'write',
    producer: { version: '0.0.0-bench' },
    report: silentReport,
  };
}

export function toRepositoryName(repository: number): string {
  return `team-${repository % 50}/service-${repository}`;
}

/**
 * Makes a store of that many images with files of a few bytes. It is like the result of imports of a repository each, but
 * without a sync to disk for every file. Besides, recipes that pin some of the images, and finished tasks. The store is at
 * rest: its index is saved.
 */
export async function makeLargeStore(folder: string, shape: LargeStoreShape): Promise<void> {
  const openAndClose = async () => (await openStore(toLargeStoreOptions(folder)))[Symbol.asyncDispose]();
  await openAndClose();
  await fillLargeStore(folder, shape);
  await openAndClose();
}

async function fillLargeStore(folder: string, shape: LargeStoreShape): Promise<void> {
  const options = toLargeStoreOptions(folder);
  const writer = openNames(join(options.root, 'blobs', 'sha256'), join(folder, 'empty'));
  const { isWritten = () => true, layers = 4 } = shape;
  const describe = (text: string, mediaType: string, write: (name: string, bytes: Buffer) => void) => {
    const bytes = Buffer.from(text);
    const hex = hexOf(bytes);
    write(hex, bytes);
    return { mediaType, digest: `sha256:${hex}` as Digest, size: bytes.length };
  };
  const put = (text: string, mediaType: string) => describe(text, mediaType, writer.write);
  const open = async <R>(name: 'content' | 'recipes', parse: (value: unknown) => R | undefined) =>
    openLedger<R>({
      root: options.root,
      folder: 'ledger',
      name,
      key: await readStoreKey(options.stateRoot!),
      writable: true,
      parse,
      onRecord: () => {},
      report: silentReport,
    });
  await using ledger = await open<ContentChange>('content', parseContentChange);
  await using recipeLedger = await open<RecipeChange>('recipes', parseRecipeChange);
  const owner = { provenance: 'import' } as const;
  const appendedAtOnce = Math.ceil(shape.repositories / 5000);
  const isPinnedFrom = (repository: number): boolean => isPinned(repository, 0, shape.repositories);
  const images: PinnedImage[][] = [];
  let pending: ContentChange[] = [];
  for (let repository = 0; repository < shape.repositories; repository += 1) {
    const repo = toRepositoryName(repository);
    const changes = pending;
    const own: PinnedImage[] = [];
    const add = (text: string, mediaType: string) =>
      describe(text, mediaType, isWritten(repository) ? writer.write : writer.name);
    for (let tag = 0; tag < shape.tags; tag += 1) {
      const seed = `${repository} ${tag}`;
      const config = add(JSON.stringify({ os: 'linux', architecture: 'amd64', seed }), mediaTypes.ociConfig);
      const all = Array.from({ length: layers }, (_, i) =>
        add(toLayer(repository, tag, i), mediaTypes.ociLayer),
      );
      const manifest = add(
        JSON.stringify({ schemaVersion: 2, mediaType: mediaTypes.ociManifest, config, layers: all }),
        mediaTypes.ociManifest,
      );
      const { digest, size } = manifest;
      own.push({ repository: repo, tag: `1.${tag}.0`, digest });
      changes.push(
        {
          op: 'manifest',
          digest,
          type: mediaTypes.ociManifest,
          size,
          blobs: [config, ...all].flatMap((blob) => [blob.digest, blob.size]),
        },
        { op: 'put', repo, digest },
      );
      // a pinned image belongs to its recipe alone, so that a prune removes it
      if (!isPinned(repository, tag, shape.repositories))
        changes.push({ op: 'tag', repo, tag: `1.${tag}.0`, digest, kind: 'ContainerImage', owner });
    }
    images.push(isPinnedFrom(repository) ? own : own.slice(0, 1));
    // many at once in a store that is not of the usual size: a sync to disk each would take the time
    if (repository % appendedAtOnce !== appendedAtOnce - 1 && repository !== shape.repositories - 1) continue;
    pending = [];
    await ledger.append(changes);
  }
  const recipeChanges: RecipeChange[] = [];
  for (let recipe = 0; recipe < countRecipes(shape.repositories); recipe += 1) {
    for (let version = 0; version < recipeVersions; version += 1) {
      const pinned = toPinnedRepositories(recipe, shape.repositories).map((i) => images[i]![version]!);
      const { content, recipes } = toRecipeChanges(recipe, version, pinned, put);
      await ledger.append(content);
      recipeChanges.push(...recipes);
    }
  }
  await recipeLedger.append(recipeChanges);
  const crowd = images.filter((_, i) => i % 2 === 0).map(([first]) => first!.digest as Digest);
  await ledger.append(
    crowd.flatMap((digest, i): ContentChange[] => [
      { op: 'put', repo: crowdedRepository, digest },
      { op: 'tag', repo: crowdedRepository, tag: `0.${i}.0`, digest, kind: 'ContainerImage', owner },
    ]),
  );
  makeLargeTasks(options.stateRoot!, countTasks(shape.repositories));
}

/** Most names that a file may have on ext4. */
const mostNames = 60_000;

/** Writes files of their own, or names of an empty file, into a folder. */
function openNames(
  folder: string,
  empty: string,
): { readonly write: (name: string, bytes: Buffer) => void; readonly name: (name: string) => void } {
  let names = 0;
  return {
    write: (name, bytes) => writeFileSync(join(folder, name), bytes),
    name: (name) => {
      const file = `${empty}-${Math.floor(names / mostNames)}`;
      if (names % mostNames === 0) writeFileSync(file, '');
      names += 1;
      linkSync(file, join(folder, name));
    },
  };
}

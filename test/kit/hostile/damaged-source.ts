import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Digest } from '../../../src/base/digest.ts';
import type { Store } from '../../../src/store/model.ts';
import { buildImage } from '../content/content.ts';
import { openStoreAt } from '../instance/open-store-at.ts';
import { buildMedium, toImageRecipe } from '../scene/medium.ts';

/** What can happen to a file of a store. */
export const damages: Readonly<Record<string, (path: string) => void>> = {
  deleted: (path) => rmSync(path),
  empty: (path) => truncateSync(path),
  cut: (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2)),
  flipped: (path) => {
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(path, bytes);
  },
  'a folder': (path) => {
    rmSync(path);
    mkdirSync(path);
  },
  'a FIFO': (path) => {
    rmSync(path);
    execFileSync('mkfifo', [path]);
  },
  'a link': (path) => {
    renameSync(path, `${path}.moved`);
    symlinkSync(`${path}.moved`, path);
  },
};

/** The image of the recipe shop. */
export const shop = buildImage('shop', { layerSize: 300_000 });

/** One file of each kind of the recipe shop. */
export function listFiles({ index }: Store): Readonly<Record<string, Digest>> {
  const record = index.recipes().find(({ name }) => name === 'shop')!;
  const [signature] = index.referrers(record.repository, record.digest);
  const digestOf = (blob: { readonly descriptor: { readonly digest: Digest } }) => blob.descriptor.digest;
  return {
    layer: digestOf(shop.blobs[1]!),
    config: digestOf(shop.blobs[0]!),
    manifest: digestOf(shop.manifest),
    'recipe manifest': record.digest,
    document: record.documentDigest!,
    signature: signature!.digest,
    bundle: signature!.blobs.at(-1)!.digest,
  };
}

/** A source with the recipe shop and others, from which each case has a copy. */
export async function openSource(others: readonly string[] = ['depot']) {
  const recipes = [
    toImageRecipe('shop', shop),
    ...others.map((name) => toImageRecipe(name, buildImage(name, { layerSize: 300_000 }))),
  ];
  const medium = await buildMedium({ recipes, inMemory: true });
  const stateRoot = join(medium.folder, 'maker');
  let copies = 0;
  return {
    medium,
    async copy() {
      copies += 1;
      const place = { root: join(medium.folder, `s${copies}`), stateRoot: join(medium.folder, `m${copies}`) };
      cpSync(medium.root, place.root, { recursive: true });
      cpSync(stateRoot, place.stateRoot, { recursive: true });
      return place;
    },
    [Symbol.asyncDispose]: () => medium[Symbol.asyncDispose](),
  };
}

export const pathOf = ({ root }: { readonly root: string }, digest: Digest): string =>
  join(root, 'blobs', ...digest.split(':'));

export async function listKinds(source: {
  readonly medium: { readonly root: string; readonly folder: string };
}) {
  const { root, folder } = source.medium;
  await using store = await openStoreAt({ root, stateRoot: join(folder, 'maker') }, { access: 'read' });
  return listFiles(store);
}

import assert from 'node:assert/strict';
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
import { test } from 'node:test';
import type { Digest } from '../../../src/base/digest.ts';
import { planWriting } from '../../../src/operation/delivery/plan-write.ts';
import type { Store } from '../../../src/store/model.ts';
import { openSent } from '../../../src/zone/sent.ts';
import { buildImage } from '../../kit/content/content.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { buildMedium, toImageRecipe } from '../../kit/scene/medium.ts';

const damages: Readonly<Record<string, (path: string) => void>> = {
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

const shop = buildImage('shop', { layerSize: 100_000 });

const isLate: ReadonlySet<string> = new Set(['layer', 'config']);
const isKept: ReadonlySet<string> = new Set(['manifest', 'recipe manifest']);

/** One file of each kind of the recipe shop. */
function listFiles({ index }: Store): Readonly<Record<string, Digest>> {
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

/** A source with the recipes shop and depot, from which each case has a copy. */
async function openSource() {
  const recipes = [toImageRecipe('shop', shop), toImageRecipe('depot', buildImage('depot'))];
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

function plan(store: Store, stateRoot: string) {
  return planWriting({
    store,
    sent: openSent(stateRoot),
    zone: 'zone-b',
    recipes: [],
    folders: [],
    marginPercent: 0,
  });
}

const pathOf = ({ root }: { readonly root: string }, digest: Digest): string =>
  join(root, 'blobs', ...digest.split(':'));

for (const [what, damage] of Object.entries(damages))
  test(`a file that is ${what} blocks its recipe alone, whichever file it is`, async () => {
    await using source = await openSource();
    const found: string[] = [];
    const expected: string[] = [];
    const kinds = Object.keys(await listKinds(source));
    for (const kind of kinds)
      for (const when of ['before', 'after'] as const) {
        // their bytes are not read, or not again, before they are copied
        if (what === 'flipped' && (isLate.has(kind) || (when === 'after' && isKept.has(kind)))) continue;
        const place = await source.copy();
        const digest = (await listKinds(source))[kind]!;
        if (when === 'before') damage(pathOf(place, digest));
        await using store = await openStoreAt(place, { access: 'read' });
        if (when === 'after') {
          // everything is vouched for, and manifests are in memory
          await plan(store, place.stateRoot);
          damage(pathOf(place, digest));
        }
        const label = `${kind}, damaged ${when} it was read`;
        expected.push(`${label}: depot; shop: SVC-STO-010, named`);
        const told = await plan(store, place.stateRoot).then(
          ({ delivery, blocked }) =>
            [
              delivery.closures.map(({ record }) => record.name).join(),
              ...blocked.map(
                ({ record, error, missing }) =>
                  `${record.name}: ${error.code}, ${missing.includes(digest) ? 'named' : 'not named'}`,
              ),
            ].join('; '),
          (error: unknown) => String(error),
        );
        found.push(`${label}: ${told}`);
      }
    assert.deepEqual(found, expected);
  });

async function listKinds(source: { readonly medium: { readonly root: string; readonly folder: string } }) {
  const { root, folder } = source.medium;
  await using store = await openStoreAt({ root, stateRoot: join(folder, 'maker') }, { access: 'read' });
  return listFiles(store);
}

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import { closeRecipe, toContents } from '../../../src/engine/delivery/close.ts';
import { openRangeHashes } from '../../../src/engine/delivery/hash-ranges.ts';
import type { WrittenPart } from '../../../src/engine/delivery/model.ts';
import { recordBytes } from '../../../src/engine/delivery/partition.ts';
import { openSmallBlobs } from '../../../src/engine/delivery/small-blobs.ts';
import { startReading } from '../../../src/engine/medium/read-medium.ts';
import { blobPath } from '../../../src/oci/layout.ts';
import type { Store } from '../../../src/store/model.ts';
import { parseAbsentList, segmentPath } from '../../../src/store/rest/absent-list.ts';
import { readMediumManifest } from '../../../src/store/rest/media-manifest.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { renderError } from '../../../src/text/message.ts';
import { buildImage } from '../../kit/content/content.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { listTree } from '../../kit/result/list-tree.ts';
import { decideFor } from '../../kit/scene/delivery.ts';
import { type BuiltMedium, buildMedium, defaultRecipes, type MediumRecipe } from '../../kit/scene/medium.ts';
import { trust, verifyCarried } from '../../kit/scene/verify-carried.ts';
import { writePartOf } from '../../kit/scene/write-part-of.ts';

const receipt: Digest = `sha256:${'5'.repeat(64)}`;
const header = { zone: 'zone-b', receipt, sequence: 7 };

function bigRecipes(sizes: readonly number[]): MediumRecipe[] {
  const [shop] = defaultRecipes();
  return sizes.map((layerSize, i) => ({
    ...shop!,
    name: `app-${i}`,
    ingredients: [
      { ...shop!.ingredients[0]!, artifact: buildImage(`app-${i}`, { ownLayers: 1, layerSize }) },
    ],
  }));
}

const openSource = (medium: BuiltMedium): Promise<Store> =>
  openStoreAt({ root: medium.root }, { access: 'read' });

/** The bytes of all files below a folder, by path. */
async function readTree(root: string): Promise<ReadonlyMap<string, string>> {
  const tree = new Map<string, string>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const path = join(entry.parentPath, entry.name);
      tree.set(path.slice(root.length + 1), (await readFile(path)).toString('latin1'));
    }
  return tree;
}

/** The figures of a written part, without the files that were read. */
const toFigures = ({ readBack: _, ...figures }: WrittenPart): Omit<WrittenPart, 'readBack'> => figures;

const identityOf = ({ id }: { readonly id: string }): string =>
  JSON.stringify({ delivery: id, part: 1, parts: 1 });

test('a whole medium passes the check of the zone without a finding, and has format 1', async () => {
  await using medium = await buildMedium();
  await using store = await openSource(medium);
  const root = join(medium.folder, 'disk');
  const delivery = await decideFor(store);
  const written = await writePartOf(store, delivery, root);
  const { header: first, entries } = await readMediumManifest(root);
  assert.equal(first.mediaFormat, 1);
  assert.equal(first.mediaId, written.mediaId);
  assert.deepEqual(first.delivery, { id: delivery.id, part: 1, parts: 1 });
  assert.ok(entries.has('README.txt') && !entries.has('absent.jsonl'));
  const { report } = await verifyCarried(root, trust(medium.signer));
  assert.equal(report.verdict, 'pushable');
  assert.deepEqual(report.findings, []);
  assert.deepEqual(report.blocks, []);
  assert.equal(report.leftBehind, undefined);
  assert.deepEqual(
    report.recipes.map(({ name, pushable }) => [name, pushable]),
    [
      ['depot', true],
      ['shop', true],
    ],
  );
  const readme = await readFile(join(root, 'README.txt'), 'utf8');
  assert.match(readme, /svc media verify --config FILE --storage-root FOLDER checks the disk/);
  assert.match(readme, /svc media import --config FICHIER DOSSIER/);
  assert.match(readme, /Without a configuration, svc quickstart --for medium writes one/);
  assert.match(
    readme,
    /recipes are signed with a key of their own, and not with that of the program\..*svc key show/,
  );
  assert.match(readme, /Les recettes sont signées avec leur propre clé, et non avec celle du programme\./);
  assert.deepEqual((await readdir(root)).sort(), [
    'README.txt',
    'blobs',
    'index.json',
    'ledger',
    'media.jsonl',
    'oci-layout',
  ]);
});

test('a medium with chosen recipes has nothing of the others', async () => {
  await using medium = await buildMedium();
  await using store = await openSource(medium);
  const root = join(medium.folder, 'disk');
  await writePartOf(store, await decideFor(store, { recipes: ['depot'] }), root);
  const { report } = await verifyCarried(root, trust(medium.signer));
  assert.deepEqual([report.verdict, report.findings], ['pushable', []]);
  const record = store.index.recipes().find(({ name }) => name === 'depot')!;
  const closure = toContents(await closeRecipe(store, record));
  const blobs = (await readdir(join(root, 'blobs', 'sha256'))).map((hex): Digest => `sha256:${hex}`);
  assert.deepEqual(new Set(blobs), new Set(closure.keys()));
});

test('what the zone has is absent, and listed with its size', async () => {
  await using medium = await buildMedium();
  await using store = await openSource(medium);
  const root = join(medium.folder, 'disk');
  const shop = store.index.recipes().find(({ name }) => name === 'shop')!;
  const known = toContents(await closeRecipe(store, shop));
  const delivery = await decideFor(store, { base: { roots: new Map([[shop.digest, known]]), header } });
  await writePartOf(store, delivery, root);
  const { header: first, entries } = await readMediumManifest(root);
  assert.equal(first.mediaFormat, 2);
  assert.deepEqual(first.base, header);
  const chunks = (async function* () {
    yield await readFile(join(root, 'absent.jsonl'));
  })();
  const absent = await parseAbsentList(chunks, first);
  assert.ok(absent.size > 0);
  assert.deepEqual(
    new Map([...absent].map(([digest, { size, at }]) => [digest, [size, at]])),
    new Map([...delivery.content.absent].map(([digest, size]) => [digest, [size, 'base']])),
  );
  for (const digest of absent.keys()) {
    assert.equal(entries.has(blobPath(digest)), false);
    await assert.rejects(stat(join(root, blobPath(digest))));
  }
  // documents, signatures and manifests of the known recipe are there all the same
  for (const digest of (await closeRecipe(store, shop)).always.keys())
    assert.ok(entries.has(blobPath(digest)));
});

test('parts bring all blobs together, each with all documents, and cut what no part holds', async () => {
  await using medium = await buildMedium({ recipes: bigRecipes([3 << 20, 400_000]) });
  await using store = await openSource(medium);
  const whole = await decideFor(store);
  const taken =
    [...whole.content.always.values()].reduce((a, b) => a + b, 0) +
    recordBytes({ always: whole.content.always.size, blobs: whole.content.blobs.size });
  const supply = { each: { bytes: taken + 1.8 * 1024 * 1024, maxFileBytes: 1.5 * 1024 * 1024 }, most: 9 };
  const delivery = await decideFor(store, { supply });
  assert.ok(delivery.parts.length > 1);
  const found = new Set<Digest>();
  const segments: { digest: Digest; offset: number; bytes: Buffer }[] = [];
  for (const [i, { blobs, segments: planned }] of delivery.parts.entries()) {
    const root = join(medium.folder, `disk-${i + 1}`);
    const { bytes } = await writePartOf(store, delivery, root, i + 1);
    assert.ok(bytes <= supply.each.bytes);
    const { header: first, entries } = await readMediumManifest(root);
    assert.equal(first.mediaFormat, 2);
    assert.deepEqual(first.delivery, { id: delivery.id, part: i + 1, parts: delivery.parts.length });
    for (const digest of [...delivery.content.always.keys(), ...blobs.keys()]) {
      assert.ok(entries.has(blobPath(digest)));
      found.add(digest);
    }
    for (const { digest, offset, size } of planned) {
      const file = await readFile(join(root, segmentPath({ digest, offset })));
      assert.equal(file.length, size);
      segments.push({ digest, offset, bytes: file });
    }
    const chunks = (async function* () {
      yield await readFile(join(root, 'absent.jsonl'));
    })();
    const absent = await parseAbsentList(chunks, first);
    for (const { at } of absent.values()) assert.notEqual(at, 'base');
    assert.match(await readFile(join(root, 'README.txt'), 'utf8'), new RegExp(`part ${i + 1} of `));
  }
  const cut = new Set(segments.map(({ digest }) => digest));
  assert.equal(cut.size, 1);
  for (const digest of cut) {
    const bytes = Buffer.concat(segments.map((one) => one.bytes));
    assert.ok(bytes.equals(await readFile(join(store.root, blobPath(digest)))));
    found.add(digest);
  }
  const needed = new Set([...delivery.content.always.keys(), ...delivery.content.blobs.keys()]);
  assert.deepEqual(found, needed);
});

test('the same delivery gives the same bytes, and a second command changes nothing', async () => {
  await using medium = await buildMedium();
  await using store = await openSource(medium);
  const [one, other] = [join(medium.folder, 'one'), join(medium.folder, 'other')];
  const delivery = await decideFor(store);
  const first = await writePartOf(store, delivery, one);
  await writePartOf(store, await decideFor(store), other);
  assert.deepEqual(await readTree(one), await readTree(other));
  const before = await listTree(one);
  const again = await writePartOf(store, delivery, one, 1, undefined, first.manifest);
  assert.deepEqual(toFigures(again), { ...toFigures(first), unchanged: true });
  assert.deepEqual(await listTree(one), before);
});

test('a part that was interrupted when it was complete loses the notes of the writing', async () => {
  await using medium = await buildMedium();
  await using store = await openSource(medium);
  const path = join(medium.folder, 'one');
  const delivery = await decideFor(store);
  const first = await writePartOf(store, delivery, path);
  const before = await listTree(path);
  await mkdir(join(path, '_svc', 'tmp'), { recursive: true });
  const identity = { delivery: delivery.id, part: 1, parts: 1 };
  await writeFile(join(path, '_svc', 'delivery.json'), `${JSON.stringify(identity)}\n`);
  await writeFile(join(path, '_svc', 'lock'), '');
  await writeFile(join(path, '_svc', 'lock.holder'), 'svc media write (process 1)\n');
  const again = await writePartOf(store, delivery, path, 1, undefined, first.manifest);
  assert.deepEqual(toFigures(again), { ...toFigures(first), unchanged: true });
  assert.deepEqual(await listTree(path), before);
});

test('a complete part that is not what was written is written again in place', async () => {
  await using medium = await buildMedium();
  await using store = await openSource(medium);
  const root = join(medium.folder, 'disk');
  const delivery = await decideFor(store);
  const first = await writePartOf(store, delivery, root);
  const before = await readTree(root);
  const [blob, other] = [...delivery.content.blobs.keys()].map((digest) => join(root, blobPath(digest)));
  const manifest = join(root, 'media.jsonl');
  const alterations: Readonly<Record<string, () => Promise<void>>> = {
    'a blob is damaged': () => writeFile(blob!, 'x'),
    'a blob is gone': () => rm(other!),
    'a text is another one': () => writeFile(join(root, 'README.txt'), 'run program/install.sh'),
    'the manifest says another time': async () =>
      writeFile(
        manifest,
        (await readFile(manifest, 'utf8')).replace(/"resolvedAt":"\d{4}/, '"resolvedAt":"2001'),
      ),
    'the manifest lists no file': async () =>
      writeFile(manifest, `${(await readFile(manifest, 'utf8')).split('\n')[0]}\n`),
    'there is a program': async () => {
      await mkdir(join(root, 'program'));
      await writeFile(join(root, 'program', 'install.sh'), 'x');
    },
    'there is another ledger': () => writeFile(join(root, 'ledger', 'recipes-2.jsonl'), 'x'),
    'there is a file beside the blobs': async () => {
      await mkdir(join(root, 'blobs', 'md5', 'a'), { recursive: true });
      await writeFile(join(root, 'blobs', 'md5', 'a', 'b'), 'x');
    },
    'there is a folder among the blobs': async () => {
      await mkdir(join(root, 'blobs', 'sha256', 'a'));
      await writeFile(join(root, 'blobs', 'sha256', 'a', 'b'), 'x');
    },
  };
  for (const [what, alter] of Object.entries(alterations)) {
    await alter();
    const { damaged = [], ...again } = await writePartOf(store, delivery, root, 1, undefined, first.manifest);
    assert.deepEqual(toFigures(again), toFigures(first), what);
    assert.equal(
      damaged.length,
      ['a blob is damaged', 'a blob is gone', 'a text is another one'].includes(what) ? 1 : 0,
      what,
    );
    assert.deepEqual(await readTree(root), before, what);
  }
});

test('a complete part that this source does not know is written again', async () => {
  await using medium = await buildMedium();
  await using store = await openSource(medium);
  const root = join(medium.folder, 'disk');
  const delivery = await decideFor(store);
  const first = await writePartOf(store, delivery, root);
  assert.deepEqual(toFigures(await writePartOf(store, delivery, root)), toFigures(first));
});

test('a disk whose manifest cannot be read is refused, and the way out is named', async () => {
  await using medium = await buildMedium();
  await using store = await openSource(medium);
  const root = join(medium.folder, 'disk');
  const delivery = await decideFor(store);
  await writePartOf(store, delivery, root);
  await writeFile(join(root, 'media.jsonl'), 'x');
  await assert.rejects(writePartOf(store, delivery, root), {
    code: 'SVC-MED-045',
    params: { path: root, delivery: delivery.id, part: 1, detail: 'its media.jsonl cannot be read' },
  });
});

test('a disk that came back with a file beside its part is refused with its name, and written again without it', async () => {
  await using medium = await buildMedium();
  await using store = await openSource(medium);
  const root = join(medium.folder, 'disk');
  const delivery = await decideFor(store);
  const { manifest } = await writePartOf(store, delivery, root);
  const leaves: readonly (readonly [string, () => Promise<void>])[] = [
    ['as it was written', async () => {}],
    ['damaged', () => truncate(join(root, 'oci-layout'), 1)],
    [
      'unfinished',
      async () => {
        await rm(join(root, 'media.jsonl'));
        await mkdir(join(root, '_svc'));
        await writeFile(join(root, '_svc', 'delivery.json'), identityOf(delivery));
      },
    ],
  ];
  for (const [state, leave] of leaves) {
    await leave();
    await mkdir(join(root, 'lost+found'), { recursive: true });
    await writeFile(join(root, 'evil.sh'), 'echo');
    const error = await writePartOf(store, delivery, root, 1, undefined, manifest).catch(
      (thrown: unknown) => thrown,
    );
    assert.ok(isSvcError(error, 'SVC-MED-045'), `${state}: ${error}`);
    assert.equal(error.params.stranger, 'evil.sh');
    assert.match(
      JSON.stringify(renderError(error, 'en')),
      /it has evil\.sh, which no part has\..*Look at evil\.sh, and remove it/,
    );
    await rm(join(root, 'evil.sh'));
    assert.equal((await writePartOf(store, delivery, root, 1, undefined, manifest)).manifest, manifest);
  }
});

test('an interrupted part is continued, and its whole blobs are kept', async () => {
  await using medium = await buildMedium();
  await using store = await openSource(medium);
  const [interrupted, other] = [join(medium.folder, 'one'), join(medium.folder, 'other')];
  const delivery = await decideFor(store);
  await writePartOf(store, delivery, other);
  await writePartOf(store, delivery, interrupted);
  // as a kill leaves it: no manifest, one blob cut off, one missing, remains of unfinished files
  await rm(join(interrupted, 'media.jsonl'));
  await mkdir(join(interrupted, '_svc', 'tmp'), { recursive: true });
  await writeFile(join(interrupted, '_svc', 'tmp', '1.part'), 'begun');
  await writeFile(join(interrupted, '_svc', 'delivery.json'), identityOf(delivery));
  const [cut, missing, kept] = [...delivery.content.blobs.keys()];
  await truncate(join(interrupted, blobPath(cut!)), 1);
  await rm(join(interrupted, blobPath(missing!)));
  const { ino } = await stat(join(interrupted, blobPath(kept!)));
  await writePartOf(store, delivery, interrupted);
  assert.equal((await stat(join(interrupted, blobPath(kept!)))).ino, ino);
  assert.deepEqual(await readTree(interrupted), await readTree(other));
});

test('a folder with anything else is refused, and keeps it', async () => {
  await using medium = await buildMedium();
  await using store = await openSource(medium);
  const delivery = await decideFor(store);
  const other = await decideFor(store, { recipes: ['depot'] });
  assert.notEqual(delivery.id, other.id);
  const full = join(medium.folder, 'full');
  await mkdir(full);
  await writeFile(join(full, 'holiday.jpg'), 'x');
  const done = join(medium.folder, 'done');
  await writePartOf(store, other, done);
  const begun = join(medium.folder, 'begun');
  await mkdir(join(begun, '_svc'), { recursive: true });
  await writeFile(join(begun, '_svc', 'delivery.json'), identityOf(other));
  for (const path of [full, done, begun, await medium.carry()]) {
    const before = await listTree(path);
    await assert.rejects(writePartOf(store, delivery, path), (error) => isSvcError(error, 'SVC-MED-045'));
    assert.deepEqual(await listTree(path), before);
  }
  const fresh = join(medium.folder, 'fresh');
  await mkdir(join(fresh, 'lost+found'), { recursive: true });
  await writePartOf(store, delivery, fresh);
});

test('a written part names the files that were read back, and a kept one as well', async () => {
  await using medium = await buildMedium({ recipes: bigRecipes([200_000, 3_000_000]) });
  await using store = await openSource(medium);
  const delivery = await decideFor(store);
  const root = join(medium.folder, 'disk');
  const { readBack, manifest } = await writePartOf(store, delivery, root);
  const large = [...delivery.content.blobs].filter(([, size]) => size >= 200_000);
  assert.equal(large.length, 2);
  for (const [digest, size] of large) {
    const { dev, ino, ctimeNs } = await stat(join(root, blobPath(digest)), { bigint: true });
    const identity = { device: dev, inode: ino, size, ctimeNs };
    assert.deepEqual(readBack.get(blobPath(digest)), { digest, identity });
  }
  const kept = await writePartOf(store, delivery, root, 1, undefined, manifest);
  assert.ok(kept.unchanged);
  const { entries } = await readMediumManifest(root);
  assert.deepEqual([...kept.readBack.keys()].sort(), [...entries.keys()].sort());
  const shares: number[] = [];
  const reading = startReading(root, { readBack: kept.readBack });
  reading.watch(({ bytes, totalBytes }) => shares.push(bytes / totalBytes));
  await reading.outcomes;
  assert.deepEqual(new Set(shares), new Set([1]), 'nothing is read again');
});

test('a part gives its threads to the next one before it is closed', async () => {
  await using medium = await buildMedium({ recipes: bigRecipes([90_000, 80_000]) });
  await using store = await openSource(medium);
  const delivery = await decideFor(store);
  const root = join(medium.folder, 'disk');
  const seen: (readonly string[])[] = [];
  const onCopied = (): void => void seen.push(readdirSync(root));
  await writePartOf(store, delivery, root, 1, undefined, undefined, undefined, undefined, onCopied);
  assert.ok(seen.length > 0);
  for (const names of seen) assert.ok(!names.includes('media.jsonl') && !names.includes('ledger'));
});

test('segments are read back from the disk, and their blob is read once for all parts', async () => {
  await using medium = await buildMedium({ recipes: bigRecipes([3 << 20]) });
  await using store = await openSource(medium);
  const most = 1_300_000;
  const delivery = await decideFor(store, { supply: { each: { bytes: most, maxFileBytes: most }, most: 9 } });
  const cut = delivery.parts.flatMap(({ segments }, i) => segments.map((one) => ({ ...one, part: i + 1 })));
  const [first, last] = [cut[0]!, cut.at(-1)!];
  assert.ok(cut.length > 2 && first.part < last.part);
  const ranges = openRangeHashes(store, delivery);
  const write = (part: number) =>
    writePartOf(
      store,
      delivery,
      join(medium.folder, `disk-${part}`),
      part,
      undefined,
      undefined,
      undefined,
      ranges,
    );
  const source = join(store.root, blobPath(first.digest));
  const flip = async ({ offset }: { offset: number }): Promise<void> => {
    const bytes = await readFile(source);
    bytes[offset + 7]! ^= 1;
    await writeFile(source, bytes);
  };
  const { readBack } = await write(first.part);
  const path = segmentPath(first);
  const file = await readFile(join(medium.folder, `disk-${first.part}`, path));
  assert.equal(readBack.get(path)?.digest, hashBytes(file));
  await flip(first);
  // this range is on its disk already
  const next = await write(last.part);
  assert.ok(next.readBack.has(segmentPath(last)));
  await flip(last);
  await rm(join(medium.folder, `disk-${last.part}`), { recursive: true });
  await assert.rejects(write(last.part), (error) => isSvcError(error, 'SVC-SIG-002'));
});

test('damaged content of the store ends the writing, and no manifest is there', async () => {
  await using medium = await buildMedium({ recipes: bigRecipes([200_000]) });
  await using store = await openSource(medium);
  const delivery = await decideFor(store);
  const large = [...delivery.content.blobs].find(([, size]) => size >= 200_000)![0];
  const bytes = await readFile(join(store.root, blobPath(large)));
  bytes[7]! ^= 1;
  await writeFile(join(store.root, blobPath(large)), bytes);
  const root = join(medium.folder, 'disk');
  await assert.rejects(writePartOf(store, delivery, root), (error) => isSvcError(error, 'SVC-SIG-002'));
  assert.ok(!(await readdir(root)).includes('media.jsonl'));
  assert.ok(!(await readdir(join(root, 'blobs', 'sha256'))).includes(large.slice(7)));
});

test('a damaged blob is not cut into segments', async () => {
  await using medium = await buildMedium({ recipes: bigRecipes([3 << 20]) });
  await using store = await openSource(medium);
  const supply = { given: [{ bytes: 1 << 30, maxFileBytes: 2 << 20 }] };
  const delivery = await decideFor(store, { supply });
  const { digest } = delivery.parts[0]!.segments[0]!;
  const bytes = await readFile(join(store.root, blobPath(digest)));
  bytes[7]! ^= 1;
  await writeFile(join(store.root, blobPath(digest)), bytes);
  const root = join(medium.folder, 'disk');
  await assert.rejects(writePartOf(store, delivery, root), (error) => isSvcError(error, 'SVC-SIG-002'));
  assert.ok(!(await readdir(root)).includes('media.jsonl'));
});

test('of two writers on one folder one is refused, and the part is whole', async () => {
  await using medium = await buildMedium();
  await using store = await openSource(medium);
  const delivery = await decideFor(store);
  const root = join(medium.folder, 'disk');
  const results = await Promise.allSettled([
    writePartOf(store, delivery, root),
    writePartOf(store, delivery, root),
  ]);
  const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  for (const error of refused) assert.ok(isSvcError(error, 'SVC-STO-007'), String(error));
  assert.equal(refused.length, 1);
  const { report } = await verifyCarried(root, trust(medium.signer));
  assert.deepEqual([report.verdict, report.findings], ['pushable', []]);
});

test('an ended command leaves no manifest, and the next one continues', async () => {
  await using medium = await buildMedium({ recipes: bigRecipes([3 << 20]) });
  await using store = await openSource(medium);
  const delivery = await decideFor(store);
  const root = join(medium.folder, 'disk');
  const reason = new Error('ended');
  const stop = new AbortController();
  const writing = writePartOf(store, delivery, root, 1, stop.signal);
  stop.abort(reason);
  await assert.rejects(writing, reason);
  assert.ok(!(await readdir(root).catch((): string[] => [])).includes('media.jsonl'));
  await writePartOf(store, delivery, root);
  const { report } = await verifyCarried(root, trust(medium.signer));
  assert.deepEqual([report.verdict, report.findings], ['pushable', []]);
});

test('a link in an unfinished part is refused, and nothing is removed or written where it leads', async () => {
  await using medium = await buildMedium();
  await using store = await openSource(medium);
  const delivery = await decideFor(store);
  const elsewhere = join(medium.folder, 'elsewhere');
  await mkdir(join(elsewhere, 'home'), { recursive: true });
  await writeFile(join(elsewhere, 'home', 'letter.txt'), 'x');
  const before = await listTree(elsewhere);
  for (const [i, name] of ['_svc/tmp', 'blobs', 'blobs/sha256', 'ledger', 'segments', 'program'].entries())
    for (const isBegun of [true, false]) {
      const disk = join(medium.folder, `disk-${i}-${isBegun}`);
      await mkdir(join(disk, '_svc'), { recursive: true });
      if (isBegun) await writeFile(join(disk, '_svc', 'delivery.json'), identityOf(delivery));
      await mkdir(dirname(join(disk, name)), { recursive: true });
      await symlink(elsewhere, join(disk, name));
      await assert.rejects(writePartOf(store, delivery, disk), (error) => isSvcError(error, 'SVC-MED-045'));
      assert.deepEqual(await listTree(elsewhere), before, name);
    }
});

test('a pipe in the place of the note about an unfinished part is refused at once', async () => {
  await using medium = await buildMedium();
  await using store = await openSource(medium);
  const delivery = await decideFor(store);
  const disk = join(medium.folder, 'disk');
  await mkdir(join(disk, '_svc'), { recursive: true });
  assert.equal(spawnSync('mkfifo', [join(disk, '_svc', 'delivery.json')]).status, 0);
  await assert.rejects(writePartOf(store, delivery, disk), (error) => isSvcError(error, 'SVC-MED-045'));
});

test('a folder in another medium is refused, complete or unfinished', async () => {
  await using medium = await buildMedium();
  await using store = await openSource(medium);
  const delivery = await decideFor(store);
  const begun = join(medium.folder, 'begun');
  await mkdir(join(begun, '_svc'), { recursive: true });
  await writeFile(join(begun, '_svc', 'delivery.json'), identityOf(delivery));
  for (const around of [begun, await medium.carry()]) {
    const inside = join(around, 'a', 'b');
    await assert.rejects(writePartOf(store, delivery, inside), { code: 'SVC-MED-045' }, around);
    assert.deepEqual(await readdir(inside), []);
  }
});

test('a folder that is exchanged with a link while a part is written leads nothing out of it', async () => {
  await using medium = await buildMedium({ recipes: bigRecipes([200_000, 300_000]) });
  await using store = await openSource(medium);
  const delivery = await decideFor(store);
  const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  for (const name of ['blobs', 'blobs/sha256', '_svc', '_svc/tmp', 'ledger', 'media.jsonl']) {
    const disk = join(medium.folder, `disk-${name.replace('/', '-')}`);
    const outside = `${disk}-outside`;
    for (const below of ['tmp', 'sha256']) await mkdir(join(outside, below), { recursive: true });
    const before = listTree(outside);
    let isExchanged = false;
    const exchange = async (): Promise<void> => {
      if (isExchanged) return;
      isExchanged = true;
      if (isThere(join(disk, name))) await rename(join(disk, name), join(disk, 'away'));
      await symlink(outside, join(disk, name));
    };
    const written = writePartOf(store, delivery, disk, 1, undefined, undefined, exchange);
    const error = await written.catch((thrown: unknown) => thrown);
    assert.ok(isExchanged, name);
    assert.deepEqual(listTree(outside), before, name);
    // a link in the place of a file is replaced by the file
    if (name === 'media.jsonl') continue;
    assert.ok(isSvcError(error, 'SVC-STO-001'), `${name}: ${String(error)}`);
    assert.ok(!isThere(join(disk, 'media.jsonl')), name);
    assert.doesNotMatch(`${error.message} ${JSON.stringify(error.params)}`, /proc\/self/);
  }
});

test('a folder in the place of a file, a note that cannot be read and an unusable name are named', async () => {
  await using medium = await buildMedium();
  await using store = await openSource(medium);
  const delivery = await decideFor(store);
  const disk = join(medium.folder, 'disk');
  const refusal = async (): Promise<string> => {
    const error = await writePartOf(store, delivery, disk).then(
      () => assert.fail('it was written'),
      (thrown: unknown) => thrown,
    );
    assert.ok(isSvcError(error, 'SVC-MED-045'), String(error));
    const detail = String(error.params.detail);
    assert.doesNotMatch(detail, /proc\/self|undefined/);
    return detail;
  };
  const anew = async (): Promise<void> => {
    await rm(disk, { recursive: true, force: true });
    await writePartOf(store, delivery, disk);
  };
  await anew();
  const [blob] = await readdir(join(disk, 'blobs/sha256'));
  const passport = '_svc/passport.sigstore.json';
  const files = ['media.jsonl', 'index.json', 'oci-layout', 'README.txt', `blobs/sha256/${blob}`, passport];
  for (const name of [
    ...files,
    '_svc/custody/ledger.jsonl',
    '_svc/proof.sigstore.json',
    '_svc/delivery.json',
  ]) {
    await anew();
    await rm(join(disk, name), { force: true });
    await mkdir(join(disk, name, 'below'), { recursive: true });
    assert.equal(await refusal(), `a folder is in the place of ${name}`);
  }
  await anew();
  await rm(join(disk, 'media.jsonl'));
  await mkdir(join(disk, '_svc'), { recursive: true });
  for (const text of ['', '{}', 'null', '[]', '{"delivery":1,"part":1,"parts":1}', 'x'.repeat(5000)]) {
    await writeFile(join(disk, '_svc/delivery.json'), text);
    assert.match(await refusal(), /^its _svc\/delivery\.json cannot be read$/);
  }
  await truncate(join(disk, '_svc/delivery.json'), 2 ** 30);
  assert.match(await refusal(), /delivery\.json cannot be read/);
  await anew();
  await writeFile(Buffer.concat([Buffer.from(join(disk, 'blobs/sha256/')), Buffer.from([0xff, 0xfe])]), 'x');
  assert.match(await refusal(), /whose name is not UTF-8/);
  await anew();
  await rm(join(disk, 'ledger'), { recursive: true });
  await writeFile(join(disk, 'ledger'), '');
  assert.match(await refusal(), /^ledger is no folder$/);
  await anew();
  const nest = `i=0; while [ $i -lt 1100 ]; do mkdir -p dddd && cd -P dddd || exit 1; i=$((i+1)); done`;
  assert.equal(spawnSync('sh', ['-c', nest], { cwd: join(disk, 'blobs') }).status, 0);
  assert.match(await refusal(), /^folders in blobs are nested too deep/);
  spawnSync('rm', ['-rf', disk]);
});

test('a document is read once for all disks, and one with other bytes is refused', async () => {
  await using medium = await buildMedium();
  await using store = await openSource(medium);
  const small = openSmallBlobs(store);
  const [[digest, size]] = [...(await closeRecipe(store, store.index.recipes()[0]!)).always] as [
    [Digest, number],
  ];
  const bytes = await small(digest, size);
  assert.equal(hashBytes(bytes), digest);
  await writeFile(join(medium.root, blobPath(digest)), Buffer.alloc(size, 7));
  assert.equal(await small(digest, size), bytes);
  await assert.rejects(openSmallBlobs(store)(digest, size), { code: 'SVC-SIG-002' });
});

test('a damaged document ends the writing before the next large file', async () => {
  await using medium = await buildMedium({ recipes: bigRecipes(Array.from({ length: 12 }, () => 1 << 20)) });
  await using store = await openSource(medium);
  const delivery = await decideFor(store);
  const [[digest, size]] = [...delivery.content.always] as [[Digest, number]];
  await writeFile(join(medium.root, blobPath(digest)), Buffer.alloc(size, 7));
  const root = join(medium.folder, 'disk');
  await assert.rejects(writePartOf(store, delivery, root), { code: 'SVC-SIG-002' });
  const whole = await readdir(join(root, 'blobs', 'sha256'));
  const large = await Promise.all(
    whole.map(async (name) => (await stat(join(root, 'blobs/sha256', name))).size),
  );
  assert.ok(large.filter((bytes) => bytes >= 1 << 20).length < 12);
  assert.ok(!(await readdir(root)).includes('media.jsonl'));
});

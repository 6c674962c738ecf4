import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { access, mkdir, readdir, watch, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import { openLandingRun } from '../../../src/engine/medium/landed/landing-run.ts';
import { openLandings, selectKept } from '../../../src/engine/medium/landed/landings.ts';
import { openContext } from '../../../src/operation/context.ts';
import { surveyDestination } from '../../../src/operation/zone/survey-destination.ts';
import type { AbsentBlob } from '../../../src/store/rest/absent-list.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { type Artifact, buildImage } from '../../kit/content/content.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { createRecordingReport } from '../../kit/instance/recording-report.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { importCarried, toZoneConfig } from '../../kit/scene/import-carried.ts';
import { buildMedium, type MediumRecipe } from '../../kit/scene/medium.ts';
import { carryPart, type PartOptions } from '../../kit/scene/partial-medium.ts';

const repository = 'origin.example/shop/web';
/** The date of a delivery. */
const dateOf = (n: number): string => `2026-01-0${n}T00:00:00.000Z`;

const toRecipe = (name: string, version: string, artifact: Artifact, ref = repository): MediumRecipe => ({
  name,
  version,
  layout: 'bundle',
  ingredients: [{ name: 'image', kind: 'ContainerImage', ref, tag: 'stable', artifact }],
});

/** A zone, and a source whose deliveries have one recipe on each disk. */
async function openZone(t: TestContext) {
  const signer = createSigner();
  const there = await createRegistryDouble();
  t.after(() => there.close());
  let state: string | undefined;
  /** Writes a delivery: disk n has the layers of recipe n, and the documents of all. */
  const write = async (n: number, recipes: readonly MediumRecipe[]) => {
    const medium = await buildMedium({ recipes, signer, resolvedAt: dateOf(n), inMemory: true });
    t.after(() => medium[Symbol.asyncDispose]());
    state ??= join(medium.folder, 'state-of-the-zone');
    const id = `dlv_00000000000${n}`;
    const carry = async (part: number): Promise<string> => {
      const absent = new Map<Digest, AbsentBlob['at']>();
      for (const [i, { ingredients }] of recipes.entries())
        for (const { artifact } of i + 1 === part ? [] : ingredients)
          for (const { descriptor } of artifact.blobs.slice(1)) absent.set(descriptor.digest, [i + 1]);
      const delivery: PartOptions['delivery'] = { id, part, parts: recipes.length };
      const carried = await carryPart(medium, { delivery, absent });
      return carried.root;
    };
    return Promise.all(recipes.map((_, i) => carry(i + 1)));
  };
  const take = async (root: string, waive?: { readonly zoneMismatch: boolean; readonly stale: boolean }) => {
    const done = await importCarried(root, [signer], there, { state: state!, waive });
    assert.equal(done.error, undefined);
    return {
      ...done,
      codes: done.verification!.report.findings.map(({ code }) => code),
      landed: done.imported!.landed.map(({ record }) => `${record.name}@${record.version}`).sort(),
    };
  };
  return {
    write,
    take,
    registry: there,
    /** Resolves when an import waits for another one. */
    waiting: async () => {
      const folder = join(state!, 'media', 'landing');
      for await (const { filename } of watch(folder))
        if (
          /\.lock$/.test(filename ?? '') &&
          (await readdir(folder)).filter((name) => name.endsWith('.lock')).length > 1
        )
          return;
    },
    /** The version of a recipe that a source calls current by the receipt of the zone, of those that are in the registry. */
    served: async (recipe = 'shop') => {
      const config = toZoneConfig({ zone: 'zone-b', state: state!, host: there.host, signers: [signer] });
      const report = createRecordingReport();
      await using context = await openContext(config, { report, version: '0.0.0-test' });
      const destination = { registry: there.host, cookbook: 'cookbook' };
      const { recipes } = await surveyDestination(context, { zone: 'zone-b', destination });
      return recipes.flatMap(({ name, version, displacedBy, state: of }) =>
        name === recipe && of === 'present' && displacedBy === undefined ? [version] : [],
      );
    },
    /** The digest that a tag of the zone serves. */
    tag: (name = 'stable', at = repository) => there.manifest(at, name)?.digest,
    has: (digest: Digest, at = repository) => there.manifest(at, digest) !== undefined,
  };
}

test('what landed is recorded by zone, and a damaged record is not an absent one', async () => {
  await using folder = await openTempFolder();
  const records = openLandings(folder.path);
  const [low, high] = ['a', 'b'].map((text) => hashBytes(text)) as [Digest, Digest];
  const land = (version: string, digest: Digest, resolvedAt: string) =>
    records.add('constructor', {
      name: 'toString',
      version,
      tags: new Map([['valueOf', digest]]),
      resolvedAt,
      landedAt: resolvedAt,
    });
  assert.deepEqual(await records.get('constructor'), { recipes: {}, tags: {} });
  await land('1.10.0', high, dateOf(2));
  await land('1.9.0', high, dateOf(1));
  const given = {
    ...{ digest: high, resolvedAt: dateOf(2), givenAt: dateOf(2) },
    ...{ name: 'toString', version: '1.10.0' },
  };
  const after = {
    recipes: { toString: '1.10.0' },
    tags: { valueOf: { ...given, records: [given] } },
  };
  assert.deepEqual(await records.get('constructor'), after);
  const kept = await records.get('constructor');
  const wanted = { digest: low, name: 'other', version: '1.0.0' };
  assert.equal(selectKept(kept, 'valueOf', { ...wanted, resolvedAt: dateOf(1) }), high);
  assert.equal(selectKept(kept, 'valueOf', { ...wanted, resolvedAt: dateOf(2) }), undefined);
  assert.equal(selectKept(kept, 'hasOwnProperty', { ...wanted, resolvedAt: dateOf(1) }), undefined);
  for (const text of ['{', '[]', '{}', '{"zone":"z","name":"a","version":"1","tags":{"a":{"digest":"x"}}}']) {
    await writeFile(join(folder.path, 'media/landed/a.json'), text);
    await assert.rejects(records.get('z'), (error) => isSvcError(error, 'SVC-STO-001'), text);
  }
});

test('a tag of a killed import is remembered, also where its recipe did not arrive', async () => {
  await using folder = await openTempFolder();
  const [low, high] = ['a', 'b'].map((text) => hashBytes(text)) as [Digest, Digest];
  const intended = {
    ...{ name: 'shop', version: '2.0.0', repository: 'zone/shop', digest: hashBytes('recipe') },
    ...{ resolvedAt: dateOf(2), isForced: false, tags: { given: high, 'not-given': high } },
  };
  const claims = join(folder.path, 'media/landing');
  await mkdir(claims, { recursive: true });
  const file = join(claims, `${randomUUID()}.1.json`);
  await writeFile(file, JSON.stringify({ zone: 'zone-b', intended }));
  const places = { has: async () => false, resolve: async (tag: string) => (tag === 'given' ? high : low) };
  const options = { zone: 'zone-b', places, now: () => Date.parse(dateOf(3)) };
  await using run = await openLandingRun(folder.path, openLandings(folder.path), options);
  const { recipes, tags } = run.landings;
  assert.deepEqual(recipes, {});
  const given = { digest: high, resolvedAt: dateOf(2), givenAt: dateOf(3), name: 'shop', version: '2.0.0' };
  assert.deepEqual(tags, { given: { ...given, records: [given] } });
  const wanted = { digest: low, resolvedAt: dateOf(1), name: 'shop', version: '1.0.0' };
  assert.equal(selectKept(run.landings, 'given', wanted), high);
  await assert.rejects(access(file));
});

test('a medium with a passport gives way to later ones with a passport, and to a higher version of its recipe', async () => {
  await using folder = await openTempFolder();
  const records = openLandings(folder.path);
  const [own, other] = ['own', 'other'].map((text) => hashBytes(text)) as [Digest, Digest];
  const land = (name: string, day: number, isVouched: boolean, version = '1.0.0') =>
    records.add('zone', {
      ...{ name, version, tags: new Map([['stable', other]]), isVouched },
      ...{ resolvedAt: dateOf(day), landedAt: dateOf(9) },
    });
  const keptOn = async (day: number, isVouched: boolean, version = '1.0.0') =>
    selectKept(await records.get('zone'), 'stable', {
      ...{ digest: own, resolvedAt: dateOf(day), name: 'shop', version, isVouched },
    }) !== undefined;
  await land('shop', 5, false, '1.1.0');
  assert.deepEqual(await Promise.all([keptOn(4, false, '1.1.0'), keptOn(4, true, '1.1.0')]), [true, false]);
  assert.equal(await keptOn(4, true), true, 'the version is lower');
  await land('depot', 3, true);
  await land('depot', 6, false);
  assert.deepEqual(await Promise.all([keptOn(2, true), keptOn(3, true), keptOn(5, false)]), [
    true,
    false,
    true,
  ]);
  const path = join(folder.path, 'media/landed/earlier.json');
  const tags = { stable: { digest: other, resolvedAt: dateOf(8), givenAt: dateOf(9) } };
  await writeFile(path, JSON.stringify({ zone: 'zone', name: 'earlier', version: '1.0.0', tags }));
  assert.equal(await keptOn(7, true), true, 'a record of an earlier version');
});

test('a medium of another peer takes a tag only with a higher version of the same recipe, whatever its date', async () => {
  await using folder = await openTempFolder();
  const { add, get } = openLandings(folder.path);
  const [own, other] = [hashBytes('own'), hashBytes('other')];
  const land = (peer: string, day: number, digest: Digest, version = '1.1.0') =>
    add('zone-b', {
      ...{ name: 'shop', version, tags: new Map([['stable', digest]]), isVouched: true, peer },
      ...{ resolvedAt: dateOf(day), landedAt: dateOf(day) },
    });
  const isKept = async (peer: string, day: number, digest: Digest, version = '1.1.0', name = 'shop') =>
    selectKept(await get('zone-b'), 'stable', {
      ...{ digest, resolvedAt: dateOf(day), name, version, isVouched: true, peer },
    }) !== undefined;
  await land('source', 2, own);
  assert.equal(await isKept('evil', 9, other, '1.0.0'), true);
  assert.equal(await isKept('evil', 9, other), true);
  assert.equal(await isKept('evil', 9, other, '2.0.0', 'depot'), true);
  assert.equal(await isKept('evil', 1, other, '1.2.0'), false);
  assert.equal(await isKept('source', 3, other, '1.0.0'), false);
  // the same content of another peer does not make it that peer's
  await land('evil', 9, own);
  assert.equal(await isKept('source', 3, other, '1.0.0'), false);
  assert.equal(await isKept('source', 1, other, '1.0.0'), true);
  // with --allow-stale
  await land('evil', 9, other, '1.0.0');
  assert.equal(await isKept('source', 3, own), false);
});

test('a later medium without a passport takes no tag from content that came with one, by no recipe', async () => {
  await using folder = await openTempFolder();
  const records = openLandings(folder.path);
  const [own, other] = ['own', 'other'].map((text) => hashBytes(text)) as [Digest, Digest];
  const land = (tag: string, isVouched: boolean) =>
    records.add('zone', {
      ...{ name: 'shop', version: '1.1.0', tags: new Map([[tag, other]]), isVouched },
      ...{ resolvedAt: dateOf(3), landedAt: dateOf(4) },
    });
  await land('stable', true);
  await land('edge', false);
  const isKept = async (tag: string, wanted: { version: string; isVouched: boolean; name?: string }) =>
    selectKept(await records.get('zone'), tag, {
      ...{ digest: own, resolvedAt: dateOf(5), name: 'shop', ...wanted },
    }) !== undefined;
  assert.equal(await isKept('stable', { version: '1.0.0', isVouched: false }), true);
  assert.equal(await isKept('stable', { version: '1.0.0', isVouched: true }), false);
  assert.equal(await isKept('stable', { version: '1.2.0', isVouched: false }), true);
  assert.equal(await isKept('stable', { version: '1.0.0', isVouched: false, name: 'depot' }), true);
  assert.equal(await isKept('stable', { version: '1.0.0', isVouched: true, name: 'depot' }), false);
  assert.equal(await isKept('edge', { version: '1.0.0', isVouched: false }), false);
  // another disk without a passport gives the same content, by a recipe of its own
  await records.add('zone', {
    ...{ name: 'depot', version: '2.0.0', tags: new Map([['stable', other]]), isVouched: false },
    ...{ resolvedAt: dateOf(5), landedAt: dateOf(6) },
  });
  assert.equal(await isKept('stable', { version: '3.0.0', isVouched: false, name: 'third' }), true);
  // what a waiver gave on purpose is not of a passport
  await records.add('zone', {
    ...{
      name: 'depot',
      version: '2.1.0',
      tags: new Map([['stable', hashBytes('waived')]]),
      isVouched: false,
    },
    ...{ resolvedAt: dateOf(1), landedAt: dateOf(7), isForced: true },
  });
  assert.equal(await isKept('stable', { version: '3.0.0', isVouched: false, name: 'third' }), false);
});

test('of two media of one date, the tag stays with the one that was written later', async () => {
  await using folder = await openTempFolder();
  const records = openLandings(folder.path);
  const [first, second] = ['first', 'second'].map((text) => hashBytes(text)) as [Digest, Digest];
  const written = (day: number) => ({ resolvedAt: dateOf(1), writtenAt: dateOf(day) });
  const isKept = async (day: number, isVouched: boolean, digest = first) =>
    selectKept(await records.get('zone'), 'stable', {
      ...{ digest, name: 'legacy', version: '1.0.0', isVouched, ...written(day) },
    }) !== undefined;
  for (const isVouched of [false, true]) {
    await records.add('zone', {
      ...{ name: 'shop', version: '1.1.0', tags: new Map([['stable', second]]), isVouched },
      ...{ ...written(3), landedAt: dateOf(4) },
    });
    assert.equal(await isKept(2, isVouched), true);
    assert.equal(await isKept(4, isVouched), false);
    assert.equal(await isKept(3, isVouched), false, 'neither is later');
    assert.equal(await isKept(2, true), isVouched, 'a passport counts before the time of writing');
  }
});

/** A tag of a zone, to which media give content in turn. */
async function openTag(t: TestContext) {
  const folder = await openTempFolder();
  t.after(() => folder[Symbol.asyncDispose]());
  const records = openLandings(folder.path);
  let now = Date.parse(dateOf(1));
  let has = '';
  const peers = new Set(['source', 'evil']);
  /** Imports `peer:recipe@version@day`, where `none` has no passport. @returns the content that the tag has then */
  const bring = async (
    medium: string,
    content: string,
    options: { isForced?: boolean; cookbook?: string } = {},
  ) => {
    const [peer = '', recipe = ''] = medium.split(':');
    const [name = '', version = '', day] = recipe.split('@');
    now += 1000;
    const wanted = {
      ...{ name, version, cookbook: options.cookbook ?? 'origin.example/cookbook' },
      ...{ isVouched: peer !== 'none', peer: peer === 'none' ? undefined : peer },
      resolvedAt: new Date(Date.UTC(2026, 0, Number(day))).toISOString(),
    };
    const digest = hashBytes(content);
    const known = await records.get('zone', peers);
    const isKept = !options.isForced && selectKept(known, 'stable', { ...wanted, digest }) !== undefined;
    const landing = {
      ...{ ...wanted, isForced: options.isForced, landedAt: new Date(now).toISOString() },
      tags: new Map(isKept ? [] : [['stable', digest]]),
    };
    await records.during(({ add }) => add('zone', landing, known));
    if (!isKept) has = content;
    return has;
  };
  return { bring, peers };
}

test('a peer that took a tag by a higher version takes it back to nothing that is below the other peer', async (t) => {
  for (const [high, low] of [
    [21, 22],
    [3, 4],
  ]) {
    for (const step of [`evil:oth@1.0.0@${low}`, `evil:tg@1.0.0@${low}`, `evil:tg@1.1.0@${low}`]) {
      const { bring } = await openTag(t);
      assert.equal(await bring('source:tg@1.1.0@10', 'c'), 'c');
      assert.equal(await bring(`evil:tg@2.0.0@${high}`, 'd'), 'd');
      assert.equal(await bring(step, 'a'), 'd', step);
      assert.equal(
        await bring(`evil:tg@1.2.0@${low}`, 'f'),
        'f',
        'of its own content by dates, above the other',
      );
      assert.equal(await bring('source:tg@2.0.0@26', 'g'), 'g');
    }
  }
});

test('content that a tag has already makes it nobody else’s', async (t) => {
  for (const days of [
    [12, 13],
    [3, 4],
  ]) {
    const { bring } = await openTag(t);
    await bring('source:tg@1.1.0@10', 'c');
    await bring(`evil:same@1.0.0@${days[0]}`, 'c');
    assert.equal(await bring(`evil:oth@5.0.0@${days[1]}`, 'e'), 'c');
    assert.equal(await bring('source:tg@1.0.5@14', 'h'), 'h', 'its own peer goes by dates');
  }
  const { bring } = await openTag(t);
  await bring('none:tg@1.1.0@9', 'c');
  await bring('none:same@1.0.0@10', 'c');
  assert.equal(await bring('source:tg@1.0.0@1', 'a'), 'c', 'a lower version of an earlier disk');
  assert.equal(await bring('source:same@1.0.0@2', 'c'), 'c');
  assert.equal(await bring('none:tg@9.0.0@20', 'z'), 'c', 'a passport vouches for it since');
});

test('the same content of a later disk of the same peer counts, by whichever recipe', async (t) => {
  const { bring } = await openTag(t);
  await bring('source:tg@1.1.0@10', 'c');
  await bring('source:same@1.0.0@12', 'c');
  assert.equal(await bring('source:tg@1.0.0@11', 'a'), 'c');
  await bring('source:tg@1.3.0@14', 'c');
  assert.equal(await bring('source:tg@1.0.0@13', 'a'), 'c');
  assert.equal(await bring('evil:tg@1.2.0@20', 'b'), 'c');
  assert.equal(await bring('evil:tg@1.4.0@1', 'd'), 'd');
});

test('the tags of a peer that is no longer configured keep nothing, and a waiver ends what came before', async (t) => {
  const { bring, peers } = await openTag(t);
  await bring('source:tg@1.1.0@10', 'c');
  await bring('evil:tg@999.0.0@11', 'z');
  assert.equal(await bring('source:tg@2.0.0@12', 'd'), 'z');
  await bring('source:tg@2.0.0@12', 'd', { isForced: true });
  assert.equal(await bring('source:tg@2.1.0@13', 'e'), 'e');
  assert.equal(await bring('evil:tg@999.0.0@11', 'z'), 'z');
  peers.delete('evil');
  assert.equal(await bring('source:tg@2.2.0@14', 'f'), 'f');
});

test('a recipe of another cookbook is another recipe, and of equal dates the higher version stays', async (t) => {
  const { bring } = await openTag(t);
  await bring('source:tg@1.1.0@10', 'c');
  assert.equal(await bring('evil:tg@9.0.0@11', 'a', { cookbook: 'origin.example/evilbook' }), 'c');
  assert.equal(await bring('source:tg@1.0.0@10', 'a'), 'c');
  assert.equal(await bring('source:tg@1.2.0@10', 'd'), 'd');
  assert.equal(await bring('evil:tg@1.2.1-9007199254740992@1', 'e'), 'e');
  assert.equal(await bring('source:tg@1.2.1-9007199254740993@10', 'f'), 'f');
});

test('a record of an earlier program is that of its peer', async () => {
  await using folder = await openTempFolder();
  const path = join(folder.path, 'media/landed');
  await mkdir(path, { recursive: true });
  const [own, other] = [hashBytes('own'), hashBytes('other')];
  const stable = {
    ...{ digest: own, resolvedAt: dateOf(3), givenAt: dateOf(4), version: '1.1.0' },
    ...{ vouchedAt: dateOf(3), vouched: true, peer: 'source' },
  };
  await writeFile(
    join(path, 'earlier.json'),
    JSON.stringify({ zone: 'zone', name: 'tg', version: '1.1.0', tags: { stable } }),
  );
  const landings = await openLandings(folder.path).get('zone', new Set(['source', 'evil']));
  const isKept = (peer: string, version: string, day: number) =>
    selectKept(landings, 'stable', {
      ...{
        digest: other,
        resolvedAt: dateOf(day),
        name: 'tg',
        cookbook: 'book',
        version,
        isVouched: true,
        peer,
      },
    }) !== undefined;
  assert.deepEqual(
    [
      isKept('evil', '1.1.0', 9),
      isKept('evil', '1.2.0', 1),
      isKept('source', '1.0.0', 4),
      isKept('source', '2.0.0', 2),
    ],
    [true, false, false, true],
  );
});

const digestOf = ({ manifest }: Artifact): Digest => manifest.descriptor.digest;
const imageOf = (name: string): Artifact => buildImage(name, { ownLayers: 1, layerSize: 512 });
const [older, newer, other] = ['older', 'newer', 'other'].map(imageOf) as [Artifact, Artifact, Artifact];
const besides = 'origin.example/depot/image';

test('an old delivery takes no tag back from a recipe of a delivery of which a disk is withheld', async (t) => {
  const zone = await openZone(t);
  const [a] = await zone.write(1, [toRecipe('shop', '1.1.0', older)]);
  const [, b2] = await zone.write(2, [
    toRecipe('depot', '1.0.0', other, besides),
    toRecipe('shop', '1.2.0', newer),
  ]);
  await zone.take(a!);
  assert.equal(zone.tag(), digestOf(older));
  assert.deepEqual((await zone.take(b2!)).landed, ['shop@1.2.0']);
  assert.equal(zone.tag(), digestOf(newer));
  assert.deepEqual(await zone.served(), ['1.2.0']);
  const again = await zone.take(a!);
  assert.ok(again.codes.includes('SVC-MED-023'), again.codes.join());
  assert.equal(zone.tag(), digestOf(newer));
  assert.match(again.said, /the tag stable stays with a later delivery/);
  assert.deepEqual(again.landed, ['shop@1.1.0']);
  assert.deepEqual(await zone.served(), ['1.2.0']);
  assert.equal(zone.has(digestOf(older)), true);
});

test('disks of two deliveries in turn bring everything, and take no tag back', async (t) => {
  const zone = await openZone(t);
  const [a1, a2] = await zone.write(1, [
    toRecipe('depot', '1.0.0', other, besides),
    toRecipe('shop', '1.1.0', older),
  ]);
  const [b1, b2] = await zone.write(2, [
    toRecipe('shop', '1.2.0', newer),
    toRecipe('yard', '1.0.0', imageOf('yard'), 'origin.example/yard/image'),
  ]);
  assert.deepEqual((await zone.take(a1!)).landed, ['depot@1.0.0']);
  assert.deepEqual((await zone.take(b1!)).landed, ['shop@1.2.0']);
  const { landed, codes } = await zone.take(a2!);
  assert.ok(codes.includes('SVC-MED-023'));
  assert.ok(landed.includes('shop@1.1.0'));
  assert.equal(zone.tag(), digestOf(newer));
  assert.equal(zone.tag('stable', besides), digestOf(other));
  assert.ok((await zone.take(b2!)).landed.includes('yard@1.0.0'));
  assert.equal(zone.tag(), digestOf(newer));
});

test('an old recipe of another name takes no tag back', async (t) => {
  const zone = await openZone(t);
  const [a] = await zone.write(1, [toRecipe('front', '7.0.0', older)]);
  const [, b2] = await zone.write(2, [
    toRecipe('depot', '1.0.0', other, besides),
    toRecipe('shop', '1.0.0', newer),
  ]);
  await zone.take(a!);
  await zone.take(b2!);
  assert.deepEqual((await zone.take(a!)).landed, ['front@7.0.0']);
  assert.equal(zone.tag(), digestOf(newer));
  assert.deepEqual(await zone.served('front'), [], 'the receipt says that the other recipe displaces it');
  assert.deepEqual(await zone.served(), ['1.0.0']);
});

test('a later delivery with a lower version gets the tag, and a waiver gives it back to an old one', async (t) => {
  const zone = await openZone(t);
  const [a] = await zone.write(1, [toRecipe('shop', '1.2.0', newer)]);
  const [b] = await zone.write(2, [toRecipe('shop', '1.1.0', older)]);
  await zone.take(a!);
  assert.ok((await zone.take(b!)).codes.includes('SVC-MED-023'));
  assert.equal(zone.tag(), digestOf(older));
  assert.deepEqual(await zone.served(), ['1.1.0']);
  await zone.take(a!, { zoneMismatch: false, stale: true });
  assert.equal(zone.tag(), digestOf(newer));
  assert.deepEqual(await zone.served(), ['1.2.0']);
});

for (const [held, moment] of [
  ['older', /PUT .*\/shop\/web\/blobs\/uploads\/|POST .*\/shop\/web\/blobs\/uploads\//],
  ['newer', /HEAD .*\/shop\/web\/manifests\/stable/],
] as const)
  test(`of two imports at once, the later medium has the tag, also where the ${held} one is slow`, async (t) => {
    const zone = await openZone(t);
    const [a] = await zone.write(1, [toRecipe('front', '7.0.0', older)]);
    const [b] = await zone.write(2, [toRecipe('shop', '1.0.0', newer)]);
    const [slow, quick] = held === 'older' ? [a!, b!] : [b!, a!];
    const arrived = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    // the tag is asked for first, and again when it was put
    let left = held === 'older' ? 1 : 2;
    const restore = zone.registry.intercept(async ({ method, path }) => {
      if (!moment.test(`${method} ${path}`)) return false;
      left -= 1;
      if (left > 0) return false;
      restore();
      arrived.resolve();
      await goOn.promise;
      return false;
    });
    const first = zone.take(slow);
    await arrived.promise;
    const second = zone.take(quick);
    const waiting = zone.waiting();
    await Promise.race([second, waiting]);
    goOn.resolve();
    await Promise.all([first, second]);
    assert.equal(zone.tag(), digestOf(newer));
  });

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import { fingerprintTag } from '../../src/catalog/shown-tag.ts';
import { mediaTypes } from '../../src/oci/media-types.ts';
import { signatureTag } from '../../src/oci/reference.ts';
import { importArtifact, toImportTask } from '../../src/operation/import-artifact.ts';
import { sync } from '../../src/operation/sync.ts';
import { isSvcError } from '../../src/text/error.ts';
import {
  buildImage,
  buildIndex,
  digestsOf,
  seededBytes,
  toBlob,
  toManifest,
} from '../kit/content/content.ts';
import { putSignatures, toOrigin } from '../kit/content/origin.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { createMemoryJournal } from '../kit/instance/memory-journal.ts';
import { createRegistryDouble } from '../kit/result/registry-double.ts';
import { type ImportScene, openImportScene } from '../kit/scene/import-scene.ts';
import { toIngredient } from '../kit/scene/sync-scene.ts';

const isCode =
  (code: Parameters<typeof isSvcError>[1], params: Record<string, unknown> = {}) =>
  (error: unknown) => {
    assert.ok(isSvcError(error, code), String((error as Error).stack));
    for (const [name, value] of Object.entries(params)) assert.deepEqual(error.params[name], value, name);
    return true;
  };

const owners = (world: ImportScene, repository: string, tag: string) =>
  world.store.index.tag(repository, tag)?.owners.map(({ provenance }) => provenance);

const choices = ({
  platforms,
}: {
  platforms: readonly { name: string; digest: `sha256:${string}` | `sha512:${string}` }[];
}) => platforms.map(({ name, digest }) => ({ name, digest }));

test('an inspection lists the platforms of an image with their sizes, and none as present', async () => {
  await using world = await openImportScene();
  const origin = toOrigin(world.scene.origin);
  const web = buildIndex('web', ['linux/amd64', 'linux/arm64/v8', 'windows/amd64']);
  await origin.put('shop/web', web, '1.0.0');
  const reference = `${origin.host}/shop/web:1.0.0`;
  const before = world.store.head;
  const inspection = await world.inspect(reference);
  const port = origin.host.replace(':', '_');
  assert.deepEqual(
    {
      ...inspection,
      platforms: inspection.platforms.map(({ name, status, digest }) => [name, status, digest]),
    },
    {
      reference,
      repository: `${port}/shop/web`,
      tag: '1.0.0',
      digest: web.manifest.descriptor.digest,
      mediaType: mediaTypes.ociIndex,
      kind: 'ContainerImage',
      multiPlatform: true,
      signatures: [],
      platforms: [
        ['linux/amd64', 'new', web.children[0]!.artifact.manifest.descriptor.digest],
        ['linux/arm64', 'new', web.children[1]!.artifact.manifest.descriptor.digest],
        ['windows/amd64', 'new', web.children[2]!.artifact.manifest.descriptor.digest],
      ],
    },
  );
  const { artifact } = web.children[0]!;
  const sizes = [web.manifest, artifact.manifest, ...artifact.blobs].map(({ descriptor }) => descriptor.size);
  assert.equal(
    inspection.platforms[0]!.sizeBytes,
    sizes.reduce((sum, size) => sum + size, 0),
  );
  assert.equal(world.store.head, before, 'nothing was written');
});

test('what was chosen is imported, sparse, under its relocated name, and then it is up to date', async () => {
  await using world = await openImportScene({ storage: { basePrefix: 'mirror' } });
  const origin = toOrigin(world.scene.origin);
  const web = buildIndex('web', ['linux/amd64', 'linux/arm64']);
  await origin.put('shop/web', web, '1.0.0');
  const reference = `oci://${origin.host}/shop/web:1.0.0`;
  const first = await world.inspect(reference);
  const { task } = await world.run({ reference, platforms: choices(first).slice(0, 1) });
  const repository = `mirror/${origin.host.replace(':', '_')}/shop/web`;
  assert.deepEqual(owners(world, repository, '1.0.0'), ['import']);
  const [amd, arm] = web.children.map(({ artifact }) => artifact);
  assert.ok(digestsOf(amd!).every((digest) => world.store.index.sizeOf(digest) !== undefined));
  assert.equal(world.store.index.manifest(arm!.manifest.descriptor.digest), undefined);
  assert.equal(task.items[0]!.status, 'done');
  assert.equal(task.items[0]!.digest, web.manifest.descriptor.digest);
  assert.ok(task.progress.bytesDone > 0);

  const second = await world.inspect(reference);
  assert.deepEqual(
    second.platforms.map(({ status }) => status),
    ['up-to-date', 'new'],
  );
  const asked = world.scene.origin.count(/GET .*\/blobs\//);
  const again = await world.run({ reference, platforms: choices(second).slice(0, 1) });
  assert.equal(again.task.progress.bytesDone, 0);
  assert.equal(world.scene.origin.count(/GET .*\/blobs\//), asked, 'no blob is asked for again');

  await world.run({ reference, platforms: choices(second) });
  const third = await world.inspect(reference);
  assert.deepEqual(
    third.platforms.map(({ status }) => status),
    ['up-to-date', 'up-to-date'],
  );
  await origin.put('shop/web', buildIndex('web 2', ['linux/amd64', 'linux/s390x']), '1.0.0');
  const moved = await world.inspect(reference);
  assert.deepEqual(
    moved.platforms.map(({ status }) => status),
    ['outdated', 'new'],
  );
});

test('a tag that moved since the inspection fails by name; named by its digest, what was inspected is imported', async () => {
  await using world = await openImportScene();
  const origin = toOrigin(world.scene.origin);
  const old = buildImage('old');
  await origin.put('app', old, 'latest');
  const reference = `${origin.host}/app:latest`;
  const inspected = await world.inspect(reference);
  assert.equal(inspected.platforms[0]!.name, 'linux/amd64');
  const next = buildImage('next');
  await origin.put('app', next, 'latest');
  const platforms = choices(inspected);
  await assert.rejects(
    world.run({ reference, platforms }),
    isCode('SVC-SIG-002', {
      expected: old.manifest.descriptor.digest,
      actual: next.manifest.descriptor.digest,
    }),
  );
  const repository = `${origin.host.replace(':', '_')}/app`;
  assert.equal(world.store.index.tag(repository, 'latest'), undefined);
  await world.run({ reference: `${reference}@${inspected.digest}`, platforms });
  assert.equal(world.store.index.tag(repository, 'latest')?.digest, old.manifest.descriptor.digest);

  const alone = `${origin.host}/app@${next.manifest.descriptor.digest}`;
  const { inspection } = await world.take(alone);
  assert.equal(inspection.tag, `digest-${next.manifest.descriptor.digest.slice(7)}`);
  assert.equal(
    world.store.index.tag(repository, inspection.tag)?.digest,
    next.manifest.descriptor.digest,
    'what has no tag is kept by one made of its digest',
  );
});

test('a tag that is no longer what was shown when the import was confirmed is not replaced', async () => {
  await using world = await openImportScene();
  const origin = toOrigin(world.scene.origin);
  const reference = `${origin.host}/shop/shown:1`;
  const put = async (name: string) => {
    await origin.put('shop/shown', buildImage(name), '1');
    return world.inspect(reference);
  };
  const first = await put('first');
  const { index } = world.store;
  const absent = fingerprintTag(index, first);
  const take = (inspection: typeof first, replaces: string) =>
    world.run({ reference, platforms: choices(inspection), replaces });
  await take(first, absent);
  // as after an interruption
  await take(first, absent);
  const second = await put('second');
  await assert.rejects(take(second, absent), isCode('SVC-SRV-007'));
  assert.equal(index.tag(first.repository, '1')?.digest, first.digest);
  await take(second, fingerprintTag(index, second));
  assert.equal(index.tag(first.repository, '1')?.digest, second.digest);
});

test('one platform rebuilt, or gone, fails by its name', async () => {
  await using world = await openImportScene();
  const origin = toOrigin(world.scene.origin);
  await origin.put('app', buildIndex('one', ['linux/amd64', 'linux/arm64']), '1');
  const reference = `${origin.host}/app:1`;
  const inspected = await world.inspect(reference);
  await origin.put('app', buildIndex('two', ['linux/amd64', 'linux/s390x']), '1');
  const [amd, arm] = choices(inspected);
  await assert.rejects(world.run({ reference, platforms: [amd!] }), (error: unknown) => {
    assert.ok(isSvcError(error, 'SVC-SIG-002'));
    assert.match(String(error.params.reference), /linux\/amd64$/);
    return true;
  });
  await assert.rejects(
    world.run({ reference, platforms: [arm!] }),
    isCode('SVC-REG-008', { platforms: ['linux/arm64'], available: ['linux/amd64', 'linux/s390x'] }),
  );
});

test('signatures come along in both layouts, with and without a referrers API', async () => {
  for (const referrers of [true, false]) {
    await using world = await openImportScene({}, { origin: { referrers } });
    const { signer, origin: double } = world.scene;
    const origin = toOrigin(double);
    const web = buildImage('signed');
    await origin.put('web', web, '1');
    const subject = web.manifest.descriptor;
    world.scene.pushSignature('web', signer.sign(subject, 'classic'));
    world.scene.pushSignature('web', signer.sign(subject, 'bundle'));
    const { inspection, lines } = await world.take(`${origin.host}/web:1`);
    assert.deepEqual(
      inspection.signatures.map(({ layout }) => layout),
      ['classic', 'bundle'],
    );
    const repository = inspection.repository;
    assert.equal(
      world.store.index.tag(repository, signatureTag(subject.digest)!)?.digest,
      inspection.signatures[0]!.digest,
    );
    assert.ok(
      world.store.index
        .referrers(repository, subject.digest)
        .some(({ digest }) => digest === inspection.signatures[1]!.digest),
    );
    assert.match(lines.join(''), /2 signatures carried/);
  }
});

test('a vulnerability database is known by its types, whatever its name', async () => {
  await using world = await openImportScene();
  const origin = toOrigin(world.scene.origin);
  const config = toBlob('{}', 'application/vnd.aquasec.trivy.config.v1+json');
  const layer = toBlob(seededBytes('db', 3000), 'application/vnd.aquasec.trivy.db.layer.v1.tar+gzip');
  const manifest = toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociManifest,
    config: config.descriptor,
    layers: [layer.descriptor],
  });
  await origin.put('some/db', { manifest, children: [], blobs: [config, layer] }, '2');
  const { inspection } = await world.take(`${origin.host}/some/db:2`);
  assert.equal(inspection.kind, 'OCIArtifact');
  assert.deepEqual(choices(inspection), [{ name: 'any', digest: manifest.descriptor.digest }]);
  assert.deepEqual(owners(world, inspection.repository, '2'), ['vulnerability-database']);
});

test('a tag that a recipe owns is not re-pointed; the same content has two owners and survives the recipe', async () => {
  await using world = await openImportScene();
  const { scene } = world;
  const origin = toOrigin(scene.origin);
  const image = scene.putImage('shop/web', '1.0.0');
  scene.publish('shop', '1.0.0', [toIngredient('web', 'shop/web', '1.0.0', image)]);
  await scene.setRetriever([['shop', '1.0.0']]);
  const { journal, task } = createMemoryJournal();
  await sync(world.context, { store: world.store, task, journal });
  const repository = `${origin.host.replace(':', '_')}/shop/web`;
  const reference = `${origin.host}/shop/web:1.0.0`;
  assert.deepEqual(owners(world, repository, '1.0.0'), ['recipe']);

  const same = await world.take(reference);
  assert.equal(same.inspection.platforms[0]!.status, 'up-to-date');
  assert.equal(same.task.progress.bytesDone, 0);
  assert.deepEqual(owners(world, repository, '1.0.0')?.toSorted(), ['import', 'recipe']);

  await origin.put('shop/web', buildImage('other'), '1.0.0');
  await assert.rejects(
    world.take(reference),
    isCode('SVC-POL-002', { repository: `${repository}:1.0.0`, recipes: ['shop@1.0.0'] }),
  );
  assert.equal(world.store.index.tag(repository, '1.0.0')?.digest, image.digest);

  const recipe = await world.take(`${origin.host}/cookbook/shop:1.0.0`);
  assert.equal(recipe.inspection.kind, 'Recipe');

  scene.publish('other', '1.0.0', [toIngredient('app', 'app', '1', scene.putImage('app', '1'))]);
  await scene.setRetriever([['other', '1.0.0']]);
  const second = createMemoryJournal();
  await sync(world.context, {
    store: world.store,
    task: second.task,
    journal: second.journal,
    prune: 'asked',
  });
  assert.equal(world.store.index.tag(repository, '1.0.0')?.digest, image.digest);
  assert.deepEqual(owners(world, repository, '1.0.0'), ['import']);
  assert.deepEqual(second.journal.task.pruned ?? [], [], 'nothing that was imported is pruned');
});

test('an imported recipe is not replaced by another document', async () => {
  await using world = await openImportScene();
  const { scene } = world;
  const image = scene.putImage('web', '1');
  scene.publish('app', '1.0.0', [toIngredient('web', 'web', '1', image)]);
  const reference = `${scene.origin.host}/cookbook/app:1.0.0`;
  await world.take(reference);
  scene.publish('app', '1.0.0', [toIngredient('renamed', 'web', '1', image)]);
  await assert.rejects(world.take(reference), isCode('SVC-POL-004'));
});

test('a source that was itself carried for some platforms offers those', async () => {
  await using world = await openImportScene();
  const { origin: double } = world.scene;
  const origin = toOrigin(double);
  const web = buildIndex('sparse', ['linux/amd64', 'linux/arm64']);
  await origin.put('web', web.children[1]!.artifact);
  await origin.putTag('web', '1', web.manifest);
  const { inspection, task } = await world.take(`${origin.host}/web:1`);
  assert.deepEqual(
    inspection.platforms.map(({ name }) => name),
    ['linux/arm64'],
  );
  assert.equal(task.items[0]!.status, 'done');
});

test('a source that never answers is given up within the time for inspections, by name', async () => {
  await using world = await openImportScene({ import: { inspectTimeout: 300 } });
  const { origin: double } = world.scene;
  for (const silence of [/manifests/, /referrers|sha256-/]) {
    await toOrigin(double).put('web', buildImage('web'), '1');
    const end = double.intercept(({ path }) => silence.test(path));
    const started = performance.now();
    await assert.rejects(
      world.inspect(`${double.host}/web:1`),
      isCode('SVC-REG-004', { host: double.host, timeout: '300ms', setting: 'import.inspectTimeout' }),
    );
    assert.ok(performance.now() - started < 5000);
    end();
  }
  const gone = new AbortController();
  double.intercept(() => {
    gone.abort(new Error('the client left'));
    return true;
  });
  await assert.rejects(world.inspect(`${double.host}/web:1`, gone.signal), /the client left/);
});

test('missing or refused content is an error with its code, before anything is written', async () => {
  await using world = await openImportScene({ registries: { allowlist: ['127.0.0.1:*'] } as never });
  await using listed = await openImportScene({ registries: { allowlist: ['registry.example'] } });
  const { host } = world.scene.origin;
  const platforms = [{ name: 'any', digest: hashBytes('x') }];
  for (const bad of [
    '',
    'web',
    `${host}/web`,
    `${host}/Web:1`,
    'oci://',
    `${host}/web@sha256:12`,
    'http://a.test/c',
  ])
    await assert.rejects(world.inspect(bad), isCode('SVC-REG-001'), bad);
  await assert.rejects(world.run({ reference: `${host}/web:1` }), isCode('SVC-VAL-001'));
  const off = listed.scene.origin;
  await assert.rejects(listed.inspect(`${off.host}/web:1`), isCode('SVC-POL-001', { host: off.host }));
  await assert.rejects(listed.run({ reference: `${off.host}/web:1`, platforms }), isCode('SVC-POL-001'));
  assert.equal(off.requests.length, 0, 'no socket is opened');
});

test('each refusal of a registry has its code, in an inspection and in an import', async () => {
  await using world = await openImportScene();
  const { origin: double } = world.scene;
  const image = buildImage('web');
  await toOrigin(double).put('web', image, '1');
  const reference = `${double.host}/web:1`;
  const platforms = choices(await world.inspect(reference));
  for (const [status, code] of [
    [401, 'SVC-REG-003'],
    [403, 'SVC-REG-003'],
    [404, 'SVC-REG-005'],
    [500, 'SVC-REG-002'],
  ] as const) {
    for (const attempt of [() => world.inspect(reference), () => world.run({ reference, platforms })]) {
      double.failNext(/GET .*manifests/, status);
      await assert.rejects(attempt(), isCode(code), `${status}`);
    }
  }
  const layer = image.blobs.at(-1)!.descriptor;
  const good = double.blob('web', layer.digest)!;
  for (const wrong of [good.subarray(1), Buffer.concat([good, good]), Buffer.from(good).fill(1)]) {
    double.corrupt('web', layer.digest, wrong);
    await assert.rejects(world.run({ reference, platforms }), (error: unknown) => {
      assert.ok(isSvcError(error, 'SVC-SIG-002') || isSvcError(error, 'SVC-REG-007'), String(error));
      return true;
    });
    assert.equal(world.store.index.sizeOf(layer.digest), undefined);
  }
  double.corrupt('web', layer.digest, good);
  await world.run({ reference, platforms });
});

test('a redirect to a host that is off the list is refused by its name', async () => {
  const other = await createRegistryDouble();
  await using world = await openImportScene();
  const { origin: double } = world.scene;
  await using narrow = await openImportScene({
    registries: { allowlist: [double.host], insecure: [double.host, other.host] },
  });
  const image = buildImage('web');
  await toOrigin(double).put('web', image, '1');
  const reference = `${double.host}/web:1`;
  const platforms = choices(await narrow.inspect(reference));
  double.intercept(({ path }, response) => {
    if (!path.includes('/blobs/')) return false;
    response.writeHead(307, { location: `${other.origin}${path}` }).end();
    return true;
  });
  await assert.rejects(
    narrow.run({ reference, platforms }),
    isCode('SVC-POL-001', { host: other.host, hop: `redirect of ${double.host}` }),
  );
  assert.equal(other.requests.length, 0);
  await other.close();
});

test('an interrupted import is resumed with the digest that it had resolved, without the received blobs', async () => {
  await using world = await openImportScene({ transfer: { resumeThreshold: 100_000 } });
  const { origin: double } = world.scene;
  const origin = toOrigin(double);
  const image = buildImage('large', { ownLayers: 3, layerSize: 1 << 20 });
  await origin.put('large', image, '1');
  const reference = `${double.host}/large:1`;
  const platforms = choices(await world.inspect(reference));
  const stop = new AbortController();
  const [one, two, three] = image.blobs.slice(1).map(({ descriptor }) => descriptor.digest);
  const end = double.intercept(({ path }) => path.endsWith(three!));
  const first = createMemoryJournal();
  const request = toImportTask(world.context, world.store, {
    reference,
    platforms,
    vendorDependencies: false,
    actor: 'test',
  });
  const interrupted = importArtifact(world.context, {
    store: world.store,
    task: first.task,
    request,
    journal: first.journal,
    signal: stop.signal,
  });
  const { index } = world.store;
  await eventually(
    'two of three layers',
    () => index.sizeOf(one!) !== undefined && index.sizeOf(two!) !== undefined,
  );
  stop.abort();
  await assert.rejects(interrupted);
  end();
  assert.equal(world.store.index.tag(`${double.host.replace(':', '_')}/large`, '1'), undefined);
  // the tag is moved meanwhile; the resumed run keeps the digest that it has resolved
  await origin.put('large', buildImage('newer'), '1');
  first.journal.park();
  const { task } = await world.run({ reference, platforms }, { before: first.journal.task });
  assert.equal(task.items[0]!.status, 'done');
  assert.equal(
    world.store.index.tag(`${double.host.replace(':', '_')}/large`, '1')?.digest,
    image.manifest.descriptor.digest,
  );
  assert.ok(task.progress.bytesDone < 3 << 19, `${task.progress.bytesDone} bytes again`);
  assert.equal(double.count(new RegExp(`GET .*${one}`)), 1, 'what had come does not come again');
});

test('an import that does not fit is refused before a byte moves', async () => {
  await using world = await openImportScene({ preflight: { safetyMarginPercent: 99 } });
  const { origin: double } = world.scene;
  const huge = 2 ** 52;
  const config = toBlob('{}', mediaTypes.ociConfig);
  double.putBlob('huge', config.bytes);
  const manifest = toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociManifest,
    config: config.descriptor,
    layers: [{ mediaType: mediaTypes.ociLayer, digest: hashBytes('huge'), size: huge }],
  });
  double.putManifest('huge', manifest.bytes, { tag: '1' });
  const reference = `${double.host}/huge:1`;
  const inspection = await world.inspect(reference);
  assert.ok(inspection.platforms[0]!.sizeBytes > huge);
  await assert.rejects(
    world.run({ reference, platforms: choices(inspection) }),
    (error: unknown) => isSvcError(error, 'SVC-STO-004') || isSvcError(error, 'SVC-STO-005'),
  );
  assert.equal(double.count(/GET .*blobs.*/), 1, 'only the config was read, to tell the platform');
});

test('a signature that was made later comes with the next import', async () => {
  await using world = await openImportScene();
  const origin = toOrigin(world.scene.origin);
  const web = buildImage('web');
  await origin.put('web', web, '1');
  await world.take(`${origin.host}/web:1`);
  await putSignatures(origin, 'web', web.manifest.descriptor, [{ signer: world.scene.signer }]);
  const again = await world.take(`${origin.host}/web:1`);
  assert.equal(again.inspection.platforms[0]!.status, 'up-to-date');
  assert.ok(
    world.store.index.tag(again.inspection.repository, signatureTag(web.manifest.descriptor.digest)!),
  );
});

import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { forEachBounded } from '../../../src/base/concurrency.ts';
import { type Digest, digestAlgorithm, hashBytes, isDigest } from '../../../src/base/digest.ts';
import { parseManifest } from '../../../src/oci/manifest.ts';
import { isNonDistributable } from '../../../src/oci/media-types.ts';
import { startTestServer } from '../../kit/instance/server.ts';
import { openClientHome } from '../../kit/program/client-home.ts';
import { startPeerRegistry } from '../../kit/program/peer-registry.ts';
import { needs, onPath } from '../../kit/program/peers.ts';
import { startS3Engine } from '../../kit/program/s3-engine.ts';
import { importCarried } from '../../kit/scene/import-carried.ts';
import { openSyncScene, toIngredient } from '../../kit/scene/sync-scene.ts';
import { artifacts } from './artifacts.ts';
import { charts } from './charts.ts';
import { images, tags } from './images.ts';
import { openBench } from './row.ts';

const all = [...images, ...tags, ...charts, ...artifacts].map((row, i) => ({
  ...row,
  tag: row.tag ?? '1.0',
  recipe: `row-${i}`,
  repository: `corpus/row-${i}`,
}));
const programs = [
  'crane',
  'skopeo',
  'umoci',
  'regctl',
  'oras',
  'helm',
  'gpg',
  'registry',
  'docker-registry',
  'versitygw',
];
const accept = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.docker.distribution.manifest.v1+json',
].join(', ');

type Make = 'registry' | 'docker-registry' | 'svc';
/** Where the corpus goes: also into a registry that stores in a bucket. */
type Zone = Make | 'registry over S3';

const toMake = (zone: Zone): Make => (zone === 'registry over S3' ? 'registry' : zone);

interface Place extends AsyncDisposable {
  readonly host: string;
  /** The place that it redirects requests for blobs to. */
  readonly storage?: string;
}

/** A registry of a make, that anybody may push to. */
async function start(make: Zone, folder: string): Promise<Place> {
  if (make === 'registry over S3') {
    const engine = await startS3Engine({ program: onPath('versitygw')!, folder: join(folder, 'engine') });
    const { bucket } = engine;
    const registry = await startPeerRegistry({ program: 'registry', folder, bucket });
    return {
      host: registry.host,
      storage: new URL(bucket.endpoint).host,
      [Symbol.asyncDispose]: async () => {
        await registry[Symbol.asyncDispose]();
        await engine[Symbol.asyncDispose]();
      },
    };
  }
  if (make !== 'svc') return startPeerRegistry({ program: make, folder });
  const server = await startTestServer({ folder, authDisabled: true });
  return {
    host: new URL(server.url).host,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function get(host: string, repository: string, path: string): Promise<Buffer | undefined> {
  const response = await fetch(`http://${host}/v2/${repository}/${path}`, { headers: { accept } });
  const bytes = Buffer.from(await response.arrayBuffer());
  return response.ok ? bytes : undefined;
}

/** Compares all content below a manifest at a destination with that of its origin: each manifest and blob, byte for byte. */
async function assertSame(
  origin: { readonly host: string; readonly repository: string },
  there: { readonly host: string; readonly repository: string },
  reference: string,
  isSparse: boolean,
): Promise<void> {
  const expected = await get(origin.host, origin.repository, `manifests/${reference}`);
  const actual = await get(there.host, there.repository, `manifests/${reference}`);
  if (expected === undefined || (actual === undefined && isSparse && isDigest(reference))) return;
  assert.ok(actual?.equals(expected), `the manifest ${reference}`);
  const manifest = parseManifest(expected);
  if (manifest.kind === 'index') {
    for (const { digest } of manifest.manifests) await assertSame(origin, there, digest, isSparse);
    return;
  }
  const blobs = new Map([manifest.config, ...manifest.layers].map((blob) => [blob.digest, blob]));
  await forEachBounded([...blobs.values()], 4, async ({ digest, mediaType }) => {
    const bytes = await get(there.host, there.repository, `blobs/${digest}`);
    if (bytes === undefined && isNonDistributable(mediaType)) return;
    assert.equal(bytes && hashBytes(bytes, digestAlgorithm(digest)), digest);
  });
}

/** Puts the corpus into an origin of this make. @returns the rows that it took, with their digests */
async function fill(make: Make, host: string, folder: string) {
  const home = await openClientHome(folder);
  await mkdir(join(folder, 'bench'));
  const taken = new Map<string, Digest>();
  const errors: unknown[] = [];
  await forEachBounded(all, 2, async (row) => {
    const own = join(folder, 'bench', row.recipe);
    await mkdir(own);
    const bench = openBench(host, own, home);
    const isRefused = row.notAt?.some((one) => one === make);
    try {
      await row.make(bench, `${host}/${row.repository}`, row.tag);
      const bytes = await get(host, row.repository, `manifests/${row.tag}`);
      assert.ok(bytes, `${row.name} is not at ${make}`);
      assert.match(bytes.toString(), row.has ?? /schemaVersion/);
      assert.ok(!isRefused, `${make} takes ${row.name}`);
      const algorithm = row.name.includes('sha512') ? 'sha512' : 'sha256';
      taken.set(row.name, hashBytes(bytes, algorithm));
    } catch (error) {
      // the registry refuses the row, not the tool
      const { message } = error as Error;
      if (!isRefused || !/MANIFEST|manifest|digest|400|404/.test(message))
        errors.push(new Error(`${row.name}: ${(error as Error).message}`, { cause: error }));
    }
  });
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('\n'));
  return taken;
}

const arePeersHere = (t: TestContext): boolean =>
  programs.every((program) => needs(t, program) !== undefined);

for (const { from, to } of [
  { from: 'registry', to: ['docker-registry'] },
  { from: 'docker-registry', to: ['registry', 'registry over S3'] },
  { from: 'svc', to: ['registry', 'docker-registry', 'svc'] },
] as { from: Make; to: Zone[] }[])
  test(`the corpus goes from ${from} over a medium to ${to.join(', ')} as it is, or is refused by a code`, async (t) => {
    if (!arePeersHere(t)) return;
    await using scene = await openSyncScene();
    const folder = (name: string) => join(scene.folder, name);
    await using origin = await start(from, folder('origin'));
    const taken = await fill(from, origin.host, scene.folder);
    const present = all.filter(({ name }) => taken.has(name));
    for (const { name, kind = 'ContainerImage', tag, platforms, recipe, repository } of present) {
      const pin = { digest: taken.get(name)! };
      const more = { kind, host: origin.host, ...(platforms ? { platforms } : {}) };
      scene.publish(recipe, '1.0.0', [toIngredient('one', repository, tag, pin, more)]);
    }
    await scene.setRetriever(
      present.map(({ recipe }) => [recipe, '1.0.0']),
      { name: 'zone-b' },
    );
    const change = { registries: { insecure: [scene.origin.host, origin.host] } };
    const { task } = await scene.run({ change });
    const items = new Map(task.items.map((item) => [item.name, item]));
    for (const { name, recipe, refusal } of present)
      await t.test(`${name}: comes from ${from}`, () => {
        const error = items.get(`${recipe}@1.0.0/one`)?.error;
        assert.equal(error?.code, refusal, JSON.stringify(error));
      });
    for (const make of to) {
      await using zone = await start(make, folder(make));
      const state = folder(`${make}-state`);
      const imported = await importCarried(scene.storeRoot, [scene.signer], zone, {
        state,
        insecure: zone.storage === undefined ? [] : [zone.storage],
        // under load, a registry over object storage answers 500 at times
        retries: zone.storage === undefined ? 0 : 2,
      });
      assert.equal(imported.verification?.report.verdict, 'pushable');
      const crossings = new Map(imported.items.map((item) => [item.name, item]));
      for (const row of present.filter(({ refusal }) => refusal === undefined))
        await t.test(`${row.name}: goes on to ${make}`, async () => {
          const crossing = crossings.get(`${row.recipe}@1.0.0/one`);
          if (row.notAt?.some((one) => one === toMake(make))) {
            assert.ok(
              crossing?.error?.code.startsWith('SVC-'),
              'what a registry does not take fails by a code',
            );
            return;
          }
          assert.equal(crossing?.status, 'done', JSON.stringify(crossing));
          const place = `${origin.host.replace(':', '_')}/${row.repository}`;
          const here = { host: origin.host, repository: row.repository };
          const there = { host: zone.host, repository: place };
          for (const reference of [row.tag, taken.get(row.name)!])
            await assertSame(here, there, reference, row.platforms !== undefined);
        });
    }
  });

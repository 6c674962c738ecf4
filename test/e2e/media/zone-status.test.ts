import assert from 'node:assert/strict';
import { cp, mkdir, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import { buildImage } from '../../kit/content/content.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { damageFile } from '../../kit/hostile/damage-file.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { startInstance } from '../../kit/instance/instance.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { runInLanguage } from '../../kit/program/run-command.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { buildMedium } from '../../kit/scene/medium.ts';
import { carryPart } from '../../kit/scene/partial-medium.ts';
import { untilJudged } from '../../kit/scene/until-judged.ts';
import { toPageText } from '../../kit/web/page-text.ts';

const signer = createSigner();
const id = 'dlv_0123456789ab';
const day = (month: number): string => `2026-0${month}-02T03:04:05.000Z`;

async function build(t: TestContext, names: readonly string[], version: string, resolvedAt: string) {
  const images = new Map(names.map((name) => [name, buildImage(`${name} ${version}`, { ownLayers: 2 })]));
  const recipes = [...images].map(([name, artifact]) => ({
    name,
    version,
    layout: 'bundle' as const,
    ingredients: [
      {
        name: 'image',
        kind: 'ContainerImage' as const,
        ref: `origin.example/${name}/image`,
        tag: version,
        artifact,
      },
    ],
  }));
  const medium = await buildMedium({ signer, resolvedAt, recipes });
  t.after(() => medium[Symbol.asyncDispose]());
  const layer = (name: string, i: number): Digest => images.get(name)!.blobs[i]!.descriptor.digest;
  return { medium, layer };
}

/** Two disks of a delivery: `depot` is whole on the first one, `shop` needs both. */
async function buildParts(
  t: TestContext,
  { resolvedAt = day(3), version = '1.0.0', of = id } = {},
): Promise<readonly [string, string]> {
  const { medium, layer } = await build(t, ['shop', 'depot'], version, resolvedAt);
  const part = async (number: number, absent: readonly Digest[]): Promise<string> =>
    (
      await carryPart(medium, {
        delivery: { id: of, part: number, parts: 2 },
        absent: new Map(absent.map((one) => [one, [3 - number]])),
      })
    ).root;
  return [
    await part(1, [layer('shop', 1)]),
    await part(2, [layer('shop', 2), layer('depot', 1), layer('depot', 2)]),
  ];
}

/** A zone whose instance serves a disk; commands use its configuration. */
async function openZone(t: TestContext, disk: string) {
  const folder = await openTempFolder('svc-zone-status-');
  t.after(() => folder[Symbol.asyncDispose]());
  const registry = await createRegistryDouble();
  t.after(() => registry[Symbol.asyncDispose]());
  const drive = join(folder.path, 'drive');
  await cp(disk, drive, { recursive: true });
  const start = async () => {
    const started = await startInstance({
      folder: folder.path,
      config: {
        mode: 'mirror',
        zone: 'zone-b',
        auth: { disabled: true },
        storage: { root: drive, create: false },
        trust: { roots: [{ name: 'release', key: signer.publicKeyPem }] },
        destination: { registry: registry.host },
        registries: { insecure: [registry.host] },
      },
    });
    t.after(() => started[Symbol.asyncDispose]());
    await untilJudged(started);
    return started;
  };
  let instance = await start();
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runInLanguage([...args, '--config', instance.configPath], 'en', { COLUMNS: '240', ...env });
  const statusWith = async (exitCode: number, args: readonly string[]) => {
    const text = await run(['status', ...args]);
    assert.equal(text.exitCode, exitCode, text.stdout + text.stderr);
    const json = await run(['status', ...args, '--output', 'json']);
    assertCliDocument('svc status', json.stdout);
    return { text: text.stdout, ...JSON.parse(json.stdout) };
  };
  return {
    folder: folder.path,
    drive,
    registry,
    run,
    restart: async () => {
      await instance.stop();
      instance = await start();
    },
    importDisks: async (exitCode: number, ...disks: readonly string[]) => {
      const result = await run(['media', 'import', ...disks]);
      assert.equal(result.exitCode, exitCode, result.stdout + result.stderr);
    },
    ofInstance: (exitCode: number) => statusWith(exitCode, ['--instance', instance.url]),
    ofStore: (exitCode: number) => statusWith(exitCode, []),
    get: async (path: string, language = 'en') => {
      const answer = await fetch(`${instance.url}${path}`, { headers: { 'accept-language': language } });
      return `${answer.status} ${await answer.text()}`;
    },
    pageText: async (path = '/') => toPageText(await (await fetch(`${instance.url}${path}`)).text()),
  };
}

/** Damages the layers of a copy: its other files are small. */
async function damageBlobs(root: string): Promise<void> {
  const folder = join(root, 'blobs/sha256');
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if ((await stat(path)).size > 1000) await damageFile(path, 100);
  }
}

const statesOf = ({ wanted }: { readonly wanted: readonly { name: string; state: string }[] }) =>
  Object.fromEntries(wanted.map(({ name, state }) => [name, state]));

test('what landed from other disks is here, whichever disk of the delivery is in the drive', async (t) => {
  const [first, second] = await buildParts(t);
  const zone = await openZone(t, first);
  await zone.importDisks(0, first);
  for (const waits of [await zone.ofInstance(5), await zone.ofStore(5)]) {
    assert.match(waits.text, /^1 of 2 delivered recipes is not here: import part 2 of the delivery\n/);
    assert.deepEqual(statesOf(waits), { shop: 'missing', depot: 'present' });
  }
  const before = await zone.pageText();
  assert.match(
    before,
    /Import part 2 of 2 of the delivery dlv_0123456789ab, with the content of 2 Mar 2026\./,
  );
  assert.doesNotMatch(before, /Synchronize|no longer here/);
  await zone.importDisks(0, second);
  const { text, verdict, delivery, ...status } = await zone.ofInstance(0);
  assert.deepEqual([verdict, delivery.complete], ['complete', true]);
  assert.deepEqual(statesOf(status), { shop: 'present', depot: 'present' });
  assert.match(text, /^All 2 delivered recipes are here\n/);
  await zone.ofStore(0);
  const page = await zone.pageText();
  assert.match(page, /All 2 delivered recipes are here/);
  assert.doesNotMatch(page, /no longer here|What to do|not imported yet/);
});

test('content of a recipe that is whole over several disks is refused with the parts that have the rest', async (t) => {
  const [first] = await buildParts(t);
  const zone = await openZone(t, first);
  assert.match(await zone.get('/v2/origin.example/depot/image/manifests/1.0.0'), /^200 /);
  for (const path of [
    '/v2/origin.example/shop/image/manifests/1.0.0',
    '/api/v1/content/origin.example/shop/image/-/tags/1.0.0',
    '/api/v1/content/origin.example/shop/image',
  ]) {
    const answer = await zone.get(path);
    assert.match(answer, /^403 .*the medium is verified, and the rest is on part 2/, path);
    assert.match(answer, /SVC-MED-032/, path);
    assert.doesNotMatch(answer, /did not pass/);
  }
  await zone.importDisks(0, first);
  const page = await zone.get('/recipes/-/shop');
  assert.match(page, /^200 /);
  const text = toPageText(page);
  assert.match(text, /Import part 2 of 2 of the delivery dlv_0123456789ab|shop 1\.0\.0 waits for part 2/);
  assert.match(page, /href="\/media#dlv_0123456789ab"/);
  assert.doesNotMatch(text, /SVC-MED-032|Read the report/);
  assert.match(await zone.get('/api/v1/recipes/shop/mapping'), /^403 .*SVC-MED-032/);
});

test('a recipe that waits for a disk stays wanted, whichever whole disk is imported after it', async (t) => {
  const [first, second] = await buildParts(t);
  const { medium: whole } = await build(t, ['tools'], '1.0.0', day(2));
  const zone = await openZone(t, whole.root);
  await zone.importDisks(0, first);
  await zone.importDisks(0, whole.root);
  const waits = { id, writtenAt: day(3), parts: 2, needed: [2] };
  for (const status of [await zone.ofInstance(5), await zone.ofStore(5)]) {
    assert.equal(status.verdict, 'missing', status.text);
    assert.match(status.text, /^1 of 3 delivered recipes is not here\n/);
    assert.deepEqual(statesOf(status), { tools: 'present', shop: 'missing', depot: 'present' });
    assert.deepEqual(status.wanted[1].delivery, waits);
  }
  const page = await zone.pageText();
  assert.match(page, /Incomplete\s*1 of 3 delivered recipes is not here/);
  assert.match(
    page,
    /What to do\s*shop 1\.0\.0\s*missing\s*Import part 2 of 2 of the delivery dlv_0123456789ab, with the content of 2 Mar 2026/,
  );
  assert.match(page, /Delivered recipes\s*Those of all deliveries to this zone; the last run is of/);
  await zone.importDisks(0, second);
  for (const status of [await zone.ofInstance(0), await zone.ofStore(0)])
    assert.equal(status.verdict, 'complete', status.text);
  assert.doesNotMatch(await zone.pageText(), /What to do/);
});

test('a complete delivery in the drive hides no other that waits for a disk', async (t) => {
  const [first, second] = await buildParts(t);
  const [next] = await buildParts(t, { resolvedAt: day(4), version: '1.1.0', of: 'dlv_111111111111' });
  const zone = await openZone(t, second);
  await zone.importDisks(0, first, second);
  assert.equal((await zone.ofInstance(0)).verdict, 'complete');
  await zone.importDisks(0, next);
  // no recipe is whole on the disk in the drive, so that it serves none
  for (const status of [await zone.ofInstance(5), await zone.ofStore(5)]) {
    assert.equal(status.verdict, 'missing', status.text);
    const [waiting] = status.wanted.filter(({ state }: { state: string }) => state === 'missing');
    assert.deepEqual([waiting.name, waiting.version, waiting.delivery?.needed], ['shop', '1.1.0', [2]]);
  }
  assert.match(
    await zone.pageText(),
    /Incomplete[\s\S]*What to do\s*shop 1\.1\.0\s*missing\s*Import part 2 of 2/,
  );
});

test('a bad disk takes nothing back that another delivery brought, and lost content stays missing', async (t) => {
  const { medium, layer } = await build(t, ['shop'], '1.0.0', day(3));
  const carryAs = async (of: string): Promise<string> =>
    (await carryPart(medium, { delivery: { id: of, part: 1, parts: 1 } })).root;
  const [good, bad] = [await carryAs(id), await carryAs('dlv_111111111111')];
  const zone = await openZone(t, good);
  await zone.importDisks(0);
  await damageBlobs(bad);
  await zone.importDisks(4, bad);
  for (const status of [await zone.ofInstance(0), await zone.ofStore(0)])
    assert.equal(status.verdict, 'complete', status.text);
  // a disk that leaves content out finds it gone
  const lacking = await carryPart(medium, {
    ...{ delivery: { id: 'dlv_222222222222', part: 1, parts: 1 } },
    base: { zone: 'zone-b', receipt: hashBytes('receipt'), sequence: 1 },
    absent: new Map([[layer('shop', 1), 'base']]),
  });
  for (const repository of zone.registry.repositories()) zone.registry.remove(repository, layer('shop', 1));
  await zone.importDisks(1, lacking.root);
  for (const status of [await zone.ofInstance(5), await zone.ofStore(5)]) {
    assert.equal(status.verdict, 'missing', status.text);
    assert.deepEqual(statesOf(status), { shop: 'missing' });
  }
  assert.match(await zone.pageText('/recipes'), /shop 1\.0\.0 missing/);
});

test('a medium that was imported stays so after the import of a newer one', async (t) => {
  const { medium: older } = await build(t, ['shop'], '1.0.0', day(3));
  const { medium: newer } = await build(t, ['shop', 'depot'], '1.1.0', day(4));
  const zone = await openZone(t, older.root);
  await zone.importDisks(0);
  await zone.ofInstance(0);
  assert.match(await zone.pageText('/media'), /Age of the medium imported, and the freshest here/);
  await zone.importDisks(0, newer.root);
  const { text, verdict, unimported } = await zone.ofInstance(0);
  assert.match(text, /^All 2 delivered recipes are here\n/);
  assert.deepEqual([verdict, unimported], ['complete', false]);
  const page = await zone.pageText();
  assert.match(page, /All 2 delivered recipes are here/);
  assert.doesNotMatch(page, /no longer here|What to do|not imported yet/);
  assert.match(await zone.pageText('/media'), /Age of the medium imported, and a newer one since/);
  const store = await zone.ofStore(0);
  assert.match(store.text, /^A carried medium, imported on .+; the newer medium [\w-]+ was imported since\n/);
  assert.deepEqual(statesOf(store), { shop: 'present' });
});

test('a medium that was imported is not refused after a restart, although a newer one was imported since', async (t) => {
  const { medium: older } = await build(t, ['shop'], '1.0.0', day(3));
  const { medium: newer } = await build(t, ['shop', 'depot'], '1.1.0', day(4));
  const zone = await openZone(t, older.root);
  await zone.importDisks(0);
  await zone.importDisks(0, newer.root);
  await zone.restart();
  for (const status of [await zone.ofInstance(0), await zone.ofStore(0)])
    assert.equal(status.verdict, 'complete', status.text);
  const since = /imported on [^;.]+; the newer medium [\w-]+ was imported since/;
  const verified = await zone.run(['media', 'verify']);
  assert.equal(verified.exitCode, 0, verified.stderr);
  assert.match(verified.stdout, since);
  assert.doesNotMatch(verified.stdout + verified.stderr, /SVC-MED-|import what passed/);
  assert.match((await zone.ofStore(0)).text, since);
  const page = await zone.pageText('/media');
  assert.match(page, since);
  assert.match(page, /Age of the medium imported, and a newer one since/);
  assert.match(page, /Import again/);
  await zone.importDisks(0);
  const again = await zone.run(['media', 'import']);
  assert.match(again.stdout, /nothing new/);
});

test('an older medium that was never imported is refused, and its import is not asked for before that either', async (t) => {
  const { medium: older } = await build(t, ['shop'], '1.0.0', day(3));
  const { medium: newer } = await build(t, ['shop'], '1.1.0', day(4));
  const zone = await openZone(t, older.root);
  assert.match(await zone.pageText('/media'), /Import the recipe .*no complete import before/);
  await zone.importDisks(0, newer.root);
  const page = await zone.pageText('/media');
  assert.match(page, /Age of the medium older than the freshest import/);
  assert.doesNotMatch(page, /Import (?:the recipe|again)/);
  assert.equal((await zone.ofInstance(0)).unimported, false);
  await zone.restart();
  const { text, verdict } = await zone.ofInstance(5);
  assert.match(text, /the last verification blocked the medium: SVC-MED-007/);
  assert.equal(verdict, 'closed');
  await zone.importDisks(3);
});

test('no status asks for a disk of a delivery that a newer medium has overtaken', async (t) => {
  const [, second] = await buildParts(t);
  const { medium: newer } = await build(t, ['shop'], '1.1.0', day(4));
  const zone = await openZone(t, second);
  await zone.importDisks(0);
  for (const { text } of [await zone.ofInstance(5), await zone.ofStore(5)])
    assert.match(text, /^2 of 2 delivered recipes are not here: import part 1 of the delivery\n/);
  await zone.importDisks(0, newer.root);
  const overtaken = /The delivery dlv_0123456789ab is overtaken: the newer medium [\w-]+ was imported since/;
  for (const status of [await zone.ofInstance(0), await zone.ofStore(0)]) {
    assert.match(status.text, overtaken);
    assert.doesNotMatch(status.text, /wait for part|media verify/);
    assert.equal(status.verdict, 'overtaken');
  }
  const requirePages = async (...saying: readonly string[]) => {
    for (const path of ['/', '/media', '/recipes', '/readyz']) {
      const text = await zone.pageText(path);
      if (saying.includes(path)) assert.match(text, overtaken, path);
      assert.doesNotMatch(text, /wait for part|in any order/, path);
    }
  };
  await requirePages('/', '/media', '/recipes', '/readyz');
  await zone.restart();
  assert.equal((await zone.ofInstance(0)).verdict, 'overtaken');
  // the others name the block: the disk is refused as older
  await requirePages('/', '/media');
  await zone.importDisks(3);
});

test('a bad copy and a folder that is no medium change nothing of what landed', async (t) => {
  const [first, second] = await buildParts(t);
  const zone = await openZone(t, first);
  await zone.importDisks(0, first, second);
  const copy = join(zone.folder, 'copy');
  await cp(first, copy, { recursive: true });
  await damageBlobs(copy);
  const empty = join(zone.folder, 'empty');
  await mkdir(empty);
  for (const disk of [copy, empty]) {
    await zone.importDisks(4, disk);
    for (const status of [await zone.ofInstance(0), await zone.ofStore(0)]) {
      assert.equal(status.verdict, 'complete', disk);
      assert.deepEqual(statesOf(status), { shop: 'present', depot: 'present' }, disk);
    }
    assert.match(await zone.pageText(), /All 2 delivered recipes are here/);
  }
});

test('without its disk the status and the overview ask to mount it', async (t) => {
  const { medium } = await build(t, ['shop'], '1.0.0', day(3));
  const zone = await openZone(t, medium.root);
  await rename(zone.drive, join(zone.folder, 'away'));
  const { exitCode, stderr } = await zone.run(['status']);
  assert.equal(exitCode, 1, stderr);
  assert.match(stderr, /SVC-STO-020[\s\S]*Connect the disk, mount it/);
  await eventually('the overview asks for the disk', async () =>
    /The disk is not there: connect it and mount it in the same place\./.test(await zone.pageText()),
  );
});

import assert from 'node:assert/strict';
import {
  cp,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import type { VerificationState } from '../../../src/contract/medium.ts';
import { mountMemory, needsMount } from '../../fault/rig/small-volume.ts';
import { seededBytes } from '../../kit/content/content.ts';
import { toFilesetImage, toLayer } from '../../kit/content/fileset-image.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { toArchive } from '../../kit/content/tar-archive.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { type Instance, startInstance } from '../../kit/instance/instance.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';

import { type BuiltMedium, buildMedium } from '../../kit/scene/medium.ts';
import { untilJudged } from '../../kit/scene/until-judged.ts';

const signer = createSigner();
const versions = ['1.0.0', '1.1.0'] as const;
type Version = (typeof versions)[number];
/** The medium of each version, as two runs of one source leave it, and as it makes a new one. */
const media = new Map<Version, BuiltMedium>();
let folder: TempFolder;

async function build(version: Version): Promise<BuiltMedium> {
  const text = seededBytes(version, 100_000);
  const artifact = toFilesetImage([toLayer(toArchive({ version, text }))]);
  return buildMedium({
    signer,
    resolvedAt: version === '1.0.0' ? '2026-01-02T03:04:05.000Z' : '2026-02-02T03:04:05.000Z',
    recipes: [
      {
        name: 'packages',
        version,
        layout: 'classic',
        ingredients: [
          { name: 'debs', kind: 'FileSet', ref: 'origin.example:5000/filesets/debs', tag: version, artifact },
        ],
      },
    ],
  });
}

before(async () => {
  folder = await openTempFolder('svc-replaced-');
  for (const version of versions) media.set(version, await build(version));
});
after(async () => {
  for (const medium of media.values()) await medium[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

let instances = 0;

/** An instance of the zone that serves the first delivery, in a folder of its own. */
async function serveFirst(
  t: TestContext,
  { destination, root: given }: { readonly destination?: string; readonly root?: string } = {},
) {
  instances += 1;
  const own = join(folder.path, `zone-${instances}`);
  await mkdir(own);
  const root = given ?? join(own, 'carried');
  if (given === undefined) await cp(media.get('1.0.0')!.root, root, { recursive: true });
  const zone = await startInstance({
    folder: own,
    config: {
      mode: 'mirror',
      zone: 'zone-b',
      storage: { root, create: false },
      custody: { enabled: true },
      trust: { roots: [{ name: 'release', key: signer.publicKeyPem }] },
      ...(destination === undefined
        ? {}
        : { destination: { registry: destination }, registries: { insecure: [destination] } }),
      files: {
        filesets: [{ name: 'debs', ref: 'origin.example:5000/filesets/debs', anonymous: true }],
      },
    },
  });
  t.after(() => zone[Symbol.asyncDispose]());
  assert.equal((await untilJudged(zone)).serving, 'open');
  assert.equal(await fetchVersion(zone), '1.0.0');
  return { zone, root };
}

const fetchVersion = async ({ url }: Instance): Promise<string> => {
  const answer = await fetch(`${url}/files/debs/version`);
  const text = await answer.text();
  return answer.ok ? text : `${answer.status} ${(JSON.parse(text) as { code: string }).code}`;
};

const stateOf = async (zone: Instance): Promise<VerificationState> =>
  (await zone.api('GET', '/media/verification')).body;

const untilServed = (zone: Instance, version: string) =>
  eventually(`${version} is served`, async () => (await fetchVersion(zone)) === version, 90);

/** The lines about verifications that ended, in the ledger of the zone. */
async function listVerified(root: string) {
  const folder = join(root, '..', 'state', 'custody');
  const lines: { type: string; step: string; details: Record<string, unknown> }[] = [];
  for (const name of await readdir(folder))
    if (/^\d{4}\.jsonl$/.test(name))
      for (const line of (await readFile(join(folder, name), 'utf8')).trim().split('\n'))
        lines.push(JSON.parse(line));
  return lines.filter(({ type, step }) => type === 'verified' && step === 'outcome');
}

/** Nobody is accused: neither in the log nor in a report. */
function assertNobodyAccused(zone: Instance): void {
  assert.doesNotMatch(zone.log(), /SVC-MED-0(?:05|10|11|12|14)|withdrawn|altered/);
}

/** Copies over the folder as cp -r does: files are overwritten in place, and none is removed. */
const copyOver = (from: string, root: string) => cp(from, root, { recursive: true, force: true });

/** Copies as rsync does: files are replaced by renaming, and files absent from the source are removed. */
async function synchronize(from: string, root: string): Promise<void> {
  for (const path of ['blobs/sha256', 'ledger', '.']) {
    const wanted = new Set<string>();
    for (const entry of await readdir(join(from, path), { withFileTypes: true })) {
      if (!entry.isFile()) continue;
      wanted.add(entry.name);
      const place = join(root, path, entry.name);
      await cp(join(from, path, entry.name), `${place}.new`);
      await rename(`${place}.new`, place);
    }
    for (const entry of await readdir(join(root, path), { withFileTypes: true }))
      if (entry.isFile() && !wanted.has(entry.name)) await unlink(join(root, path, entry.name));
  }
}

test('the next delivery is served after its verification, without a restart, for each way to replace the former one', async (t) => {
  const { zone, root } = await serveFirst(t);
  const asViewer = { headers: { authorization: `Bearer ${await zone.createToken('viewer')}` } };
  let runs = 0;
  for (const [name, version, replace] of [
    ['copied over with cp -r', '1.1.0', copyOver],
    ['synchronized with rsync', '1.0.0', synchronize],
    [
      'mounted in its place',
      '1.1.0',
      async (from: string, to: string) => {
        await rename(to, `${to}-before`);
        await cp(from, to, { recursive: true });
      },
    ],
  ] as const)
    await t.test(name, async () => {
      await replace(media.get(version)!.root, root);
      await untilServed(zone, version);
      assertNobodyAccused(zone);
      const state = await stateOf(zone);
      assert.equal(state.report?.verdict, 'pushable');
      assert.equal(state.replaced, undefined);
      assert.equal(state.failure, undefined);
      assert.equal((await zone.api('GET', '/media')).body.mediaId, state.report?.medium?.mediaId);
      const { details } = (await listVerified(root)).at(-1)!;
      assert.equal(
        details.medium,
        state.report?.medium?.mediaId,
        'the ledger names the medium that was read',
      );
      const ready = await fetch(`${zone.url}/readyz`);
      assert.equal(ready.status, 200, await ready.text());
      const recipes = await fetch(`${zone.url}/api/v1/recipes`, asViewer);
      assert.equal(recipes.status, 200);
      assert.ok((await recipes.text()).includes(version));
      runs += 1;
      assert.ok(zone.log().split('The medium was replaced or changed').length > runs);
    });
  assert.equal(await zone.stop(), 0);
});

test('one instance goes on with disks that are half-copied, exchanged, pulled and damaged, without a restart', async (t) => {
  const { zone, root } = await serveFirst(t);

  await t.test(
    'a half-copied medium is closed as one that changes, without a verdict, until the copy is complete',
    async () => {
      const next = media.get('1.1.0')!.root;
      for (const path of ['blobs', 'index.json', 'ledger'])
        await cp(join(next, path), join(root, path), { recursive: true, force: true });
      await eventually(
        'the gate is closed',
        async () => (await fetchVersion(zone)) === '503 SVC-MED-033',
        90,
      );
      const state = await stateOf(zone);
      assert.deepEqual(
        [state.serving, state.replaced, state.report, state.failure],
        ['closed', true, undefined, undefined],
      );
      const ready = await fetch(`${zone.url}/readyz`);
      assert.equal(ready.status, 200);
      assert.match(
        await ready.text(),
        /SVC-MED-033: The medium \S+ was replaced or changed after it was opened/,
      );
      const token = await zone.createToken('operator');
      for (const [language, text] of [
        ['en_GB.UTF-8', /the medium was replaced or changed/],
        ['fr_FR.UTF-8', /le support a été remplacé ou modifié/],
      ] as const) {
        const env = { SVC_API_TOKEN: token, LC_ALL: language };
        const status = await runCommand(['status', '--instance', zone.url], { env });
        assert.match(status.stdout, text);
      }
      const blob = (await readdir(join(media.get('1.0.0')!.root, 'blobs/sha256')))[0]!;
      const pulled = await fetch(`${zone.url}/v2/origin.example_5000/filesets/debs/blobs/sha256:${blob}`, {
        headers: { authorization: zone.authorization },
      });
      assert.equal(pulled.status, 503);
      assert.match(pulled.headers.get('retry-after') ?? '', /^\d+$/);

      await cp(join(next, 'media.jsonl'), join(root, 'media.jsonl'));
      await untilServed(zone, '1.1.0');
      assertNobodyAccused(zone);
    },
  );

  await t.test('while the disk is away, clients and the status are told to mount it again', async () => {
    await rename(root, `${root}-away`);
    // the empty folder below a mount point
    await mkdir(root);
    await eventually('the gate is closed', async () => (await fetchVersion(zone)) === '503 SVC-MED-033', 90);
    const told = await (await fetch(`${zone.url}/files/debs/version`)).text();
    assert.match(told, /is away.*mount it in the same place/s);
    assert.doesNotMatch(told, /Another disk was mounted/);
    const env = { SVC_API_TOKEN: await zone.createToken('viewer') };
    await eventually('/readyz says it', async () => (await fetch(`${zone.url}/readyz`)).status === 503, 90);
    for (const [language, text] of [
      ['en_GB.UTF-8', /the store is away: connect its disk and mount it in the same place/],
      ['fr_FR.UTF-8', /le stockage est absent\s: branchez son disque et montez-le au même endroit/],
    ] as const) {
      const args = ['status', '--instance', zone.url];
      const { stdout } = await runCommand(args, { env: { ...env, LC_ALL: language, COLUMNS: '200' } });
      assert.match(stdout, text);
    }
    await rm(root, { recursive: true });
    await cp(media.get('1.0.0')!.root, root, { recursive: true });
    await untilServed(zone, '1.0.0');
    assertNobodyAccused(zone);
  });

  await t.test('a disk that is gone is told as away, and served again when it is back', async () => {
    await rename(root, `${root}-pulled`);
    await eventually(
      'the instance is not ready',
      async () => (await fetch(`${zone.url}/readyz`)).status === 503,
    );
    await eventually('nothing is served', async () => (await fetchVersion(zone)) !== '1.0.0', 90);
    await rename(`${root}-pulled`, root);
    await untilServed(zone, '1.0.0');
    assert.equal((await fetch(`${zone.url}/readyz`)).status, 200);
  });

  await t.test(
    'a medium whose ledgers are missing is blocked, and served again when they are back',
    async () => {
      const ledger = join(root, 'ledger');
      await rename(ledger, `${root}-ledger`);
      await eventually('the gate is closed', async () => /^(?:503|403) /.test(await fetchVersion(zone)), 90);
      const asked = await zone.api('POST', '/media/verify', {});
      assert.notEqual(asked.body.verdict, 'pushable');
      assert.notEqual(await fetchVersion(zone), '1.0.0');
      await rename(`${root}-ledger`, ledger);
      await untilServed(zone, '1.0.0');
    },
  );
});

test('a verification and an import that are asked for at once open the medium that is there now, beside the commands', async (t) => {
  await using registry = await createRegistryDouble();
  const { zone, root } = await serveFirst(t, { destination: registry.host });
  await synchronize(media.get('1.1.0')!.root, root);
  // the files of the first delivery are gone: that is no fault of anybody
  const first = await fetchVersion(zone);
  assert.ok(['1.0.0', '1.1.0', '503 SVC-MED-033'].includes(first), first);
  const { status, body } = await zone.api('POST', '/media/verify', {});
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.verdict, 'pushable');
  assert.equal(await fetchVersion(zone), '1.1.0');

  await copyOver(media.get('1.0.0')!.root, root);
  await copyOver(media.get('1.1.0')!.root, root);
  const asked = await zone.api('POST', '/media/import', {});
  assert.equal(asked.status, 201, JSON.stringify(asked.body));
  const task = await eventually('the import', async () => {
    const found = (await zone.api('GET', `/tasks/${asked.body.task.id}`)).body.task;
    return ['done', 'failed'].includes(found.status) && found;
  });
  assert.equal(task.status, 'done', JSON.stringify(task));
  const arrived = await fetch(`http://${registry.host}/v2/origin.example_5000/filesets/debs/manifests/1.1.0`);
  assert.equal(arrived.status, 200);

  for (const words of [['verify'], ['import']]) {
    const told = await runCommand(['media', ...words, '--config', zone.configPath]);
    assert.equal(told.exitCode, 0, told.stdout + told.stderr);
  }
  assert.equal(await fetchVersion(zone), '1.1.0');
  assertNobodyAccused(zone);
});

test('a medium that nobody trusted signed takes the place of none: nothing of it is served, and nothing of the former one', async (t) => {
  await using foreign = await buildMedium();
  const { zone, root } = await serveFirst(t);
  await synchronize(foreign.root, root);
  await eventually('a verdict', async () => (await stateOf(zone)).report?.verdict === 'blocked', 90);
  assert.equal((await stateOf(zone)).serving, 'closed');
  assert.match(await fetchVersion(zone), /^403 /);
  assert.equal(
    (await zone.api('GET', '/content/origin.example_5000/filesets/debs')).body.code,
    'SVC-MED-032',
  );
});

test('a waiver ends with the files that it was given for', async (t) => {
  const { zone, root } = await serveFirst(t);
  await using other = await buildMedium({ signer, zone: 'zone-c' });
  await synchronize(other.root, root);
  const waive = { allowZoneMismatch: true };
  assert.equal((await zone.api('POST', '/media/verify', waive)).body.verdict, 'pushable');
  assert.equal((await stateOf(zone)).serving, 'open');
  const manifest = join(root, 'media.jsonl');
  await writeFile(manifest, await readFile(manifest));
  await utimes(manifest, 0, 0);
  await eventually('a verdict', async () => (await stateOf(zone)).report?.verdict === 'blocked', 90);
  assert.equal((await stateOf(zone)).serving, 'closed');
});

test('a disk that is unmounted is let go of, and the next one, mounted in its place, is served without a restart', async (t) => {
  if (!needsMount(t, folder.path)) return;
  const disks = join(folder.path, 'disk');
  await mkdir(disks);
  await using first = mountMemory(disks, '8m');
  await cp(media.get('1.0.0')!.root, disks, { recursive: true });
  // as on a disk that was the store of its source
  await mkdir(join(disks, '_svc'), { recursive: true });
  await writeFile(join(disks, '_svc', 'lock'), '');
  const { zone } = await serveFirst(t, { root: disks });
  const openFiles = async () => {
    const fds = `/proc/${zone.process.pid}/fd`;
    const names = await readdir(fds);
    return Promise.all(names.map((name) => readlink(join(fds, name)).catch(() => '')));
  };
  const held = async () => (await openFiles()).filter((path) => path.endsWith('_svc/lock'));
  assert.equal((await held()).length, 1, 'the instance holds its lock on the disk');
  first.unmount();
  await eventually('the disk is released', async () => (await held()).length === 0, 90);
  const ready = await fetch(`${zone.url}/readyz`);
  assert.equal(ready.status, 503);
  await using _next = mountMemory(disks, '8m');
  await cp(media.get('1.1.0')!.root, disks, { recursive: true });
  await untilServed(zone, '1.1.0');
  assertNobodyAccused(zone);
  assert.equal((await fetch(`${zone.url}/readyz`)).status, 200);
  assert.equal(await zone.stop(), 0);
});

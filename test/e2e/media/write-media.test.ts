import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { toSubject, toZoneFile, writeReceipt } from '../../../src/attest/receipt.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { toReceipt } from '../../kit/content/receipt.ts';
import { createSigner, type Signer } from '../../kit/content/signer.ts';
import { adminName, adminPassword, type Instance, startInstance } from '../../kit/instance/instance.ts';
import { runTask, settleTask } from '../../kit/instance/settle-task.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { type BuiltMedium, buildMedium } from '../../kit/scene/medium.ts';
import { trust, verifyCarried } from '../../kit/scene/verify-carried.ts';
import { openBrowserSession } from '../../kit/web/browser-session.ts';
import { toPageText } from '../../kit/web/page-text.ts';

let medium: BuiltMedium;
let instance: Instance;
const zone = createSigner();
before(async () => {
  medium = await buildMedium();
  const config = {
    mode: 'mirror',
    storage: { root: medium.root },
    state: { root: join(medium.folder, 'maker') },
    trust: { roots: [{ name: 'release', key: medium.signer.publicKeyPem }] },
    peers: [{ name: 'zone-b', keyFile: join(medium.folder, 'zone-b.pub'), for: ['receipt'] }],
  };
  await writeFile(join(medium.folder, 'zone-b.pub'), zone.publicKeyPem);
  instance = await startInstance({ folder: medium.folder, config });
});
after(async () => {
  await instance[Symbol.asyncDispose]();
  await medium[Symbol.asyncDispose]();
});

test('an instance writes a medium as a task', async () => {
  const disk = join(medium.folder, 'disk');
  const task = await runTask(instance, '/media/write', { folders: [disk], zone: 'zone-b' });
  assert.deepEqual([task.type, task.status, task.reference], ['media-write', 'done', disk]);
  const { delivery, recipes, bytes, ...others } = task.written!;
  assert.deepEqual(others, { zone: 'zone-b', parts: 1, proved: true });
  assert.match(delivery, /^dlv_[0-9a-f]{12}$/);
  assert.ok(recipes > 0 && bytes > 0);
  const { report } = await verifyCarried(disk, trust(medium.signer));
  assert.deepEqual([report.verdict, report.findings], ['pushable', []]);
  const { body } = await instance.api('GET', `/tasks/${task.id}/logs`);
  assert.match(JSON.stringify(body), /the delivery is proved/);
  assert.match(instance.log(), /media\.write/);
});

test('an instance writes media for disks of several sizes below one folder', async () => {
  const folders = [join(medium.folder, 'mixed')];
  const body = { folders, zone: 'zone-b', base: 'none', volumeBytes: [900_000, 600_000] };
  const task = await runTask(instance, '/media/write', body);
  assert.deepEqual([task.type, task.status], ['media-write', 'done']);
  const { report } = await verifyCarried(join(folders[0]!, 'part-1'), trust(medium.signer));
  assert.equal(report.verdict, 'pushable');
});

test('a plan needs no disk: it is that of a dry run for disks of this size', async () => {
  const plan = async (query: string) => (await instance.api('GET', `/media/plan?zone=zone-b${query}`)).body;
  const { stdout, exitCode } = await runCommand([
    ...['media', 'write', join(medium.folder, 'discs'), '--zone', 'zone-b', '--volume-size', '600kB'],
    ...['--dry-run', '--output', 'json', '--config', instance.configPath],
  ]);
  assert.equal(exitCode, 5);
  const { delivery, recipes, totals, volumes } = JSON.parse(stdout);
  const discs = await plan('&volumeBytes=600000');
  assert.deepEqual([discs.delivery, discs.recipes, discs.totals], [delivery, recipes, totals]);
  assert.deepEqual(
    discs.volumes,
    volumes.map((volume: object, i: number) => ({ ...volume, path: `part-${i + 1}` })),
  );
  const mixed = await plan('&volumeBytes=900000&volumeBytes=600000');
  assert.deepEqual(
    mixed.volumes.map(({ volumeBytes }: any) => volumeBytes),
    mixed.volumes.map((_: unknown, i: number) => (i === 0 ? 900_000 : 600_000)),
  );
  assert.equal((await plan('')).volumes.length, 1);
  assert.equal((await plan('&recipe=depot')).recipes.length, 1);
  assert.deepEqual((await plan('&filesystem=fat32')).volumes.length, 1);
});

test('a plan for mounted disks is that of a dry run into their folders', async () => {
  const folders = ['disk-1', 'disk-2'].map((name) => join(medium.folder, name));
  const { stdout } = await runCommand([
    ...['media', 'write', ...folders, '--zone', 'zone-b', '--dry-run', '--output', 'json'],
    ...['--config', instance.configPath],
  ]);
  const query = folders.map((folder) => `&folder=${encodeURIComponent(folder)}`).join('');
  const { body } = await instance.api('GET', `/media/plan?zone=zone-b${query}`);
  const shown = ({ delivery, recipes, volumes, checks }: any) => [
    ...[delivery, recipes, volumes],
    checks.map(({ path, requiredBytes }: any) => [path, requiredBytes]),
  ];
  assert.deepEqual(shown(body), shown(JSON.parse(stdout)));
  assert.equal(body.volumes[0].path, folders[0]);
});

test('a plan that cannot be made is refused with the code of the command', async () => {
  for (const [query, status, code] of [
    ['', 422, 'SVC-VAL-001'],
    ['?zone=No%20Zone', 422, 'SVC-VAL-001'],
    ['?zone=zone-b&base=latest.json', 422, 'SVC-VAL-001'],
    ['?zone=zone-b&recipe=nothing', 404, 'SVC-REG-005'],
    ['?zone=zone-b&volumeBytes=5000', 507, 'SVC-MED-046'],
    ['?zone=zone-b&folder=relative', 422, 'SVC-VAL-001'],
    ['?zone=zone-b&folder=/proc/disk', 403, 'SVC-FIL-003'],
    ['?zone=zone-b&folder=/mnt/a&folder=/mnt/./a', 422, 'SVC-VAL-001'],
    ['?zone=zone-b&folder=/mnt/absent/disk', 422, 'SVC-FIL-005'],
    ['?zone=zone-b&folder=/mnt/a&folder=/mnt/b&volumeBytes=5000000', 422, 'SVC-VAL-001'],
  ] as const) {
    const answer = await instance.api('GET', `/media/plan${query}`);
    assert.deepEqual([answer.body.code, answer.status], [code, status], query);
  }
  const token = await instance.createToken('viewer');
  const viewer = await fetch(`${instance.url}/api/v1/media/plan?zone=zone-b`, {
    headers: { authorization: `Bearer ${token}` },
  });
  assert.equal(viewer.status, 403);
});

test('the page of deliveries shows the plan of this store, and starts the task', async () => {
  const browser = openBrowserSession(instance);
  await browser.signIn(adminName, adminPassword);
  const page = '/deliver?zone=zone-b&disk=dvd';
  const answer = await browser.get(page);
  const text = toPageText(await answer.text());
  assert.equal(answer.status, 200, text);
  assert.match(text, /zone-b: [0-9.]+ KiB on one disk/);
  assert.match(text, /depot@2\.0\.0 and shop@1\.4\.0/);
  assert.doesNotMatch(text, /SVC-[A-Z]+-\d/);
  const folders = join(medium.folder, 'burn');
  const fields = { zone: 'zone-b', base: 'none', volumeBytes: '4700000000', folders };
  const started = await browser.post('/deliver/write', fields, { page });
  assert.equal(started.status, 303, await started.text());
  const id = started.headers.get('location')!.replace('/tasks/', '');
  const { status } = await settleTask(instance, id);
  assert.equal(status, 'done');
  const { report } = await verifyCarried(join(folders, 'part-1'), trust(medium.signer));
  assert.equal(report.verdict, 'pushable');
});

test('requests for other places, and without the right, are refused', async () => {
  const at = (path: string) => ({ folders: [join(medium.folder, path)], zone: 'zone-b' });
  for (const [body, status, code] of [
    [{ folders: ['relative'], zone: 'zone-b' }, 422, 'SVC-VAL-001'],
    [{ ...at('disk'), zone: '../x' }, 422, 'SVC-VAL-001'],
    [{ folders: ['/mnt/a', '/mnt/b'], zone: 'zone-b', volumeBytes: 5_000_000 }, 422, 'SVC-VAL-001'],
    [{ folders: ['/mnt/a'], zone: 'zone-b', volumeBytes: [] }, 422, 'SVC-VAL-001'],
    [{ folders: ['/mnt/a'], zone: 'zone-b', volumeBytes: [5_000_000, 0] }, 422, 'SVC-VAL-001'],
    [at('medium/inside'), 403, 'SVC-FIL-003'],
    [at('.ssh'), 403, 'SVC-FIL-003'],
    [at('absent/disk'), 422, 'SVC-FIL-005'],
    [{ ...at('absent/discs'), volumeBytes: 5_000_000 }, 422, 'SVC-FIL-005'],
    [{ folders: [join(medium.folder, 'x')] }, 422, 'SVC-VAL-001'],
  ] as const) {
    const answer = await instance.api('POST', '/media/write', body);
    assert.deepEqual([answer.body.code, answer.status], [code, status], JSON.stringify(body));
  }
  const token = await instance.createToken('operator');
  const response = await fetch(`${instance.url}/api/v1/media/write`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(at('disk')),
  });
  assert.equal(response.status, 403);
  const failed = await runTask(instance, '/media/write', { ...at('other'), recipes: ['nothing'] });
  assert.deepEqual([failed.status, failed.error?.code], ['failed', 'SVC-REG-005']);
});

test('a proof assumes the registry of a receipt on the host, where a peer signed it', async () => {
  const disk = join(medium.folder, 'proved');
  assert.equal((await runTask(instance, '/media/write', { folders: [disk], zone: 'zone-b' })).status, 'done');
  const path = join(medium.folder, 'receipt.json');
  const subjects = [toSubject(toZoneFile('zone-b'))];
  const prove = async (signer: Signer, against = path) => {
    const destination = { sparse: 'accepted', freeBytes: 10 } as const;
    await writeFile(path, writeReceipt(toReceipt({ destination }), subjects, toSigner(signer.privateKey)));
    return instance.api('POST', '/media/prove', { folders: [disk], against });
  };
  const { body: full } = await prove(zone);
  assert.deepEqual(full.against, { kind: 'receipt', zone: 'zone-b', sequence: 1 });
  assert.deepEqual([full.verdict, full.findings[0].code], ['refused', 'SVC-CLO-004']);
  const { body: empty } = await prove(zone, 'empty');
  assert.deepEqual([empty.verdict, empty.against], ['proved', { kind: 'empty' }]);
  assert.equal((await prove(createSigner())).body.code, 'SVC-RCP-001');
  assert.equal((await prove(zone, 'relative')).body.code, 'SVC-VAL-001');
  assert.equal((await prove(zone, '/proc/version')).body.code, 'SVC-FIL-003');
});

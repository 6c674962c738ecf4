import assert from 'node:assert/strict';
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { blobPath } from '../../src/oci/layout.ts';
import { damageFile } from '../kit/hostile/damage-file.ts';
import { startInstance } from '../kit/instance/instance.ts';
import { runTask } from '../kit/instance/settle-task.ts';
import { runSvc } from '../kit/program/svc.ts';
import { heavy, openLayoutScene } from '../kit/scene/layout-scene.ts';
import { untilJudged } from '../kit/scene/until-judged.ts';

test('a running instance imports, serves, plans and exports layouts as tasks', async () => {
  await using scene = await openLayoutScene();
  await scene.json('medium', ['export', 'ours.tar']);
  await mkdir(scene.path('one'));
  await using instance = await startInstance({ folder: scene.path('one') });
  const before = await instance.api('POST', '/oci-layout/import-plan', { input: scene.path('ours.tar') });
  assert.equal(before.status, 200);
  const imported = await runTask(instance, '/oci-layout/import', { input: scene.path('ours.tar') });
  assert.equal(imported.status, 'done', JSON.stringify(imported));
  assert.equal(imported.type, 'layout-import');
  assert.equal(imported.counts.total, imported.counts.done);
  assert.ok(imported.progress.bytesDone > 0);
  assert.equal(imported.progress.bytesDone, imported.progress.bytesTotal);
  assert.equal(imported.layout?.bytes, before.body.newBytes);
  assert.deepEqual(
    new Set(before.body.entries.map((entry: { reference: string }) => entry.reference)),
    new Set(imported.items.map((item) => item.name)),
  );
  assert.ok(before.body.entries.every((entry: { status: string }) => entry.status === 'new'));
  const again = await instance.api('POST', '/oci-layout/import-plan', { input: scene.path('ours.tar') });
  assert.ok(again.body.entries.every((entry: { status: string }) => entry.status === 'up-to-date'));
  assert.equal(again.body.newBytes, 0);
  const name = 'registry.example_5000/heavy:2.0';
  assert.equal(imported.items.find((item) => item.name === name)?.digest, heavy.manifest.descriptor.digest);
  const { authorization, url } = instance;
  const pulled = await fetch(`${url}/v2/registry.example_5000/heavy/manifests/2.0`, {
    headers: { authorization },
  });
  assert.equal(pulled.headers.get('docker-content-digest'), heavy.manifest.descriptor.digest);

  const plan = await instance.api('POST', '/oci-layout/plan', {});
  assert.equal(plan.status, 200);
  assert.equal(plan.body.format, 'tar');
  assert.equal(plan.body.totalBytes, (await stat(scene.path('ours.tar'))).size);
  const exported = await runTask(instance, '/oci-layout/export', { output: scene.path('back.tar') });
  assert.equal(exported.status, 'done', JSON.stringify(exported));
  assert.equal(exported.type, 'layout-export');
  assert.equal(exported.reference, scene.path('back.tar'));
  assert.equal(exported.counts.done, plan.body.references.length);
  const { manifests, blobs, totalBytes, missing } = plan.body;
  assert.deepEqual(exported.layout, { manifests, blobs, bytes: totalBytes, missing });
  assert.deepEqual(exported.progress, { bytesDone: plan.body.totalBytes, bytesTotal: plan.body.totalBytes });
  assert.ok((await readFile(scene.path('back.tar'))).equals(await readFile(scene.path('ours.tar'))));
  const part = await runTask(instance, '/oci-layout/export', {
    output: scene.path('part'),
    format: 'directory',
    repositories: ['other/heavy'],
  });
  assert.deepEqual([part.status, part.items.map((item) => item.name)], ['done', ['other/heavy:2.0']]);

  const audits = (action: string) =>
    instance
      .log()
      .split('\n')
      .filter((line) => line.includes(`"action":"${action}"`))
      .map((line) => JSON.parse(line).outcome);
  assert.deepEqual(audits('layout.import'), ['success'], 'audited once, at its end');
  assert.match(instance.log(), /"action":"layout.import"[^\n]*"origin":"127\.0\.0\.1"/);
  assert.deepEqual(audits('layout.export'), ['success', 'success']);
  const lost = await runTask(instance, '/oci-layout/import', { input: scene.path('nowhere.tar') });
  assert.deepEqual([lost.status, lost.error?.code], ['failed', 'SVC-LAY-001']);
  assert.deepEqual(audits('layout.import'), ['success', 'failure']);

  // beside it a command plans, and does not export
  const config = ['--config', instance.configPath];
  const dry = await runSvc(['export', scene.path('x.tar'), '--dry-run', '--output', 'json', ...config]);
  assert.equal(dry.exitCode, 0, dry.stderr);
  assert.deepEqual(JSON.parse(dry.stdout), plan.body);
  const held = await runSvc(['export', scene.path('x.tar'), ...config]);
  assert.equal(held.exitCode, 1);
  assert.match(held.stderr, /SVC-STO-007/);
});

test('paths of an instance lead nowhere that matters, and what is refused makes no task', async () => {
  await using scene = await openLayoutScene();
  await scene.json('medium', ['export', 'ours.tar']);
  const folder = scene.path('one');
  await mkdir(join(folder, 'secrets'), { recursive: true });
  const credentialsFile = join(folder, 'secrets', 'docker.json');
  await writeFile(credentialsFile, '{"auths":{}}', { mode: 0o600 });
  const retriever = scene.path('retriever.yaml');
  await writeFile(retriever, 'kind: Retriever');
  await using instance = await startInstance({
    folder,
    config: { registries: { credentialsFile }, retriever: { source: retriever } },
  });
  const store = join(folder, 'store');
  await symlink(store, scene.path('link'));
  await symlink(join(store, 'oci-layout'), scene.path('link.tar'));
  await symlink('/proc', scene.path('system'));
  await writeFile(scene.path('taken.tar'), 'mine');
  await mkdir(scene.path('home', '.ssh'), { recursive: true });
  await symlink(scene.path('home', '.ssh'), scene.path('plain'));
  const hidden = [
    scene.path('home', '.ssh', 'authorized_keys'),
    scene.path('home', '.ssh', 'below', 'x.tar'),
    scene.path('home', '.profile'),
    scene.path('plain', 'x.tar'),
  ];
  const ofSystem = ['/etc/x.tar', '/usr/share/x.tar', '/boot/x.tar'];
  for (const output of [...hidden, ...ofSystem])
    for (const path of ['/oci-layout/export', '/oci-layout/plan']) {
      const answer = await instance.api('POST', path, { output });
      assert.deepEqual([answer.status, answer.body.code], [403, 'SVC-FIL-003'], `${path} to ${output}`);
    }
  const absent = scene.path('absent', 'x.tar');
  for (const path of ['/oci-layout/export', '/oci-layout/plan']) {
    const { status, body } = await instance.api('POST', path, { output: absent });
    assert.deepEqual([status, body.code], [422, 'SVC-FIL-005'], path);
    assert.match(JSON.stringify(body), /there is no folder [^ ]*absent\./);
  }
  const tries: readonly (readonly [status: number, code: string, path: string])[] = [
    [422, 'SVC-VAL-001', 'relative.tar'],
    [403, 'SVC-FIL-003', join(store, 'x.tar')],
    [403, 'SVC-FIL-003', join(folder, 'state', 'x.tar')],
    [403, 'SVC-FIL-003', folder],
    [403, 'SVC-FIL-003', '/'],
    [403, 'SVC-FIL-003', join(folder, 'secrets')],
    [403, 'SVC-FIL-003', credentialsFile],
    [403, 'SVC-FIL-003', instance.configPath],
    [403, 'SVC-FIL-003', retriever],
    [403, 'SVC-FIL-003', '/proc/self/x.tar'],
    [403, 'SVC-FIL-003', '/sys/x.tar'],
    [403, 'SVC-FIL-003', '/dev/shm/x.tar'],
    [403, 'SVC-FIL-003', scene.path('link', 'x.tar')],
    [403, 'SVC-FIL-003', scene.path('link.tar')],
    [403, 'SVC-FIL-003', scene.path('system', 'x.tar')],
    [403, 'SVC-FIL-003', `${store}/../store/x.tar`],
    [403, 'SVC-FIL-003', `${scene.path('x')}\0.tar`],
  ];
  for (const [status, code, path] of tries) {
    for (const overwrite of [false, true]) {
      const answer = await instance.api('POST', '/oci-layout/export', { output: path, overwrite });
      assert.deepEqual([answer.status, answer.body.code], [status, code], `export to ${path}`);
    }
    const planned = await instance.api('POST', '/oci-layout/plan', { output: path });
    assert.deepEqual([planned.status, planned.body.code], [status, code], `plan of ${path}`);
    const answer = await instance.api('POST', '/oci-layout/import', { input: path });
    assert.deepEqual([answer.status, answer.body.code], [status, code], `import of ${path}`);
  }
  const taken = { output: scene.path('taken.tar') };
  for (const path of ['/oci-layout/export', '/oci-layout/plan'])
    for (const overwrite of [false, true]) {
      const answer = await instance.api('POST', path, { ...taken, overwrite });
      assert.deepEqual([answer.status, answer.body.code], [409, 'SVC-LAY-003']);
    }
  const bodies: readonly (readonly [path: string, body: unknown, code: string])[] = [
    ['/oci-layout/export', {}, 'SVC-VAL-001'],
    ['/oci-layout/export', { output: '' }, 'SVC-VAL-001'],
    ['/oci-layout/export', { output: '/x', format: 'zip' }, 'SVC-VAL-001'],
    ['/oci-layout/export', { output: '/x', recipes: 'all' }, 'SVC-VAL-001'],
    ['/oci-layout/export', { output: '/x', more: 1 }, 'SVC-VAL-001'],
    ['/oci-layout/import', {}, 'SVC-VAL-001'],
    ['/oci-layout/import', { input: scene.path('ours.tar'), repository: '../x' }, 'SVC-REG-001'],
    ['/oci-layout/plan', { recipes: ['nobody'] }, 'SVC-REG-005'],
  ];
  for (const [path, body, code] of bodies) {
    const answer = await instance.api('POST', path, body);
    assert.equal(answer.body.code, code, `${path} ${JSON.stringify(body)}`);
  }
  assert.equal((await instance.api('GET', '/tasks')).body.total, 0);
  assert.equal(await readFile(scene.path('taken.tar'), 'utf8'), 'mine');
  assert.match(instance.log(), /"action":"layout.export"[^\n]*"outcome":"denied"/);
});

test('a zone on a medium that was not cleared exports nothing, and on a cleared one what was cleared', async () => {
  await using scene = await openLayoutScene();
  const { publicKeyPem: key } = scene.medium.signer;
  const start = async (name: string, zone: string) => {
    await mkdir(scene.path(name));
    const config = {
      mode: 'mirror',
      zone,
      storage: { root: await scene.medium.carry() },
      trust: { roots: [{ name: 'release', key }] },
    };
    const instance = await startInstance({ folder: scene.path(name), config });
    await untilJudged(instance);
    return instance;
  };
  await using closed = await start('other', 'zone-c');
  for (const path of ['plan', 'export']) {
    const { status, body } = await closed.api('POST', `/oci-layout/${path}`, {
      output: scene.path('never.tar'),
    });
    assert.deepEqual([status, body.code], [403, 'SVC-MED-032']);
  }
  await using open = await start('right', 'zone-b');
  const { body } = await open.api('POST', '/oci-layout/plan', {});
  assert.ok(body.references.length > 0);
  assert.ok(body.references.every((one: string) => one.startsWith('origin.example_5000/')));
  const task = await runTask(open, '/oci-layout/export', { output: scene.path('cleared.tar') });
  assert.equal(task.status, 'done', JSON.stringify(task));
  assert.equal((await scene.json('copy', ['import', 'cleared.tar'])).failed, 0);
  const refused = await open.api('POST', '/oci-layout/import', { input: scene.path('cleared.tar') });
  assert.deepEqual(
    [refused.status, refused.body.code],
    [403, 'SVC-MED-030'],
    'a medium is not imported into',
  );
});

test('an export task of a partly passed medium writes what passed, and fails with the recipes that are blocked', async () => {
  await using scene = await openLayoutScene();
  const root = await scene.medium.carry();
  const { ingredients, name, version } = scene.medium.records[0]!;
  const passed = scene.medium.records[1]!;
  await damageFile(join(root, blobPath(ingredients[0]!.digest)), 10);
  await mkdir(scene.path('zone'));
  const trust = { roots: [{ name: 'release', key: scene.medium.signer.publicKeyPem }] };
  const config = { mode: 'mirror', zone: 'zone-b', storage: { root }, trust };
  await using instance = await startInstance({ folder: scene.path('zone'), config });
  const { report } = await untilJudged(instance);
  assert.equal(report?.verdict, 'partial');

  const blocked = `${name}@${version}`;
  const planned = await instance.api('POST', '/oci-layout/plan', {});
  assert.deepEqual([planned.status, planned.body.blocked?.code], [200, 'SVC-MED-012']);
  const task = await runTask(instance, '/oci-layout/export', { output: scene.path('part.tar') });
  assert.deepEqual([task.status, task.principalCode, task.error], ['failed', 'SVC-MED-012', undefined]);
  assert.deepEqual(task.layout?.blocked, planned.body.blocked);
  assert.equal(task.layout?.bytes, (await stat(scene.path('part.tar'))).size);
  const failed = task.items.filter((item) => item.status === 'failed');
  assert.deepEqual(
    failed.map((item) => [item.name, item.error?.code, item.error?.class]),
    [[blocked, 'SVC-MED-012', 'verification']],
  );
  assert.deepEqual(task.counts, { ...task.counts, done: planned.body.references.length, failed: 1 });
  const log = await fetch(`${instance.url}/api/v1/tasks/${task.id}/logs`, {
    headers: { authorization: instance.authorization },
  });
  assert.match(await log.text(), new RegExp(`${blocked}: SVC-MED-012`));

  const one = await runTask(instance, '/oci-layout/export', {
    output: scene.path('one.tar'),
    recipes: [passed.name],
  });
  assert.deepEqual([one.status, one.layout?.blocked, one.counts.failed], ['done', undefined, 0]);
  const other = await runTask(instance, '/oci-layout/export', {
    output: scene.path('other.tar'),
    recipes: [passed.name, name],
  });
  assert.deepEqual(
    [other.status, other.error?.code, other.principalCode],
    ['failed', 'SVC-MED-032', 'SVC-MED-012'],
    'a blocked recipe that was asked for ends it, as it ends the command',
  );
  await assert.rejects(stat(scene.path('other.tar')));
});

import assert from 'node:assert/strict';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isSvcError } from '../../src/text/error.ts';
import { buildImage, digestsOf } from '../kit/content/content.ts';
import { pushArtifactOverHttp } from '../kit/content/push-artifact.ts';
import { adminPassword } from '../kit/instance/instance.ts';
import { openStoreAt } from '../kit/instance/open-store-at.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { runSvc } from '../kit/program/svc.ts';
import { listHeldAt } from '../kit/result/held-at.ts';
import { buildMedium } from '../kit/scene/medium.ts';
import { openRehearsal } from '../kit/scene/rehearsal.ts';
import { checkStoreAt } from './rig/check-store.ts';
import { times } from './rig/form.ts';
import { runStoreProgram } from './rig/run-program.ts';

test('a second instance on one store or one state is refused, and the first goes on unharmed', async () => {
  await using world = await openRehearsal();
  const first = await world.start('first', { auth: { disabled: true } });
  const image = buildImage('one');
  const at = { registry: first.url, repository: 'one' };
  await pushArtifactOverHttp(at, image, 'v');
  const sameStore = await world.configure('second', {
    auth: { disabled: true },
    storage: { root: join(world.path('first'), 'store') },
  });
  const sameState = await world.configure('third', {
    auth: { disabled: true },
    state: { root: join(world.path('first'), 'state') },
  });
  for (const config of [sameStore, sameState]) {
    const refused = await runSvc(['serve', '--config', config], { timeout: 20_000 });
    assert.equal(refused.exitCode, 1, refused.stderr);
    assert.match(refused.stderr, /SVC-STO-007/);
    assert.match(refused.stderr, new RegExp(`process ${first.process.pid}`), 'the holder is named');
  }
  await pushArtifactOverHttp(at, buildImage('two'), 'w');
  assert.deepEqual(await listHeldAt(at, image), digestsOf(image).sort());
  assert.equal(await first.stop(), 0);
  await checkStoreAt(join(world.path('first'), 'store'), join(world.path('first'), 'state'));
});

test('of processes that start at once on one new store, one makes it and the others are refused', async () => {
  await using folder = await openTempFolder('svc-two-');
  for (let round = 0; round < times(3, 20); round += 1) {
    const base = join(folder.path, `${round}`);
    mkdirSync(base);
    const [root, stateRoot] = [join(base, 'store'), join(base, 'state')];
    const runs = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        runStoreProgram('churn', { root, stateRoot }, `${round}-${name}`, { report: join(base, name) }),
      ),
    );
    let done = 0;
    for (const run of runs) {
      const last = run.said.at(-1)!;
      if (last === 'end') done += 1;
      else assert.match(last, /^failed SVC-STO-007/, run.said.join('\n'));
    }
    assert.ok(done >= 1, runs.flatMap(({ said }) => said).join('\n'));
    await checkStoreAt(root, stateRoot);
  }
});

test('a lock of a dead process, whatever it says of host, process and time, is no lock', async () => {
  await using folder = await openTempFolder('svc-two-');
  const [root, stateRoot] = [join(folder.path, 'store'), join(folder.path, 'state')];
  await runStoreProgram('churn', { root, stateRoot }, 'first', { kill: { at: 100, when: 'before' } });
  const holder = join(root, '_svc', 'lock.holder');
  for (const [text, time] of [
    ['svc serve (process 1)\n', 0],
    ['svc serve on another.example (process 4242)\n', 4_000_000_000],
    [`svc serve (process ${process.pid})\n`, Date.now() / 1000 + 86_400],
  ] as const) {
    writeFileSync(holder, text);
    utimesSync(holder, time, time);
    utimesSync(join(root, '_svc', 'lock'), time, time);
    await checkStoreAt(root, stateRoot);
  }
});

test('commands beside a running instance are served or refused, never harmful', async () => {
  await using world = await openRehearsal();
  const instance = await world.start('zone');
  const { authorization, configPath } = instance;
  const at = { registry: instance.url, repository: 'image', authorization };
  const image = buildImage('image');
  let isOver = false;
  let pushes = 0;
  const load = (async () => {
    for (; !isOver; pushes += 1) await pushArtifactOverHttp(at, buildImage(`load ${pushes}`), `v${pushes}`);
  })();
  await pushArtifactOverHttp(at, image, 'kept');
  const input = `${adminPassword}\n`;
  const add = ['user', 'add', 'robot', '--role', 'operator', '--password-stdin', '--config', configPath];
  const change = ['user', 'passwd', 'robot', '--password-stdin', '--config', configPath];
  assert.equal((await world.svc(add, { input })).exitCode, 0);
  assert.equal((await world.svc(change, { input: 'another password\n' })).exitCode, 0);
  const both = await Promise.all([
    world.svc(['user', 'list', '--config', configPath]),
    world.svc(['user', 'add', 'second', '--password-stdin', '--config', configPath], { input }),
    world.svc(['user', 'add', 'third', '--password-stdin', '--config', configPath], { input }),
    world.svc(['config', 'dump', '--config', configPath]),
  ]);
  for (const { exitCode, stderr } of both) assert.equal(exitCode, 0, stderr);
  const { body } = await instance.api('GET', '/accounts');
  assert.deepEqual(
    body.accounts.map(({ name }: { name: string }) => name),
    ['admin', 'robot', 'second', 'third'],
  );
  // the store of the instance is held: nobody else changes it
  await assert.rejects(
    openStoreAt({ root: world.path('zone', 'store'), stateRoot: world.path('zone', 'state') }),
    (error) => isSvcError(error, 'SVC-STO-007'),
  );
  isOver = true;
  await load;
  assert.ok(pushes > 0);
  assert.deepEqual(await listHeldAt(at, image), digestsOf(image).sort());
  assert.equal(await instance.stop(), 0);
  await checkStoreAt(join(world.path('zone'), 'store'), join(world.path('zone'), 'state'));
});

test('media commands work beside an instance that shares their state, and beside each other', async () => {
  await using world = await openRehearsal();
  await using medium = await buildMedium();
  const zone = await world.double();
  const instance = await world.start('zone', { auth: { disabled: true } });
  const config = join(world.folder, 'media.json');
  const state = { root: join(world.path('zone'), 'state') };
  writeFileSync(
    config,
    JSON.stringify({
      mode: 'mirror',
      zone: medium.zone,
      storage: { root: medium.root },
      state,
      destination: { registry: zone.host },
      registries: { insecure: [zone.host] },
      trust: { roots: [{ name: 'release', key: medium.signer.publicKeyPem }] },
    }),
  );
  const runs = await Promise.all([
    runSvc(['media', 'verify', '--config', config, '--output', 'json']),
    runSvc(['media', 'import', '--config', config, '--output', 'json']),
    runSvc(['media', 'verify', '--config', config, '--output', 'json']),
  ]);
  for (const { exitCode, stdout, stderr } of runs) assert.equal(exitCode, 0, `${stdout}${stderr}`);
  assert.ok(zone.repositories().length > 0);
  assert.equal(await instance.stop(), 0);
});

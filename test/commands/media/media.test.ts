import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { MediumReport } from '../../../src/contract/medium.ts';
import type { Task } from '../../../src/contract/task.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { type SvcResult, svcCommand, svcEnvironment } from '../../kit/program/svc.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { createRegistryDouble, type RegistryDouble } from '../../kit/result/registry-double.ts';
import { type BuiltMedium, buildMedium, defaultRecipes } from '../../kit/scene/medium.ts';

let medium: BuiltMedium;
let zone: RegistryDouble;
before(async () => {
  medium = await buildMedium();
  zone = await createRegistryDouble();
});
after(async () => {
  await zone[Symbol.asyncDispose]();
  await medium[Symbol.asyncDispose]();
});

let configurations = 0;
/** A zone's configuration with a state of its own. */
async function configure(root: string, more: Record<string, unknown> = {}): Promise<string> {
  configurations += 1;
  const path = join(medium.folder, `zone-${configurations}.json`);
  const config = {
    mode: 'mirror',
    zone: 'zone-b',
    storage: { root },
    state: { root: join(medium.folder, `state-${configurations}`) },
    destination: { registry: zone.host },
    registries: { insecure: [zone.host] },
    trust: { roots: [{ name: 'release', key: medium.signer.publicKeyPem }] },
    ...more,
  };
  await writeFile(path, JSON.stringify(config));
  return path;
}

const run = (action: 'verify' | 'import', config: string, ...flags: string[]): Promise<SvcResult> =>
  runCommand(['media', action, '--config', config, '--output', 'json', ...flags]);
const toReport = ({ stdout }: SvcResult): MediumReport => JSON.parse(stdout);
const toTask = ({ stdout }: SvcResult): Task => JSON.parse(stdout).task;

async function flip(root: string, digest: string, at = 100): Promise<void> {
  const file = await open(join(root, 'blobs', ...digest.split(':')), 'r+');
  const byte = Buffer.alloc(1);
  await file.read(byte, 0, 1, at);
  await file.write(Buffer.from([byte[0]! ^ 1]), 0, 1, at);
  await file.close();
}

/** A layer of the multi-platform image, which only the recipe `depot` needs. */
async function damageDepot(root: string): Promise<void> {
  const record = medium.records.find(({ name }) => name === 'depot')!;
  await flip(root, record.documentDigest, 20);
}

test('a clean medium verifies with exit 0 and stays as it was', async () => {
  const root = await medium.carry();
  const before = await readdir(root, { recursive: true });
  const result = await run('verify', await configure(root));
  assert.equal(result.exitCode, 0, result.stderr);
  assert.equal(toReport(result).verdict, 'pushable');
  assert.deepEqual(await readdir(root, { recursive: true }), before);
});

test('a link that leads to a medium is followed, and a link inside it is refused', async () => {
  const root = await medium.carry();
  const link = `${root}-link`;
  await symlink(root, link);
  await using empty = await createRegistryDouble();
  const config = await configure(link, {
    destination: { registry: empty.host },
    registries: { insecure: [empty.host] },
  });
  for (const action of ['verify', 'import'] as const) {
    const result = await run(action, config);
    assert.equal(result.exitCode, 0, `${action}: ${result.stderr}${result.stdout}`);
  }
  await rename(join(root, 'media.jsonl'), `${root}-manifest`);
  await symlink(`${root}-manifest`, join(root, 'media.jsonl'));
  const refused = await run('verify', config);
  assert.deepEqual(
    [refused.exitCode, toReport(refused).blocks.map(({ code }) => code)],
    [4, ['SVC-MED-002']],
  );
});

test('the report for people names medium, zone, recipes and verdict', async () => {
  const result = await runCommand(['media', 'verify', '--config', await configure(await medium.carry())]);
  assert.equal(result.exitCode, 0);
  for (const word of ['zone-b', 'shop 1.4.0', 'depot 2.0.0', 'pushable'])
    assert.match(result.stdout, new RegExp(word));
});

test('a blocked recipe is told by the report, and not once more by the log', async () => {
  const root = await medium.carry();
  await damageDepot(root);
  const config = await configure(root);
  const { stdout, stderr, exitCode } = await runCommand(['media', 'verify', '--config', config]);
  assert.equal(exitCode, 4);
  assert.match(stdout, /^depot 2\.0\.0 +blocked/m);
  assert.doesNotMatch(stderr, /depot/);
  const asked = await runCommand(['media', 'verify', '--config', config, '--log-level', 'info']);
  assert.match(asked.stderr, /"recipe":"depot@2\.0\.0".*"pushable":false/);
});

test('damage blocks its recipe with exit 4, and the import pushes the neighbour all the same', async () => {
  const root = await medium.carry();
  await damageDepot(root);
  const config = await configure(root);
  const verified = await run('verify', config);
  assert.equal(verified.exitCode, 4);
  assert.equal(toReport(verified).verdict, 'partial');
  const imported = await run('import', config);
  assert.equal(imported.exitCode, 4);
  const task = toTask(imported);
  assert.equal(task.status, 'failed');
  assert.equal(task.principalCode, 'SVC-MED-012');
  assert.ok(task.items.some(({ name, status }) => name === 'shop@1.4.0' && status === 'done'));
  assert.ok(task.items.some(({ name, error }) => name === 'depot@2.0.0' && error?.code === 'SVC-MED-012'));
  assert.ok(
    zone.requests.some(
      ({ method, path }) => method === 'PUT' && path.endsWith('/cookbook/shop/manifests/1.4.0'),
    ),
  );
  assert.ok(!zone.requests.some(({ method, path }) => method === 'PUT' && path.includes('depot')));
});

test('a recipe blocked by what is a failure elsewhere ends verify and import alike, with exit 4', async () => {
  const [shop, depot] = defaultRecipes();
  const [worker] = depot!.ingredients;
  const demanding = { ...depot!, ingredients: [{ ...worker!, platforms: ['linux/s390x'] }] };
  await using other = await buildMedium({ recipes: [shop!, demanding] });
  await using empty = await createRegistryDouble();
  const config = await configure(other.root, {
    destination: { registry: empty.host },
    registries: { insecure: [empty.host] },
    trust: { roots: [{ name: 'release', key: other.signer.publicKeyPem }] },
  });
  for (const action of ['verify', 'import'] as const) {
    const result = await run(action, config);
    assert.equal(result.exitCode, 4, `${action}: ${result.stderr}`);
    if (action === 'import') assert.equal(toTask(result).principalCode, 'SVC-REG-008');
  }
});

test('the status of a carried medium tells its last import, and what verifies it before', async () => {
  const config = await configure(await medium.carry());
  const status = async (expected: number) => {
    const text = await runCommand(['status', '--config', config]);
    assert.equal(text.exitCode, expected, text.stderr + text.stdout);
    const json = await runCommand(['status', '--config', config, '--output', 'json']);
    assertCliDocument('svc status', json.stdout);
    return { text: text.stdout, ...JSON.parse(json.stdout) };
  };
  const before = await status(5);
  assert.match(before.text, /^A carried medium, without a recorded import: svc media verify verifies it\n/);
  assert.match(before.text, /this command does not verify the medium/);
  assert.equal(before.lastRun, undefined);
  const imported = toTask(await run('import', config));
  const after = await status(0);
  assert.deepEqual(after.counts, {
    wanted: 2,
    present: 2,
    damaged: 0,
    missing: 0,
    blocked: 0,
    unimported: 0,
  });
  assert.match(after.text, /^A carried medium, imported\n/);
  assert.match(after.text, /\nLast run +import of a medium done, /);
  assert.deepEqual([after.lastRun.id, after.lastRun.status], [imported.id, 'done']);
  assert.equal(after.lastRun.finishedAt, imported.finishedAt);
  const other = await configure(await medium.carry(), { destination: { registry: 'localhost:1' } });
  assert.equal((await run('import', other)).exitCode, 1);
  const failed = await runCommand(['status', '--config', other], { env: { LC_ALL: 'fr_FR.UTF-8' } });
  assert.match(failed.stdout, /^Support transporté\s; son dernier import a échoué\n/);
});

test('a second import moves nothing, and an older medium is then refused with exit 3', async () => {
  const root = await medium.carry();
  const config = await configure(root);
  const first = await run('import', config);
  assert.equal(first.exitCode, 0, first.stderr);
  assert.equal(toTask(first).sourceRunId, 'run-of-the-maker');
  const second = await run('import', config);
  assert.equal(second.exitCode, 0, second.stderr);
  assert.equal(toTask(second).progress.bytesDone, 0);
  assert.ok(toTask(second).resolutions!.every(({ destinationStatus }) => destinationStatus === 'up-to-date'));
  await using older = await buildMedium({ signer: medium.signer, resolvedAt: '2025-12-31T00:00:00.000Z' });
  const stale = await runCommand([
    'media',
    'import',
    '--config',
    config,
    '--storage-root',
    older.root,
    '--output',
    'json',
  ]);
  assert.equal(stale.exitCode, 3, stale.stderr);
  assert.equal(toTask(stale).principalCode, 'SVC-MED-007');
  assert.deepEqual(toTask(stale).items, []);
});

test('a layer that two recipes share crosses once and is mounted for the second', async () => {
  await using empty = await createRegistryDouble();
  const config = await configure(await medium.carry(), {
    destination: { registry: empty.host },
    registries: { insecure: [empty.host] },
  });
  const imported = await run('import', config);
  assert.equal(imported.exitCode, 0, imported.stderr);
  const shared = defaultRecipes()[0]!.ingredients[0]!.artifact.blobs[1]!.descriptor.digest;
  const named = shared.replace(':', '(?::|%3A)');
  assert.equal(empty.count(new RegExp(`^PUT .*digest=${named}`)), 1);
  assert.ok(empty.count(new RegExp(`^POST .*mount=${named}`)) >= 1);
});

test('a medium for another zone is refused with exit 3, and the waiver is audited', async () => {
  const config = await configure(await medium.carry());
  const refused = await run('verify', config, '--zone', 'zone-c');
  assert.equal(refused.exitCode, 3);
  assert.deepEqual(
    toReport(refused).blocks.map(({ code, waivable, waived }) => [code, waivable, waived]),
    [['SVC-MED-006', true, false]],
  );
  const waived = await run('verify', config, '--zone', 'zone-c', '--allow-zone-mismatch');
  assert.equal(waived.exitCode, 0);
  assert.match(waived.stderr, /"action":"media.waiver"/);

  const held = await run('import', config, '--zone', 'zone-c');
  const { verification } = toTask(held);
  assert.deepEqual([held.exitCode, verification?.verdict], [3, 'blocked']);
  assert.deepEqual(
    verification?.blocks.map(({ code, waived }) => [code, waived]),
    [['SVC-MED-006', false]],
  );
  assert.ok(
    verification?.recipes.every(({ keyFingerprint }) => keyFingerprint === medium.signer.fingerprint),
  );
  const away = ['--zone', 'zone-c', '--allow-zone-mismatch'];
  const imported = await run('import', config, ...away, '--reason', 'a drill');
  assert.deepEqual(
    toTask(imported).verification?.blocks.map(({ code, waived }) => [code, waived]),
    [['SVC-MED-006', true]],
  );
  assert.match(imported.stderr, /"action":"media.waiver"[^\n]*"reason":"a drill"/);
  for (const [action, flags, problem] of [
    ['import', ['--reason', 'a drill'], /--reason needs --allow-zone-mismatch or --allow-stale/],
    ['verify', ['--reason', 'a drill'], /--reason needs --allow-zone-mismatch or --allow-stale/],
    ['import', [...away, '--reason', ' '], /--reason takes 1 to 500 characters/],
    ['import', [...away, '--reason', 'x'.repeat(501)], /--reason takes 1 to 500 characters/],
  ] as const) {
    const misused = await run(action, config, ...flags);
    assert.equal(misused.exitCode, 2);
    assert.match(misused.stderr, problem);
  }
});

test('a folder without manifest or ledger is blocked whole, and an import of it is a failed task', async () => {
  const root = await medium.carry();
  await rm(join(root, 'media.jsonl'));
  await rm(join(root, 'ledger'), { recursive: true });
  const config = await configure(root);
  const verified = await run('verify', config);
  assert.equal(verified.exitCode, 4);
  assert.deepEqual(
    toReport(verified).blocks.map(({ code }) => code),
    ['SVC-MED-001'],
  );
  const imported = await run('import', config);
  assert.equal(imported.exitCode, 4);
  assert.equal(toTask(imported).principalCode, 'SVC-MED-001');
  assert.deepEqual(toTask(imported).items, []);
});

test('a wrong folder with a key of the settings in it is no medium, before the place of the key is wrong', async () => {
  const folder = join(medium.folder, 'desk');
  await mkdir(folder);
  const keyFile = join(folder, 'release.pub');
  await writeFile(keyFile, medium.signer.publicKeyPem);
  const config = await configure(folder, { trust: { roots: [{ name: 'release', keyFile }] } });
  const refused = await runCommand(['media', 'import', folder, '--config', config]);
  assert.equal(refused.exitCode, 4, refused.stderr);
  assert.match(refused.stderr, /SVC-MED-001/);
  const verified = await runCommand(['media', 'verify', '--storage-root', folder, '--config', config]);
  assert.match(verified.stderr, /SVC-MED-001/);
});

test('an own state that cannot be read is a failure, and no verdict on the medium', async () => {
  const state = join(medium.folder, 'spoilt-state');
  await mkdir(state);
  await writeFile(join(state, 'store.key'), 'not a key');
  const config = await configure(await medium.carry(), { state: { root: state } });
  const verified = await run('verify', config);
  assert.equal(verified.exitCode, 1, verified.stdout);
  assert.equal(JSON.parse(verified.stdout).error.code, 'SVC-STO-001');
  assert.match(verified.stderr, /SVC-STO-001.*store\.key/);
});

test('the text output has the location of each recipe, and the reason of a failed push', async () => {
  const config = await configure(await medium.carry());
  const imported = await runCommand(['media', 'import', '--config', config]);
  assert.equal(imported.exitCode, 0, imported.stderr);
  assert.ok(imported.stdout.includes(` -> ${zone.host}/cookbook/`), imported.stdout);
  const unreachable = await configure(await medium.carry(), { destination: { registry: '127.0.0.1:1' } });
  const failed = await runCommand(['media', 'import', '--config', unreachable], { env: { LC_ALL: 'fr_FR' } });
  assert.equal(failed.exitCode, 1, failed.stderr);
  assert.match(failed.stderr, /: SVC-REG-002 .*127\.0\.0\.1:1/);
});

test('without a zone, a destination or a state the command names the setting', async () => {
  const root = await medium.carry();
  for (const [action, more, setting] of [
    ['verify', { zone: undefined }, 'zone'],
    ['import', { destination: undefined }, 'destination.registry'],
    ['import', { state: undefined }, 'state.root'],
  ] as const) {
    const result = await run(action, await configure(root, more));
    assert.equal(result.exitCode, 1, `${setting}: ${result.stderr}`);
    assert.match(result.stderr, /SVC-CFG-001/);
    assert.ok(result.stderr.includes(setting), result.stderr);
  }
});

for (const held of ['HEAD', 'POST', 'PUT'])
  test(`Ctrl-C while an import waits for the answer to a ${held} leaves a cancelled task, and dies of the signal`, async () => {
    await using hanging = await createRegistryDouble();
    const config = await configure(await medium.carry(), {
      destination: { registry: hanging.host },
      registries: { insecure: [hanging.host] },
    });
    const [command, ...first] = svcCommand();
    const child = spawn(command, [...first, 'media', 'import', '--config', config, '--output', 'json'], {
      env: svcEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let document = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      document += text;
    });
    const release = hanging.intercept(({ method }) => {
      if (method !== held && !child.killed) return false;
      // a second signal would not wait for the clean-up
      if (!child.killed) child.kill('SIGINT');
      return true;
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    const [code, signal] = await once(child, 'close');
    assert.deepEqual([code, signal], [null, 'SIGINT'], output);
    assert.match(output, /svc: interrupted; run the same command to resume/);
    assert.match(output, /"action":"media.import".*"outcome":"failure","interrupted":true/);
    assert.doesNotMatch(output, /SVC-SRV-00|stack/);
    const task: Task = JSON.parse(document).task;
    assert.deepEqual([task.status, task.error?.code], ['cancelled', 'SVC-TSK-004']);
    assert.equal(task.cancelledBy, task.actor);
    release();
    assert.equal((await run('import', config)).exitCode, 0);
  });

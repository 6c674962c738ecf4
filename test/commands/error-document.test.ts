import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { runCommand } from '../kit/program/run-command.ts';
import { assertCliDocument } from '../kit/result/cli-schema.ts';

test('a command that ends without a report prints one document with the error', async () => {
  const { exitCode, stdout, stderr } = await runCommand([
    'media',
    'verify',
    '--zone',
    'b',
    '--output',
    'json',
  ]);
  assert.equal(exitCode, 1);
  assertCliDocument('svc media verify', stdout);
  const { error } = JSON.parse(stdout);
  assert.deepEqual(Object.keys(error), [
    'code',
    'class',
    'exit_code',
    'title',
    'cause',
    'action',
    'params',
    'rules',
  ]);
  assert.deepEqual([error.code, error.class, error.exit_code], ['SVC-CFG-001', 'failure', 1]);
  assert.match(error.title, /^storage\.root is not set/);
  assert.match(stderr, /^svc: SVC-CFG-001: storage\.root is not set/);
});

test('the document is in English in every language, and the sentences beside it in that of the user', async () => {
  const { stdout, stderr } = await runCommand(['media', 'verify', '--zone', 'b', '--output', 'json'], {
    env: { LC_ALL: 'fr_FR.UTF-8' },
  });
  assert.match(JSON.parse(stdout).error.title, /is not set/);
  assert.match(stderr, /n’est pas défini/);
});

test('an invalid command line has a document too, in whichever place the format is given', async () => {
  for (const args of [
    ['media', 'verify', '--zoen', 'b', '--output', 'json'],
    ['media', 'verify', '--output=json', '--zoen', 'b'],
  ]) {
    const { exitCode, stdout } = await runCommand(args);
    assert.equal(exitCode, 2);
    assertCliDocument('svc media verify', stdout);
    const { error } = JSON.parse(stdout);
    assert.deepEqual([error.code, error.class, error.exit_code], ['', 'usage', 2]);
    assert.match(error.title, /did you mean --zone/);
  }
});

test('a report that was printed is the only document, whatever fails later', async () => {
  const { exitCode, stdout } = await runCommand(['config', 'dump', '--output', 'json'], {
    env: { SVC_SYNC_RETRIES: '-1' },
  });
  assert.equal(exitCode, 1);
  assertCliDocument('svc config dump', stdout);
  assert.equal(JSON.parse(stdout).error, undefined);
});

test('a missing setting leads to the svc.yaml of the working directory, which is not read by itself', async () => {
  await using folder = await openTempFolder();
  const verify = ['media', 'verify', '--zone', 'b'];
  const without = await runCommand(verify, { cwd: folder.path });
  assert.doesNotMatch(without.stderr, /svc\.yaml/);
  await writeFile(join(folder.path, 'svc.yaml'), 'storage: {root: ./store}\n');
  const hint = /svc\.yaml is here: add --config svc\.yaml, or run export SVC_CONFIG=\$PWD\/svc\.yaml/;
  assert.match((await runCommand(verify, { cwd: folder.path })).stderr, hint);
  const serve = ['serve', '--mode', 'mirror', '--storage-root', 'store'];
  const homeless = await runCommand(serve, { cwd: folder.path });
  assert.equal(homeless.exitCode, 3);
  assert.match(homeless.stderr, /SVC-AUTH-001/);
  assert.match(homeless.stderr, hint);
  const bare = await runCommand(['serve'], { cwd: folder.path, env: { LC_ALL: 'fr_FR' } });
  assert.equal(bare.exitCode, 1);
  assert.match(bare.stderr, /SVC-CFG-001.*mode, storage\.root, state\.root/);
  assert.match(bare.stderr, /svc\.yaml est ici/);
  const named = await runCommand(verify, { cwd: folder.path, env: { SVC_CONFIG: 'svc.yaml' } });
  assert.doesNotMatch(named.stderr, /is not set|svc\.yaml is here/);
});

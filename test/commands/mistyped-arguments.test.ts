import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runSvc } from '../kit/svc.ts';

const french = { env: { LC_ALL: 'fr_FR.UTF-8' } };

for (const command of [
  ['media', 'verify'],
  ['media', 'import'],
  ['store', 'check'],
]) {
  test(`a folder as argument of ${command.join(' ')} is answered with the flag that takes it`, async () => {
    const { exitCode, stderr } = await runSvc([...command, './medium']);
    assert.equal(exitCode, 2);
    assert.match(stderr, /unexpected argument '\.\/medium': name the folder with --storage-root \.\/medium/);
    const translated = await runSvc([...command, './medium'], french);
    assert.match(translated.stderr, /indiquez le dossier avec --storage-root \.\/medium/);
  });
}

test('a recipe reference without a version is answered with what is missing', async () => {
  const args = ['recipe', 'push', 'shop.yaml', 'registry.example/cookbook/shop'];
  const { exitCode, stderr } = await runSvc(args);
  assert.equal(exitCode, 2);
  assert.match(stderr, /the version is missing/);
  assert.match((await runSvc(args, french)).stderr, /la version manque/);
  const pinned = await runSvc([...args.slice(0, -1), `registry.example/c/shop@sha256:${'0'.repeat(64)}`]);
  assert.match(pinned.stderr, /must have a version, not a digest/);
});

test('an argument that is missing is named, with its values or the flag that was meant', async () => {
  const cases: readonly (readonly [args: readonly string[], expected: RegExp])[] = [
    [['client', 'config'], /an argument is missing: <client>, one of containerd, /],
    [['recipe', 'push', 'shop.yaml'], /an argument is missing: <reference>/],
    [['media', 'show', '--storage-root', 'disk'], /<directory>; give the folder as the argument: disk/],
    [['recipe', 'sign', 'registry.example/c/shop:1', '--sign-key', 'k'], /did you mean --key\?/],
  ];
  for (const [args, expected] of cases) {
    const { exitCode, stderr } = await runSvc([...args]);
    assert.equal(exitCode, 2);
    assert.match(stderr.replace(/\s+/g, ' '), expected);
  }
});

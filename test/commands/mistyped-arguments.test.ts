import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findEnglish, runCommand, runInLanguage } from '../kit/program/run-command.ts';

const french = { env: { LC_ALL: 'fr_FR.UTF-8' } };

for (const command of [
  ['media', 'verify'],
  ['store', 'check'],
]) {
  test(`a folder as argument of ${command.join(' ')} is answered with the flag that takes it`, async () => {
    const { exitCode, stderr } = await runCommand([...command, './medium']);
    assert.equal(exitCode, 2);
    assert.match(stderr, /unexpected argument '\.\/medium': name the folder with --storage-root \.\/medium/);
    const translated = await runCommand([...command, './medium'], french);
    assert.match(translated.stderr, /indiquez le dossier avec --storage-root \.\/medium/);
  });
}

test('a recipe reference without a version is answered with what is missing', async () => {
  const args = ['recipe', 'push', 'shop.yaml', 'registry.example/cookbook/shop'];
  const { exitCode, stderr } = await runCommand(args);
  assert.equal(exitCode, 2);
  assert.match(stderr, /the version is missing/);
  assert.match((await runCommand(args, french)).stderr, /la version manque/);
  const pinned = await runCommand([...args.slice(0, -1), `registry.example/c/shop@sha256:${'0'.repeat(64)}`]);
  assert.match(pinned.stderr, /must have a version, not a digest/);
});

test('an argument that is missing is named, with its values or the flag that was meant', async () => {
  const cases: readonly (readonly [args: readonly string[], expected: RegExp])[] = [
    [['client', 'config'], /an argument is missing: <client>, one of containerd, /],
    [['recipe', 'push', 'shop.yaml'], /an argument is missing: <reference>/],
    [['recipe', 'sign', 'registry.example/c/shop:1', '--sign-key', 'k'], /did you mean --key\?/],
  ];
  for (const [args, expected] of cases) {
    const { exitCode, stderr } = await runCommand([...args]);
    assert.equal(exitCode, 2);
    assert.match(stderr.replace(/\s+/g, ' '), expected);
  }
});

/** Runs a command inside this process in both languages, and returns its output in each on one line. */
async function sayBoth(args: readonly string[], exitCode = 2): Promise<readonly [string, string]> {
  const said = { en: '', fr: '' };
  for (const language of ['en', 'fr'] as const) {
    const ended = await runInLanguage(args, language);
    assert.equal(ended.exitCode, exitCode, `${args.join(' ')}\n${ended.stderr}`);
    said[language] = ended.stderr.replace(/\s+/g, ' ');
  }
  return [said.en, said.fr];
}

test('--json is answered with the flag and the value that print JSON', async () => {
  for (const command of [['status'], ['user', 'list'], ['recipe', 'show', 'shop@1.0.0']]) {
    const [english, french] = await sayBoth([...command, '--json']);
    assert.match(english, /unknown flag '--json'; did you mean --output json\?/);
    assert.match(french, /vouliez-vous dire --output json\s\?/);
  }
});

test('swapped arguments, and a URL in place of a reference, are called so', async () => {
  const place = 'registry.example/cookbook/shop:1.4.0';
  for (const [args, english] of [
    [['recipe', 'push', place, 'shop.yaml'], `the file comes first: svc recipe push shop.yaml ${place}`],
    [['recipe', 'push', 'shop.yaml', `https://${place}`], 'must begin with the host, without https://'],
  ] as const)
    assert.ok((await sayBoth(args))[0].includes(english), english);
});

test('a flag with its value after = does not hide which argument is missing or too many', async () => {
  for (const [args, english] of [
    [['recipe', 'pin', '--update=proxy'], 'svc: an argument is missing: <draft>'],
    [['sync', '--prune=false', 'x'], "svc: unexpected argument 'x'"],
    // it needs no medium
    [['media', 'status', 'x'], "svc: unexpected argument 'x' usage:"],
    [['recipe', 'pin', 'x.yaml', '--check=1'], 'svc: --check takes no value'],
  ] as const) {
    const said = await sayBoth(args);
    assert.ok(said[0].startsWith(english), said[0]);
    for (const text of said) assert.doesNotMatch(text, /Command not found|did you mean/);
  }
});

test('a flag that only other commands have is not taken for one that looks like it', async () => {
  for (const [args, flag] of [
    [['serve', '--token-file', 'x'], '--token-file'],
    [['version', '--recipe', 'shop'], '--recipe'],
    [['media', 'verify', '--key=x'], '--key'],
  ] as const) {
    const [english, french] = await sayBoth(args);
    assert.ok(english.startsWith(`svc: this command has no flag '${flag}'; see --help`), english);
    assert.doesNotMatch(english, /did you mean/);
    assert.equal(findEnglish(french.split('usage')[0]!), undefined, french);
  }
});

test('a version after a colon is answered with the name and the version as they are written', async () => {
  const retriever = ['retriever', 'init', 'zone-b', '--cookbook', 'registry.example/cookbook'];
  for (const args of [
    ['recipe', 'mapping', 'shop:1.4.0'],
    ['recipe', 'show', 'shop:1.4.0'],
    ['recipe', 'diff', 'shop:1.4.0', 'shop@1.5.0'],
    ['export', 'shop.tar', '--recipe', 'shop:1.4.0'],
    [...retriever, '--recipe', 'shop:1.4.0'],
  ]) {
    const [english, french] = await sayBoth(args);
    assert.match(english, /a version follows the name after @: write shop@1\.4\.0/);
    assert.match(french, /une version suit le nom après @ : écrivez shop@1\.4\.0/);
  }
});

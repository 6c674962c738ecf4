import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { readNamed } from '../../src/disk/named-file.ts';
import { createSigner } from '../kit/content/signer.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { runInLanguage } from '../kit/program/run-command.ts';

/** Fails when the work does not end within ten seconds. */
async function promptly<T>(what: string, work: Promise<T>): Promise<T> {
  const late = pause(10_000, undefined, { ref: false }).then(() =>
    assert.fail(`${what}: still waiting after 10 s`),
  );
  return Promise.race([work, late]);
}

const recipe = 'registry.example/cookbook/shop:1.0.0';

/** Commands that read a file of the user; `@` is that file, and other words with `@` are files that are there. */
const commands: readonly (readonly string[])[] = [
  ['key', 'show', '@'],
  ['key', 'new', '@new', '--key-password-file', '@'],
  ['recipe', 'sign', recipe, '--key', '@'],
  ['recipe', 'sign', recipe, '--key', '@key', '--key-password-file', '@'],
  ['recipe', 'sign', recipe, '--payload', '@', '--signature', '@text', '--key-pub', '@pub'],
  ['recipe', 'sign', recipe, '--payload', '@text', '--signature', '@', '--key-pub', '@pub'],
  ['recipe', 'sign', recipe, '--payload', '@text', '--signature', '@text', '--key-pub', '@'],
  ['recipe', 'push', '@', recipe],
  ['recipe', 'push', '@text', recipe, '--sign-key', '@'],
  ['recipe', 'lint', '@'],
  ['recipe', 'pin', '@'],
  ['recipe', 'show', '@'],
  ['recipe', 'diff', '@', '@'],
  ['recipe', 'init', 'shop', '--from', '@'],
  ['recipe', 'init', 'shop', '--from', '@images', '--env-file', '@'],
  ['recipe', 'init', 'shop', '--from', '@images', '--values', '@'],
  ['retriever', 'lint', '@'],
  ['retriever', 'resolve', '@'],
  ['trust', 'fingerprint', '@'],
  ['sync', '--dry-run', '--skip-destination', '--retriever', '@'],
  ['status', '--instance', 'http://127.0.0.1:1', '--token-file', '@'],
];
/** The same for files that the configuration names. */
const settings: readonly string[] = [
  '@',
  '{ "trust": { "roots": [{ "name": "release", "keyFile": "@" }] } }',
  '{ "peers": [{ "name": "zone-b", "keyFile": "@", "for": ["receipt"] }] }',
  '{ "registries": { "credentialsFile": "@" } }',
  '{ "network": { "tls": { "caFiles": ["@"] } } }',
];

test('no file that the user names blocks a command: a pipe, a device, a folder and a huge file are refused with a code', async () => {
  await using folder = await openTempFolder('svc-named-');
  const at = (name: string): string => join(folder.path, name);
  const { privateKeyPem, publicKeyPem } = createSigner();
  await writeFile(at('key'), privateKeyPem, { mode: 0o600 });
  await writeFile(at('pub'), publicKeyPem);
  await writeFile(at('text'), '{}');
  await writeFile(at('images'), 'docker.io/library/nginx:1.27.3\n');
  execFileSync('mkfifo', ['-m', '600', at('pipe')]);
  await mkdir(at('folder'));
  await writeFile(at('huge'), '', { mode: 0o600 });
  await truncate(at('huge'), 2 ** 30);

  const judge = async (args: readonly string[], file: string): Promise<void> => {
    const words = args.map((word) => (word === '@' ? file : word.replace(/^@/, `${folder.path}/`)));
    const what = words.join(' ');
    const { exitCode, stdout, stderr } = await promptly(what, runInLanguage(words, 'en', {}));
    assert.equal(exitCode, 1, `${what}: ${stdout}${stderr}`);
    assert.match(stderr, /^svc: /m, what);
    assert.match(`${stdout}${stderr}`, /SVC-[A-Z]{3}-\d{3}/, what);
    assert.doesNotMatch(stderr, /SVC-SRV-001|SVC-STO-014/, what);
  };
  for (const args of commands) await judge(args, at('pipe'));
  for (const [i, text] of settings.entries()) {
    await writeFile(at(`config-${i}`), text.replace('@', at('pipe')));
    const config = text === '@' ? '@' : `@config-${i}`;
    await judge(['recipe', 'show', recipe, '--config', config], at('pipe'));
  }
  for (const file of ['/dev/zero', at('folder'), at('huge')])
    for (const args of commands.filter((_, i) => i % 4 === 0)) await judge(args, file);
});

test('what a shell passes as a file is read: the output of a command, standard input, and nothing at all', async () => {
  assert.equal((await readNamed('/dev/null', 10)).length, 0);
  const reading = `import { readNamed } from '${join(import.meta.dirname, '../../src/disk/named-file.ts')}';
    const texts = [];
    for (const path of process.argv.slice(1)) texts.push(String(await readNamed(path, 100)));
    process.stdout.write(texts.join('|'));`;
  const { stdout, stderr } = spawnSync(
    'bash',
    // the writer of the first pipe is late
    [
      '-c',
      'echo -n in | "$0" --input-type=module -e "$1" <(sleep 0.05; echo -n late) /dev/stdin',
      process.execPath,
      reading,
    ],
    { encoding: 'utf8', timeout: 20_000 },
  );
  assert.equal(stdout, 'late|in', stderr);
});

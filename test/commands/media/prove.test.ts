import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readBundle } from '../../../src/attest/bundle.ts';
import { hashBytes } from '../../../src/base/digest.ts';
import { readLedgerPage } from '../../../src/custody/read-page.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { findEnglish, runCommand, runInLanguage } from '../../kit/program/run-command.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { carry } from '../../kit/scene/carried-medium.ts';
import { type BuiltMedium, buildMedium } from '../../kit/scene/medium.ts';

let good: BuiltMedium;
let root: string;
before(async () => {
  good = await buildMedium();
  root = join(good.folder, 'release.pub');
  await writeFile(root, good.signer.publicKeyPem);
});
after(() => good[Symbol.asyncDispose]());

const prove = (folder: string, ...more: string[]) =>
  runInLanguage(['media', 'prove', folder, '--trust-root', root, ...more], 'en');

test('a disk is proved under a key, without any configuration', async () => {
  const { exitCode, stdout, stderr } = await prove(good.root, '--output', 'json');
  assert.equal(exitCode, 0, stderr);
  assertCliDocument('svc media prove', stdout);
  const { verdict, findings } = JSON.parse(stdout);
  assert.deepEqual([verdict, findings], ['proved', []]);
  const text = (await prove(good.root)).stdout;
  assert.match(text, /^verdict +proved: the zone would come up from this delivery$/m);
  assert.match(text, /images that a program chooses while it runs/);
});

test('with the keys of the zone, a configuration that is not read is worth no warning', async () => {
  const cwd = join(good.folder, 'here');
  await mkdir(cwd);
  await writeFile(join(cwd, 'svc.yaml'), 'mode: mirror\n');
  const { exitCode, stderr } = await runCommand(['media', 'prove', good.root, '--trust-root', root], { cwd });
  assert.equal(exitCode, 0, stderr);
  assert.doesNotMatch(stderr, /was not read/);
});

test('a warning about the settings is printed once, however often they are read', async () => {
  const config = join(good.folder, 'roots.json');
  await writeFile(config, JSON.stringify({ trust: { roots: [{ name: 'release', keyFile: root }] } }));
  const { exitCode, stderr } = await runInLanguage(['media', 'prove', good.root, '--config', config], 'en', {
    SVC_STORAGE_ROOTT: '/x',
  });
  assert.equal(exitCode, 0, stderr);
  assert.equal(stderr.match(/SVC_STORAGE_ROOTT is not a setting/g)?.length, 1, stderr);
});

test('a broken disk is not proved, with a remedy, in both languages', async () => {
  const carried = await carry(good);
  await rm(carried.blob((await carried.parts('shop')).layer));
  const english = await prove(carried.root);
  assert.equal(english.exitCode, 4);
  assert.match(english.stdout, /shop@1\.4\.0: SVC-MED-010 /);
  assert.match(english.stdout, /What to do: /);
  assert.match(english.stdout, /^verdict +refused/m);
  const { exitCode, stdout } = await runInLanguage(
    ['media', 'prove', carried.root, '--trust-root', root],
    'fr',
  );
  assert.deepEqual([exitCode, findEnglish(stdout)], [4, undefined]);
  assert.match(stdout, /^verdict +refusé/m);
  const json = await prove(carried.root, '--output', 'json');
  assertCliDocument('svc media prove', json.stdout);
  assert.equal(JSON.parse(json.stdout).findings[0].code, 'SVC-MED-010');
});

test('a ledger of the configuration has an intent and an outcome of each proof, and stops it when it cannot be written', async () => {
  const state = join(good.folder, 'gate-state');
  const config = join(good.folder, 'gate.json');
  await mkdir(state);
  await writeFile(
    config,
    JSON.stringify({ state: { root: state }, custody: { enabled: true, site: 'gate' } }),
  );
  const carried = await carry(good);
  await rm(carried.blob((await carried.parts('shop')).layer));
  assert.equal((await prove(good.root, '--config', config)).exitCode, 0);
  assert.equal((await prove(carried.root, good.root, '--config', config)).exitCode, 4);
  assert.equal((await prove(join(good.folder, 'absent'), '--config', config)).exitCode, 1);
  const { lines } = await readLedgerPage(join(state, 'custody'), { pageSize: 50 });
  const manifest = hashBytes(await readFile(join(good.root, 'media.jsonl')));
  const broken = hashBytes(await readFile(join(carried.root, 'media.jsonl')));
  const actor = `local:${process.getuid!()}`;
  assert.deepEqual(
    lines
      .toReversed()
      .map(({ type, step, of, result, actor: by, subjects: [subject], details }) => [
        ...[type, step, of, result, by, subject?.digest, details.folder, details.verdict],
      ]),
    [
      ['proved', 'intent', undefined, undefined, actor, undefined, good.root, undefined],
      ['proved', 'outcome', 1, 'success', actor, manifest, good.root, 'proved'],
      ['proved', 'intent', undefined, undefined, actor, undefined, carried.root, undefined],
      ['proved', 'intent', undefined, undefined, actor, undefined, good.root, undefined],
      ['proved', 'outcome', 3, 'failure', actor, broken, carried.root, 'refused'],
      ['proved', 'outcome', 4, 'failure', actor, manifest, good.root, 'refused'],
      ['proved', 'intent', undefined, undefined, actor, undefined, join(good.folder, 'absent'), undefined],
      ['proved', 'outcome', 7, 'failure', actor, undefined, join(good.folder, 'absent'), undefined],
    ],
  );
  const [file] = await readdir(join(state, 'custody')).then((names) =>
    names.filter((name) => name.endsWith('.jsonl')),
  );
  await appendFile(join(state, 'custody', file!), 'no line\n');
  const key = join(good.folder, 'ledger.key');
  await writeFile(key, good.signer.privateKeyPem, { mode: 0o600 });
  const stopped = await prove(good.root, '--config', config, '--sign-key', key);
  assert.equal(stopped.exitCode, 4);
  assert.match(stopped.stderr, /SVC-CUS-001/);
  await assert.rejects(stat(join(good.root, '_svc', 'proof.sigstore.json')), { code: 'ENOENT' });
});

test('each proof has an audit record with its verdict, also one that fails', async () => {
  const state = join(good.folder, 'audited-state');
  const config = join(good.folder, 'audited.json');
  await mkdir(state);
  await writeFile(config, JSON.stringify({ state: { root: state } }));
  const absent = join(good.folder, 'absent');
  const said = await prove(good.root, '--config', config);
  assert.match(said.stderr, /"action":"media\.prove"/);
  await prove(absent, '--config', config);
  await prove(good.root, '--config', config, '--against', absent);
  const carried = await carry(good);
  await rm(carried.blob((await carried.parts('shop')).layer));
  await prove(carried.root, '--config', config);
  const { stdout } = await runInLanguage(
    ['history', '--action', 'media.prove', '--config', config, '--output', 'json'],
    'en',
  );
  const actor = `local:${process.getuid!()}`;
  assert.deepEqual(
    JSON.parse(stdout).records.map((one: Record<string, unknown>) => [
      ...[one.actor, one.target, one.outcome, one.details],
    ]),
    [
      [actor, carried.root, 'failure', { verdict: 'refused' }],
      [actor, good.root, 'failure', { code: 'SVC-FIL-005' }],
      [actor, absent, 'failure', { code: 'SVC-FIL-005' }],
      [actor, good.root, 'success', { verdict: 'proved' }],
    ],
  );
});

test('values for an ingredient that no chart has are told', async () => {
  const values = join(good.folder, 'values.yaml');
  await writeFile(values, '{}\n');
  const { stderr } = await prove(good.root, '--values', `chart=${values}`, '--values', `nochart=${values}`);
  assert.match(stderr, /--values nochart=.*: no chart of the delivery has this name/);
  assert.doesNotMatch(stderr, /--values chart=/);
});

test('an image must have each platform that is named', async () => {
  const { exitCode, stdout } = await prove(
    good.root,
    '--platform',
    'linux/amd64',
    '--platform',
    'linux/s390x',
  );
  assert.equal(exitCode, 4);
  assert.match(stdout, /SVC-CLO-002 /);
  assert.match(stdout, /^verdict +incomplete/m);
});

test('a disk of another zone has the remedy of a proof, and not that of an import', async () => {
  const { exitCode, stdout } = await prove(good.root, '--zone', 'zone-q');
  assert.equal(exitCode, 4);
  assert.match(stdout, /SVC-MED-006 .* and the proof is for zone zone-q\./);
  assert.match(stdout, /correct the zone \(--zone\)/);
  assert.doesNotMatch(stdout, /allow-zone-mismatch/);
});

test('flags that cannot be used are refused before a file is read', async () => {
  for (const [flags, said] of [
    [['--platform', 'amd64'], /'amd64' is not a platform/],
    [['--values', 'zone-b.yaml'], /--values takes INGREDIENT=FILE/],
  ] as const) {
    const { exitCode, stderr } = await prove(good.root, ...flags);
    assert.equal(exitCode, 2);
    assert.match(stderr, said);
  }
  const without = await runInLanguage(['media', 'prove', good.root], 'en');
  assert.equal(without.exitCode, 2);
  assert.match(without.stderr, /no trust root: name the public keys of the zone/);
});

test('a folder or a receipt that cannot be read is a failure', async () => {
  assert.deepEqual((await prove(join(good.folder, 'absent'))).exitCode, 1);
  const file = join(good.folder, 'receipt.json');
  await writeFile(file, '{}');
  assert.match((await prove(file)).stderr, /SVC-FIL-005[\s\S]* is a file, not a folder/);
  const { exitCode, stderr } = await prove(good.root, '--against', file);
  assert.equal(exitCode, 4);
  assert.match(stderr, /SVC-RCP-001/);
});

test('charts are not rendered without helm, which is no verdict', async () => {
  const { exitCode, stdout, stderr } = await runInLanguage(
    ['media', 'prove', good.root, '--trust-root', root, '--render'],
    'en',
    { PATH: good.folder },
  );
  assert.deepEqual([exitCode, stdout], [1, '']);
  assert.match(stderr, /SVC-CHT-002/);
});

test('a signed statement about a proved medium stands on it, and none about another', async () => {
  const key = join(good.folder, 'gate.key');
  await writeFile(key, createSigner().privateKeyPem, { mode: 0o600 });
  const carried = await carry(good);
  const path = join(carried.root, '_svc/proof.sigstore.json');
  const { exitCode, stderr } = await prove(carried.root, '--sign-key', key);
  assert.equal(exitCode, 0, stderr);
  const bundle = readBundle(await readFile(path));
  assert.ok(!('flaw' in bundle));
  assert.equal(bundle.predicateType, 'https://slsa.dev/verification_summary/v1');
  const manifest = hashBytes(await readFile(join(carried.root, 'media.jsonl')));
  assert.deepEqual(bundle.subject, [{ name: 'media.jsonl', digest: { sha256: manifest.slice(7) } }]);
  // it is no part of the medium
  assert.equal((await prove(carried.root)).exitCode, 0);
  const broken = await carry(good);
  await mkdir(join(broken.root, '_svc'), { recursive: true });
  await rm(broken.blob((await broken.parts('shop')).layer));
  assert.equal((await prove(broken.root, '--sign-key', key)).exitCode, 4);
  await assert.rejects(readFile(join(broken.root, '_svc/proof.sigstore.json')), { code: 'ENOENT' });
});

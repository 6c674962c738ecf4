import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFile, cp, mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { writeCheckpoint } from '../../../src/attest/checkpoint.ts';
import { hashBytes } from '../../../src/base/digest.ts';
import { custodyType } from '../../../src/contract/custody.ts';
import { openCustody } from '../../../src/custody/custody.ts';
import { beginning, writeLine } from '../../../src/custody/line.ts';
import { readKeyFile } from '../../../src/signing/read-key-file.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { needs } from '../../kit/program/peers.ts';
import { runCommand, runInLanguage } from '../../kit/program/run-command.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { blocksOf, delivery, openEvidenceSite as openSite } from '../../kit/scene/evidence-site.ts';

const run = promisify(execFile);
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)).sort();
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Changes a file, and its sum as whoever forges a pack would. */
async function forge(folder: string, name: string, change: (bytes: Buffer) => Buffer): Promise<void> {
  const file = join(folder, name);
  const before = await readFile(file);
  const after = change(before);
  assert.ok(!after.equals(before));
  await writeFile(file, after);
  const sums = join(folder, 'SHA256SUMS');
  await writeFile(sums, (await readFile(sums, 'utf8')).replace(sha256(before), sha256(after)));
}

const flip = (bytes: Buffer): Buffer => {
  const copy = Buffer.from(bytes);
  copy[copy.length >> 1]! ^= 1;
  return copy;
};

test('a pack of a delivery has its lines, recipes with signatures, and keys, and nothing about others', async () => {
  await using site = await openSite();
  const folder = await site.packDelivery();
  const evidence = JSON.parse(await readFile(join(folder, 'evidence.json'), 'utf8'));
  const [ledger] = evidence.ledgers;
  assert.deepEqual(
    ledger.lines.map(({ seq, type, step, open }: any) => [seq, type, step, open]),
    [
      [1, 'fetched', 'event', undefined],
      [2, 'written', 'intent', undefined],
      [3, 'written', 'outcome', undefined],
      [5, 'waived', 'event', undefined],
      [6, 'received', 'event', undefined],
      [7, 'proved', 'intent', true],
    ],
  );
  assert.deepEqual(
    [ledger.count, ledger.files],
    [8, ['ledger/2026.jsonl'.replace('2026', String(new Date().getUTCFullYear()))]],
  );
  assert.deepEqual(
    evidence.recipes.map(({ name, folder: at, missing }: any) => [name, at, missing]),
    [
      ['depot', 'recipes/depot@2.0.0', undefined],
      ['gone', undefined, 'SVC-REG-005'],
      ['shop', 'recipes/shop@1.4.0', undefined],
    ],
  );
  const [key] = evidence.keys;
  assert.deepEqual(
    evidence.signatures.map((one: any) => [one.path, one.key, one.algorithm, one.bundle !== undefined]),
    [
      ['recipes/depot@2.0.0/signature-1', key.path, 'sha256', true],
      ['recipes/shop@1.4.0/signature-1', key.path, 'sha256', false],
    ],
  );
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  assert.doesNotMatch(page, /<script|\u202e|dora|carol/);
  assert.match(page, /&lt;script&gt;/);
  assert.match(
    page,
    /Lines of custody ledgers about this delivery for the zone zone-b, with the signed statements that they name\. \S+ wrote it on [-0-9]{10} [:0-9]{8} UTC\./,
  );
  const events = [...page.slice(page.indexOf('<h2>Timeline')).matchAll(/<tr[^>]*><th.*?<\/tr>/g)]
    .map(([row]) => [...row.matchAll(/<td><bdi>(.*?)<\/bdi><\/td>/g)].slice(1, 3).map(([, cell]) => cell))
    .slice(1, 7);
  assert.deepEqual(events, [
    ['fetched', 'success'],
    ['delivery written', 'begun'],
    ['delivery written', 'success'],
    ['guard of a medium waived', 'success'],
    ['received', 'success'],
    ['proof of a medium begun', 'without an outcome'],
  ]);
  assert.match(page, /The actor anonymous is no account: authentication was disabled\./);
});

test('the same inputs give the same bytes, in each language', async () => {
  await using site = await openSite();
  const one = await site.packDelivery('one');
  const two = await site.packDelivery('two');
  for (const name of await listFiles(one))
    assert.ok((await readFile(join(one, name))).equals(await readFile(join(two, name))), name);
  const french = ['evidence', 'pack', '--config', site.path('svc.json'), '--delivery', delivery];
  const { exitCode } = await runInLanguage([...french, '--out', site.path('fr')], 'fr');
  assert.equal(exitCode, 0);
  assert.match(
    await readFile(join(site.path('fr'), 'index.html'), 'utf8'),
    /<html lang="fr">[\s\S]*Chronologie/,
  );
  assert.equal((await site.verify(site.path('fr'))).exitCode, 0);
});

test('the commands of VERIFY.md check a pack without svc, and find what was forged', async (t) => {
  if (needs(t, 'openssl') === undefined) return;
  await using site = await openSite();
  const folder = await site.packDelivery();
  const blocks = blocksOf(await readFile(join(folder, 'VERIFY.md'), 'utf8'));
  const check = (cwd: string, block: string) =>
    run('/bin/sh', ['-c', block], { cwd, env: { PATH: '/usr/bin:/bin' } });
  const [files, ledgers, signatures] = blocks as [string, string, string];
  for (const block of [files, ledgers, signatures]) await check(folder, block);
  const [ledger] = (await listFiles(folder)).filter((name) => name.startsWith('ledger/'));
  const cases: readonly (readonly [name: string, block: string])[] = [
    [ledger!, ledgers],
    ['recipes/shop@1.4.0/recipe.yaml', signatures],
    ['recipes/shop@1.4.0/manifest.json', signatures],
    ['recipes/shop@1.4.0/signature-1.signed', signatures],
    ['recipes/depot@2.0.0/signature-1.sig', signatures],
  ];
  for (const [name, block] of cases) {
    const forged = site.path('forged');
    await cp(folder, forged, { recursive: true });
    await writeFile(join(forged, name), flip(await readFile(join(forged, name))));
    await assert.rejects(check(forged, files), name);
    await assert.rejects(check(forged, block), name);
    await rm(forged, { recursive: true });
  }
  const bundle = (await listFiles(folder)).find((name) => name.endsWith('.sigstore.json'))!;
  const held = await readFile(join(folder, bundle), 'utf8');
  const { payload } = JSON.parse(held).dsseEnvelope;
  const other = Buffer.from('{"_type":"another"}').toString('base64');
  for (const [about, text] of [
    ['another statement', held.replace(payload, other)],
    ['another type', held.replace('application/vnd.in-toto+json', 'text/plain')],
    ['another signature', held.replace(/"sig":"..../, '"sig":"AAAA')],
    ['a second statement', held.replace('"payload":', `"payload":"${other}","payload":`)],
    ['a second statement behind it', held.replace(/\}\s*$/, `,"dsseEnvelope":{"payload":"${other}"}}`)],
    ['an escaped name', held.replace(/\}\s*$/, `,"dsseEnvelope":{"p\\u0061yload":"${other}"}}`)],
    ['no statement', held.replace('"payload":', '"content":')],
  ] as const) {
    assert.notEqual(text, held, about);
    await writeFile(join(folder, bundle), text);
    await assert.rejects(check(folder, signatures), about);
  }
  await writeFile(join(folder, bundle), JSON.stringify(JSON.parse(held), null, 2));
  await check(folder, signatures);
  await writeFile(join(folder, bundle), held);
  const more: readonly (readonly [string, string, () => Promise<unknown>])[] = [
    ['a file more', files, () => writeFile(join(folder, 'recipes', 'more'), '')],
    ['bytes behind the last line', ledgers, () => appendFile(join(folder, ledger!), 'x')],
    ['a byte 0', ledgers, () => appendFile(join(folder, ledger!), '\0\n')],
  ];
  for (const [about, block, change] of more) {
    await change();
    await assert.rejects(check(folder, block), about);
  }
});

test('a pack that was changed is found, also where the sums were changed with it', async () => {
  await using site = await openSite();
  const folder = await site.packDelivery();
  const whole = await site.verify(folder, '--output', 'json');
  assert.equal(whole.exitCode, 0, whole.stderr);
  assertCliDocument('svc evidence verify', whole.stdout);
  assert.deepEqual([JSON.parse(whole.stdout).page, JSON.parse(whole.stdout).signatures.length], ['same', 2]);
  const names = await listFiles(folder);
  const forged = site.path('forged');
  const tryOne = async (about: string, change: () => Promise<unknown>): Promise<void> => {
    await cp(folder, forged, { recursive: true });
    await change();
    const { exitCode, stderr } = await site.verify(forged);
    assert.equal(exitCode, 4, `${about}\n${stderr}`);
    assert.match(stderr, /SVC-CUS-003/, about);
    await rm(forged, { recursive: true });
  };
  for (const name of names) {
    await tryOne(`${name} flipped`, async () =>
      writeFile(join(forged, name), flip(await readFile(join(forged, name)))),
    );
    await tryOne(`${name} removed`, () => rm(join(forged, name))).catch((error: unknown) => {
      if (name !== 'SHA256SUMS') throw error;
    });
    await rm(forged, { recursive: true, force: true });
  }
  await tryOne('a file more', () => writeFile(join(forged, 'recipes', 'more'), ''));
  await tryOne('an empty folder more', () =>
    mkdir(join(forged, 'statements', 'more', 'and more'), { recursive: true }),
  );
  await tryOne('a link in place of a file', async () => {
    await rm(join(forged, 'evidence.json'));
    await symlink(join(folder, 'evidence.json'), join(forged, 'evidence.json'));
  });
  for (const name of names.filter((one) => one !== 'SHA256SUMS' && !one.endsWith('.sigstore.json')))
    await tryOne(`${name} forged`, () => forge(forged, name, flip));
  /** Another hexadecimal digit at the end of a text. */
  const otherDigit = (text: string): string => text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');
  const edit = (from: string | RegExp, to: string | typeof otherDigit) => () =>
    forge(forged, 'evidence.json', (bytes) =>
      Buffer.from(bytes.toString('utf8').replace(from, to as string)),
    );
  await tryOne('another actor', edit('"actor": "alice"', '"actor": "mallory"'));
  await tryOne('a line less', () =>
    forge(forged, 'evidence.json', (bytes) => {
      const evidence = JSON.parse(bytes.toString('utf8'));
      evidence.ledgers[0].lines.splice(3, 1);
      return Buffer.from(JSON.stringify(evidence));
    }),
  );
  await tryOne('another head', edit(/"head": "sha256:./, otherDigit));
  await tryOne('another recipe', edit('"documentDigest": "sha256:', '"documentDigest": "sha512:'));
  await tryOne('no ledger', () =>
    forge(forged, 'evidence.json', (bytes) =>
      Buffer.from(JSON.stringify({ ...JSON.parse(bytes.toString('utf8')), ledgers: [] })),
    ),
  );
  await tryOne(
    'a path out of the pack',
    edit('"path": "recipes/shop@1.4.0/signature-1"', '"path": "../release"'),
  );
});

test('a file of a pack that is too large is refused before a byte of it is read', async () => {
  await using site = await openSite();
  const folder = await site.packDelivery();
  const names = await listFiles(folder);
  const ledger = names.find((name) => name.startsWith('ledger/'))!;
  for (const name of [
    'SHA256SUMS',
    'evidence.json',
    'VERIFY.md',
    ledger,
    ...names.filter((one) => /\.(?:yaml|sig)$/.test(one)),
  ]) {
    const bytes = await readFile(join(folder, name));
    // a file of holes: hashing it takes hours
    await truncate(join(folder, name), 3 * 2 ** 40);
    const { exitCode, stdout } = await site.verify(folder, '--output', 'json');
    assert.equal(exitCode, 4, name);
    const { findings } = JSON.parse(stdout);
    assert.equal(findings.length, 1, name);
    assert.match(findings[0].detail, /it has more than /);
    await writeFile(join(folder, name), bytes);
  }
  const large = ['index.html', ledger];
  for (const name of large) await truncate(join(folder, name), name === ledger ? 2 ** 31 : 60 * 2 ** 20);
  const { stdout } = await site.verify(folder, '--output', 'json');
  assert.match(JSON.parse(stdout).findings[0].detail, /the files of the pack have more than 2 GiB/);
});

test('recipes that only the ledger of another site names are in the pack, marked with that site', async () => {
  await using site = await openSite();
  const about = 'dlv_eeeeeeeeeeee';
  const custody = openCustody({ stateRoot: site.path('state'), site: 'zone-a' });
  const recipes = site.medium.records.map(({ name, version, digest }) => ({
    name: `${name}@${version}`,
    digest,
  }));
  const own = { name: 'own@1.0.0', digest: hashBytes('own') };
  await custody.record({ type: 'imported', actor: 'alice', subjects: [own], details: { delivery: about } });
  const absent = { name: 'absent@1.0.0', digest: hashBytes('absent') };
  const { privateKeyPem, publicKeyPem } = createSigner();
  await writeFile(site.path('maker.pub'), publicKeyPem);
  const keyFile = site.path('maker.key');
  await writeFile(keyFile, privateKeyPem, { mode: 0o600 });
  const line = writeLine(
    {
      ...{ ts: '2026-01-01T00:00:00.000Z', site: 'maker', type: 'written', step: 'event', actor: 'maria' },
      ...{ subjects: [own, ...recipes, absent], details: { delivery: about } },
    },
    beginning,
  );
  const bundle = writeCheckpoint(
    { site: 'maker', seq: line.seq, head: line.digest },
    hashBytes(line.bytes),
    toSigner(await readKeyFile(keyFile, undefined)),
  );
  const place = site.path('state/custody/peers/maker');
  await mkdir(place, { recursive: true });
  await writeFile(join(place, 'part.jsonl'), line.bytes);
  await writeFile(join(place, 'part.sigstore.json'), bundle);

  const folder = site.path('received');
  assert.equal((await site.pack('--delivery', about, '--out', folder)).exitCode, 0);
  const evidence = JSON.parse(await readFile(join(folder, 'evidence.json'), 'utf8'));
  assert.deepEqual(
    evidence.recipes.map(({ name, sites, folder: at, missing }: any) => [name, sites, at, missing]),
    [
      ['own', undefined, undefined, 'SVC-REG-005'],
      ['absent', ['maker'], undefined, 'SVC-REG-005'],
      ['depot', ['maker'], 'recipes/depot@2.0.0', undefined],
      ['shop', ['maker'], 'recipes/shop@1.4.0', undefined],
    ],
  );
  const files = await listFiles(folder);
  for (const name of ['recipe.yaml', 'manifest.json', 'signature-1.signed'])
    assert.ok(files.includes(`recipes/depot@2.0.0/${name}`), name);
  const rows = (await readFile(join(folder, 'index.html'), 'utf8')).match(
    /<tr[^>]*><th scope="row"><bdi>[a-z]+@[\s\S]*?<\/tr>/g,
  )!;
  assert.deepEqual(
    rows.map((row) => [...row.matchAll(/<bdi>([^<]*)<\/bdi>/g)].slice(0, 2).map(([, text]) => text)),
    [
      ['own@1.0.0', 'zone-a'],
      ['absent@1.0.0', 'maker'],
      ['depot@2.0.0', 'maker'],
      ['shop@1.4.0', 'maker'],
    ],
  );
  const keys = ['--key', `maker=${site.path('maker.pub')}`];
  const whole = await site.verify(folder, ...keys);
  assert.equal(whole.exitCode, 0, whole.stderr);
  for (const [from, to] of [
    ['"sites"', '"folder2"'],
    ['"maker"\n      ],', '"zone-c"\n      ],'],
  ] as const) {
    const forged = site.path('forged');
    await cp(folder, forged, { recursive: true });
    await forge(forged, 'evidence.json', (bytes) => Buffer.from(bytes.toString('utf8').replace(from, to)));
    assert.equal((await site.verify(forged, ...keys)).exitCode, 4, to);
    await rm(forged, { recursive: true });
  }
});

test('a signature counts under a given key only', async () => {
  await using site = await openSite();
  const folder = await site.packDelivery();
  const other = join(folder, '..', 'other.pub');
  await writeFile(other, createSigner().publicKeyPem);
  const { exitCode, stderr } = await runCommand(['evidence', 'verify', folder, '--key', other]);
  assert.equal(exitCode, 4);
  assert.match(stderr, /signature-1\.sig - no given key verifies it/);
});

test('without a key, one line of a sound pack says which flags name keys', async () => {
  await using site = await openSite();
  const folder = await site.packDelivery();
  const { exitCode, stderr } = await runCommand(['evidence', 'verify', folder]);
  assert.equal(exitCode, 4);
  assert.match(
    stderr,
    /^svc: \d+ signatures not checked, as no key is given: name the keys with --key FILE/m,
  );
  assert.doesNotMatch(stderr, /SVC-CUS-003|changed/);
  await writeFile(join(folder, 'added.txt'), 'text');
  const added = await runCommand(['evidence', 'verify', folder]);
  assert.match(added.stderr, /added\.txt/);
  assert.equal(added.exitCode, 4);
});

test('with --redact actors no file has the name or the address of an account', async () => {
  await using site = await openSite();
  const folder = await site.packDelivery('evidence', '--redact', 'actors');
  const names = await listFiles(folder);
  assert.ok(!names.some((name) => name.startsWith('ledger/')));
  for (const name of names)
    assert.doesNotMatch(
      (await readFile(join(folder, name))).toString('latin1'),
      /alice|bob|192\.0\.2\.7/,
      name,
    );
  const { lines } = JSON.parse(await readFile(join(folder, 'evidence.json'), 'utf8')).ledgers[0];
  assert.deepEqual(
    lines.map(({ actor }: any) => actor),
    ['actor-1', 'actor-1', 'actor-1', 'actor-2', 'actor-1', 'actor-1'],
  );
  const { exitCode, stdout } = await site.verify(folder, '--output', 'json');
  assert.deepEqual(
    [exitCode, JSON.parse(stdout).lines, JSON.parse(stdout).witnessed],
    [0, 'unchecked', { others: [] }],
  );
});

test('with --redact actors no text of any line leaks a name: notes, paths, addresses, files, names of keys', async () => {
  await using site = await openSite();
  const marker = 'walburga';
  const path = `/media/${marker}/DISK`;
  const custody = openCustody({ stateRoot: site.path('state'), site: 'zone-a' });
  const texts = [
    'text',
    'origin',
    'folder',
    'file',
    'layout',
    'peerFlaw',
    'program',
    'medium',
    'code',
    'via',
  ];
  for (const type of custodyType.enum)
    await custody.record({
      type,
      actor: marker,
      subjects: [
        { name: path, digest: hashBytes('a') },
        ...(type === 'roots-changed' ? [{ name: marker, digest: hashBytes('b') }] : []),
      ],
      details: {
        ...Object.fromEntries(texts.map((name) => [name, path])),
        ...{ delivery, text: marker, origin: marker, file: marker, peerFlaw: marker, later: marker },
        ...{ folders: [path, path], added: [marker], removed: [marker], unsigned: [`${marker}/*`] },
        ...{ contradictions: [`line 1 of ${marker}`], findings: [path], bytes: 12, proved: true },
      },
    });
  const folder = await site.packDelivery('evidence', '--redact', 'actors');
  for (const name of await listFiles(folder))
    assert.doesNotMatch((await readFile(join(folder, name))).toString('latin1'), /walburga|DISK/, name);
  const { lines } = JSON.parse(await readFile(join(folder, 'evidence.json'), 'utf8')).ledgers[0];
  const written = lines.findLast(({ type }: any) => type === 'written');
  assert.deepEqual(written.details, { folders: 2, delivery, bytes: 12, proved: true });
  assert.equal((await site.verify(folder)).exitCode, 0);
});

test('with --redact actors nothing has the name of a trust root: its key stays, below a name for all', async () => {
  await using site = await openSite();
  const settings = JSON.parse(await readFile(site.path('svc.json'), 'utf8'));
  const [root] = settings.trust.roots;
  await writeFile(
    site.path('svc.json'),
    JSON.stringify({ ...settings, trust: { roots: [{ ...root, name: 'walburga-gate' }] } }),
  );
  const digest = hashBytes(site.medium.signer.publicKey.export({ type: 'spki', format: 'der' }));
  await openCustody({ stateRoot: site.path('state'), site: 'zone-a' }).record({
    type: 'roots-changed',
    actor: 'system',
    subjects: [{ name: 'walburga-gate', digest }],
    details: { delivery, added: [`walburga-gate ${digest}`] },
  });
  const named = await site.packDelivery('named');
  assert.ok((await listFiles(named)).some((name) => name.startsWith('keys/walburga-gate-')));
  const folder = await site.packDelivery('evidence', '--redact', 'actors');
  const names = await listFiles(folder);
  for (const name of names)
    assert.doesNotMatch(name + (await readFile(join(folder, name))).toString('latin1'), /walburga/, name);
  assert.ok(names.includes(`keys/key-${site.medium.signer.fingerprint.slice(0, 12)}.pub`));
  const { exitCode, stderr } = await site.verify(folder);
  assert.equal(exitCode, 0, stderr);
});

test('a recipe and a time select their lines', async () => {
  await using site = await openSite();
  const select = async (...flags: string[]): Promise<number[]> => {
    const out = site.path(`out-${flags.join('').replace(/\W/g, '')}`);
    const { exitCode, stdout, stderr } = await site.pack(...flags, '--out', out, '--output', 'json');
    assert.equal(exitCode, 0, stderr);
    assertCliDocument('svc evidence pack', stdout);
    return JSON.parse(stdout).evidence.ledgers[0].lines.map(({ seq }: any) => seq);
  };
  // what happened to the deliveries that brought it is part of its story
  assert.deepEqual(await select('--recipe', 'shop'), [1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(await select('--recipe', 'shop@1.4.0'), [1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(await select('--since', '2020-01-01'), [1, 2, 3, 4, 5, 6, 7, 8]);
});

test('a recipe that was only fetched or verified beside those of a delivery is none of it', async () => {
  await using site = await openSite();
  const custody = openCustody({ stateRoot: site.path('state'), site: 'zone-a' });
  const [shop] = site.medium.records
    .filter(({ name }) => name === 'shop')
    .map(({ name, version, digest }) => ({ name: `${name}@${version}`, digest }));
  const beside = { name: 'beside@1.0.0', digest: hashBytes('beside') };
  await custody.record({ type: 'fetched', actor: 'alice', subjects: [shop!, beside] });
  await custody.record({
    ...{ type: 'verified', actor: 'alice', subjects: [shop!, beside] },
    details: { medium: 'main', refused: ['SVC-SIG-001 shop@1.4.0'] },
  });
  const recipesOf = async (folder: string) => {
    assert.equal((await site.verify(folder)).exitCode, 0);
    const { recipes } = JSON.parse(await readFile(join(folder, 'evidence.json'), 'utf8'));
    return recipes.map(({ name, refused }: any) => [name, ...(refused ? [refused] : [])].join(' '));
  };
  const folder = await site.packDelivery();
  assert.deepEqual(await recipesOf(folder), ['depot', 'gone', 'shop']);
  assert.match(await readFile(join(folder, 'index.html'), 'utf8'), /beside@1\.0\.0/);
  await site.packDelivery('without-names', '--redact', 'actors');
  assert.deepEqual(await recipesOf(site.path('without-names')), ['depot', 'gone', 'shop']);
});

test('a recipe that landed stays landed in the pack after a damaged copy of its disk was refused', async () => {
  await using site = await openSite();
  const [landed, refused] = site.medium.records.map(({ name, version, digest }) => ({
    name: `${name}@${version}`,
    digest,
  }));
  const custody = openCustody({ stateRoot: site.path('state'), site: 'zone-b' });
  const run = (type: 'verified' | 'imported', subjects: readonly object[]) =>
    custody.during(
      { type, actor: 'eve', details: { medium: 'dlv-aaaaaaaaaaaa-1', delivery: 'dlv_aaaaaaaaaaaa' } },
      async () => 0,
      () => ({ subjects: subjects as never }),
    );
  const code = 'SVC-MED-012';
  await run('verified', [landed!, { ...refused, code }]);
  await run('imported', [landed!, { ...refused, code }]);
  for (const type of ['verified', 'imported'] as const)
    await run(type, [
      { ...landed, code },
      { ...refused, code },
    ]);
  const out = site.path('copy');
  const { stdout, stderr } = await site.pack(
    '--delivery',
    'dlv_aaaaaaaaaaaa',
    '--out',
    out,
    '--output',
    'json',
  );
  assert.notEqual(stdout, '', stderr);
  const { recipes, ledgers } = JSON.parse(stdout).evidence;
  assert.deepEqual(
    recipes.map(({ name, version, refused: by }: any) => [`${name}@${version}`, by]).sort(),
    [
      [landed!.name, undefined],
      [refused!.name, code],
    ].sort(),
  );
  assert.deepEqual(ledgers[0].lines.at(-1).details.refused, [
    `${code} ${landed!.name}`,
    `${code} ${refused!.name}`,
  ]);
  const verified = await site.verify(out, '--output', 'json');
  assert.deepEqual(JSON.parse(verified.stdout).findings, [], verified.stderr);
});

test('a guard that was waived for a medium of a delivery is in the packs of the delivery and of its recipes', async () => {
  await using site = await openSite();
  const { name, version, digest } = site.medium.records[0]!;
  const custody = openCustody({ stateRoot: site.path('state'), site: 'zone-b' });
  const medium = 'dlv-aaaaaaaaaaaa-1';
  await custody.record({ type: 'waived', actor: 'eve', details: { medium, guards: ['SVC-MED-007'] } });
  await custody.during(
    { type: 'imported', actor: 'eve', details: { medium } },
    async () => 0,
    () => ({ subjects: [{ name: `${name}@${version}`, digest }] }),
  );
  for (const scope of [
    ['--delivery', 'dlv_aaaaaaaaaaaa'],
    ['--recipe', `${name}@${version}`],
  ]) {
    const { stdout, stderr } = await site.pack(...scope, '--out', site.path(scope[0]!), '--output', 'json');
    const { lines } = JSON.parse(stdout).evidence.ledgers[0];
    assert.ok(
      lines.some(({ type, actor }: any) => type === 'waived' && actor === 'eve'),
      stderr,
    );
  }
});

test('lines that name a medium alone are of the delivery that another line names with it', async () => {
  await using site = await openSite();
  const { name, version, digest } = site.medium.records[0]!;
  const custody = openCustody({ stateRoot: site.path('state'), site: 'zone-b' });
  const [medium, delivery] = ['0b9f9f2e-5f0e-4f5e-8c1e-6d3c2b1a0f9e', 'dlv_aaaaaaaaaaaa'];
  const own = { name: 'own@1.0.0', digest: hashBytes('own') };
  const entries = [
    { type: 'approved', subjects: [own], details: {} },
    { type: 'waived', details: { medium, guards: ['SVC-MED-007'] } },
    { type: 'received', details: { medium, delivery: 'dlv_bbbbbbbbbbbb' } },
    { type: 'received', details: { medium, delivery } },
    { type: 'waived', details: { medium: 'another', guards: ['SVC-MED-006'] } },
  ] as const;
  const seqs: number[] = [];
  for (const one of entries) seqs.push((await custody.record({ ...one, actor: 'eve' }))!.seq);
  await custody.during(
    { type: 'imported', actor: 'eve', details: { medium } },
    async () => 0,
    () => ({ subjects: [{ name: `${name}@${version}`, digest }, own] }),
  );
  const [approved, waived, elsewhere, received, unbound] = seqs as [number, number, number, number, number];
  const select = async (...scope: readonly string[]): Promise<readonly number[]> => {
    const out = site.path(scope[1]!);
    const { stdout, stderr } = await site.pack(...scope, '--out', out, '--output', 'json');
    assert.notEqual(stdout, '', stderr);
    return JSON.parse(stdout).evidence.ledgers[0].lines.flatMap(({ seq }: any) =>
      seq < approved ? [] : [seq],
    );
  };
  const imported = [unbound + 1, unbound + 2];
  assert.deepEqual(await select('--delivery', delivery), [approved, waived, received, ...imported]);
  assert.deepEqual(await select('--recipe', own.name), [approved, waived, elsewhere, received, ...imported]);
});

test('a site without a ledger says that custody is off, also where nothing names the site', async () => {
  await using folder = await openTempFolder();
  const config = join(folder.path, 'svc.json');
  await writeFile(config, JSON.stringify({ state: { root: join(folder.path, 'state') } }));
  const out = join(folder.path, 'out');
  const packed = await runCommand(['evidence', 'pack', '--recipe', 'shop', '--out', out, '--config', config]);
  assert.equal(packed.exitCode, 1);
  assert.match(
    packed.stderr.replaceAll(/\s+/g, ' '),
    /SVC-CUS-002: .* Custody is off: custody\.enabled is false/,
  );
});

test('what cannot be packed is refused, and leaves no folder', async () => {
  await using site = await openSite();
  const out = site.path('out');
  const refuse = async (flags: string[], exitCode: number, pattern: RegExp): Promise<void> => {
    const result = await site.pack(...flags);
    assert.equal(result.exitCode, exitCode, result.stderr);
    assert.match(result.stderr, pattern);
    assert.deepEqual(
      (await readdir(site.medium.folder)).filter((name) => name.startsWith('out')),
      [],
    );
  };
  await refuse(['--recipe', 'unknown', '--out', out], 1, /SVC-CUS-002.*recipe unknown/s);
  await refuse(['--since', '2999-01-01', '--out', out], 1, /SVC-CUS-002/);
  await refuse(['--since', 'yesterday', '--out', out], 2, /--since must be a day/);
  await refuse(['--recipe', 'shop'], 2, /--out DIRECTORY is required/);
  await refuse(['--out', out], 2, /one of --delivery, --recipe and --since/);
  await refuse(['--recipe', 'shop', '--delivery', delivery, '--out', out], 2, /one of/);
  await refuse(['--recipe', 'shop', '--out', site.path('release.pub')], 1, /SVC-FIL-006/);
  await refuse(['--recipe', 'shop', '--out', site.path('state')], 3, /SVC-FIL-003/);
  await refuse(['--recipe', 'shop', '--out', join(site.path('state'), 'out')], 3, /SVC-FIL-003/);
  await refuse(['--recipe', 'shop', '--out', join(site.medium.root, 'blobs/out')], 3, /SVC-FIL-003/);
  const disk = await site.medium.carry();
  await symlink(disk, site.path('linked'));
  for (const at of [disk, join(disk, 'blobs'), site.path('linked')])
    await refuse(['--recipe', 'shop', '--out', join(at, 'out')], 3, /SVC-FIL-003.*nor onto a medium/s);
  await refuse(['--recipe', 'shop', '--out', join(site.path('absent'), 'out')], 1, /SVC-STO-002/);
  const [year] = (await readdir(site.path('state/custody'))).filter((name) => name.endsWith('.jsonl'));
  const ledger = site.path(`state/custody/${year}`);
  await writeFile(ledger, flip(await readFile(ledger)));
  await refuse(['--recipe', 'shop', '--out', out], 4, /SVC-CUS-001.*broken at line/s);
});

test('a folder that is no evidence pack is named so, and its files are not listed as faults', async () => {
  await using other = await openTempFolder();
  await writeFile(join(other.path, 'media.jsonl'), '{}');
  const { verifyPack } = await import('../../../src/engine/evidence/verify-pack.ts');
  await assert.rejects(verifyPack(other.path, { keys: [], version: '0' }), (error: any) => {
    assert.deepEqual(
      [error.code, error.params.file, error.params.problem],
      ['SVC-VAL-001', other.path, 'pack'],
    );
    return true;
  });
});

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { hashBytes } from '../../../src/base/digest.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { needs } from '../../kit/program/peers.ts';
import { type CustodySites, openCustodySites, readCustody } from '../../kit/scene/custody-sites.ts';
import { blocksOf } from '../../kit/scene/evidence-site.ts';

const run = promisify(execFile);

/** Runs a line in a folder on a machine with the tools of a plain Debian, and without svc. */
async function ask(cwd: string, line: string): Promise<string> {
  const { stdout } = await run('/bin/sh', ['-euc', line], { cwd, env: { PATH: '/usr/bin:/bin' } });
  return stdout.trim();
}

/** A recipe is approved and written twice. The zone imports the later medium, then the other one with a waiver, and its receipt comes back. */
async function deliver(sites: CustodySites): Promise<string> {
  const { run: svc, path, source, zone } = sites;
  await svc(['custody', 'approve', 'shop@1.4.0', '--config', source]);
  for (const name of ['first', 'second'])
    await svc([
      ...['media', 'write', path(name), '--zone', 'zone-b', '--base', 'none'],
      ...['--config', source, '--sign-key', sites.sourceKey],
    ]);
  await svc(['media', 'import', path('second'), '--config', zone]);
  await svc(['media', 'import', path('first'), '--allow-stale', '--config', zone]);
  const receipt = join(path('first'), '_svc', 'receipts', 'zone-b.sigstore.json');
  await svc(['receipt', 'add', receipt, '--config', source]);
  const lines = await readCustody(sites.sourceState);
  return String(lines.find(({ type }) => type === 'written')!.details.delivery);
}

const keysOf = ({ path }: CustodySites): readonly string[] =>
  ['release.pub', 'zone-a=zone-a.pub', 'zone-b=zone-b.pub'].flatMap((name) => [
    '--key',
    name.replace(/[^=]+$/, path),
  ]);

test('ten questions about a delivery are answered from the pack alone', async (t) => {
  if (needs(t, 'openssl') === undefined) return;
  await using sites = await openCustodySites();
  const { path, sourceState, medium } = sites;
  const delivery = await deliver(sites);
  const pack = path('pack');
  await sites.run(['evidence', 'pack', '--delivery', delivery, '--out', pack, '--config', sites.zone]);
  await assert.rejects(ask(pack, 'command -v svc'));

  const sent = await readCustody(sourceState);
  const written = sent.filter(({ type, step }) => type === 'written' && step === 'intent');
  const manifestOf = async (name: string) => hashBytes(await readFile(join(path(name), 'media.jsonl')));
  const [manifest, second] = [await manifestOf('first'), await manifestOf('second')];
  const begun = `cat ledger/zone-a/*.jsonl | grep '"type":"written","step":"intent"' | grep ${delivery} | sort -u`;
  const member = (name: string): string => `sed 's/.*"${name}":"\\([^"]*\\)".*/\\1/'`;
  const part = (name: string): string => `sed -n '/^  "${name}": \\[/,/^  \\]/p' evidence.json`;

  const linesOf = async (line: string) => (await ask(pack, line)).split('\n');
  const actors = [...new Set(written.map(({ actor }) => actor))];
  assert.deepEqual(await linesOf(`${begun} | ${member('actor')} | sort -u`), actors, 'who wrote it');
  assert.deepEqual(
    await linesOf(`${begun} | ${member('ts')}`),
    written.map(({ ts }) => ts),
    'when',
  );
  const media = `cat ledger/zone-a/*.jsonl | grep '"type":"proved"' | grep ${delivery} | sort -u`;
  assert.equal(await ask(pack, `${media} | grep -c .`), '2', 'onto how many media');
  const digests = `${media} | sed 's/.*"name":"media.jsonl","digest":"\\([^"]*\\)".*/\\1/'`;
  assert.deepEqual(await linesOf(digests), [manifest, second], 'with which digests');
  const recipes = `${part('recipes')} | sed -n 's/.*"\\(name\\|version\\|digest\\)": "\\(.*\\)".*/\\2/p' | sed 'N;N;s/\\n/ /g'`;
  assert.deepEqual(
    (await ask(pack, recipes)).split('\n').sort(),
    medium.records.map(({ name, version, digest }) => `${name} ${version} ${digest}`).sort(),
    'which recipes at which digest',
  );
  const signed = `for s in recipes/*/signature-*.sig; do openssl base64 -d -A -in "$s" | openssl dgst -sha256 -verify keys/release-*.pub -signature /dev/stdin "\${s%.sig}.signed" | sed "s|^|$s |"; done`;
  assert.deepEqual(
    (await ask(pack, signed)).split('\n'),
    medium.records
      .map(({ name, version }) => `recipes/${name}@${version}/signature-1.sig Verified OK`)
      .sort(),
    'who signed each',
  );
  const signedMedia = `for s in statements/passport-*.sig; do grep -q ${manifest.slice(7)} "\${s%.sig}.signed" && openssl base64 -d -A -in "$s" | openssl dgst -sha256 -verify keys/zone-a-*.pub -signature /dev/stdin "\${s%.sig}.signed"; done || true`;
  // it was written twice, each time with a passport
  assert.equal(
    await ask(pack, signedMedia),
    'Verified OK\nVerified OK',
    'under which key the medium was signed',
  );
  const waivers = `cat ledger/*.jsonl | grep -c '"type":"waived"' || true`;
  // the waiver of the second import was needed by no guard
  assert.equal(await ask(pack, waivers), '0', 'which guards were waived by whom');
  const proved = `${media} | grep -c '"result":"success"'`;
  assert.equal(await ask(pack, proved), '2', 'whether it was proved');
  const receipt = `${part('signatures')} | sed -n 's/.*"\\(receipt [0-9]* of .*\\)".*/\\1/p'; grep -c ${manifest.slice(7)} statements/receipt-zone-b-2.signed`;
  assert.equal(
    await ask(pack, receipt),
    'receipt 1 of zone-b\nreceipt 2 of zone-b\n1',
    'which receipt confirmed it',
  );
  assert.equal(
    await ask(pack, `grep -c '"open": true' evidence.json || true`),
    '0',
    'whether any operation has no outcome',
  );
});

/** The names of the files of two passports. */
const passportsOf = ({ signatures }: { readonly signatures: readonly { kind: string; path: string }[] }) =>
  signatures
    .flatMap(({ kind, path }) => (kind === 'passport' ? [path.replace('statements/', '')] : []))
    .slice(0, 2);

test('the lines of the other site are in a pack with their checkpoint, and what was forged in them is found', async (t) => {
  if (needs(t, 'openssl') === undefined) return;
  await using sites = await openCustodySites();
  const { path, zone } = sites;
  await writeFile(path('release.pub'), sites.medium.signer.publicKeyPem);
  const delivery = await deliver(sites);
  const pack = path('pack');
  const packZone = (out: string, ...flags: string[]) =>
    sites.run(['evidence', 'pack', '--delivery', delivery, '--out', out, '--config', zone, ...flags]);
  const { evidence } = await packZone(pack);
  const [own, ...parts] = evidence.ledgers;
  // that of the later medium has the end of the first writing too
  const [part, later] = parts.sort((a: any, b: any) => a.lines.length - b.lines.length);
  assert.deepEqual([own.checkpoint, part.site, later.site], [undefined, 'zone-a', 'zone-a']);
  assert.equal(later.lines.length, part.lines.length + 3);
  assert.deepEqual(
    part.lines.map(({ type, step, open }: any) => [type, step, open]),
    [
      ['approved', 'intent', undefined],
      ['approved', 'outcome', undefined],
      ['written', 'intent', undefined],
      ['proved', 'event', undefined],
    ],
  );
  const verify = (folder: string, exitCode?: number) =>
    sites.run(['evidence', 'verify', folder, ...keysOf(sites)], exitCode);
  const whole = await verify(pack);
  assert.deepEqual([whole.ok, whole.page], [true, 'same']);
  const [files, ledgers, signatures, stated] = blocksOf(await readFile(join(pack, 'VERIFY.md'), 'utf8')) as [
    string,
    string,
    string,
    string,
  ];
  for (const block of [files, ledgers, signatures, stated]) await ask(pack, block);
  assert.match(await readFile(join(pack, 'index.html'), 'utf8'), /zone-a 4<\/bdi>/);

  const forged = path('forged');
  for (const [name, block] of [
    [part.files[0], signatures],
    [`${part.checkpoint}.signed`, signatures],
    [own.files[0], ledgers],
  ] as const) {
    await cp(pack, forged, { recursive: true });
    const file = join(forged, name);
    const bytes = await readFile(file);
    const old = hashBytes(bytes).slice(7);
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(file, bytes);
    const sums = join(forged, 'SHA256SUMS');
    await writeFile(sums, (await readFile(sums, 'utf8')).replace(old, hashBytes(bytes).slice(7)));
    await ask(forged, files);
    await assert.rejects(ask(forged, block), name);
    assert.equal((await verify(forged, 4)).ok, false, name);
    await rm(forged, { recursive: true });
  }

  // a genuine statement in the place of another one
  for (const [name, other] of [
    ['receipt-zone-b-1', 'receipt-zone-b-2'],
    ...([passportsOf(evidence), passportsOf(evidence).toReversed()] as [string, string][]),
  ] as const) {
    await cp(pack, forged, { recursive: true });
    const sums = join(forged, 'SHA256SUMS');
    for (const end of ['signed', 'sig', 'sigstore.json']) {
      const [from, to] = [`statements/${other}.${end}`, `statements/${name}.${end}`];
      const bytes = await readFile(join(forged, from));
      const old = hashBytes(await readFile(join(forged, to))).slice(7);
      await writeFile(join(forged, to), bytes);
      const text = await readFile(sums, 'utf8');
      await writeFile(sums, text.replace(`${old}  ${to}`, `${hashBytes(bytes).slice(7)}  ${to}`));
    }
    await ask(forged, files);
    await assert.rejects(ask(forged, stated), name);
    await rm(forged, { recursive: true });
  }

  const hidden = path('hidden');
  const { evidence: withheld } = await packZone(hidden, '--redact', 'actors');
  const actors = withheld.ledgers.flatMap(({ lines }: any) => lines.map(({ actor }: any) => actor));
  assert.ok(actors.every((actor: string) => /^actor-[0-9]+$/.test(actor)));
  assert.equal((await readdir(hidden)).includes('ledger'), false);
  assert.equal((await verify(hidden)).ok, true);
});

test('a pack of a ledger whose end was cut does not hold: the receipt of the zone names a line that is gone', async (t) => {
  if (needs(t, 'openssl') === undefined) return;
  await using sites = await openCustodySites();
  const { path, source, sourceState } = sites;
  await writeFile(path('release.pub'), sites.medium.signer.publicKeyPem);
  const delivery = await deliver(sites);
  const pack = async (name: string) => {
    const out = path(name);
    const { evidence } = await sites.run([
      'evidence',
      'pack',
      '--delivery',
      delivery,
      '--out',
      out,
      '--config',
      source,
    ]);
    const blocks = blocksOf(await readFile(join(out, 'VERIFY.md'), 'utf8'));
    return { out, evidence, ledgers: blocks[1]! };
  };
  const whole = await pack('whole');
  assert.deepEqual(
    whole.evidence.signatures.map(({ kind, key }: any) => [kind, key !== undefined]).slice(-4),
    [
      ['receipt', true],
      ['passport', true],
      ['passport', true],
      ['approval', true],
    ],
  );
  await ask(whole.out, whole.ledgers);
  assert.equal((await sites.run(['evidence', 'verify', whole.out, ...keysOf(sites)])).ok, true);

  const ledger = join(sourceState, 'custody', `${new Date().getUTCFullYear()}.jsonl`);
  const lines = (await readFile(ledger, 'utf8')).split(/(?<=\n)/);
  const written = lines.findIndex((line) => line.includes('"type":"written"'));
  await writeFile(ledger, lines.slice(0, written + 1).join(''));
  const cut = await pack('cut');
  await assert.rejects(ask(cut.out, cut.ledgers));
  const { findings } = await sites.run(['evidence', 'verify', cut.out, ...keysOf(sites)], 4);
  assert.match(findings[0].detail, /does not have line [0-9]+, which statements\/receipt-zone-b-2 names/);
});

test('the passports and the public keys of a source are in its pack, also of keys that its configuration does not name', async (t) => {
  if (needs(t, 'openssl') === undefined) return;
  await using sites = await openCustodySites();
  const { path, source, run: svc } = sites;
  await writeFile(path('release.pub'), sites.medium.signer.publicKeyPem);
  const { signing: _signing, zone, ...settings } = JSON.parse(await readFile(source, 'utf8'));
  await writeFile(source, JSON.stringify({ ...settings, custody: { enabled: true, site: zone } }));
  for (const name of ['board', 'maker']) {
    const { privateKeyPem, publicKeyPem } = createSigner();
    await writeFile(path(`${name}.key`), privateKeyPem, { mode: 0o600 });
    await writeFile(path(`${name}.pub`), publicKeyPem);
  }
  await svc(['custody', 'approve', 'shop@1.4.0', '--key', path('board.key'), '--config', source]);
  const write = ['media', 'write', path('disk'), '--zone', 'zone-b', '--base', 'none', '--config', source];
  const { delivery } = await svc([...write, '--sign-key', path('maker.key')]);
  const pack = path('pack');
  const made = await svc(['evidence', 'pack', '--delivery', delivery.id, '--out', pack, '--config', source]);
  assert.deepEqual(
    made.evidence.signatures.map(({ kind, key = '' }: any) => [kind, key.replace(/-[0-9a-f]{12}\.pub$/, '')]),
    [
      ['recipe', 'keys/release'],
      ['recipe', 'keys/release'],
      ['passport', 'keys/zone-a'],
      ['approval', 'keys/approver'],
    ],
  );
  const blocks = blocksOf(await readFile(join(pack, 'VERIFY.md'), 'utf8'));
  for (const block of blocks.slice(0, 3)) await ask(pack, block);
  assert.ok(blocks[2]!.includes('statements/passport-'));
  const verify = ['evidence', 'verify', pack, '--key', path('release.pub'), '--approver', path('board.pub')];
  const { signatures } = await svc([...verify, '--key', `zone-a=${path('maker.pub')}`]);
  assert.deepEqual(
    signatures.map(({ kind, site }: any) => [kind, site]),
    [
      ['recipe', undefined],
      ['recipe', undefined],
      ['passport', 'zone-a'],
      ['approval', undefined],
    ],
  );
  const { findings } = await svc([...verify, '--key', `zone-b=${path('maker.pub')}`], 4);
  assert.match(
    findings.map(({ detail }: any) => detail).join(),
    /the key of site zone-b signed it, and it is a statement of zone-a/,
  );
});

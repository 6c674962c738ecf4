import assert from 'node:assert/strict';
import { access, cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { openForger } from '../../kit/result/evidence-forger.ts';
import { delivery, openSignedEvidence } from '../../kit/scene/evidence-site.ts';

test('a receipt that is kept no longer is stated, and the command names its line', async () => {
  await using other = await openSignedEvidence();
  for (const name of ['state/receipts', 'state/custody/receipts'])
    await rm(other.path(name), { recursive: true });
  const without = await other.packDelivery();
  const { exitCode, stderr } = await other.verify(without);
  assert.equal(exitCode, 0, stderr);
  assert.match(
    stderr.replaceAll(/\s+/g, ' '),
    /line [0-9]+ of zone-a names a statement that the pack does not have/,
  );
  const { forgotten } = JSON.parse((await other.verify(without, other.keys, '--output', 'json')).stdout);
  assert.deepEqual(
    forgotten.map(({ kind }: any) => kind),
    ['receipt'],
  );
  assert.match(await readFile(join(without, 'index.html'), 'utf8'), /the site did not have any more/);
});

test('a pack has a kept receipt about its delivery, and the last one of the zone as its anchor', async () => {
  await using other = await openSignedEvidence();
  await other.addReceipt(2);
  const { exitCode, stderr } = await other.verify(await other.packDelivery());
  assert.equal(exitCode, 0, stderr);
  const { signatures } = JSON.parse(await readFile(join(other.path('evidence'), 'evidence.json'), 'utf8'));
  assert.deepEqual(
    signatures.flatMap(({ kind, about }: any) => (kind === 'receipt' ? [about[0]] : [])).sort(),
    ['receipt 1 of zone-b', 'receipt 2 of zone-b'],
  );
});

test('the document and the page have what a receipt states, and a change of it is found', async () => {
  await using other = await openSignedEvidence();
  const { records } = other.medium;
  const [shop, depot] = [
    records.find(({ name }) => name === 'shop')!,
    records.find(({ name }) => name === 'depot')!,
  ];
  const inventory = [hashBytes('one blob')];
  const named = ({ name, version, digest, documentDigest }: typeof shop) => ({
    name,
    version,
    digest,
    documentDigest,
  });
  const away = {
    name: 'away',
    version: '3.0.0',
    digest: hashBytes('away'),
    documentDigest: hashBytes('away document'),
  };
  const held = { ...away, name: 'held', digest: hashBytes('held') };
  await other.addReceipt(2, {
    evidence: 'deep',
    destination: { sparse: 'refused', freeBytes: 3 * 2 ** 20 },
    freshness: { mediaId: 'medium-7', resolvedAt: '2026-02-28T12:00:00.000Z' },
    recipes: [
      { ...named(shop), state: 'present' },
      { ...named(depot), state: 'incomplete', missing: { files: 2, bytes: 4096 } },
      { ...away, state: 'blocked', code: 'SVC-SIG-001' },
      // as a later version adds it
      { ...held, state: 'present', ...{ later: 'member' } },
    ],
    inventory,
  });
  const packed = await other.packDelivery();
  assert.equal((await other.verify(packed)).exitCode, 0);
  const text = await readFile(join(packed, 'evidence.json'), 'utf8');
  const { receipt } = JSON.parse(text).signatures.find(
    ({ path }: any) => path === 'statements/receipt-zone-b-2',
  );
  assert.deepEqual(
    [receipt.zone, receipt.sequence, receipt.issuedAt, receipt.evidence, receipt.states, receipt.inventory],
    [
      ...['zone-b', 2, '2026-03-01T12:00:00.000Z', 'deep', { present: 2, incomplete: 1, blocked: 1 }],
      hashBytes(`${inventory[0]}\n`),
    ],
  );
  assert.deepEqual(
    receipt.recipes.map(({ name, code, missing }: any) => [name, code ?? missing?.files]),
    [
      ['shop', undefined],
      ['depot', 2],
      ['away', 'SVC-SIG-001'],
    ],
  );
  const page = await readFile(join(packed, 'index.html'), 'utf8');
  for (const shown of [
    ...[/>zone-b 2</, /each blob was read and hashed/, /2 present, 1 incomplete, 1 blocked/, /3 MiB free/],
    ...[
      /depot@2\.0\.0: waits for 2 files, 4 KiB/,
      /away@3\.0\.0: refused for SVC-SIG-001/,
      /medium medium-7 of/,
    ],
    new RegExp(`inventory ${receipt.inventory}`),
  ])
    assert.match(page, shown);
  const forged = other.path('forged');
  const { edit, reseal } = openForger(() => forged);
  await cp(packed, forged, { recursive: true });
  try {
    await edit(({ signatures }) => {
      const stated = signatures.find((one: any) => one.receipt?.sequence === 2).receipt;
      stated.recipes = stated.recipes.filter(({ state }: any) => state !== 'blocked');
    });
    await reseal();
    const { exitCode, stderr } = await other.verify(forged);
    assert.equal(exitCode, 4);
    assert.match(
      stderr.replaceAll(/\s+/g, ' '),
      /receipt-zone-b-2\.signed - it is not as evidence\.json states/,
    );
  } finally {
    await rm(forged, { recursive: true });
  }
});

test('a receipt that names a recipe otherwise than its document does is found, unless the zone refused it', async () => {
  await using other = await openSignedEvidence();
  const { digest } = other.medium.records.find(({ name }) => name === 'shop')!;
  const bank = { name: 'bank-core', version: '9.0.0', digest };
  await other.addReceipt(2, { recipes: [{ ...bank, state: 'blocked', code: 'SVC-SIG-001' }] });
  assert.equal((await other.verify(await other.packDelivery('refused'))).exitCode, 0);
  await other.addReceipt(3, { recipes: [{ ...bank, state: 'present' }] });
  const { exitCode, stderr } = await other.verify(await other.packDelivery('named'));
  assert.equal(exitCode, 4);
  assert.match(
    stderr.replaceAll(/\s+/g, ' '),
    /receipt-zone-b-3\.signed - it names recipe sha256:[0-9a-f]{64} bank-core@9\.0\.0, and its document is shop@1\.4\.0/,
  );
});

test('a receipt outside of the scope of a pack is bound to the line that names it, also where its zone signed another one', async () => {
  await using other = await openSignedEvidence();
  await other.addReceipt(2);
  const packed = await other.packDelivery();
  const path = 'statements/receipt-zone-b-2';
  const forged = other.path('forged');
  const { renameStatement, reseal } = openForger(() => forged);
  for (const [change, finding] of [
    [
      (text) => text.replace(/"issuedAt":"[0-9]+/, '"issuedAt":"2020'),
      /line [0-9]+ of zone-a names another receipt of this number: sha256:[0-9a-f]{64}, and this one is sha256:/,
    ],
    [
      (text) => text.replace('"sequence":2', '"sequence":3'),
      /receipt-zone-b-3\.signed - no line of the pack names it/,
    ],
  ] as readonly [(text: string) => string, RegExp][]) {
    await cp(packed, forged, { recursive: true });
    try {
      await renameStatement('receipt', other.signers['zone-b']!, change, path);
      await reseal();
      const { exitCode, stdout } = await other.verify(forged, other.keys, '--output', 'json');
      assert.equal(exitCode, 4, stdout);
      const findings = JSON.parse(stdout).findings.map(({ detail }: any) => detail);
      assert.ok(findings.length === 1 && finding.test(findings[0]), findings.join('\n'));
    } finally {
      await rm(forged, { recursive: true });
    }
  }
});

test('a receipt of the maker of the pack is told apart from one of another site', async () => {
  await using other = await openSignedEvidence();
  for (const name of ['state/receipts', 'state/custody/receipts'])
    await rm(other.path(name), { recursive: true });
  const seq = await other.issueReceipt();
  const own = await other.packDelivery();
  const { exitCode, stdout, stderr } = await other.verify(own);
  assert.equal(exitCode, 0, stderr);
  assert.match(stdout, new RegExp(`zone-a: [0-9]+ lines, named by its own key up to line ${seq}\n`));
  assert.doesNotMatch(stdout, /another site/);
  assert.match(stderr.replaceAll(/\s+/g, ' '), /no verified statement of another site names a line/);
  const { witnessed } = JSON.parse((await other.verify(own, other.keys, '--output', 'json')).stdout);
  assert.deepEqual(witnessed, { own: seq, others: [] });
  const page = await readFile(join(own, 'index.html'), 'utf8');
  assert.match(page, new RegExp(`by no other site.*by its own key up to line ${seq}`));
});

test('no pack is made of a ledger without the line that a receipt of this instance names', async () => {
  await using other = await openSignedEvidence();
  const [name] = (await readdir(other.path('state/custody'))).filter((one) => one.endsWith('.jsonl'));
  const ledger = other.path(`state/custody/${name}`);
  const refuse = async (about: RegExp, out: string) => {
    const { exitCode, stderr } = await other.pack('--delivery', delivery, '--out', other.path(out));
    assert.equal(exitCode, 4, stderr);
    assert.match(stderr.replaceAll(/\s+/g, ' '), about);
    await assert.rejects(access(other.path(out)));
  };
  const whole = await readFile(ledger, 'utf8');
  await rm(ledger);
  await refuse(/SVC-CUS-001: .* ends with line 0, and receipt 1 of zone zone-b names line/, 'gone');
  await writeFile(ledger, whole);
  const seq = await other.issueReceipt();
  const lines = (await readFile(ledger, 'utf8')).split(/(?<=\n)/);
  await writeFile(ledger, lines.slice(0, seq - 1).join(''));
  await refuse(/SVC-CUS-001: .* and the own receipt 1 of zone zone-a names line/, 'cut');
  await writeFile(ledger, lines.join(''));
  assert.equal((await other.verify(await other.packDelivery('restored'))).exitCode, 0);
});

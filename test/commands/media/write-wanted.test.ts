import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { toSubject, toZoneFile, writeReceipt } from '../../../src/attest/receipt.ts';
import type { MediumWriting } from '../../../src/contract/write-medium.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { openReceipts } from '../../../src/zone/receipts.ts';
import { toReceipt } from '../../kit/content/receipt.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { openWantingZone } from '../../kit/instance/wanting-zone.ts';
import { runCommand, runInLanguage } from '../../kit/program/run-command.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';

async function openWriter() {
  const source = await openWantingZone();
  const toArgs = (disk: string, flags: readonly string[]) => [
    ...['media', 'write', join(source.folder, disk), '--zone', 'zone-b', '--wanted'],
    ...['--config', source.configPath, ...flags],
  ];
  return {
    ...source,
    write: (disk: string, ...flags: readonly string[]) => runCommand(toArgs(disk, flags)),
    writeInFrench: (disk: string) => runInLanguage(toArgs(disk, ['--dry-run']), 'fr', {}),
  };
}

const toNames = (stdout: string): readonly string[] => {
  assertCliDocument('svc media write', stdout);
  return (JSON.parse(stdout) as MediumWriting).recipes.map(({ name }) => name);
};

test('only what the Retriever of the zone wants and the zone lacks is written, and nothing once it is on its way', async () => {
  await using source = await openWriter();
  await source.want('shop');
  const plan = await source.write('disk', '--dry-run', '--output', 'json');
  assert.equal(plan.exitCode, 5, plan.stderr);
  assert.deepEqual(toNames(plan.stdout), ['shop']);
  const written = await source.write('disk', '--output', 'json');
  assert.equal(written.exitCode, 0, written.stderr);
  assert.deepEqual(toNames(written.stdout), ['shop']);
  for (const flags of [['--dry-run'], []]) {
    const again = await source.write('next', ...flags);
    assert.equal(again.exitCode, 0, again.stderr);
    assert.match(
      again.stdout,
      /^nothing to write: zone-b has what its Retriever wants, or a delivery is on its way/,
    );
    const { stdout } = await source.write('next', ...flags, '--output', 'json');
    assert.deepEqual(toNames(stdout), []);
    assert.deepEqual((JSON.parse(stdout) as MediumWriting).volumes, []);
  }
  assert.ok(!existsSync(join(source.folder, 'next')));
});

test('a wanted recipe that the store does not have, or that no cookbook has, is named, and the others are written', async () => {
  await using source = await openWriter();
  source.publish('later');
  await source.want('shop', 'later', 'misspelt');
  const { exitCode, stdout, stderr } = await source.write('disk', '--output', 'json');
  assert.equal(exitCode, 1);
  assert.deepEqual(toNames(stdout), ['shop']);
  const { lacking = [], volumes } = JSON.parse(stdout) as MediumWriting;
  assert.deepEqual(
    lacking.map(({ name, version, error }) => [name, version, error.code]),
    [
      ['misspelt', undefined, 'SVC-REG-005'],
      ['later', '1.0.0', 'SVC-REG-005'],
    ],
  );
  assert.equal(volumes[0]?.state, 'written');
  assert.match(stderr, /SVC-REG-005/);
  await source.want('later');
  const none = await source.writeInFrench('other');
  assert.equal(none.exitCode, 1);
  assert.match(none.stdout, /rien à écrire pour zone-b\n {2}demandée, et absente d’ici\s:\slater@1\.0\.0/);
});

test('a wanted recipe that the zone would refuse again is left out, and named with its code', async () => {
  await using source = await openWriter();
  await source.want('shop', 'depot');
  const { privateKey, publicKeyPem } = createSigner();
  const keyFile = join(source.folder, 'zone-b.pub');
  await writeFile(keyFile, publicKeyPem);
  const peers = [{ name: 'zone-b', keyFile, for: ['receipt'] }];
  await writeFile(source.configPath, JSON.stringify({ ...source.config, peers }));
  const { stdout: all } = await source.write('disk', '--dry-run', '--output', 'json');
  const [{ digest }] = (JSON.parse(all) as MediumWriting).recipes.filter(({ name }) => name === 'shop') as [
    MediumWriting['recipes'][number],
  ];
  const stated = toReceipt({
    ...{ zone: 'zone-b', sequence: 1, issuedAt: new Date().toISOString() },
    recipes: [{ name: 'shop', version: '1.0.0', digest, state: 'blocked', code: 'SVC-SIG-001' }],
  });
  const signer = toSigner(privateKey);
  await openReceipts(source.config.state.root).add(
    writeReceipt(stated, [toSubject(toZoneFile('zone-b'))], signer),
    { keys: [{ name: 'zone-b', key: signer.publicKey, for: ['receipt'] }] },
  );
  const { stdout } = await source.write('disk', '--dry-run', '--output', 'json');
  assert.deepEqual(toNames(stdout), ['depot']);
  assert.deepEqual((JSON.parse(stdout) as MediumWriting).refused, [
    { name: 'shop', version: '1.0.0', code: 'SVC-SIG-001' },
  ]);
  assert.match(
    (await source.write('disk', '--dry-run')).stdout,
    /refused by the zone, and left out: shop@1\.0\.0: SVC-SIG-001: The zone accepts no signature of it/,
  );
  await source.want('shop');
  const none = await source.writeInFrench('disk');
  assert.match(
    none.stdout,
    /^rien à écrire pour zone-b\n {2}refusée par la zone, et laissée de côté\s:\sshop@1\.0\.0/,
  );
});

test('a zone without a Retriever that can be read is refused, and never gets the whole store', async () => {
  await using source = await openWriter();
  for (const [flags, exitCode, said] of [
    [['--zone', 'zone-b'], 2, /a disk is for one zone/],
    [['--recipe', 'shop'], 2, /--wanted chooses the recipes/],
    [['--dry-run'], 1, /SVC-REG-005.*zone-b\.yaml/s],
  ] as const) {
    const { exitCode: status, stdout, stderr } = await source.write('disk', ...flags);
    assert.deepEqual([status, stdout], [exitCode, ''], stderr);
    assert.match(stderr, said);
  }
  const unknown = await runCommand([
    ...['media', 'write', join(source.folder, 'disk'), '--zone', 'zone-d', '--wanted'],
    ...['--config', source.configPath],
  ]);
  assert.equal(unknown.exitCode, 1);
  assert.match(unknown.stderr, /The configuration has no zone of this name/);
  assert.ok(!existsSync(join(source.folder, 'disk')));
});

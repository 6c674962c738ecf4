import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSigner } from '../kit/content/signer.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { runInLanguage } from '../kit/program/run-command.ts';
import { assertCliDocument } from '../kit/result/cli-schema.ts';

const [release, zoneB, zoneC] = [createSigner(), createSigner('ed25519'), createSigner('p384')];

async function showTrust(config: object, language: 'en' | 'fr' = 'en') {
  await using folder = await openTempFolder('svc-peers-');
  const path = (name: string): string => join(folder.path, name);
  for (const [name, { publicKeyPem }] of Object.entries({ release, zoneB, zoneC }))
    await writeFile(path(`${name}.pub`), publicKeyPem);
  await writeFile(path('private.key'), zoneB.privateKeyPem);
  await writeFile(path('svc.yaml'), JSON.stringify(config));
  const args = ['trust', 'show', '--config', path('svc.yaml')];
  const json = await runInLanguage([...args, '--output', 'json'], 'en');
  const text = await runInLanguage(args, language);
  return { ...json, text: text.stdout, refusal: text.stderr };
}

const trust = { roots: [{ name: 'release', keyFile: './release.pub' }] };
const peer = { name: 'zone-b', keyFile: './zoneB.pub', for: ['receipt'] };

test('peers are shown with their keys and what they are for, apart from the roots', async () => {
  const source = { name: 'source', keyFile: './zoneC.pub', for: ['passport', 'checkpoint'] };
  const shown = await showTrust({ trust, peers: [peer, source] });
  assert.equal(shown.exitCode, 0, shown.stderr);
  assertCliDocument('svc trust show', shown.stdout);
  const { roots, peers } = JSON.parse(shown.stdout);
  assert.deepEqual(
    roots.map(({ name }: { name: string }) => name),
    ['release'],
  );
  assert.deepEqual(
    peers.map(({ name, fingerprint, type, for: kinds }: any) => [name, fingerprint, type, kinds]),
    [
      ['zone-b', zoneB.fingerprint, 'Ed25519', ['receipt']],
      ['source', zoneC.fingerprint, 'ECDSA P-384', ['passport', 'checkpoint']],
    ],
  );
  assert.match(shown.text, /Peers \(they approve no recipe\)\n {2}zone-b\n/);
  assert.match((await showTrust({ trust, peers: [peer] }, 'fr')).text, /Pairs \(ils n’approuvent aucune/);
});

test('a key may have a second name for checkpoints alone, behind the first', async () => {
  const again = { ...peer, name: 'zone-b-2', for: ['checkpoint'] };
  const { exitCode, refusal } = await showTrust({ trust, peers: [peer, again] });
  assert.equal(exitCode, 0, refusal);
  for (const peers of [
    [again, peer],
    [peer, { ...again, for: ['checkpoint', 'receipt'] }],
  ]) {
    const refused = await showTrust({ trust, peers });
    assert.match(refused.refusal, /has the key of peer zone-b(-2)?: .* for checkpoint alone/);
  }
});

test('one key is never a peer and a root, nor two peers', async () => {
  for (const [config, rule] of [
    [{ trust, peers: [{ ...peer, keyFile: './release.pub' }] }, /has the key of trust root release/],
    [
      { trust: { roots: [{ name: 'r', key: zoneB.publicKeyPem }] }, peers: [peer] },
      /has the key of trust root r/,
    ],
    [{ trust, peers: [peer, { ...peer, name: 'zone-c' }] }, /has the key of peer zone-b/],
    [{ trust, peers: [peer, { ...peer, keyFile: './zoneC.pub' }] }, /is also the name of another peer/],
    [{ trust, peers: [{ ...peer, name: 'release' }] }, /is also the name of a trust root/],
    [
      { trust, peers: [{ ...peer, keyFile: './private.key' }] },
      /invalid key of peer zone-b: it is a private key/,
    ],
    [{ trust, peers: [{ ...peer, keyFile: './absent.pub' }] }, /which does not exist/],
    [{ trust, peers: [{ ...peer, for: [] }] }, /at least one kind of statement/],
    [{ trust, peers: [{ ...peer, for: ['receipt', 'receipt'] }] }, /names a kind of statement twice/],
    [{ trust, peers: [{ ...peer, for: ['release'] }] }, /must be one of receipt, passport/],
    [{ trust, peers: [{ name: 'zone-b', for: ['receipt'] }] }, /keyFile is required/],
    [{ trust, peers: [{ ...peer, trusted: true }] }, /is not a setting/],
  ] as const) {
    const { exitCode, refusal } = await showTrust(config);
    assert.equal(exitCode, 1, `${rule}\n${refusal}`);
    assert.match(refusal, /SVC-CFG-001/);
    assert.match(refusal, rule);
  }
});

test('a peer’s key inside the store is refused, and a root never approves by a statement of svc', async () => {
  const inside = await showTrust({ storage: { root: '.' }, peers: [peer] });
  assert.equal(inside.exitCode, 3, inside.refusal);
  assert.match(inside.refusal, /SVC-CFG-002/);
  for (const type of ['urn:svc:receipt:v1', 'URN:SVC:passport:v2']) {
    const { exitCode, refusal } = await showTrust({
      trust: { roots: [{ name: 'release', keyFile: './release.pub', predicates: [type] }] },
    });
    assert.equal(exitCode, 1);
    assert.match(refusal, /statements of svc never approve a recipe/);
  }
});

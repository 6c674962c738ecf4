import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { toSubject, toZoneFile, writeReceipt } from '../../../src/attest/receipt.ts';
import { joinReceipts } from '../../../src/attest/receipt-file.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { toReceipt } from '../../kit/content/receipt.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { runCommand } from '../../kit/program/run-command.ts';

/** A source that believes receipts of two zones. */
async function openSource(t: TestContext) {
  const folder = await openTempFolder('svc-lines-');
  t.after(() => folder[Symbol.asyncDispose]());
  const path = (name: string): string => `${folder.path}/${name}`;
  const signers = { 'zone-b': createSigner(), 'zone-c': createSigner() };
  const peers = Object.entries(signers).map(([name, { publicKeyPem }]) => ({
    name,
    key: publicKeyPem,
    for: ['receipt'],
  }));
  for (const peer of peers) await writeFile(path(`${peer.name}.pub`), peer.key);
  const config = {
    state: { root: path('state') },
    peers: peers.map(({ name, for: kinds }) => ({ name, keyFile: path(`${name}.pub`), for: kinds })),
  };
  await writeFile(path('svc.yaml'), JSON.stringify(config));
  const bundle = (zone: keyof typeof signers): Buffer =>
    joinReceipts([
      writeReceipt(
        toReceipt({ zone, sequence: 3 }),
        [toSubject(toZoneFile(zone))],
        toSigner(signers[zone].privateKey),
      ),
    ]);
  const run = (...args: string[]) => runCommand(['receipt', 'add', ...args, '--config', path('svc.yaml')]);
  return { path, bundle, run };
}

test('each line of a forwarded file counts for itself, and is named by its number', async (t) => {
  const { path, bundle, run } = await openSource(t);
  const file = path('all.json');
  await writeFile(file, Buffer.concat([bundle('zone-b'), Buffer.from('\ngarbage\n'), bundle('zone-c')]));
  const { exitCode, stdout, stderr } = await run(file);
  assert.equal(exitCode, 4, stderr);
  assert.deepEqual(stdout.match(/of zone [\w-]+/g)?.sort(), ['of zone zone-b', 'of zone zone-c']);
  assert.match(stderr, /SVC-RCP-001: The receipt \S+all\.json:3 is not believed/);
  assert.equal(stderr.match(/SVC-RCP-001: /g)?.length, 1);
});

test('a bundle on several lines is one bundle', async (t) => {
  const { path, bundle, run } = await openSource(t);
  const file = path('one.json');
  const compact = JSON.stringify(JSON.parse(String(bundle('zone-b'))));
  await writeFile(file, `[\n${compact}\n]`);
  assert.match((await run(file)).stderr, /one\.json is not believed/);
  await writeFile(file, JSON.stringify(JSON.parse(compact), null, 2));
  const { exitCode, stdout, stderr } = await run(file);
  assert.equal(exitCode, 0, stderr);
  assert.match(stdout, /of zone zone-b/);
});

test('a file without any receipt is refused once, and leaves one audit record', async (t) => {
  const { path, run } = await openSource(t);
  const file = path('media.jsonl');
  await writeFile(file, '{"path":"blobs/sha256/aa","size":1}\n'.repeat(23));
  const { exitCode, stderr } = await run(file);
  assert.equal(exitCode, 4, stderr);
  assert.match(stderr, /SVC-RCP-001: The receipt \S+media\.jsonl is not believed/);
  assert.equal(stderr.match(/Audit: receipt\.accept/g)?.length, 1, stderr);
});

test('lines that are refused for one reason are named once and counted', async (t) => {
  const { path, bundle, run } = await openSource(t);
  const file = path('media.jsonl');
  await writeFile(file, Buffer.concat([Buffer.from('{"a":1}\n'.repeat(23)), bundle('zone-b')]));
  const { exitCode, stdout, stderr } = await run(file, file.replace('media', 'absent'));
  assert.equal(exitCode, 4);
  assert.match(stdout, /of zone zone-b/);
  assert.equal(stderr.match(/SVC-RCP-001: /g)?.length, 1);
  assert.match(stderr, /media\.jsonl:1 is not\s+believed/);
  assert.match(stderr, /^svc: 22 more lines alike$/m);
  assert.match(stderr, /SVC-FIL-005/, 'another file is never folded');
});

for (const [kind, spoil] of [
  ['a pipe', async (path: string) => assert.equal(spawnSync('mkfifo', [path]).status, 0)],
  ['a folder', (path: string) => mkdir(path)],
  [
    'a file beyond the limit',
    async (path: string) => {
      await writeFile(path, '');
      await truncate(path, 3 * 2 ** 30);
    },
  ],
] as const)
  test(`a receipt is accepted beside an inventory that is ${kind}`, async (t) => {
    const { path, bundle, run } = await openSource(t);
    await writeFile(path('a2'), bundle('zone-b'));
    await spoil(path('a2.inventory'));
    const { exitCode, stdout, stderr } = await run(path('a2'));
    assert.equal(exitCode, 0, stderr);
    assert.match(stdout, /of zone zone-b/);
    const said = stderr.replaceAll(/\s+/g, ' ');
    assert.match(said, /svc: warning: the inventory beside the receipt is not used: .*a2\.inventory/);
    assert.match(said, /or remove it/);
  });

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { toSubject, toZoneFile, writeReceipt } from '../../../src/attest/receipt.ts';
import { hashBytes } from '../../../src/base/digest.ts';
import { receiptLimits } from '../../../src/contract/receipt.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { toReceipt } from '../../kit/content/receipt.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { startInstance } from '../../kit/instance/instance.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { buildMedium } from '../../kit/scene/medium.ts';

const signer = createSigner();
const sign = (receipt: Parameters<typeof toReceipt>[0], by = signer): string =>
  writeReceipt(toReceipt(receipt), [toSubject(toZoneFile('zone-b'))], toSigner(by.privateKey)).toString();

test('receipts are added and listed, and refused with the codes of the command', async () => {
  await using folder = await openTempFolder();
  const keyFile = join(folder.path, 'zone-b.pub');
  await writeFile(keyFile, signer.publicKeyPem);
  await using instance = await startInstance({
    folder: folder.path,
    config: { peers: [{ name: 'zone-b', keyFile, for: ['receipt'] }] },
  });
  const add = async (receipt: string, more: object = {}) => {
    const { status, body } = await instance.api('POST', '/receipts', { receipt, ...more });
    return [status, body.code ?? body.isNew, body.receipt?.sequence];
  };
  assert.deepEqual((await instance.api('GET', '/receipts')).body, { receipts: [] });
  assert.deepEqual(await add(sign({ sequence: 7, recipes: 3 })), [200, true, 7]);
  assert.deepEqual(await add(sign({ sequence: 8, recipes: 3 })), [200, true, 8]);
  const older = sign({ sequence: 7 });
  assert.deepEqual(await add(older), [409, 'SVC-RCP-002', undefined]);
  assert.deepEqual(await add(sign({ sequence: 8, recipes: 4 })), [409, 'SVC-RCP-003', undefined]);
  assert.deepEqual(await add(sign({ sequence: 9 }, createSigner())), [422, 'SVC-RCP-001', undefined]);
  assert.deepEqual(await add('{}'), [422, 'SVC-RCP-001', undefined]);
  assert.deepEqual(await add(' '.repeat(receiptLimits.bytes + 1)), [422, 'SVC-VAL-001', undefined]);
  const { body } = await instance.api('GET', '/receipts');
  assert.deepEqual(
    body.receipts.map(({ zone, sequence, own, verified, believed, recipes }: any) => [
      zone,
      sequence,
      own,
      verified,
      // another receipt with its number was refused
      believed,
      recipes,
    ]),
    [['zone-b', 8, false, true, false, { present: 3, incomplete: 0, blocked: 0 }]],
  );
  assert.deepEqual(await add(sign({ sequence: 7 }), { allowOlder: true }), [200, true, 7]);
  const several = [sign({ sequence: 9, recipes: 1 }), sign({ sequence: 11, recipes: 2 })].join('\n');
  const { others } = (await instance.api('POST', '/receipts', { receipt: several })).body;
  assert.deepEqual(
    others.map(({ receipt, isNew }: any) => [receipt.sequence, isNew]),
    [[11, true]],
  );
  const foreign = sign({ sequence: 13 }, createSigner());
  assert.deepEqual(await add(`${foreign}\n${sign({ sequence: 13 })}\n`), [422, 'SVC-RCP-001', undefined]);
  assert.equal((await instance.api('GET', '/receipts')).body.receipts[0].sequence, 13);
  const { records } = (await instance.api('GET', '/history?action=receipt.accept&order=asc')).body;
  assert.deepEqual(
    records.slice(0, 2).map(({ target, details }: any) => [target, details.sequence]),
    [
      ['receipt 7 of zone-b', 7],
      ['receipt 8 of zone-b', 8],
    ],
  );
  // of one that is not believed, the file; of a body that was not read, the request
  const refused = records
    .filter(({ outcome }: any) => outcome !== 'success')
    .map(({ target }: any) => target);
  assert.ok(refused.includes(hashBytes(older)));
  assert.ok(refused.includes('POST /api/v1/receipts'));
});

test('only an administrator accepts an earlier receipt', async () => {
  await using folder = await openTempFolder();
  await using instance = await startInstance({ folder: folder.path });
  const authorization = `Bearer ${await instance.createToken('operator')}`;
  const ask = async (body: object) => {
    const answer = await fetch(`${instance.url}/api/v1/receipts`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return [answer.status, ((await answer.json()) as any).code];
  };
  assert.deepEqual(await ask({ receipt: sign({}) }), [422, 'SVC-RCP-001']);
  for (const allowOlder of [true, false])
    assert.deepEqual(await ask({ receipt: sign({}), allowOlder }), [403, 'SVC-AUTH-003']);
});

test('an instance that imports a medium writes a receipt, and lists it as its own', async () => {
  await using medium = await buildMedium();
  await using registry = await createRegistryDouble();
  await using folder = await openTempFolder();
  const keyFile = join(folder.path, 'zone-b.key');
  await writeFile(keyFile, signer.privateKeyPem, { mode: 0o600 });
  await using instance = await startInstance({
    folder: folder.path,
    config: {
      mode: 'mirror',
      zone: 'zone-b',
      storage: { root: medium.root },
      registries: { insecure: [registry.host] },
      destination: { registry: registry.host },
      trust: { roots: [{ name: 'release', key: medium.signer.publicKeyPem }] },
      signing: { keyFile },
    },
  });
  const { body } = await instance.api('POST', '/media/import', {});
  await eventually('the import is done', async () => {
    const answer = await instance.api('GET', `/tasks/${body.task.id}`);
    return answer.body.task.status === 'done';
  });
  const { receipts } = (await instance.api('GET', '/receipts')).body;
  assert.deepEqual(
    receipts.map(({ zone, sequence, own, recipes }: any) => [zone, sequence, own, recipes.present]),
    [['zone-b', 1, true, 2]],
  );
});

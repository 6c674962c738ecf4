import assert from 'node:assert/strict';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { silentReport } from '../../../src/base/report.ts';
import type { FileIdentity } from '../../../src/disk/threads/hash-file.ts';
import { blobPath } from '../../../src/oci/layout.ts';
import { openPartsProof } from '../../../src/operation/prove/prove-parts.ts';
import { openSplitDelivery, type SplitDelivery } from '../../kit/scene/split-delivery.ts';
import { trust } from '../../kit/scene/verify-carried.ts';

let delivery: SplitDelivery;
before(async () => {
  delivery = await openSplitDelivery();
});
after(() => delivery[Symbol.asyncDispose]());

/** The proof for a zone that has the layer of the base. */
const open = () =>
  openPartsProof({
    zone: 'zone-b',
    policy: trust(delivery.medium.signer),
    content: new Map(),
    held: new Map([[delivery.layers.yard[0], delivery.artifacts.yard.blobs[1]!.bytes.length]]),
    report: silentReport,
    version: '0.0.0-test',
  });

test('parts are proved one after the other, and the last one proves the delivery', async () => {
  const proving = await open();
  for (const part of [1, 2] as const)
    assert.equal(await proving.add((await delivery.carry(part)).root), true);
  const proof = await proving.conclude();
  assert.deepEqual([proof.verdict, proof.findings], ['proved', []]);
  assert.deepEqual(
    proof.steps.map(({ name }) => name),
    ['media', 'trust', 'import', 'capacity'],
  );
});

test('a part is proved while a later one is missing, whose absence is an error at the end', async () => {
  const proving = await open();
  assert.equal(await proving.add((await delivery.carry(1)).root), true);
  const { verdict, findings } = await proving.conclude();
  assert.equal(verdict, 'refused');
  assert.deepEqual(findings.map(({ subject, code }) => [subject, code]).sort(), [
    ['shop@1.0.0', 'SVC-MED-041'],
    ['yard@1.0.0', 'SVC-MED-041'],
  ]);
});

test('a first disk that left is missed only where a file is cut over it', async () => {
  const proving = await open();
  const { root } = await delivery.carry(1);
  assert.equal(await proving.add(root), true);
  await rm(root, { recursive: true });
  assert.equal(await proving.add((await delivery.carry(2)).root), false);
  const { findings } = await proving.conclude();
  assert.ok(findings.length > 0);
  assert.ok(findings.every(({ subject }) => subject.startsWith('shop@1.0.0')));
});

for (const [recipe, of] of [
  ['depot', 'a complete recipe'],
  ['shop', 'a recipe that waits for another part'],
] as const)
  test(`a blob of ${of} that the writing read back is hashed again only where its file changed`, async () => {
    const { root } = await delivery.carry(1);
    const [digest] = delivery.layers[recipe];
    const path = join(root, blobPath(digest));
    const identify = async (): Promise<FileIdentity> => {
      const { dev, ino, size, ctimeNs } = await stat(path, { bigint: true });
      return { device: dev, inode: ino, size: Number(size), ctimeNs };
    };
    const toReadBack = (identity: FileIdentity) => new Map([[blobPath(digest), { digest, identity }]]);
    const before = await identify();
    await writeFile(path, Buffer.alloc(before.size));
    // as damaged as it is: only bytes that are not read can pass
    assert.equal(await (await open()).add(root, toReadBack(await identify())), true);
    const proving = await open();
    assert.equal(await proving.add(root, toReadBack(before)), false);
    const { findings } = await proving.conclude();
    assert.ok(findings.some(({ code }) => code === 'SVC-MED-012'));
  });

test('a damaged part, and a folder that cannot be read, are findings', async () => {
  const { root } = await delivery.carry(1);
  await writeFile(join(root, 'blobs', ...delivery.layers.depot[0].split(':')), 'damaged');
  const proving = await open();
  assert.equal(await proving.add(root), false);
  const absent = join(root, 'absent');
  assert.equal(await proving.add(absent), false);
  const { verdict, findings } = await proving.conclude();
  assert.equal(verdict, 'refused');
  assert.ok(findings.some(({ subject }) => subject === absent));
});

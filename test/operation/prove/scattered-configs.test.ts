import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import { parsePlatform } from '../../../src/oci/platform.ts';
import type { ProofBase } from '../../../src/operation/prove/seed-base.ts';
import type { AbsentBlob } from '../../../src/store/rest/absent-list.ts';
import { type Artifact, buildImage, toManifest } from '../../kit/content/content.ts';
import { toReceipt } from '../../kit/content/receipt.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { type BuiltMedium, buildMedium } from '../../kit/scene/medium.ts';
import { carryPart } from '../../kit/scene/partial-medium.ts';
import { proveFolders } from '../../kit/scene/prove-folders.ts';

const platform = parsePlatform('linux/amd64')!;
const single = buildImage('single');
/** An index that leaves the platform of its image to the configuration of the image. */
const child = buildImage('child');
const nameless: Artifact = {
  manifest: toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociIndex,
    manifests: [child.manifest.descriptor],
  }),
  children: [{ platform: 'linux/amd64', artifact: child }],
  blobs: [],
};
const configs = [single, child].map(({ blobs }) => blobs[0]!.descriptor.digest);
const layers = [single, child].map(({ blobs }) => blobs[1]!.descriptor.digest);

let medium: BuiltMedium;
before(async () => {
  const ingredients = [
    { name: 'single', kind: 'ContainerImage', ref: 'origin.example/single', tag: '1.0', artifact: single },
    {
      name: 'nameless',
      kind: 'ContainerImage',
      ref: 'origin.example/nameless',
      tag: '1.0',
      artifact: nameless,
    },
  ] as const;
  medium = await buildMedium({
    recipes: [{ name: 'shop', version: '1.0.0', layout: 'bundle', ingredients }],
    inMemory: true,
  });
});
after(() => medium[Symbol.asyncDispose]());

const carry = async (part: number, parts: number, absent: readonly Digest[], at: AbsentBlob['at']) => {
  const { root } = await carryPart(medium, {
    delivery: { id: 'dlv_0123456789ab', part, parts },
    absent: new Map(absent.map((digest) => [digest, at])),
    ...(at === 'base' ? { base: { zone: 'zone-b', receipt: hashBytes('receipt'), sequence: 7 } } : {}),
  });
  return root;
};

const prove = (
  folders: readonly string[],
  more: { readonly named?: string; readonly base?: ProofBase } = {},
) =>
  proveFolders(folders, [medium.signer], {
    platforms: [more.named === undefined ? platform : parsePlatform(more.named)!],
    base: more.base,
    strict: true,
  });

test('the platform of an image is read when its configuration is on another part', async () => {
  const parts = [await carry(1, 2, configs, [2]), await carry(2, 2, layers, [1])];
  for (const folders of [parts, parts.toReversed()]) {
    const proof = await prove(folders);
    assert.deepEqual([proof.verdict, proof.findings], ['proved', []]);
    const other = await prove(folders, { named: 'linux/s390x' });
    assert.deepEqual(
      other.findings.map(({ code, subject, params }) => [code, subject, params.available]),
      [
        ['SVC-CLO-002', 'origin.example/single:1.0', ['linux/amd64']],
        ['SVC-CLO-002', 'origin.example/nameless:1.0', ['linux/amd64']],
      ],
    );
  }
});

test('the platform of an image is read in the store of the sender when the zone has its configuration', async () => {
  const delta = await carry(1, 1, configs, 'base');
  await using store = await openStoreAt({ root: medium.root }, { access: 'read', zone: 'zone-b' });
  const receipt = toReceipt({
    sequence: 7,
    destination: { sparse: 'accepted', freeBytes: 1e9 },
    recipes: medium.records.map(({ name, version, digest }) => ({ name, version, digest, state: 'present' })),
  });
  const proof = await prove([delta], { base: { receipt, store } });
  assert.deepEqual([proof.verdict, proof.findings], ['proved', []]);
  assert.ok(!proof.limits.some(({ name }) => name === 'unread-content'));
  const sizes = [single, child].map(({ blobs }) => blobs[0]!.bytes.length);
  const closure = new Map(configs.map((digest, i) => [digest, sizes[i]!]));
  const without = await prove([delta], { base: { receipt, sent: { closure: async () => closure } } });
  assert.deepEqual([without.verdict, without.findings], ['proved', []]);
  assert.ok(without.limits.some(({ name }) => name === 'unread-content'));
});

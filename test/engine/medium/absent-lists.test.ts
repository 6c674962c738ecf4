import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import { absentListPath, formatAbsentBlob, segmentPath } from '../../../src/store/rest/absent-list.ts';
import type { ErrorCode } from '../../../src/text/errors/registry.ts';
import { buildImage } from '../../kit/content/content.ts';
import type { CarriedMedium } from '../../kit/scene/carried-medium.ts';
import { buildMedium } from '../../kit/scene/medium.ts';
import { carryPart } from '../../kit/scene/partial-medium.ts';
import { trust, verifyCarried } from '../../kit/scene/verify-carried.ts';

const artifact = buildImage('shop', { ownLayers: 3, layerSize: 4096 });
const layers = artifact.blobs.slice(1).map(({ descriptor }) => descriptor.digest) as [Digest, Digest, Digest];
const medium = await buildMedium({
  recipes: [
    {
      name: 'shop',
      version: '1.0.0',
      layout: 'bundle',
      ingredients: [
        { name: 'image', kind: 'ContainerImage', ref: 'origin.example/shop/image', tag: '1.0.0', artifact },
      ],
    },
  ],
});
test.after(() => medium[Symbol.asyncDispose]());
const policy = trust(medium.signer);
const base = { zone: 'zone-b', receipt: hashBytes('receipt'), sequence: 7 };
const delivery = { id: 'dlv_0123456789ab', part: 1, parts: 3 };

/** A part without its first layer, and with the second one in two segments. */
const carryOne = (): Promise<CarriedMedium> =>
  carryPart(medium, {
    delivery,
    base,
    absent: new Map([[layers[0], [2]]]),
    cut: new Map([
      [
        layers[1],
        [
          [0, 1000],
          [1000, 4096],
        ],
      ],
    ]),
  });

async function judge(part: CarriedMedium) {
  const { report } = await verifyCarried(part.root, policy);
  return {
    blocks: report.blocks.map(({ code }) => code),
    reason: report.recipes[0]?.reason?.code,
    findings: report.findings.map(({ code, path }) => `${code} ${path}`),
    needs: report.recipes[0]?.needs?.map(({ from, part }) => part ?? from),
  };
}

/** Replaces the list of absent blobs, and its line in the manifest. */
async function writeList(part: CarriedMedium, text: string | Buffer): Promise<void> {
  await writeFile(join(part.root, absentListPath), text);
  await part.relist(absentListPath);
}

const segment = (offset: number): string => segmentPath({ digest: layers[1], offset });
const absent = (digest: Digest, size = 4096) => formatAbsentBlob({ digest, size, at: [2] });

test('a part is sound although blobs are elsewhere, and in segments', async () => {
  const part = await carryOne();
  assert.deepEqual(await judge(part), { blocks: [], reason: undefined, findings: [], needs: [2] });
});

type Spoil = (part: CarriedMedium) => Promise<unknown>;

const blocking: Readonly<Record<string, readonly [Spoil, ErrorCode]>> = {
  'the list is altered': [
    (part) => writeFile(join(part.root, absentListPath), absent(layers[2]).repeat(2)),
    'SVC-MED-011',
  ],
  'a byte of the list is altered': [
    (part) => writeFile(join(part.root, absentListPath), absent(layers[0]).replace('[2]', '[3]')),
    'SVC-MED-012',
  ],
  'the list is gone': [(part) => rm(join(part.root, absentListPath)), 'SVC-MED-010'],
  'the list names a blob of the medium': [
    (part) =>
      writeList(
        part,
        [layers[0], layers[2]]
          .sort()
          .map((one) => absent(one))
          .join(''),
      ),
    'SVC-MED-002',
  ],
  'the list is no list': [(part) => writeList(part, 'absent\n'), 'SVC-MED-002'],
  'the list names part 4 of 3': [
    (part) => writeList(part, absent(layers[0]).replace('[2]', '[4]')),
    'SVC-MED-002',
  ],
  'the list names a blob twice': [(part) => writeList(part, absent(layers[0]).repeat(2)), 'SVC-MED-002'],
  'the header names part 4 of 3': [
    (part) =>
      part.editManifest((header, lines) => {
        header.delivery.part = 4;
        return lines;
      }),
    'SVC-MED-002',
  ],
  'the header names no delivery': [
    (part) =>
      part.editManifest((header, lines) => {
        delete header.delivery;
        return lines;
      }),
    'SVC-MED-002',
  ],
};
for (const [name, [spoil, code]] of Object.entries(blocking))
  test(`a part is blocked: ${name}`, async () => {
    const part = await carryOne();
    await spoil(part);
    const { blocks, findings } = await judge(part);
    assert.ok(blocks.includes(code), blocks.join());
    // a flaw of the list says nothing of an intact segment
    assert.ok(!findings.some((finding) => finding.startsWith('SVC-MED-015')), findings.join());
  });

const failing: Readonly<Record<string, readonly [Spoil, ErrorCode]>> = {
  'a blob is neither here nor in the list': [(part) => writeList(part, ''), 'SVC-MED-010'],
  'the list gives a blob another size': [(part) => writeList(part, absent(layers[0], 4095)), 'SVC-MED-002'],
  'a segment is gone': [(part) => rm(join(part.root, segment(0))), 'SVC-MED-010'],
  'a segment is altered': [
    (part) => writeFile(join(part.root, segment(0)), Buffer.alloc(1000)),
    'SVC-MED-012',
  ],
  'a segment is longer': [
    (part) => writeFile(join(part.root, segment(0)), Buffer.alloc(1001)),
    'SVC-MED-011',
  ],
  'segments overlap': [
    async (part) => {
      await writeFile(join(part.root, segment(0)), Buffer.alloc(1001));
      await part.relist(segment(0));
    },
    'SVC-MED-002',
  ],
  'segments leave a gap': [
    async (part) => {
      await writeFile(join(part.root, segment(0)), Buffer.alloc(999));
      await part.relist(segment(0));
    },
    'SVC-MED-002',
  ],
  'segments exceed the blob': [
    async (part) => {
      await writeFile(join(part.root, segment(1000)), Buffer.alloc(3097));
      await part.relist(segment(1000));
    },
    'SVC-MED-002',
  ],
  'the last segment is short': [
    async (part) => {
      await writeFile(join(part.root, segment(1000)), Buffer.alloc(3000));
      await part.relist(segment(1000));
    },
    'SVC-MED-002',
  ],
  'a segment is empty': [
    async (part) => {
      await writeFile(join(part.root, segment(4096)), '');
      await part.relist(segment(4096));
    },
    'SVC-MED-002',
  ],
};
for (const [name, [spoil, code]] of Object.entries(failing))
  test(`a recipe is blocked: ${name}`, async () => {
    const part = await carryOne();
    await spoil(part);
    const { blocks, reason } = await judge(part);
    assert.deepEqual(blocks, []);
    assert.equal(reason, code);
  });

test('a manifest in the list of absent blobs is missing all the same', async () => {
  const part = await carryOne();
  const { digest, size } = artifact.manifest.descriptor;
  await rm(part.blob(digest));
  await part.editManifest((_, lines) => lines.filter(({ path }) => !path.endsWith(digest.slice(7))));
  await writeList(part, [absent(layers[0]), absent(digest, size)].sort().join(''));
  assert.equal((await judge(part)).reason, 'SVC-MED-010');
});

test('a list that names a blob which no recipe needs is reported, and changes no verdict', async () => {
  const part = await carryOne();
  await writeList(part, [absent(layers[0]), absent(hashBytes('foreign'))].sort().join(''));
  assert.deepEqual(await judge(part), {
    ...{ blocks: [], reason: undefined, needs: [2] },
    findings: [`SVC-MED-022 ${absentListPath}`],
  });
});

test('segments of content that no recipe needs, and unlisted ones, are reported', async () => {
  const part = await carryOne();
  const path = segmentPath({ digest: hashBytes('foreign'), offset: 0 });
  await mkdir(join(part.root, dirname(path)), { recursive: true });
  await writeFile(join(part.root, path), 'x');
  await part.relist(path);
  await writeFile(join(part.root, 'segments', 'note'), 'x');
  const { blocks, findings, reason } = await judge(part);
  assert.deepEqual([blocks, reason], [[], undefined]);
  assert.deepEqual(findings, ['SVC-MED-020 segments/note', `SVC-MED-021 ${path}`]);
});

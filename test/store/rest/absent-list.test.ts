import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import {
  type AbsentBlob,
  formatAbsentBlob,
  parseAbsentList,
  parseSegmentPath,
  segmentPath,
} from '../../../src/store/rest/absent-list.ts';
import { isSvcError } from '../../../src/text/error.ts';

const about = {
  mediaId: '00000000-0000-4000-8000-000000000000',
  delivery: { id: 'dlv_0123456789ab', part: 2, parts: 3 },
  base: { zone: 'ship', receipt: hashBytes('receipt'), sequence: 7 },
};
const [first, second, third] = ['a', 'b', 'c'].map((text) => hashBytes(text)).sort() as [
  `sha256:${string}`,
  `sha256:${string}`,
  `sha256:${string}`,
];
const blobs: readonly AbsentBlob[] = [
  { digest: first, size: 0, at: 'base' },
  { digest: second, size: 5, at: [1] },
  { digest: third, size: 2 ** 40, at: [1, 2, 3] },
];
const whole = blobs.map(formatAbsentBlob).join('');

async function parse(text: string | Buffer, header: Parameters<typeof parseAbsentList>[1] = about) {
  const bytes = Buffer.from(text as string);
  const cut = async function* () {
    for (let i = 0; i < bytes.length; i += 50) yield bytes.subarray(i, i + 50);
  };
  return [...(await parseAbsentList(cut(), header)).values()];
}

test('absent blobs are read back as they were written', async () => {
  assert.deepEqual(await parse(whole), blobs);
  assert.deepEqual(await parse(''), []);
});

const line = (change: object) => `${JSON.stringify({ digest: first, size: 1, at: 'base', ...change })}\n`;
const refused: Readonly<Record<string, string | Buffer>> = {
  'no JSON': 'x\n',
  'no digest': line({ digest: 'sha256:../../x' }),
  'a negative size': line({ size: -1 }),
  'a size that is no integer': line({ size: 1.5 }),
  'no place': line({ at: undefined }),
  'another place': line({ at: 'elsewhere' }),
  'two places': line({ parts: [1] }),
  'no part': line({ at: undefined, parts: [] }),
  'part 0': line({ at: undefined, parts: [0] }),
  'part 4 of 3': line({ at: undefined, parts: [4] }),
  'a part twice': line({ at: undefined, parts: [1, 1] }),
  'parts out of order': line({ at: undefined, parts: [3, 1] }),
  'this part alone': line({ at: undefined, parts: [2] }),
  'parts as text': line({ at: undefined, parts: ['1'] }),
  'lines out of order': blobs.toReversed().map(formatAbsentBlob).join(''),
  'a digest twice': formatAbsentBlob(blobs[0]!).repeat(2),
  'a cut last line': whole.slice(0, -1),
  'text that is not UTF-8': Buffer.from([0xff, 0x0a]),
  'an endless line': `${' '.repeat(10_000)}\n`,
};
for (const [name, text] of Object.entries(refused))
  test(`a list is refused: ${name}`, async () => {
    await assert.rejects(
      parse(text),
      (error) => isSvcError(error, 'SVC-MED-002') && error.params.path === 'absent.jsonl',
    );
  });

test('a blob at the base needs a receipt, and one on another part a delivery', async () => {
  const { base: _, ...withoutBase } = about;
  await assert.rejects(parse(formatAbsentBlob(blobs[0]!), withoutBase));
  const { delivery: __, ...alone } = about;
  await assert.rejects(parse(formatAbsentBlob(blobs[1]!), alone));
});

test('the path of a segment names its blob and its first byte', () => {
  const segment = { digest: first, offset: 4_294_967_295 };
  assert.deepEqual(parseSegmentPath(segmentPath(segment)), segment);
  const hex = first.slice('sha256:'.length);
  for (const path of [
    `segments/sha256/${hex}`,
    `segments/sha256/${hex}/01`,
    `segments/sha256/${hex}/-1`,
    `segments/sha256/${hex}/1e3`,
    `segments/sha256/${hex}/99999999999999999`,
    `segments/sha256/${hex}/0/0`,
    `segments/sha512/${hex}/0`,
    `segments/sha256/${hex.toUpperCase()}/0`,
    `blobs/sha256/${hex}/0`,
  ])
    assert.equal(parseSegmentPath(path), undefined, path);
});

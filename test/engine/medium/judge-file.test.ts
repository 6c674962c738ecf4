import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import type { HashOutcome } from '../../../src/disk/threads/hash-file.ts';
import { checkBlob, type MediumFiles, toFileProblem } from '../../../src/engine/medium/judge-file.ts';
import { blobPath } from '../../../src/oci/layout.ts';
import { isSvcError } from '../../../src/text/error.ts';

const digest = hashBytes('content');
const other = hashBytes('other');
const path = blobPath(digest);
const identity = { device: 1n, inode: 2n, size: 7, ctimeNs: 3n };
const good: HashOutcome = { digest, identity };

const files = (
  listed: { size: number; digest: typeof digest } | undefined,
  outcome: HashOutcome | undefined,
  isThere = true,
): MediumFiles => ({
  root: '/medium',
  listed: (asked) => (asked === path ? listed : undefined),
  outcome: (asked) => (asked === path ? outcome : undefined),
  has: (asked) => asked === path && isThere,
});
const line = { size: 7, digest };

const cases: readonly [
  name: string,
  files: MediumFiles,
  size: number | undefined,
  code: string | undefined,
][] = [
  ['listed and whole', files(line, good), 7, undefined],
  ['listed and whole, of a size that nobody demands', files(line, good), undefined, undefined],
  ['neither there nor listed', files(undefined, undefined, false), 7, 'SVC-MED-010'],
  ['listed and not there', files(line, undefined, false), 7, 'SVC-MED-010'],
  ['there and not listed', files(undefined, undefined), 7, 'SVC-MED-013'],
  ['of another size than its line says', files(line, { problem: 'size', actual: 6 }), 7, 'SVC-MED-011'],
  ['of another size than its document says', files(line, good), 8, 'SVC-MED-011'],
  ['with other bytes', files(line, { digest: other, identity }), 7, 'SVC-MED-012'],
  [
    'with other bytes that its line knows',
    files({ size: 7, digest: other }, { digest: other, identity }),
    7,
    'SVC-MED-012',
  ],
  ['with a line that says other bytes', files({ size: 7, digest: other }, good), 7, 'SVC-MED-012'],
  ['unreadable', files(line, { problem: 'unreadable', detail: 'EIO' }), 7, 'SVC-MED-014'],
];

for (const [name, known, size, code] of cases) {
  test(`a file that is ${name}: ${code ?? 'nothing is wrong'}`, () => {
    assert.equal(toFileProblem(known, path, digest, size)?.code, code);
    const reached = new Map();
    if (code === undefined) {
      checkBlob(known, digest, size, reached);
      assert.deepEqual(reached.get(digest), identity);
    } else {
      assert.throws(
        () => checkBlob(known, digest, size, reached),
        (error) => isSvcError(error),
      );
      assert.equal(reached.size, 0);
    }
  });
}

test('a blob that was reached is still held to the size that another document says', () => {
  const reached = new Map();
  const known = files(line, good);
  checkBlob(known, digest, 7, reached);
  assert.throws(
    () => checkBlob(known, digest, 8, reached),
    (error) => isSvcError(error, 'SVC-MED-011'),
  );
});

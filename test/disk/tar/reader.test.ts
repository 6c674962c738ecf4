import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { TarError } from '../../../src/disk/tar/error.ts';
import { type TarMember, TarReader } from '../../../src/disk/tar/reader.ts';
import {
  type RawMember,
  toArchive,
  toLongName,
  toPax,
  toRawArchive,
  toRawMember,
} from '../../kit/content/tar-archive.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { needs } from '../../kit/program/peers.ts';

interface Read extends TarMember {
  readonly content: string;
}

const limits = { headers: 100, extensionBytes: 4096 };

function read(archive: Buffer, pieceBytes = archive.length || 1): Read[] {
  const found: Read[] = [];
  let content: Buffer[] = [];
  const reader = new TarReader(
    {
      begin: () => {
        content = [];
      },
      content: (chunk) => content.push(Buffer.from(chunk)),
      end: (member) => {
        found.push({ ...member, content: Buffer.concat(content).toString('latin1') });
      },
    },
    limits,
  );
  for (let at = 0; at < archive.length; at += pieceBytes) reader.write(archive.subarray(at, at + pieceBytes));
  reader.end();
  return found;
}

function refusal(archive: Buffer): string {
  try {
    read(archive);
  } catch (error) {
    if (error instanceof TarError) return String(error.rule);
    throw error;
  }
  return 'read without complaint';
}

const only = (...members: readonly (RawMember | Buffer)[]): Read => {
  const found = read(toRawArchive(members));
  assert.equal(found.length, 1);
  return found[0]!;
};

test('an archive is read the same whatever pieces it comes in', () => {
  const archive = toArchive({
    'folder/': '',
    'folder/empty': '',
    'folder/small': 'some text',
    'folder/block': 'x'.repeat(512),
    [`${'long/'.repeat(40)}name`]: 'y'.repeat(1300),
    'folder/link': ['small'],
  });
  const whole = read(archive);
  assert.deepEqual(
    whole.map(({ path, type, size }) => [path, type, size]),
    [
      ['folder/', 'folder', 0],
      ['folder/empty', 'file', 0],
      ['folder/small', 'file', 9],
      ['folder/block', 'file', 512],
      [`${'long/'.repeat(40)}name`, 'file', 1300],
      ['folder/link', 'link', 0],
    ],
  );
  assert.equal(whole[2]!.content, 'some text');
  assert.equal(archive.toString('latin1', whole[2]!.offset, whole[2]!.offset + 9), 'some text');
  assert.equal(whole[5]!.target, 'small');
  for (const pieceBytes of [1, 7, 511, 512, 513, 1024, 5000])
    assert.deepEqual(read(archive, pieceBytes), whole);
});

for (const format of ['gnu', 'pax', 'ustar', 'v7', 'oldgnu']) {
  test(`what GNU tar writes in the format ${format} is read`, async (t) => {
    if (!needs(t, 'tar')) return;
    await using folder = await openTempFolder();
    const name = format === 'gnu' || format === 'pax' ? 'n'.repeat(180) : 'n'.repeat(60);
    await mkdir(join(folder.path, 'tree'));
    await writeFile(join(folder.path, 'tree', name), 'content');
    await writeFile(join(folder.path, 'tree', 'größe'), '');
    await symlink(name.slice(0, 90), join(folder.path, 'tree', 'link'));
    const archive = join(folder.path, 'archive.tar');
    await promisify(execFile)('tar', [`--format=${format}`, '--sort=name', '-cf', archive, 'tree'], {
      cwd: folder.path,
    });
    const found = read(await readFile(archive));
    assert.deepEqual(
      found.map(({ path, type }) => [Buffer.from(path, 'latin1').toString(), type]).sort(),
      [
        ['tree/', 'folder'],
        ['tree/größe', 'file'],
        ['tree/link', 'link'],
        [`tree/${name}`, 'file'],
      ].sort(),
    );
    assert.equal(found.find(({ path }) => path === `tree/${name}`)!.content, 'content');
    assert.equal(found.find(({ type }) => type === 'link')!.target, name.slice(0, 90));
  });
}

test('extended headers give names and sizes; an empty value takes one back', () => {
  assert.equal(only(toPax({ path: 'from/pax' }), { path: 'short' }).path, 'from/pax');
  assert.equal(only(toPax({ linkpath: 'there' }), { path: 'l', flag: '2', target: 'here' }).target, 'there');
  assert.equal(only(toPax({ path: '' }), { path: 'short' }).path, 'short');
  assert.equal(only(toPax({ size: '3' }), { path: 'f', size: 0, content: 'abc' }).content, 'abc');
  assert.equal(only(toPax({ mtime: '1.5', 'SCHILY.xattr.user.x': 'y' }), { path: 'f' }).path, 'f');
  assert.equal(only(toPax({ comment: 'of git' }, 'g'), { path: 'f' }).path, 'f');
  assert.equal(only(toLongName('a/long/name'), { path: 'short' }).path, 'a/long/name');
  const long = only(toLongName('far', 'K'), { path: 'l', flag: '2', target: 'near' });
  assert.equal(long.target, 'far');
});

test('sizes beyond octal digits are read as numbers', () => {
  const size = Buffer.alloc(12);
  size[0] = 0x80;
  size[11] = 3;
  const found = only({ path: 'f', content: 'abc', edit: (block) => size.copy(block, 124) });
  assert.equal(found.size, 3);
});

test('devices and pipes are told apart from files; folders may be old ones', () => {
  for (const flag of ['3', '4', '6']) assert.equal(only({ path: 'dev/x', flag }).type, 'other');
  assert.equal(only({ path: 'old/', flag: '\0' }).type, 'folder');
  assert.equal(only({ path: 'hard', flag: '1', target: 'f' }).type, 'hard-link');
});

test('what follows the end is not looked at, and one empty block may be all there is of it', () => {
  const archive = toRawArchive([{ path: 'f' }]);
  assert.equal(read(Buffer.concat([archive, Buffer.from('anything at all'.repeat(100))])).length, 1);
  assert.equal(read(toRawArchive([{ path: 'f' }], Buffer.alloc(512))).length, 1);
  assert.equal(read(toRawArchive([{ path: 'f' }], Buffer.alloc(0))).length, 1);
  assert.equal(read(Buffer.alloc(0)).length, 0);
});

const huge = Buffer.alloc(12, 0xff);
huge[0] = 0x80;
const negative = Buffer.alloc(12, 0xff);
for (const [what, archive, rule] of [
  ['a broken checksum', toRawArchive([{ path: 'f', spoil: (block) => block.write('g', 0) }]), /checksum/],
  ['text', Buffer.from('this is no archive'.padEnd(512)), /checksum/],
  ['half a header', toRawArchive([{ path: 'f' }], Buffer.from('half')), /cut off/],
  ['half a file', toRawArchive([{ path: 'f', size: 600, content: 'x' }], Buffer.alloc(0)), /cut off/],
  ['no padding', toRawArchive([{ path: 'f', content: 'x' }], Buffer.alloc(0)).subarray(0, 600), /cut off/],
  ['an extended header and no entry', toRawArchive([toPax({ path: 'x' })]), /belongs to no entry/],
  ['an extended header and nothing', toRawArchive([toPax({ path: 'x' })], Buffer.alloc(0)), /cut off/],
  ['an empty block in between', toRawArchive([{ path: 'f' }, Buffer.alloc(512), { path: 'g' }]), /among/],
  ['a size of letters', toRawArchive([{ path: 'f', size: 'many' }]), /no usable size/],
  ['a size with a 9', toRawArchive([{ path: 'f', size: '00000000009' }]), /no usable size/],
  ['a negative size', toRawArchive([{ path: 'f', edit: (b) => negative.copy(b, 124) }]), /no usable size/],
  ['a size no number holds', toRawArchive([{ path: 'f', edit: (b) => huge.copy(b, 124) }]), /no usable size/],
  [
    'a size that overflows with its place',
    toRawArchive([toPax({ size: String(Number.MAX_SAFE_INTEGER) }), { path: 'f' }]),
    /too large/,
  ],
  ['an extended size of letters', toRawArchive([toPax({ size: '-1' }), { path: 'f' }]), /no usable size/],
  ['a folder with content', toRawArchive([{ path: 'd/', flag: '5', content: 'x' }]), /only a file/],
  ['a link with content', toRawArchive([{ path: 'l', flag: '2', content: 'x' }]), /only a file/],
  ['a device with content', toRawArchive([{ path: 'l', flag: '3', content: 'x' }]), /only a file/],
  ['a file that is named as a folder', toRawArchive([{ path: 'f/', content: 'x' }]), /only a file/],
  ['a sparse file of old', toRawArchive([{ path: 'f', flag: 'S' }]), /type "S"/],
  ['a part of a volume', toRawArchive([{ path: 'f', flag: 'M' }]), /type "M"/],
  ['a sparse file', toRawArchive([toPax({ 'GNU.sparse.major': '1' }), { path: 'f' }]), /sparse/],
  ['a global name', toRawArchive([toPax({ path: 'all' }, 'g'), { path: 'f' }]), /global/],
  ['a name with a zero byte', toRawArchive([toPax({ path: 'a\0b' }), { path: 'f' }]), /zero byte/],
  ['two long names', toRawArchive([toLongName('a'), toPax({ path: 'b' }), { path: 'f' }]), /two names/],
  [
    'two targets',
    toRawArchive([toPax({ linkpath: 'b' }), toLongName('a', 'K'), { path: 'f', flag: '2' }]),
    /two targets/,
  ],
  [
    'records that overrun',
    toRawArchive([toRawMember({ path: 'p', flag: 'x', content: '99 path=x\n' })]),
    /malformed/,
  ],
  [
    'records without a length',
    toRawArchive([toRawMember({ path: 'p', flag: 'x', content: 'path=x\n' })]),
    /malformed/,
  ],
  [
    'records without an end',
    toRawArchive([toRawMember({ path: 'p', flag: 'x', content: '8 path=x' })]),
    /malformed/,
  ],
  [
    'a record of length 0',
    toRawArchive([toRawMember({ path: 'p', flag: 'x', content: '0 path=x\n' })]),
    /malformed/,
  ],
  [
    'a large extended header',
    toRawArchive([toRawMember({ path: 'p', flag: 'x', size: 4097 })]),
    /larger than 4096/,
  ],
  [
    'a large long name',
    toRawArchive([toRawMember({ path: 'p', flag: 'L', size: 4097 })]),
    /larger than 4096/,
  ],
  ['many entries', toRawArchive(Array.from({ length: 101 }, (_, i) => ({ path: `f${i}` }))), /more than 100/],
  [
    'many extended headers',
    toRawArchive(Array.from({ length: 101 }, () => toPax({ mtime: '1' }))),
    /more than 100/,
  ],
] as const) {
  test(`refused: ${what}`, () => {
    assert.match(refusal(archive), rule);
  });
}

import { gzipSync, zstdCompressSync } from 'node:zlib';
import { tarEnd, toTarHeader } from '../../../../src/disk/tar/header.ts';
import { archive, blobOf, having, type Mutation, member } from './mutation.ts';
import { extended, forge, record, toMember, toTar } from './tar-members.ts';
import { layer, manifest, toFiles, toIndex } from './victim.ts';

/** Names of members that are no part of a layout, wherever they would lead. */
export const names: readonly (readonly [name: string, path: string])[] = [
  ['a way out', '../planted'],
  ['a way out through the blobs', 'blobs/sha256/../../../planted'],
  ['an absolute path', '/tmp/svc-hostile-planted'],
  ['a backslash', 'blobs\\sha256\\planted'],
  ['an empty segment', 'blobs//sha256/planted'],
  ['a dot segment', 'blobs/./sha256/planted'],
  ['a stranger at the root', 'README.md'],
  ['a blob that is no digest', 'blobs/sha256/planted'],
  ['a digest in upper case', `blobs/sha256/${'A'.repeat(64)}`],
  ['an algorithm that nobody can check', `blobs/md5/${'a'.repeat(32)}`],
  ['a digest that is too short', `blobs/sha256/${'a'.repeat(63)}`],
  ['something below a blob', `blobs/sha256/${'a'.repeat(64)}/planted`],
  ['something in ingest', 'ingest/planted'],
  ['a marker in other letters', 'OCI-LAYOUT'],
  ['a name that is not ASCII', 'índex.json'],
  ['a ledger of a store', 'ledger/content-1.jsonl'],
  ['the manifest of a medium', 'media.jsonl'],
  ['the own folder of a store', '_svc/lock'],
  ['the list of docker save', 'manifest.json'],
  ['the repositories of docker save', 'repositories'],
  ['a layer of docker save', `${'a'.repeat(64)}/layer.tar`],
];

/** Kinds of members that carry no content of a layout, by type flag. */
const kinds: readonly (readonly [name: string, flag: string])[] = [
  ['a hard link', '1'],
  ['a symbolic link', '2'],
  ['a character device', '3'],
  ['a block device', '4'],
  ['a pipe', '6'],
  ['a file with holes', 'S'],
  ['a volume of several', 'M'],
  ['a type of nobody', 'Z'],
];

const compressed: readonly (readonly [name: string, bytes: () => Buffer])[] = [
  ['gzip', () => gzipSync(toTar(toFiles()))],
  ['zstd', () => zstdCompressSync(toTar(toFiles()))],
  ['xz', () => Buffer.concat([Buffer.from('fd377a585a00', 'hex'), Buffer.alloc(512)])],
  ['bzip2', () => Buffer.from('BZh91AY&SY')],
  ['a bomb of gzip', () => gzipSync(Buffer.alloc(64 << 20))],
  ['a zip', () => Buffer.from('PK\x03\x04rest')],
];

export function* mutateArchives(): Generator<Mutation> {
  const good = toTar(toFiles());
  for (const [name, path] of names) yield archive(name, 'SVC-LAY-002', () => toTar(toFiles(), member(path)));
  for (const [name, flag] of kinds) {
    const block = (): Buffer =>
      forge((header) => header.write(flag, 156), `blobs/sha256/${'b'.repeat(64)}`, 0);
    yield archive(name, 'SVC-LAY-002', () => toTar(toFiles(), block()));
  }
  for (const [name, bytes] of compressed) yield archive(name, 'SVC-LAY-002', bytes);
  const files = toFiles();
  const cases: readonly (readonly [name: string, bytes: () => Buffer])[] = [
    ['nothing', () => Buffer.alloc(0)],
    ['one byte', () => Buffer.from('x')],
    ['noise', () => Buffer.alloc(4096, 'noise ')],
    ['an executable', () => Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(2048)])],
    ['only an end', () => tarEnd],
    ['cut in a header', () => good.subarray(0, 700)],
    ['cut in a member', () => good.subarray(0, 60_000)],
    ['cut before the end', () => good.subarray(0, good.length - 1024)],
    ['a second archive behind the end', () => Buffer.concat([good, toTar(having('oci-layout', 'x'))])],
    ['a byte behind the end', () => Buffer.concat([good, Buffer.alloc(511), Buffer.from('x')])],
    ['zeros without end', () => Buffer.concat([good, Buffer.alloc(2 << 20)])],
    ['the marker twice', () => toTar(files, toMember('oci-layout', files.get('oci-layout')!))],
    ['two indexes', () => toTar(files, toMember('index.json', toIndex([])))],
    ['the same index by another path', () => toTar(files, toMember('./index.json', toIndex([])))],
    ['a blob twice', () => toTar(files, toMember(blobOf(layer!), layer!.bytes))],
    [
      'a wrong sum',
      () => Buffer.concat([Buffer.from(good.subarray(0, 148)), Buffer.from('0000000\0'), good.subarray(156)]),
    ],
    [
      'a size that is no number',
      () => Buffer.concat([forge((block) => block.write('99999999999', 124)), good]),
    ],
    ['a size below zero', () => Buffer.concat([forge((block) => block.fill(0xff, 124, 136)), good])],
    [
      'a size beyond all',
      () =>
        Buffer.concat([
          forge((block) => {
            block.fill(0xff, 124, 136);
            block[124] = 0x80;
          }),
          good,
        ]),
    ],
    [
      'an extended size that is no number',
      () => toTar(new Map(), extended('x', record('size', '1e3')), toMember('oci-layout', Buffer.from('x'))),
    ],
    [
      'an extended size below zero',
      () => toTar(new Map(), extended('x', record('size', '-1')), toMember('oci-layout', Buffer.from('x'))),
    ],
    [
      'an extended size beyond all',
      () =>
        toTar(
          new Map(),
          extended('x', record('size', '99999999999999999999')),
          toMember('oci-layout', Buffer.from('x')),
        ),
    ],
    [
      'an extended path that leads out',
      () => toTar(files, extended('x', record('path', '../planted')), member('blobs')),
    ],
    ['an extended header that is torn', () => toTar(files, extended('x', '99 path=x\n'), member('blobs'))],
    [
      'an extended header without end',
      () => toTar(files, extended('x', Buffer.alloc((1 << 20) + 1, 'x')), member('blobs')),
    ],
    [
      'an extended header with holes',
      () => toTar(files, extended('x', record('GNU.sparse.major', '1')), member(blobOf(manifest))),
    ],
    [
      'a global path',
      () =>
        toTar(
          new Map(),
          extended('g', record('path', 'oci-layout')),
          ...[...files].map(([path, bytes]) => toMember(path, bytes)),
        ),
    ],
    ['a long name that leads out', () => toTar(files, extended('L', '../../planted\0'), member('blobs'))],
    [
      'a folder with content',
      () =>
        toTar(
          files,
          forge((block) => block.write('5', 156), 'blobs/', 512),
          Buffer.alloc(512),
        ),
    ],
    ['a folder of somebody else', () => toTar(files, toTarHeader({ path: 'etc/', type: 'folder' }))],
  ];
  for (const [name, bytes] of cases) yield archive(name, 'SVC-LAY-002', bytes);
}

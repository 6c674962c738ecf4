import { spawnSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { ErrorCode } from '../../src/base/catalogue.ts';
import { tarEnd, tarPadding, toTarHeader } from '../../src/disk/tar-header.ts';
import { blobPath } from '../../src/oci/layout.ts';
import { mediaTypes } from '../../src/oci/media-types.ts';
import { type Artifact, buildImage, buildIndex, toManifest } from './content.ts';

/** Files of a layout by path, in the order in which an archive has them. */
export type Files = Map<string, Buffer>;

/** One thing that is wrong with a layout, and what must be said of it. */
export interface Mutation {
  readonly name: string;
  readonly code: ErrorCode;
  /** Whether the layout is refused whole; otherwise each entry is lost with the code. */
  readonly whole: boolean;
  /** Makes the archive or folder at this path. */
  make(path: string): Promise<void>;
}

const nameKey = 'org.opencontainers.image.ref.name';
export const image: Artifact = buildImage('victim', { ownLayers: 2, layerSize: 100_000 });
const [config, layer, second] = image.blobs;
const manifest = image.manifest;

interface IndexEntry {
  [member: string]: unknown;
}

export function toEntry(artifact: Artifact, name = 'victim/app:1'): IndexEntry {
  return { ...artifact.manifest.descriptor, annotations: { [nameKey]: name } };
}

export function toIndex(entries: readonly unknown[], more: Record<string, unknown> = {}): Buffer {
  return Buffer.from(
    JSON.stringify({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: entries, ...more }),
  );
}

/** A good layout of one image. */
export function toFiles(
  artifact: Artifact = image,
  entries: readonly unknown[] = [toEntry(artifact)],
): Files {
  const files: Files = new Map([
    ['oci-layout', Buffer.from('{"imageLayoutVersion":"1.0.0"}')],
    ['index.json', toIndex(entries)],
  ]);
  const add = ({ manifest: { descriptor, bytes }, blobs, children }: Artifact): void => {
    for (const child of children) add(child.artifact);
    for (const blob of blobs) files.set(blobPath(blob.descriptor.digest), blob.bytes);
    files.set(blobPath(descriptor.digest), bytes);
  };
  add(artifact);
  return files;
}

export function toMember(path: string, bytes: Buffer): Buffer {
  return Buffer.concat([
    toTarHeader({ path, type: 'file', size: bytes.length }),
    bytes,
    Buffer.alloc(tarPadding(bytes.length)),
  ]);
}

export function toTar(files: Files, ...more: readonly Buffer[]): Buffer {
  return Buffer.concat([...[...files].map(([path, bytes]) => toMember(path, bytes)), ...more, tarEnd]);
}

export async function toFolder(files: Files, root: string): Promise<void> {
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), bytes);
  }
}

/** A header block with fields set by hand, its sum made right again. */
function forge(change: (block: Buffer) => void, path = 'oci-layout', size = 30): Buffer {
  const block = toTarHeader({ path, type: 'file', size });
  change(block);
  block.write('        ', 148);
  let sum = 0;
  for (const byte of block) sum += byte;
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** An extended header with these records before a member. */
function extended(flag: 'x' | 'g' | 'L', data: Buffer | string): Buffer {
  const bytes = Buffer.from(data as string);
  const block = forge((header) => header.write(flag, 156), 'PaxHeader', bytes.length);
  return Buffer.concat([block, bytes, Buffer.alloc(tarPadding(bytes.length))]);
}

function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = rest.length + 1;
  while (String(length).length + rest.length !== length) length += 1;
  return `${length}${rest}`;
}

const archive = (name: string, code: ErrorCode, bytes: () => Buffer, whole = true): Mutation => ({
  name: `archive: ${name}`,
  code,
  whole,
  make: async (path) => writeFile(path, bytes()),
});
const folder = (
  name: string,
  code: ErrorCode,
  prepare: (root: string) => Promise<void>,
  whole = true,
): Mutation => ({
  name: `folder: ${name}`,
  code,
  whole,
  make: async (path) => {
    await toFolder(toFiles(), path);
    await prepare(path);
  },
});
/** The same files as archive and as folder. */
const both = (name: string, code: ErrorCode, files: () => Files, whole: boolean): Mutation[] => [
  archive(name, code, () => toTar(files()), whole),
  { name: `folder: ${name}`, code, whole, make: async (path) => toFolder(files(), path) },
];
const without = (path: string): Files => {
  const files = toFiles();
  files.delete(path);
  return files;
};
const having = (path: string, bytes: Buffer | string, files: Files = toFiles()): Files =>
  files.set(path, Buffer.from(bytes as string));
const blobOf = (blob: {
  readonly descriptor: { readonly digest: `sha256:${string}` | `sha512:${string}` };
}): string => blobPath(blob.descriptor.digest);
const marked = (text: string): Files => having('oci-layout', text);
const indexed = (entries: readonly unknown[], more?: Record<string, unknown>): Files =>
  having('index.json', toIndex(entries, more));
const flipped = (bytes: Buffer): Buffer => {
  const copy = Buffer.from(bytes);
  copy[copy.length >> 1]! ^= 0xff;
  return copy;
};
const member = (path: string): Buffer => toMember(path, Buffer.from('planted'));

/** Names of members that are no part of a layout, wherever they would lead. */
const names: readonly (readonly [name: string, path: string])[] = [
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

function* mutateIndex(): Generator<Mutation> {
  const entry = toEntry(image);
  const deep = `${'['.repeat(200)}${']'.repeat(200)}`;
  const whole: readonly (readonly [name: string, files: () => Files])[] = [
    ['no index', () => without('index.json')],
    ['an empty index', () => having('index.json', '')],
    ['an index that is no JSON', () => having('index.json', '{"schemaVersion":2,')],
    ['an index that is no UTF-8', () => having('index.json', Buffer.from([0xff, 0xfe, 0x7b, 0x7d]))],
    ['an index that is a list', () => having('index.json', '[]')],
    ['an index that is an image', () => having('index.json', manifest.bytes)],
    ['an index of another type', () => indexed([entry], { mediaType: mediaTypes.ociManifest })],
    ['an index of schema 1', () => indexed([entry], { schemaVersion: 1 })],
    ['an index without a list', () => having('index.json', '{"schemaVersion":2}')],
    [
      'an index that names a member twice',
      () => having('index.json', toIndex([entry]).toString().replace('{', '{"manifests":[],')),
    ],
    ['an index nested without end', () => having('index.json', `{"schemaVersion":2,"manifests":${deep}}`)],
    [
      'an index of too many entries',
      () =>
        having(
          'index.json',
          toIndex(Array(100_001).fill({ mediaType: 'a', digest: manifest.descriptor.digest, size: 1 })),
        ),
    ],
    ['an index that is too large', () => having('index.json', Buffer.alloc(33 << 20, ' '))],
    ['an entry without a digest', () => indexed([{ ...entry, digest: undefined }])],
    ['an entry with a path for a digest', () => indexed([{ ...entry, digest: 'sha256:../../etc/passwd' }])],
    ['an entry with a size below zero', () => indexed([{ ...entry, size: -1 }])],
    ['an entry with half a byte', () => indexed([{ ...entry, size: 0.5 }])],
    ['an entry with a name that is a number', () => indexed([{ ...entry, annotations: { [nameKey]: 1 } }])],
    ['no marker', () => without('oci-layout')],
    ['an empty marker', () => marked('')],
    ['a marker that is no JSON', () => marked('1.0.0')],
    ['a marker without a version', () => marked('{}')],
    ['a marker of null', () => marked('null')],
    ['a marker of another major version', () => marked('{"imageLayoutVersion":"2.0.0"}')],
    [
      'a marker that is too large',
      () => marked(`{"imageLayoutVersion":"1.0.0","x":"${'y'.repeat(70_000)}"}`),
    ],
  ];
  for (const [name, files] of whole) yield* both(name, 'SVC-LAY-002', files, true);
  const lost: readonly (readonly [name: string, code: ErrorCode, files: () => Files])[] = [
    ['a name that leads out', 'SVC-REG-001', () => indexed([toEntry(image, '../../etc:1')])],
    ['a name in upper case', 'SVC-REG-001', () => indexed([toEntry(image, 'Victim/App:1')])],
    ['a name with a space', 'SVC-REG-001', () => indexed([toEntry(image, 'victim/app:1 2')])],
    ['a name with a bell', 'SVC-REG-001', () => indexed([toEntry(image, 'victim/app:\u0007')])],
    ['a name without end', 'SVC-REG-001', () => indexed([toEntry(image, `victim/${'a'.repeat(5000)}:1`)])],
    [
      'a path longer than a repository may be',
      'SVC-REG-001',
      () => indexed([toEntry(image, `${'a/'.repeat(150)}a:1`)]),
    ],
    [
      'a tag longer than a tag may be',
      'SVC-REG-001',
      () => indexed([toEntry(image, `victim/app:${'t'.repeat(129)}`)]),
    ],
    [
      'a name for another digest',
      'SVC-REG-001',
      () => indexed([toEntry(image, `victim/app@sha256:${'0'.repeat(64)}`)]),
    ],
    [
      'a digest and nothing that keeps it',
      'SVC-REG-001',
      () =>
        indexed([
          toEntry(image, `victim@${manifest.descriptor.digest}`),
          { ...manifest.descriptor, digest: `sha256:${'0'.repeat(64)}` },
        ]),
    ],
    ['only a tag', 'SVC-REG-001', () => indexed([toEntry(image, 'latest')])],
    ['no name at all', 'SVC-REG-001', () => indexed([{ ...manifest.descriptor }])],
    [
      'one name for two contents',
      'SVC-REG-001',
      () => {
        const other = buildImage('other');
        const files = toFiles(other);
        for (const [path, bytes] of toFiles()) files.set(path, bytes);
        return having('index.json', toIndex([toEntry(image), toEntry(other)]), files);
      },
    ],
    [
      'an entry that is not there',
      'SVC-REG-005',
      () => indexed([{ ...toEntry(image), digest: `sha256:${'0'.repeat(64)}` }]),
    ],
    [
      'an entry with another size',
      'SVC-SIG-002',
      () => indexed([{ ...toEntry(image), size: manifest.bytes.length + 1 }]),
    ],
    [
      'an entry with the size of a whale',
      'SVC-REG-007',
      () => indexed([{ ...toEntry(image), size: Number.MAX_SAFE_INTEGER }]),
    ],
    [
      'an entry of another type',
      'SVC-REG-007',
      () => indexed([{ ...toEntry(image), mediaType: mediaTypes.ociIndex }]),
    ],
    [
      'a layer as an entry',
      'SVC-REG-007',
      () => indexed([{ ...layer!.descriptor, annotations: { [nameKey]: 'victim/app:1' } }]),
    ],
    [
      'a manifest with a byte changed',
      'SVC-SIG-002',
      () => having(blobOf(manifest), flipped(manifest.bytes)),
    ],
    ['an empty manifest', 'SVC-SIG-002', () => having(blobOf(manifest), '')],
    [
      'a configuration with a byte changed',
      'SVC-SIG-002',
      () => having(blobOf(config!), flipped(config!.bytes)),
    ],
    ['a layer with a byte changed', 'SVC-SIG-002', () => having(blobOf(layer!), flipped(layer!.bytes))],
    ['a layer that is too short', 'SVC-SIG-002', () => having(blobOf(layer!), layer!.bytes.subarray(0, -1))],
    [
      'a layer that is too long',
      'SVC-SIG-002',
      () => having(blobOf(layer!), Buffer.concat([layer!.bytes, Buffer.alloc(1)])),
    ],
    ['an empty layer', 'SVC-SIG-002', () => having(blobOf(layer!), '')],
    [
      'two layers exchanged',
      'SVC-SIG-002',
      () => having(blobOf(layer!), second!.bytes, having(blobOf(second!), layer!.bytes)),
    ],
    ['no layer', 'SVC-REG-005', () => without(blobOf(layer!))],
    ['no configuration', 'SVC-REG-005', () => without(blobOf(config!))],
  ];
  for (const [name, code, files] of lost) yield* both(name, code, files, false);
}

/** Documents with right digests that are no images all the same. */
function* mutateManifests(): Generator<Mutation> {
  const { mediaType: _, ...document } = JSON.parse(manifest.bytes.toString());
  const of =
    (change: Record<string, unknown>, type: string = mediaTypes.ociManifest): (() => Files) =>
    () => {
      const changed = toManifest({ ...document, mediaType: type, ...change });
      const files = toFiles();
      return having(
        'index.json',
        toIndex([toEntry({ ...image, manifest: changed })]),
        having(blobPath(changed.descriptor.digest), changed.bytes, files),
      );
    };
  const big = Array.from({ length: 10_001 }, () => layer!.descriptor);
  const cases: readonly (readonly [name: string, code: ErrorCode, files: () => Files])[] = [
    ['a manifest of schema 1', 'SVC-REG-007', of({ schemaVersion: 1 })],
    ['a manifest of an unknown type', 'SVC-REG-007', of({}, 'application/vnd.example.strange+json')],
    ['a manifest of the withdrawn type', 'SVC-REG-007', of({}, mediaTypes.withdrawnArtifact)],
    ['a manifest without a configuration', 'SVC-REG-007', of({ config: undefined })],
    ['a manifest that is also an index', 'SVC-REG-007', of({ manifests: [] })],
    ['a manifest of too many layers', 'SVC-REG-007', of({ layers: big })],
    [
      'a layer with a size that lies',
      'SVC-SIG-002',
      of({ layers: [{ ...layer!.descriptor, size: layer!.bytes.length - 1 }] }),
    ],
    [
      'a layer with the size of a whale',
      'SVC-SIG-002',
      of({ layers: [{ ...layer!.descriptor, size: Number.MAX_SAFE_INTEGER }] }),
    ],
    ['a manifest larger than any', 'SVC-REG-007', of({ annotations: { x: 'y'.repeat(5 << 20) } })],
    [
      'an index that lists only what is not there',
      'SVC-REG-005',
      () => {
        const index = buildIndex('gone');
        return having(
          blobPath(index.manifest.descriptor.digest),
          index.manifest.bytes,
          indexed([toEntry(index)]),
        );
      },
    ],
    [
      'an index of which a platform is damaged',
      'SVC-SIG-002',
      () => {
        const index = buildIndex('damaged');
        const { descriptor, bytes } = index.children[1]!.artifact.manifest;
        return having(blobPath(descriptor.digest), flipped(bytes), toFiles(index));
      },
    ],
    [
      'indexes within indexes',
      'SVC-REG-007',
      () => {
        let inner: Artifact = image;
        for (let n = 0; n < 6; n += 1) {
          const outer = toManifest({
            schemaVersion: 2,
            mediaType: mediaTypes.ociIndex,
            manifests: [inner.manifest.descriptor],
            annotations: { n: String(n) },
          });
          inner = { manifest: outer, blobs: [], children: [{ platform: 'linux/amd64', artifact: inner }] };
        }
        return toFiles(inner);
      },
    ],
    [
      'a signature of nothing',
      'SVC-REG-005',
      () => {
        const { descriptor } = toManifest({ gone: true });
        const subject = {
          mediaType: mediaTypes.ociManifest,
          digest: descriptor.digest,
          size: descriptor.size,
        };
        const referrer = toManifest({ ...document, mediaType: mediaTypes.ociManifest, subject });
        return having(
          blobPath(referrer.descriptor.digest),
          referrer.bytes,
          indexed([{ ...referrer.descriptor }]),
        );
      },
    ],
  ];
  for (const [name, code, files] of cases) yield* both(name, code, files, false);
}

function* mutateArchives(): Generator<Mutation> {
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

function* mutateFolders(): Generator<Mutation> {
  for (const [name, path] of names) {
    // what no file system can name, or what would leave the folder here already
    if (path.includes('..') || path.startsWith('/') || path.includes('//') || path.includes('/./')) continue;
    yield folder(name, 'SVC-LAY-002', (root) => toFolder(new Map([[path, Buffer.from('planted')]]), root));
  }
  const link = (path: string, target: string) => async (root: string) => {
    const { rm } = await import('node:fs/promises');
    await rm(join(root, path), { recursive: true, force: true });
    await symlink(target, join(root, path));
  };
  yield folder('a blob that is a link', 'SVC-LAY-002', link(blobOf(layer!), '/etc/passwd'));
  yield folder('a blob that is a link to a blob', 'SVC-LAY-002', link(blobOf(layer!), blobOf(second!)));
  yield folder('a folder of blobs that is a link', 'SVC-LAY-002', link('blobs/sha256', '/etc'));
  yield folder('the blobs that are a link', 'SVC-LAY-002', link('blobs', '/'));
  yield folder('an index that is a link', 'SVC-LAY-002', link('index.json', '/etc/passwd'));
  yield folder('a marker that is a link', 'SVC-LAY-002', link('oci-layout', '/dev/zero'));
  yield folder('a link that leads nowhere', 'SVC-LAY-002', link('elsewhere', '/nowhere'));
  yield folder('a pipe for a blob', 'SVC-LAY-002', async (root) => {
    const { rm } = await import('node:fs/promises');
    await rm(join(root, blobOf(layer!)));
    const made = spawnSync('mkfifo', [join(root, blobOf(layer!))]);
    if (made.status !== 0) throw new Error(String(made.stderr));
  });
  yield folder('a folder for a blob', 'SVC-LAY-002', async (root) => {
    await mkdir(join(root, 'blobs', 'sha256', 'c'.repeat(64)));
  });
  yield folder('an empty folder of somebody else', 'SVC-LAY-002', async (root) => {
    await mkdir(join(root, '.git'));
  });
  yield {
    name: 'folder: nothing in it',
    code: 'SVC-LAY-002',
    whole: true,
    make: async (path) => void (await mkdir(path)),
  };
  yield { name: 'nothing there', code: 'SVC-LAY-001', whole: true, make: async () => {} };
  yield {
    name: 'a pipe',
    code: 'SVC-LAY-001',
    whole: true,
    make: async (path) => void spawnSync('mkfifo', [path]),
  };
  yield {
    name: 'a link that leads nowhere',
    code: 'SVC-LAY-001',
    whole: true,
    make: async (path) => symlink('/nowhere/at/all', path),
  };
  yield {
    name: 'a device',
    code: 'SVC-FIL-003',
    whole: true,
    make: async (path) => symlink('/dev/zero', path),
  };
}

export const hostileLayouts: readonly Mutation[] = [
  ...mutateIndex(),
  ...mutateManifests(),
  ...mutateArchives(),
  ...mutateFolders(),
];

import { mediaTypes } from '../../../../src/oci/media-types.ts';
import type { ErrorCode } from '../../../../src/text/errors/registry.ts';
import { buildImage } from '../../content/content.ts';
import {
  blobOf,
  both,
  type Files,
  flipped,
  having,
  indexed,
  type Mutation,
  marked,
  without,
} from './mutation.ts';
import { config, image, layer, manifest, nameKey, second, toEntry, toFiles, toIndex } from './victim.ts';

export function* mutateIndex(): Generator<Mutation> {
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
    ['an index whose list is null', () => having('index.json', '{"schemaVersion":2,"manifests":null}')],
    ['an index that is null', () => having('index.json', 'null')],
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
  const unusable: readonly (readonly [name: string, entry: unknown])[] = [
    ['an entry without a digest', { ...entry, digest: undefined }],
    ['an entry with a path for a digest', { ...entry, digest: 'sha256:../../etc/passwd' }],
    ['an entry of an unknown algorithm', { ...entry, digest: `md5:${'0'.repeat(32)}` }],
    ['an entry with a size below zero', { ...entry, size: -1 }],
    ['an entry with half a byte', { ...entry, size: 0.5 }],
    ['an entry with a size in words', { ...entry, size: '12' }],
    ['an entry without a media type', { ...entry, mediaType: undefined }],
    ['an entry with a name that is a number', { ...entry, annotations: { [nameKey]: 1 } }],
    ['an entry with annotations in a list', { ...entry, annotations: ['victim/app:1'] }],
    ['an entry that is null', null],
    ['an entry that is a number', 1],
    ['an entry that is a list', [entry]],
  ];
  const lost: readonly (readonly [name: string, code: ErrorCode, files: () => Files])[] = [
    ...unusable.map(([name, one]): readonly [string, ErrorCode, () => Files] => [
      name,
      'SVC-REG-009',
      () => indexed([one]),
    ]),
    [
      'an entry that names a member twice',
      'SVC-REG-009',
      () => having('index.json', toIndex([entry]).toString().replace('[{', '[{"size":1,')),
    ],
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
      'SVC-REG-009',
      () => indexed([{ ...toEntry(image), size: Number.MAX_SAFE_INTEGER }]),
    ],
    [
      'an entry of another type',
      'SVC-REG-009',
      () => indexed([{ ...toEntry(image), mediaType: mediaTypes.ociIndex }]),
    ],
    [
      'a layer as an entry',
      'SVC-REG-009',
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

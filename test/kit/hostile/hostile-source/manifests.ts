import type { Descriptor } from '../../../../src/oci/descriptor.ts';
import type { RegistryDouble } from '../../result/registry-double.ts';
import { misbehave } from '../misbehave.ts';
import {
  type Attack,
  type Image,
  imageType,
  indexType,
  manifests,
  on,
  plant,
  repository,
  sha256,
} from './attack.ts';
import { asIndex } from './cookbook.ts';

function manifestOf(image: Image, change: object): string {
  return JSON.stringify({
    schemaVersion: 2,
    mediaType: imageType,
    config: image.layer,
    layers: [image.layer],
    ...change,
  });
}

function attackManifest(
  name: string,
  code: string,
  toBytes: (image: Image, host: RegistryDouble) => Buffer | string,
  mediaType?: string,
): Attack {
  return { name, code, host: (host, image) => plant(host, toBytes(image, host), mediaType) };
}

/** Attacks in the place of a manifest. */
export function attackManifests(): readonly Attack[] {
  return [
    {
      name: 'manifest-endless',
      code: 'SVC-VAL-002',
      host: (host) =>
        on(host, manifests, (_request, response) =>
          misbehave.endlessly(response, 200, { 'content-type': imageType }, Buffer.alloc(65_536, ' ')),
        ),
    },
    attackManifest('manifest-oversized', 'SVC-VAL-002', () => Buffer.alloc(4_194_305, ' ')),
    {
      name: 'manifest-other-bytes',
      code: 'SVC-SIG-002',
      host: (host, image) => {
        const found = host.manifest(repository, image.root.digest)!.bytes;
        on(host, manifests, (_request, response) =>
          misbehave.reply(response, 200, { 'content-type': imageType }, `${found.toString()} `),
        );
      },
    },
    {
      name: 'manifest-of-itself',
      code: 'SVC-SIG-002',
      host: (host) => {
        const bytes = asIndex([{ mediaType: indexType, digest: sha256('its child'), size: 200 }]);
        on(host, manifests, (_request, response) =>
          misbehave.reply(response, 200, { 'content-type': indexType }, bytes),
        );
        return sha256(bytes);
      },
    },
    attackManifest('manifest-empty', 'SVC-REG-009', () => ''),
    attackManifest('manifest-html', 'SVC-REG-007', () => '<html></html>', 'text/html'),
    attackManifest('manifest-null', 'SVC-REG-009', () => 'null'),
    attackManifest('manifest-nested', 'SVC-REG-009', () => '['.repeat(4_000_000)),
    attackManifest('manifest-nested-untyped', 'SVC-REG-009', () => '['.repeat(4_000_001), 'text/plain'),
    attackManifest('manifest-of-objects', 'SVC-REG-009', () => `[${'{},'.repeat(1_390_000)}{}]`),
    attackManifest(
      'manifest-of-objects-untyped',
      'SVC-REG-009',
      () => `[${'{},'.repeat(1_390_001)}{}]`,
      'text/x',
    ),
    attackManifest('manifest-not-utf8', 'SVC-REG-009', () => Buffer.from([0x7b, 0xff, 0xfe, 0x7d])),
    attackManifest(
      'manifest-two-layers-members',
      'SVC-REG-009',
      (image) => `${manifestOf(image, {}).slice(0, -1)},"layers":[]}`,
    ),
    attackManifest(
      'manifest-escaped-member',
      'SVC-REG-009',
      (image) => `${manifestOf(image, {}).slice(0, -1)},"\\u006cayers":[]}`,
    ),
    attackManifest('manifest-two-digests', 'SVC-REG-009', (image) =>
      manifestOf(image, {}).replace('"digest":', `"digest":"${sha256('x')}","digest":`),
    ),
    attackManifest('manifest-other-type', 'SVC-REG-009', (image) => manifestOf(image, {}), indexType),
    attackManifest('manifest-both-shapes', 'SVC-REG-009', (image) => manifestOf(image, { manifests: [] })),
    attackManifest(
      'manifest-schema-1',
      'SVC-REG-009',
      () =>
        JSON.stringify({
          schemaVersion: 1,
          name: 'library/x',
          fsLayers: [],
          history: [],
          signatures: [],
        }),
      'application/vnd.docker.distribution.manifest.v1+prettyjws',
    ),
    attackManifest(
      'manifest-withdrawn',
      'SVC-REG-009',
      () => JSON.stringify({ mediaType: 'application/vnd.oci.artifact.manifest.v1+json', blobs: [] }),
      'application/vnd.oci.artifact.manifest.v1+json',
    ),
    ...(
      [
        ['digest-path', { digest: 'sha256:../../../../etc/passwd' }],
        ['digest-sha1', { digest: `sha1:${'a'.repeat(40)}` }],
        ['digest-upper', { digest: `sha256:${'A'.repeat(64)}` }],
        ['size-negative', { size: -1 }],
        ['size-huge', { size: 1e300 }],
        ['size-text', { size: '5' }],
        ['size-fraction', { size: 1.5 }],
      ] as const
    ).map(([name, change]) =>
      attackManifest(name, 'SVC-REG-009', (image) =>
        manifestOf(image, { layers: [{ ...image.layer, ...change }] }),
      ),
    ),
    attackManifest('layers-too-many', 'SVC-REG-009', (image) =>
      manifestOf(image, { layers: Array.from({ length: 10_001 }, () => image.layer) }),
    ),
    attackManifest('size-lies', 'SVC-REG-007', (image) =>
      manifestOf(image, { layers: [{ ...image.layer, size: image.layer.size + 1 }] }),
    ),
    {
      name: 'nested-indexes',
      code: 'SVC-REG-009',
      host: (host, image) => {
        let child: Descriptor = image.root;
        for (let i = 0; i < 7; i += 1)
          child = host.putManifest(repository, {
            schemaVersion: 2,
            mediaType: indexType,
            manifests: [child],
          });
        return child.digest;
      },
    },
    {
      name: 'tree-explodes',
      code: 'SVC-REG-009',
      host: (host) => {
        const leaf = (i: number) => asIndex([]).replace('[]', `[],"annotations":{"i":"${i}"}`);
        const descriptor = (text: string) => ({
          mediaType: indexType,
          digest: sha256(text),
          size: text.length,
        });
        const texts = new Map<string, string>();
        const keep = (text: string) => {
          texts.set(sha256(text), text);
          return descriptor(text);
        };
        const branches = Array.from({ length: 103 }, (_, b) =>
          keep(asIndex(Array.from({ length: 100 }, (_one, i) => keep(leaf(b * 100 + i))))),
        );
        const root = keep(asIndex(branches));
        host.intercept((request, response) => {
          const text = texts.get(request.path.split('/').at(-1)!);
          if (text === undefined) return false;
          misbehave.reply(response, 200, { 'content-type': indexType }, text);
          return true;
        });
        return root.digest;
      },
    },
    {
      name: 'one-child-often',
      code: undefined,
      host: (host, image) =>
        host.putManifest(repository, {
          schemaVersion: 2,
          mediaType: indexType,
          manifests: Array.from({ length: 5000 }, () => image.root),
        }).digest,
    },
  ];
}

import { blobPath } from '../../../../src/oci/layout.ts';
import { mediaTypes } from '../../../../src/oci/media-types.ts';
import type { ErrorCode } from '../../../../src/text/errors/registry.ts';
import { type Artifact, buildIndex, toManifest } from '../../content/content.ts';
import { both, type Files, flipped, having, indexed, type Mutation } from './mutation.ts';
import { image, layer, manifest, toEntry, toFiles, toIndex } from './victim.ts';

/** Documents with right digests that are no images all the same. */
export function* mutateManifests(): Generator<Mutation> {
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
    ['a manifest of schema 1', 'SVC-REG-009', of({ schemaVersion: 1 })],
    ['a manifest of an unknown type', 'SVC-REG-009', of({}, 'application/vnd.example.strange+json')],
    ['a manifest of the withdrawn type', 'SVC-REG-009', of({}, mediaTypes.withdrawnArtifact)],
    ['a manifest without a configuration', 'SVC-REG-009', of({ config: undefined })],
    ['a manifest that is also an index', 'SVC-REG-009', of({ manifests: [] })],
    ['a manifest of too many layers', 'SVC-REG-009', of({ layers: big })],
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
    ['a manifest larger than any', 'SVC-REG-009', of({ annotations: { x: 'y'.repeat(5 << 20) } })],
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
      'SVC-REG-009',
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

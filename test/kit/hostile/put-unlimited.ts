import { parseManifest } from '../../../src/oci/manifest.ts';
import type { ManifestContent } from '../../../src/oci/ports.ts';
import type { Store } from '../../../src/store/model.ts';
import { toFacts } from '../../../src/store/put-manifest.ts';

/** Puts a manifest under a tag as a program did that did not limit annotations. Its blobs are there. */
export async function putUnlimited(
  { core }: Store,
  repo: string,
  content: ManifestContent,
  tag: string,
): Promise<void> {
  const { bytes, descriptor } = content;
  const self = core.graph.intern(descriptor.digest);
  await core.files.put(bytes, descriptor.digest);
  await core.files.makeDurable([self]);
  const facts = toFacts(parseManifest(bytes, descriptor.mediaType), content, () => true);
  const owner = { provenance: 'import' } as const;
  await core.keeper.change('content', () =>
    core.record([
      facts,
      { op: 'put', repo, digest: descriptor.digest },
      { op: 'tag', repo, tag, digest: descriptor.digest, kind: 'ContainerImage', owner },
    ]),
  );
}

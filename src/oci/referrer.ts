import type { Descriptor } from './descriptor.ts';
import { effectiveArtifactType, type Manifest } from './manifest.ts';
import type { ManifestContent } from './ports.ts';

/** The entry of a manifest in a list of referrers. */
export function toReferrer(manifest: ManifestContent, parsed: Manifest): Descriptor {
  const artifactType = effectiveArtifactType(parsed);
  const { annotations } = parsed;
  return {
    ...manifest.descriptor,
    ...(artifactType === undefined ? {} : { artifactType }),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  };
}

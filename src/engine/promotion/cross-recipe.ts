import { svcError } from '../../base/error.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { formatReference, parseRepositoryReference, type RepositoryReference } from '../../oci/reference.ts';
import { toScopePath } from '../../trust/scope.ts';
import { copyGraph } from '../copy-graph.ts';
import { type HeldContent, withHeld } from '../held-content.ts';
import { readManifest } from '../read-manifest.ts';
import type { CarriedRecipe } from '../verify-carried.ts';
import type { Bridge } from './bridge.ts';
import type { Crossing, PromotableRecipe, PromotionOptions } from './model.ts';

/**
 * Pushes a recipe artifact with its signatures, after all of its ingredients.
 *
 * @throws SVC-POL-004 when the destination has another document under this version, and what copying throws
 */
export async function crossRecipe(
  bridge: Bridge,
  options: PromotionOptions,
  record: PromotableRecipe,
  { layer, found }: CarriedRecipe,
  held: HeldContent,
  place: RepositoryReference,
): Promise<Crossing> {
  const { report, signal } = options;
  const call: CallOptions = signal ? { signal } : {};
  const reference = `${formatReference(place)}:${record.version}`;
  const target = bridge.open(place);
  const standing = await target.resolve(record.version, call);
  if (standing && standing.digest !== record.digest) {
    const { manifest } = await readManifest(target, standing, reference, call);
    const isSame = manifest.kind === 'image' && manifest.layers.some(({ digest }) => digest === layer.digest);
    if (!isSame)
      throw svcError('SVC-POL-004', { reference, published: standing.digest, candidate: record.digest });
    report.log('info', 'The destination has the same document in another manifest: its tag stays', {
      destination: reference,
      from: standing.digest,
      digest: record.digest,
    });
    return { status: 'up-to-date', bytes: 0 };
  }
  const source = withHeld(options.source(record.repository), held);
  let signatures = { bytes: 0, count: 0 };
  const { moved } = await copyGraph(
    source,
    target,
    held.manifest(record.digest) ?? { mediaType: '', digest: record.digest, size: 0 },
    {
      ...bridge.copying(source, target, reference),
      tag: record.version,
      beforeRoot: async () => {
        const scopePath = toScopePath(parseRepositoryReference(record.cookbook));
        signatures = await bridge.carry(found, source, target, record.digest, scopePath, reference);
      },
    },
  );
  const isMoved = moved.count + signatures.count > 0 || !standing;
  return { status: isMoved ? 'pushed' : 'up-to-date', bytes: moved.bytes + signatures.bytes };
}

import type { Holder } from '../../src/base/shares/shares.ts';
import type { NoMember, QueryOf } from '../../src/contract/operation.ts';
import type { planMedia as operation } from '../../src/contract/operations/media.ts';
import type { MediumWriting } from '../../src/contract/write-medium.ts';
import type { ViewParts } from './parts.ts';

type Parts = Pick<ViewParts, 'instance'>;

/** Whether the instance keeps receipts and deliveries of zones: it has a `state.root`. */
export const keepsReceipts = ({ instance }: Parts): boolean =>
  instance.context.config.state.root !== undefined;

/**
 * Plans media for a zone, as `svc media write --dry-run` does. Reads manifests and writes nothing.
 *
 * @param call.signal aborted when the client disconnects
 * @throws SVC-SRV-006 when other plans take too long, the errors of the operation
 */
export async function planDelivery(
  {
    instance,
    operations,
    holder,
    signal: gone,
  }: Pick<ViewParts, 'instance' | 'operations'> & { readonly holder: Holder; readonly signal: AbortSignal },
  query: QueryOf<typeof operation.query>,
): Promise<MediumWriting> {
  const { zone, base = 'latest', recipe: recipes = [], volumeBytes, filesystem = 'any', ...others } = query;
  others satisfies NoMember;
  return instance.places.plans.run(holder, gone, (signal) =>
    operations.planMediaWrite(instance, { zone, base, recipes, volumeBytes, filesystem }, signal),
  );
}

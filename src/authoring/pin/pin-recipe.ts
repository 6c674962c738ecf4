import { audited } from '../../base/audited.ts';
import { toStamp } from '../../base/clock.ts';
import { toRepositoryBase } from '../../oci/repository-base.ts';
import type { Context } from '../../operation/context.ts';
import { openPromptRegistry } from '../../operation/prompt-registry.ts';
import { type PinChoices, type PinResult, pinRecipe as pin } from './pin-document.ts';
import type { VendorAccess } from './vendor-ingredient.ts';

export interface PinRecipeInput extends Omit<PinChoices, 'cookedAt'> {
  readonly document: Uint8Array;
  /** Name of the document in errors. */
  readonly file: string;
  /** The caller; callers take turns when documents are read. */
  readonly actor?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Where charts with `vendorDependencies` are pushed with their dependencies. */
export interface VendorTarget {
  /** Repository below which each chart gets its own, `<host>/<path>`. */
  readonly repository: string;
  /** Actor that pushes, for the audit record. */
  readonly actor: string;
  /** Completes the charts, and pushes none. */
  readonly dryRun: boolean;
}

function toVendoring(
  { registry, transport, credentials, report, config }: Context,
  { repository, actor, dryRun }: VendorTarget,
): VendorAccess {
  const access = { registry, transport, credentials, report, retries: config.sync.retries };
  const run: VendorAccess['run'] = async (target, push) => {
    if (dryRun) return;
    const audit = { actor, action: 'content.push', target } as const;
    await audited(report, audit, push, { success: (digest) => ({ digest }) });
  };
  return { ...access, base: toRepositoryBase(repository), run };
}

/**
 * Pins the constraints and tags of a recipe document to digests of the registries. The result has the document;
 * charts are pushed with their dependencies to the place for them.
 *
 * @throws SVC-VAL-001, SVC-VAL-002 for the draft; errors of the registries are part of the result
 */
export function pinRecipe(
  context: Context,
  { signal, vendorTo, ...input }: PinRecipeInput & { readonly vendorTo?: VendorTarget | undefined },
): Promise<PinResult> {
  const vendoring = vendorTo && toVendoring(context, vendorTo);
  const cookedAt = `${toStamp().slice(0, 19)}Z`;
  return pin({ ...input, cookedAt }, { registry: openPromptRegistry(context), signal, vendoring });
}

import { forEachBounded } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import type { ReferrersLister, SignedSource, Source, Target } from '../../oci/ports.ts';
import { collectSignatures, type FoundSignatures } from '../../trust/discover.ts';
import { findNewSignatures, noSignatures } from '../../trust/find-news.ts';
import { type CarryOptions, carrySignatures } from './carry-signatures.ts';
import { type HeldContent, holdSignatures, withHeld } from './held-content.ts';

interface CarryAllOptions extends CarryOptions {
  /** What is collected is held, so that it is fetched once. */
  readonly held: HeldContent;
  /** Told of the signatures of each subject before they are carried. */
  readonly onFound?: (subject: Digest, found: FoundSignatures) => Promise<void>;
}

const subjectsAtOnce = 4;

/**
 * Carries the signatures of an artifact and of every manifest that was carried below it, as `cosign sign -r` makes them.
 *
 * @param carried the root first; it is searched everywhere, the manifests below it where a registry lists signatures
 * @param lister the source's referrers, asked as cheaply as it can be done
 * @returns digests of the artifacts that are at the target now
 */
export async function carryAllSignatures(
  carried: readonly Digest[],
  source: SignedSource,
  lister: ReferrersLister,
  target: Target & Source,
  options: CarryAllOptions,
): Promise<readonly Digest[]> {
  const { signal, held, onFound } = options;
  const call = signal ? { signal } : {};
  const there: Digest[] = [];
  await forEachBounded(carried, subjectsAtOnce, async (subject, i) => {
    const found =
      i === 0
        ? await collectSignatures(source, subject, call)
        : await findNewSignatures(source, lister, noSignatures, subject, call);
    if (!found) return;
    await onFound?.(subject, found);
    holdSignatures(held, found);
    const done = await carrySignatures(found, withHeld(source, held), target, subject, options);
    there.push(...done.carried);
  });
  return there;
}

import { forEachBounded } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import type { ReferrersLister, SignedSource, Source, Target } from '../../oci/ports.ts';
import type { SvcError } from '../../text/error.ts';
import { collectAll, type FoundSignatures } from '../../trust/discover.ts';
import { findNewSignatures, noSignatures } from '../../trust/find-news.ts';
import { type CarryOptions, carrySignatures } from './carry-signatures.ts';
import { type HeldContent, holdSignatures, withHeld } from './held-content.ts';

interface CarryAllOptions extends CarryOptions {
  /** Holds the collected signatures in memory, so that each is fetched once. */
  readonly held: HeldContent;
  /** Called for each subject that has signatures, before they are carried. */
  readonly onFound?: (subject: Digest, found: FoundSignatures) => Promise<void>;
  /** Called once for each subject whose signatures the source does not let be read, in part or at all. */
  readonly onUnread?: (subject: Digest, error: SvcError) => void;
}

const subjectsAtOnce = 4;

/**
 * Carries the signatures of an artifact and of every manifest carried below it. `cosign sign -r` signs both.
 *
 * @param carried digests, the root first. Signatures of the root are searched in every layout; those of the
 *   manifests below it only in the list of referrers
 * @param lister lists referrers of the source with the fewest requests
 * @returns digests of the signature artifacts that are at the target now
 */
export async function carryAllSignatures(
  carried: readonly Digest[],
  source: SignedSource,
  lister: ReferrersLister,
  target: Target & Source,
  options: CarryAllOptions,
): Promise<readonly Digest[]> {
  const { signal, held, onFound, onUnread } = options;
  const call = { signal };
  const there: Digest[] = [];
  await forEachBounded(carried, subjectsAtOnce, async (subject, i) => {
    let unread: SvcError | undefined;
    const onFailure = (error: SvcError): void => {
      unread ??= error;
    };
    const found =
      i === 0
        ? await collectAll(source, subject, call)
        : await findNewSignatures(source, lister, noSignatures, subject, { ...call, onUnread: onFailure });
    unread ??= found?.unread;
    if (unread) onUnread?.(subject, unread);
    if (!found) return;
    await onFound?.(subject, found);
    holdSignatures(held, found);
    const done = await carrySignatures(found, withHeld(source, held), target, subject, options);
    there.push(...done.carried);
  });
  return there;
}

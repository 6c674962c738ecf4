import type { MediumBlock } from '../../contract/medium.ts';
import { judgeMedium } from './report.ts';
import type { MediumVerification } from './verify-medium.ts';

/** Whether two blocks are the same guard with the same finding on the same medium. */
function isSameGuard(a: MediumBlock, b: MediumBlock): boolean {
  if (a.code !== b.code || a.params.mediaId !== b.params.mediaId) return false;
  return a.code === 'SVC-MED-006'
    ? a.params.found === b.params.found
    : a.params.resolvedAt === b.params.resolvedAt;
}

/** Merges the known waived guards with those that a verification waived. */
export function addWaived(
  known: readonly MediumBlock[],
  found: readonly MediumBlock[],
): readonly MediumBlock[] {
  const fresh = found.filter(({ waived }) => waived);
  return [...known.filter((one) => !fresh.some((other) => isSameGuard(one, other))), ...fresh];
}

/** The result of a verification with these guards waived too. Only guards can be waived. */
export function withWaived(
  verification: MediumVerification,
  known: readonly MediumBlock[],
): MediumVerification {
  const { report, passed } = verification;
  const blocks = report.blocks.map((block) =>
    block.waivable && known.some((one) => isSameGuard(one, block)) ? { ...block, waived: true } : block,
  );
  const isBlocked = blocks.some(({ waived }) => !waived);
  return {
    ...verification,
    report: { ...report, verdict: judgeMedium(blocks, report.recipes), blocks },
    cleared: isBlocked ? [] : passed,
  };
}

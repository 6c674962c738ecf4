import type { ErrorCode } from '../../base/catalogue.ts';
import { type ExitCode, exitCodes, type SvcError, selectPrincipal, toExitCode } from '../../base/error.ts';
import type { MediumBlock, MediumReport, RecipeVerdict } from '../model.ts';

/** Findings that one report names; the rest is counted. */
export const maxFindings = 1000;

/** What stands against a medium: blocks that are not waived, and the reasons of blocked recipes. */
export function selectObstacles(
  report: Pick<MediumReport, 'blocks' | 'recipes'>,
): readonly { readonly code: ErrorCode }[] {
  return [
    ...report.blocks.filter((block) => !block.waived),
    ...report.recipes.flatMap((recipe) => (recipe.reason ? [recipe.reason] : [])),
  ];
}

/** Exit code of a verification: 0, 3 when only waivable guards stand against it, else 4. */
export function toMediumExitCode(report: Pick<MediumReport, 'blocks' | 'recipes'>): ExitCode {
  const principal = selectPrincipal(selectObstacles(report));
  return principal ? toExitCode(principal) : exitCodes.ok;
}

/** The verdict over a whole medium. */
export function judgeMedium(
  blocks: readonly MediumBlock[],
  recipes: readonly RecipeVerdict[],
): MediumReport['verdict'] {
  if (blocks.some((block) => !block.waived)) return 'blocked';
  const pushable = recipes.filter((recipe) => recipe.pushable).length;
  if (pushable === recipes.length) return 'pushable';
  return pushable === 0 ? 'blocked' : 'partial';
}

/** A block in the form in which reports carry it. */
export function toBlock(error: SvcError, waived = false): MediumBlock {
  const waivable = error.code === 'SVC-MED-006' || error.code === 'SVC-MED-007';
  return { code: error.code, params: error.params, waivable, waived: waivable && waived };
}

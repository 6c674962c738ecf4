import type { MediumAge, MediumBlock, MediumReport, RecipeVerdict } from '../../contract/medium.ts';
import { isProgramPath } from '../../store/rest/carried-program.ts';
import type { MediumHeader } from '../../store/rest/media-manifest.ts';
import {
  type ErrorRecord,
  type ExitCode,
  exitCodes,
  fromErrorRecord,
  SvcError,
  selectPrincipal,
  toExitCode,
  toStoredRules,
} from '../../text/error.ts';
import { toMediumClaims } from './medium-claims.ts';
import { type NamedMedium, nameDisk } from './parts/name-disk.ts';

/** Limit of findings in one report; the total is logged. */
export const maxFindings = 1000;
/** Limit of blocks in one report. */
export const maxBlocks = 100;

/**
 * Error that blocks a recipe: always of the class `verification`, although its code may have another class elsewhere.
 */
export function toBlockingError({ reason }: Pick<RecipeVerdict, 'reason'>): SvcError | undefined {
  if (reason === undefined) return undefined;
  return fromErrorRecord({ ...reason, class: 'verification' });
}

type NamedRecipe = Pick<RecipeVerdict, 'name' | 'version' | 'cookbook'>;

/** Names a recipe of a medium; with its cookbook when another cookbook has a recipe of this name on the medium. */
export function nameRecipe(
  recipe: NamedRecipe,
  all: readonly NamedRecipe[],
  separator: '@' | ' ' = '@',
): string {
  const { name, version, cookbook } = recipe;
  const isAmbiguous = all.some((other) => other.name === name && other.cookbook !== cookbook);
  return `${name}${separator}${version}${isAmbiguous ? ` (${cookbook})` : ''}`;
}

/** All blocks of a medium and its recipes: guards and blocks not waived, then blocked recipes. */
export function selectObstacles(report: Pick<MediumReport, 'blocks' | 'recipes'>): readonly SvcError[] {
  return [
    ...report.blocks
      .filter(({ waived }) => !waived)
      .map(({ code, params, rules }) => new SvcError(code, params, { rules })),
    ...report.recipes.flatMap((recipe) => toBlockingError(recipe) ?? []),
  ];
}

/** Whether a finding is about a file of the carried release. No recipe needs the file, and people install it. */
export const isOfProgram = ({
  code,
  path,
}: Pick<MediumReport['findings'][number], 'code' | 'path'>): boolean =>
  isProgramPath(path) && /^SVC-MED-01[0124]$/.test(code);

/** The findings about the carried release, as errors of a verification. */
export const selectOfProgram = ({ findings }: Pick<MediumReport, 'findings'>): readonly SvcError[] =>
  findings.filter(isOfProgram).map((found) => fromErrorRecord({ ...found, class: 'verification' }));

/**
 * Exit code of a verification: 0, 3 when only guards that can be waived block the medium, else 4, also for a carried release
 * that differs from its list. It is 1 when nothing is wrong with the medium, and content of a base is gone at the destination,
 * where it was asked.
 */
export function toMediumExitCode(report: Pick<MediumReport, 'blocks' | 'recipes' | 'findings'>): ExitCode {
  const gone = report.recipes.flatMap(({ atDestination }) =>
    atDestination?.error?.code === 'SVC-MED-040' ? [fromErrorRecord(atDestination.error)] : [],
  );
  const principal = selectPrincipal([...selectObstacles(report), ...selectOfProgram(report), ...gone]);
  return principal ? toExitCode(principal) : exitCodes.ok;
}

/** Verdict on a medium. */
export function judgeMedium(
  blocks: readonly MediumBlock[],
  recipes: readonly RecipeVerdict[],
): MediumReport['verdict'] {
  if (blocks.some((block) => !block.waived)) return 'blocked';
  const pushable = recipes.filter((recipe) => recipe.pushable).length;
  if (pushable === recipes.length) return 'pushable';
  return pushable === 0 ? 'blocked' : 'partial';
}

/** The parameters of an error in both languages, as a member of a block or a finding. */
function toStoredParams(error: SvcError): Pick<ErrorRecord, 'rules'> {
  const { rules } = toStoredRules(error);
  return rules === undefined ? {} : { rules };
}

/** Guards that an administrator may waive: zone, freshness, and the time of a passport. */
const waivableCodes: ReadonlySet<string> = new Set(['SVC-MED-006', 'SVC-MED-007', 'SVC-MED-043']);

/** Converts an error to a block of the report. */
export function toBlock(error: SvcError, medium: NamedMedium, waived = false): MediumBlock {
  const waivable = waivableCodes.has(error.code);
  const params = nameDisk(error.code, error.params, medium);
  return { code: error.code, params, ...toStoredParams(error), waivable, waived: waivable && waived };
}

/** Converts a finding to its entry in the report. */
export function toFinding(finding: SvcError, medium: NamedMedium): MediumReport['findings'][number] {
  return {
    code: finding.code,
    path: toSubject(finding.params),
    params: nameDisk(finding.code, finding.params, medium),
    ...toStoredParams(finding),
  };
}

/** The subject of a finding as a path: a file, a recipe, or the manifest. */
function toSubject({ path, recipe }: SvcError['params']): string {
  if (typeof path === 'string') return path;
  return typeof recipe === 'string' ? `recipes/${recipe}` : 'media.jsonl';
}

/** Compares a medium with the zone that verifies it. Without a header only the zone is known. */
export function describeMedium(
  header: MediumHeader | undefined,
  zone: string,
  age: MediumAge | undefined,
): Pick<MediumReport, 'medium' | 'zone' | 'freshness'> {
  if (!header) return { zone: { expected: zone, match: false } };
  return {
    medium: toMediumClaims(header),
    zone: { expected: zone, found: header.zone, match: header.zone === zone },
    ...(age && { freshness: age }),
  };
}

import type { Pace } from '../base/rate.ts';
import { pace, serving } from './common.ts';
import { code, params } from './error.ts';
import { PlanProblem } from './plan.ts';
import { detailRules, rules } from './rule.ts';
import {
  boolean,
  choice,
  component,
  described,
  digest,
  integer,
  list,
  object,
  string,
  type TypeOf,
  timestamp,
} from './schema.ts';

const recipeVerdict = object({
  name: string,
  version: string,
  cookbook: string,
  repository: string,
  digest,
  pushable: boolean,
  'reason?': described(
    'Why it is not pushable',
    object({
      code,
      'path?': string,
      params,
      'rules?': rules,
      'detail?': string,
      'detailRules?': detailRules,
    }),
  ),
  'keyFingerprint?': string,
  'trustScope?': string,
  'needs?': described(
    'Content that the medium does not have; absent when it has all',
    list(
      object({
        from: choice('Where it is', {
          base: 'the registry of the zone',
          part: 'another part of the delivery',
        }),
        'part?': described('The part that has it', integer),
        'parts?': described('In place of `part`: the parts over which these files are cut', list(integer)),
        files: integer,
        bytes: described('Bytes, each in one entry', integer),
      }),
    ),
  ),
  'atDestination?': described(
    'Answer of the zone for this content; absent where the zone was not asked or did not answer',
    object({
      files: described('Number of files in the registry of the zone, or kept from earlier disks', integer),
      bytes: integer,
      missing: described('Content that the zone does not have', object({ files: integer, bytes: integer })),
      parts: described('Other parts of the delivery to import, in ascending order', list(integer)),
      landed: described('Whether the recipe is in the registry of the zone', boolean),
      'error?': described('Reason for which an import would not push the recipe now', PlanProblem),
    }),
  ),
  files: integer,
  bytes: integer,
});

/** Content of the manifest of a medium. */
const headerClaims = {
  mediaId: string,
  zone: string,
  mediaFormat: integer,
  storeFormat: integer,
  producedBy: object({ version: string, runId: string }),
  resolvedAt: timestamp,
  writtenAt: timestamp,
  'delivery?': described(
    'The delivery of which this medium is a part',
    object({ id: string, part: integer, parts: integer }),
  ),
  'base?': described(
    'The receipt whose content the medium does not bring again',
    object({ zone: string, receipt: digest, sequence: integer }),
  ),
  'program?': described(
    'The release of svc in the folder `program`',
    object({ version: string, files: integer, bytes: integer }),
  ),
};

/** The first line of `media.jsonl`. */
export const mediumHeader = object({
  ...headerClaims,
  recipes: list(object({ name: string, version: string, repository: string, digest })),
  // manifests of recipe artifacts of the store outside the delivery: pushed, imported or published here, replaced by a later
  // run, or fetched by an incomplete one
  'otherRecipes?': list(digest),
  // of the lines that follow
  totals: object({ files: integer, bytes: integer }),
});

export const mediumClaims = object({ ...headerClaims, files: integer, bytes: integer });
export type MediumClaims = TypeOf<typeof mediumClaims>;

/** Carried media. */
export const Media = component(
  'Media',
  object({
    zone: string,
    root: string,
    'mediaId?': string,
    'lastImport?': object({
      mediaId: string,
      resolvedAt: timestamp,
      importedAt: timestamp,
      'runId?': described('Absent for a part of a delivery whose recipes wait for others', string),
    }),
  }),
);
export type Media = TypeOf<typeof Media>;

export const MediumReport = component(
  'MediumReport',
  object({
    verdict: choice('Verdict about the medium', {
      pushable: 'every recipe is',
      partial: 'some recipes are',
      blocked: 'no recipe is',
    }),
    blocks: list(object({ code, params, 'rules?': rules, waivable: boolean, waived: boolean })),
    'medium?': mediumClaims,
    zone: described('Zone of the medium', object({ expected: string, 'found?': string, match: boolean })),
    'freshness?': object({
      resolvedAt: timestamp,
      'recordedAt?': timestamp,
      'recordedMediaId?': string,
      stale: described('Whether a newer medium was imported', boolean),
      'importedAt?': described(
        'When this medium was imported as it is written now, and every recipe of it landed: it is not refused then, although it is older',
        timestamp,
      ),
    }),
    'received?': described(
      'Parts of the delivery that this zone received before, where `svc media verify` asked its state; absent without a part of it',
      object({
        landed: described('Parts that were imported, in ascending order', list(integer)),
        needed: described('Parts with content that is not in the zone, in ascending order', list(integer)),
        complete: described('Whether every recipe of it that passed is in the zone', boolean),
        recipes: described('Number of its recipes', integer),
        inZone: described('Number of these that are in the zone', integer),
        'importedAt?': described('When the last of these was imported', timestamp),
      }),
    ),
    'passport?': described(
      'The passport, where one is valid',
      object({
        signer: described('Name of the configured peer', string),
        'expiresAt?': described('When its time ends; absent: never', timestamp),
        'ahead?': described(
          'When it says that it was signed, where that is more than a day ahead: a clock is wrong',
          timestamp,
        ),
      }),
    ),
    recipes: described('Verdicts about the recipes', list(recipeVerdict)),
    findings: list(object({ code, path: string, params, 'rules?': rules })),
    'leftBehind?': described(
      'Content that no recipe that passed reaches: an import does not push it. Absent when there is none',
      object({
        names: described('`<repository>:<tag>` in the store of the medium, at most 20', list(string)),
        unnamed: described('Number of further names', integer),
        files: integer,
        bytes: integer,
      }),
    ),
    checked: described('How much was hashed', object({ files: integer, bytes: integer })),
    startedAt: timestamp,
    finishedAt: timestamp,
  }),
);
export type MediumReport = TypeOf<typeof MediumReport>;
export type MediumAge = NonNullable<MediumReport['freshness']>;
export type RecipeVerdict = MediumReport['recipes'][number];
export type MediumBlock = MediumReport['blocks'][number];

export const VerificationState = component(
  'VerificationState',
  object({
    guarded: boolean,
    serving,
    'mediaId?': string,
    'replaced?': boolean,
    'running?': object({
      startedAt: timestamp,
      stage: choice('Part of the verification', {
        inventory: 'the files of the medium are listed',
        manifest: 'the manifest is read',
        recipes: 'recipes and their signatures are verified',
        ingredients: 'the content of the recipes is hashed',
        extraneous: 'content that no recipe reaches is listed',
      }),
      'recipe?': string,
      files: integer,
      'totalFiles?': integer,
      bytes: integer,
      'totalBytes?': integer,
      ...pace,
      recipes: described('Verdicts about the recipes', list(recipeVerdict)),
      'totalRecipes?': integer,
    }),
    'report?': MediumReport,
    'failure?': PlanProblem,
  }),
);
export type VerificationState = TypeOf<typeof VerificationState>;
export type LeftBehind = NonNullable<MediumReport['leftBehind']>;
export type VerificationProgress = Omit<NonNullable<VerificationState['running']>, keyof Pace>;

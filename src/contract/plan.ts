import { contentStatus, kind, mode, pruneItem, strings } from './common.ts';
import { code, errorClass, params } from './error.ts';
import { LinkForecast } from './link.ts';
import { detailRules, Rule, rules } from './rule.ts';
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
  whole,
} from './schema.ts';

const newSignatures = choice('Signatures at the source', {
  new: 'the source has some that the store lacks',
});

/** Plan of a sync. */
export const PlanProblem = component(
  'PlanProblem',
  object({
    code,
    class: errorClass,
    'subject?': string,
    params,
    'rules?': rules,
    'detail?': string,
    'detailRules?': detailRules,
  }),
);
export type PlanProblem = TypeOf<typeof PlanProblem>;

/** A check of the room on a volume. */
export const volumeCheck = object({
  target: choice('What the volume holds', {
    store: 'the store',
    state: 'the state of the instance',
    output: 'the output of an export',
  }),
  path: string,
  filesystem: object({
    type: described('Type of the filesystem', string),
    identified: boolean,
    'maxFileSize?': integer,
  }),
  freeBytes: integer,
  marginPercent: integer,
  usableBytes: integer,
  projectedBytes: whole({
    format: 'int64',
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
  largestFileBytes: integer,
  shortfallBytes: integer,
  warnings: strings,
  'warningRules?': list(Rule),
  'refusalCode?': choice('Why the run does not fit', {
    'SVC-STO-004': 'too little space',
    'SVC-STO-005': 'a file is too large for the filesystem',
  }),
});

export const Plan = component(
  'Plan',
  object({
    'mode?': mode,
    source: described('Retriever document', string),
    'zone?': string,
    generatedAt: timestamp,
    'destination?': string,
    outcome: choice('Outcome of the plan', {
      'up-to-date': 'nothing changes',
      'changes-planned': 'content is transferred or pruned',
      'policy-refused': 'a rule of this instance forbids it',
      'verification-failed': 'a signature or digest is wrong',
      failed: 'the plan could not be made',
    }),
    recipes: described(
      'Recipes of the Retriever',
      list(
        object({
          name: string,
          requested: string,
          'resolved?': string,
          'digest?': digest,
          'lowerThan?': described(
            'Higher version that is here and that the source no longer offers; a prune leaves the recipe out',
            string,
          ),
          cookbook: string,
          signature: choice('Verdict about the signature', {
            verified: 'a trusted key verifies it',
            'unsigned-admitted': 'unsigned, and admitted by its trust scope',
            refused: 'no trusted key verifies it',
            'not-evaluated': 'the recipe could not be read',
          }),
          'signatures?': newSignatures,
          'trustScope?': string,
          ingredients: described(
            'Ingredients of the recipe',
            list(
              object({
                name: string,
                kind,
                ref: string,
                'effective?': string,
                repository: string,
                version: string,
                digest,
                status: contentStatus,
                'destinationStatus?': contentStatus,
                'signatures?': newSignatures,
                totalBytes: integer,
                transferBytes: integer,
                'absentLayers?': list(digest),
                'problem?': PlanProblem,
              }),
            ),
          ),
          totalBytes: integer,
          transferBytes: integer,
          'problem?': PlanProblem,
        }),
      ),
    ),
    totals: object({
      recipes: described('Number of recipes', integer),
      ingredients: integer,
      new: integer,
      outdated: integer,
      upToDate: integer,
      totalBytes: integer,
      transferBytes: integer,
      largestFileBytes: integer,
      storeBytes: integer,
      projectedStoreBytes: integer,
    }),
    'promotion?': described(
      'Content to push to the destination; absent without one',
      object({
        bytes: described(
          'Bytes to push at most, judged by the tags of the destination: it may have parts of them',
          integer,
        ),
        unasked: described(
          'Number of ingredients and recipes whose tag at the destination is not known; their bytes are not counted',
          integer,
        ),
      }),
    ),
    policy: object({
      allowlistDeclared: boolean,
      hosts: list(
        object({ host: string, role: described('What the host is contacted for', string), allowed: boolean }),
      ),
      'unmatchedScopes?': list(string),
    }),
    prune: object({
      evaluated: boolean,
      'reason?': choice('Why the prune was not computed', {
        'not-asked': 'nobody asked for a prune',
        'recipe-failed': 'a recipe cannot be carried',
        unseen: 'nobody could be shown the list',
        'no-retriever': 'the Retriever cannot be used',
      }),
      items: list(pruneItem),
      totalBytes: integer,
    }),
    checks: list(volumeCheck),
    problems: described('Problems of the run as a whole', list(PlanProblem)),
  }),
);
export type Plan = TypeOf<typeof Plan>;
export type PlannedRecipe = Plan['recipes'][number];
export type PlannedIngredient = PlannedRecipe['ingredients'][number];
export type VolumeCheck = Plan['checks'][number];

export const PlanAnswer = component(
  'PlanAnswer',
  object({
    plan: Plan,
    'link?': described(
      'How long the transfer takes, and when it may run; absent when neither a cap nor windows are set',
      LinkForecast,
    ),
    exit_code: whole({ format: 'int32', minimum: 0, maximum: 5 }),
  }),
);
export type PlanAnswer = TypeOf<typeof PlanAnswer>;

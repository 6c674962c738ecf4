import {
  boolean,
  digest,
  integer,
  list,
  object,
  oneOf,
  ref,
  type Schema,
  string,
  timestamp,
} from '../schema.ts';
import { code, params } from './common.ts';

const recipeVerdict = object({
  name: string,
  version: string,
  cookbook: string,
  repository: string,
  digest,
  pushable: boolean,
  'reason?': object({ code, 'path?': string, params, 'detail?': string }),
  'keyFingerprint?': string,
  'trustScope?': string,
  files: integer,
  bytes: integer,
});

/** Carried media. */
export const mediumSchemas = {
  Media: object({
    zone: string,
    root: string,
    'mediaId?': string,
    'lastImport?': object({
      mediaId: string,
      resolvedAt: timestamp,
      importedAt: timestamp,
      runId: string,
    }),
  }),
  MediumReport: object({
    verdict: oneOf('pushable', 'partial', 'blocked'),
    blocks: list(object({ code, params, waivable: boolean, waived: boolean })),
    'medium?': object({
      mediaId: string,
      zone: string,
      mediaFormat: integer,
      storeFormat: integer,
      producedBy: object({ version: string, runId: string }),
      resolvedAt: timestamp,
      writtenAt: timestamp,
      files: integer,
      bytes: integer,
    }),
    zone: object({ expected: string, 'found?': string, match: boolean }),
    'freshness?': object({
      resolvedAt: timestamp,
      'recordedAt?': timestamp,
      'recordedMediaId?': string,
      stale: boolean,
    }),
    recipes: list(recipeVerdict),
    findings: list(object({ code, path: string, params })),
    checked: object({ files: integer, bytes: integer }),
    startedAt: timestamp,
    finishedAt: timestamp,
  }),
  VerificationState: object({
    guarded: boolean,
    serving: oneOf('open', 'closed'),
    'mediaId?': string,
    'running?': object({
      startedAt: timestamp,
      stage: oneOf('inventory', 'manifest', 'recipes', 'ingredients', 'extraneous'),
      'recipe?': string,
      files: integer,
      'totalFiles?': integer,
      bytes: integer,
      'totalBytes?': integer,
      'bytesPerSecond?': integer,
      'secondsLeft?': integer,
      recipes: list(recipeVerdict),
      'totalRecipes?': integer,
    }),
    'report?': ref('MediumReport'),
    'failure?': ref('PlanProblem'),
  }),
} satisfies Record<string, Schema>;

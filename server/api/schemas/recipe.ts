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
import { kind, pruneItem, strings } from './common.ts';
import { affected } from './store.ts';

const recipeRecord = {
  name: string,
  version: string,
  cookbook: string,
  repository: string,
  tag: string,
  digest,
  documentDigest: digest,
  'runId?': string,
  'zone?': string,
  'resolvedAt?': timestamp,
  verified: boolean,
  'keyFingerprint?': string,
  'trustScope?': string,
};
const recipeIngredient = {
  name: string,
  kind,
  ref: string,
  repository: string,
  tag: string,
  digest,
  'platforms?': strings,
};
/** Recipes and the Retriever. */
export const recipeSchemas = {
  RecipeRecord: object({ ...recipeRecord, ingredients: list(object(recipeIngredient)) }),
  RecipeName: object({ name: string }),
  RecipeList: object({ recipes: list({ anyOf: [ref('RecipeRecord'), ref('RecipeName')] }) }),
  RecipeMapping: object({
    recipe: string,
    versions: list(
      object({
        ...recipeRecord,
        ingredients: list(object({ ...recipeIngredient, nominal: string, 'relocated?': string })),
      }),
    ),
    mirrors: object({
      registriesYaml: string,
      hostsToml: list(object({ host: string, directory: string, content: string })),
    }),
  }),
  PublishedRecipe: object({ reference: string, digest, documentDigest: digest, unchanged: boolean }),
  PrunePreview: object({ items: list(pruneItem), count: integer, totalBytes: integer }),
  PruneProjection: object({
    'items?': list(pruneItem),
    'count?': integer,
    'totalBytes?': integer,
    'error?': ref('ErrorRecord'),
  }),
  Interval: object({
    effective: string,
    configured: string,
    overridden: boolean,
    enabled: boolean,
    minimum: string,
  }),
  Retriever: object({
    'source?': string,
    mode: oneOf('passthrough', 'mirror'),
    'zone?': string,
    'destination?': string,
    'cookbook?': string,
    relaxedScopes: list(
      object({ name: string, repositories: strings, allowUnsigned: boolean, 'roots?': strings }),
    ),
    anonymousFilesets: strings,
    'interval?': ref('Interval'),
    prune: boolean,
    occupancy: object({
      bytes: integer,
      'thresholdBytes?': integer,
      monitored: boolean,
      exceeded: boolean,
      sampledAt: timestamp,
    }),
    'scrub?': object({
      enabled: boolean,
      'running?': object({
        startedAt: timestamp,
        files: integer,
        bytes: integer,
        totalBytes: integer,
        damaged: integer,
      }),
      'last?': object({
        startedAt: timestamp,
        finishedAt: timestamp,
        files: integer,
        bytes: integer,
        damaged: integer,
        findings: list(
          object({ digest, 'path?': string, problem: string, foundAt: timestamp, affects: affected }),
        ),
      }),
      quarantine: object({ files: integer, bytes: integer }),
    }),
    'lastSync?': object({
      zone: string,
      runId: string,
      resolvedAt: timestamp,
      'outcome?': oneOf('success', 'partial', 'failure'),
    }),
  }),
} satisfies Record<string, Schema>;

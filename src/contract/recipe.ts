import { client, kind, loweredRecipes, mode, pruneItem, strings, syncOutcome } from './common.ts';
import {
  boolean,
  choice,
  described,
  digest,
  integer,
  list,
  object,
  ref,
  type Schema,
  string,
  timestamp,
} from './schema.ts';
import { affected } from './store.ts';

const lowered = described(
  'Recipes that are left out, because their source offers a lower version than is here; absent: none',
  loweredRecipes,
);

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
  RecipeRecord: object({
    ...recipeRecord,
    ingredients: described('Ingredients of the recipe', list(object(recipeIngredient))),
  }),
  RecipeName: object({ name: string }),
  RecipeList: object({
    recipes: described('Recipes of the store', list({ anyOf: [ref('RecipeRecord'), ref('RecipeName')] })),
  }),
  RecipeMapping: object({
    recipe: string,
    versions: list(
      object({
        ...recipeRecord,
        ingredients: described(
          'Ingredients of the recipe',
          list(object({ ...recipeIngredient, nominal: string, 'relocated?': string })),
        ),
      }),
    ),
    mirrors: object({
      registriesYaml: string,
      hostsToml: list(object({ host: string, directory: string, content: string })),
    }),
  }),
  ClientConfig: object({
    client,
    directory: described('Folder that the client reads', string),
    'zone?': string,
    revision: described('Names the content: the same content has the same revision', string),
    files: described(
      'Files below the folder; `mode` is `0600` where a file has places for secrets',
      list(
        object({
          path: string,
          content: string,
          'mode?': choice('Permissions of the file', { '0600': 'only its owner may read and write it' }),
        }),
      ),
    ),
  }),
  ClientList: object({
    clients: described(
      'Each client with its files',
      list(
        object({
          client,
          directory: described('Folder that the client reads', string),
          revision: described('Names the content: the same content has the same revision', string),
          reads: choice('What the client reads', {
            registry: 'the registry of the zone',
            instance: 'FileSets and views of this instance',
          }),
          files: described('Paths below the folder; none: there is nothing to configure', list(string)),
          'error?': ref('ErrorRecord'),
        }),
      ),
    ),
  }),
  PublishedRecipe: object({ reference: string, digest, documentDigest: digest, unchanged: boolean }),
  PrunePreview: object({
    items: list(pruneItem),
    count: integer,
    totalBytes: integer,
    'lowered?': lowered,
    fingerprint: { ...digest, description: 'Passed to a synchronization, it makes a changed prune fail' },
  }),
  PruneProjection: object({
    'items?': list(pruneItem),
    'count?': integer,
    'totalBytes?': integer,
    'lowered?': lowered,
    'fingerprint?': digest,
    'error?': ref('ErrorRecord'),
  }),
  Interval: object({
    effective: described('Interval that applies', string),
    configured: described('Interval of the configuration', string),
    overridden: boolean,
    enabled: boolean,
    minimum: string,
    fingerprint: {
      ...digest,
      description: 'Passed to the removal of the override, it makes a changed interval fail',
    },
  }),
  Retriever: object({
    'source?': described('Retriever document', string),
    mode,
    'zone?': string,
    'destination?': string,
    'cookbook?': string,
    substitutions: described(
      'Origin hosts that are not contacted themselves, each with the base that is contacted in its place',
      list(object({ host: string, base: described('`host[:port][/path]`', string) })),
    ),
    relaxedScopes: list(
      object({
        name: string,
        repositories: described('Patterns of repositories in this scope', strings),
        allowUnsigned: boolean,
        'roots?': strings,
      }),
    ),
    anonymousFilesets: strings,
    'interval?': ref('Interval'),
    prune: described('Whether a synchronization prunes by default', boolean),
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
          object({
            digest,
            'path?': string,
            problem: described('What is wrong with the file', string),
            foundAt: timestamp,
            affects: affected,
          }),
        ),
      }),
      quarantine: object({ files: integer, bytes: integer }),
    }),
    'lastSync?': object({
      zone: string,
      runId: string,
      resolvedAt: timestamp,
      'outcome?': syncOutcome,
    }),
  }),
} satisfies Record<string, Schema>;

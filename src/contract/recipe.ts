import { client, kind, loweredRecipes, mode, pruneItem, strings, syncOutcome } from './common.ts';
import { ErrorRecord } from './error.ts';
import {
  anyOf,
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
  'damaged?': described(
    'Present where the store has lost a part of it: a synchronization fetches that again',
    boolean,
  ),
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
export const RecipeRecord = component(
  'RecipeRecord',
  object({
    ...recipeRecord,
    ingredients: described('Ingredients of the recipe', list(object(recipeIngredient))),
  }),
);
export type RecipeRecord = TypeOf<typeof RecipeRecord>;
export type RecipeIngredientRecord = RecipeRecord['ingredients'][number];

export const RecipeName = component('RecipeName', object({ name: string }));
export type RecipeName = TypeOf<typeof RecipeName>;

export const RecipeList = component(
  'RecipeList',
  object({
    recipes: described('Recipes of the store', list(anyOf(RecipeRecord, RecipeName))),
  }),
);
export type RecipeList = TypeOf<typeof RecipeList>;

export const RecipeMapping = component(
  'RecipeMapping',
  object({
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
);
export type RecipeMapping = TypeOf<typeof RecipeMapping>;
export type HostsFile = RecipeMapping['mirrors']['hostsToml'][number];

export const ClientConfig = component(
  'ClientConfig',
  object({
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
);
export type ClientConfig = TypeOf<typeof ClientConfig>;
export type ClientFile = ClientConfig['files'][number];

export const ClientList = component(
  'ClientList',
  object({
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
          'error?': ErrorRecord,
        }),
      ),
    ),
  }),
);
export type ClientList = TypeOf<typeof ClientList>;

export const PublishedRecipe = component(
  'PublishedRecipe',
  object({ reference: string, digest, documentDigest: digest, unchanged: boolean }),
);
export type PublishedRecipe = TypeOf<typeof PublishedRecipe>;

export const PrunePreview = component(
  'PrunePreview',
  object({
    items: list(pruneItem),
    count: integer,
    totalBytes: integer,
    'lowered?': lowered,
    fingerprint: described('Passed to a synchronization, it makes a changed prune fail', digest),
  }),
);
export type PrunePreview = TypeOf<typeof PrunePreview>;

export const PruneProjection = component(
  'PruneProjection',
  object({
    'items?': list(pruneItem),
    'count?': integer,
    'totalBytes?': integer,
    'lowered?': lowered,
    'fingerprint?': digest,
    'error?': ErrorRecord,
  }),
);
export type PruneProjection = TypeOf<typeof PruneProjection>;

export const Interval = component(
  'Interval',
  object({
    effective: described('Interval that applies', string),
    configured: described('Interval of the configuration', string),
    overridden: boolean,
    enabled: boolean,
    minimum: string,
    fingerprint: described('Passed to the removal of the override, it makes a changed interval fail', digest),
  }),
);
export type Interval = TypeOf<typeof Interval>;

export const Retriever = component(
  'Retriever',
  object({
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
    'interval?': Interval,
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
      quarantine: object({
        files: integer,
        bytes: integer,
        'lastAt?': described('When the last one of its files came there', timestamp),
      }),
    }),
    'lastSync?': object({
      zone: string,
      runId: string,
      resolvedAt: timestamp,
      'outcome?': syncOutcome,
    }),
  }),
);
export type Retriever = TypeOf<typeof Retriever>;
export type Occupancy = Retriever['occupancy'];
export type ScrubFinding = NonNullable<NonNullable<Retriever['scrub']>['last']>['findings'][number];
export type ScrubView = NonNullable<Retriever['scrub']>;
export type RetrieverRecord = Omit<Retriever, 'occupancy'>;

import { contentStatus, kind, paging, provenance, provenances, strings } from './common.ts';
import {
  boolean,
  choice,
  component,
  described,
  digest,
  integer,
  list,
  mapOf,
  object,
  string,
  type TypeOf,
  timestamp,
} from './schema.ts';

const owner = object({
  provenance,
  'recipe?': string,
  'cookbook?': string,
  'displaced?': object({ tag: string, order: integer }),
});
const platform = object({
  os: string,
  architecture: string,
  'variant?': string,
  digest,
  'mediaType?': string,
  sizeBytes: integer,
  present: boolean,
});
const signatureForms = {
  classic: 'artifact under a tag that is derived from the digest',
  bundle: 'bundle that refers to the content',
};
const signatureLayout = choice('Form of the signature', signatureForms);

/** Content of the store. */
export const ContentList = component(
  'ContentList',
  object({
    repositories: described(
      'Repositories of this page',
      list(
        object({
          name: string,
          'kind?': kind,
          'tags?': described('Number of versions', integer),
          'sizeBytes?': integer,
          'landedAt?': described('Last run that brought a recipe with it', timestamp),
          'provenance?': provenances,
        }),
      ),
    ),
    ...paging,
  }),
);
export type ContentList = TypeOf<typeof ContentList>;
export type ListedRepository = ContentList['repositories'][number];

export const FolderList = component(
  'FolderList',
  object({
    folders: list(object({ prefix: string, repositories: described('Number of repositories', integer) })),
    ...paging,
  }),
);
export type FolderList = TypeOf<typeof FolderList>;
export type Folder = FolderList['folders'][number];

export const Repository = component(
  'Repository',
  object({
    name: string,
    kind,
    provenance: provenances,
    recipes: described('Recipes that name it', strings),
    tags: described(
      'Versions of this page',
      list(
        object({
          tag: string,
          digest,
          'sizeBytes?': integer,
          'platforms?': strings,
          'presentPlatforms?': strings,
          provenance: provenances,
          'recipes?': described('Recipes that name it', strings),
          'signed?': boolean,
          'held?': boolean,
          'landedAt?': described('Last run that brought a recipe with it', timestamp),
        }),
      ),
    ),
    ...paging,
  }),
);
export type Repository = TypeOf<typeof Repository>;
export type ListedVersion = Repository['tags'][number];

export const Tag = component(
  'Tag',
  object({
    repository: string,
    tag: string,
    digest,
    mediaType: string,
    'artifactType?': string,
    kind,
    sizeBytes: integer,
    annotations: mapOf(string),
    provenance: provenances,
    recipes: described('Recipes that name it', strings),
    signatures: described('Signatures of the content', list(object({ layout: signatureLayout, digest }))),
    platforms: list(platform),
    'absentLayers?': list(digest),
  }),
);
export type Tag = TypeOf<typeof Tag>;
export type SignatureOfTag = Tag['signatures'][number];
export type PlatformOfTag = Tag['platforms'][number];

export const DeletePreview = component(
  'DeletePreview',
  object({
    repository: string,
    removed: list(object({ tag: string, digest, sizeBytes: integer, 'restored?': digest })),
    kept: list(object({ tag: string, owners: list(owner) })),
    freedBytes: integer,
    fingerprint: digest,
  }),
);
export type DeletePreview = TypeOf<typeof DeletePreview>;
export type DeletedTag = DeletePreview['removed'][number];
export type KeptTag = DeletePreview['kept'][number];

export const Inspection = component(
  'Inspection',
  object({
    reference: string,
    'effective?': string,
    repository: string,
    tag: string,
    digest,
    mediaType: string,
    kind,
    multiPlatform: boolean,
    platforms: list(
      object({
        name: string,
        'os?': string,
        'architecture?': string,
        'variant?': string,
        digest,
        sizeBytes: integer,
        status: contentStatus,
      }),
    ),
    signatures: described(
      'Signatures of the content',
      list(
        object({
          layout: choice('Form of the signature', {
            ...signatureForms,
            provenance: 'provenance file of a chart',
          }),
          digest,
        }),
      ),
    ),
    'dependencies?': list(
      object({
        name: string,
        'version?': string,
        'repository?': string,
        'alias?': string,
        embedded: boolean,
      }),
    ),
  }),
);
export type Inspection = TypeOf<typeof Inspection>;
export type InspectedPlatform = Inspection['platforms'][number];
export type ChartDependency = NonNullable<Inspection['dependencies']>[number];
export type Owner = TypeOf<typeof owner>;

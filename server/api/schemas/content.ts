import { boolean, digest, integer, list, object, oneOf, type Schema, string } from '../schema.ts';
import { contentStatus, kind, provenance, strings } from './common.ts';

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
  sizeBytes: integer,
  present: boolean,
});
/** Content of the store. */
export const contentSchemas = {
  ContentList: object({
    repositories: list(
      object({
        name: string,
        'kind?': kind,
        'tags?': integer,
        'sizeBytes?': integer,
        'provenance?': list(provenance),
      }),
    ),
    page: integer,
    totalPages: integer,
    total: integer,
  }),
  FolderList: object({
    folders: list(object({ prefix: string, repositories: integer })),
    page: integer,
    totalPages: integer,
    total: integer,
  }),
  Repository: object({
    name: string,
    kind,
    provenance: list(provenance),
    recipes: strings,
    tags: list(
      object({
        tag: string,
        digest,
        'sizeBytes?': integer,
        'platforms?': strings,
        'presentPlatforms?': strings,
        provenance: list(provenance),
        'recipes?': strings,
        'signed?': boolean,
        'held?': boolean,
      }),
    ),
    page: integer,
    totalPages: integer,
    total: integer,
  }),
  Tag: object({
    repository: string,
    tag: string,
    digest,
    mediaType: string,
    'artifactType?': string,
    kind,
    sizeBytes: integer,
    annotations: { type: 'object', additionalProperties: string },
    provenance: list(provenance),
    recipes: strings,
    signatures: list(object({ layout: oneOf('classic', 'bundle'), digest })),
    platforms: list(platform),
    'absentLayers?': list(digest),
  }),
  DeletePreview: object({
    repository: string,
    removed: list(object({ tag: string, digest, sizeBytes: integer, 'restored?': digest })),
    kept: list(object({ tag: string, owners: list(owner) })),
    freedBytes: integer,
    fingerprint: { ...digest, description: 'Passed to the deletion, it makes a changed preview fail' },
  }),
  Inspection: object({
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
    signatures: list(object({ layout: oneOf('classic', 'bundle', 'provenance'), digest })),
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
} satisfies Record<string, Schema>;

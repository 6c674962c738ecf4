import { kind as kindSchema } from '../../src/contract/common.ts';
import { ContentList, DeletePreview, FolderList, Repository, Tag } from '../../src/contract/content.ts';
import { anyOf, digest, list, object, oneOf, text } from '../../src/contract/schema.ts';
import { deleteRepository } from '../../src/operation/delete-repository.ts';
import {
  listContent,
  requireRepository,
  showDeletePreview,
  showRepository,
  showVersion,
  versionsAtOnce,
} from '../../src/view/content.ts';
import { listFolders } from '../../src/view/folders.ts';
import { type ApiAnswer, type ApiCall, type ApiRoute, route } from './api-route.ts';
import { audited } from './audited.ts';
import { changing, reading, showing } from './openapi/error-codes.ts';
import { pagingParameters, toPagingParameters } from './paging.ts';

/** Maximum number of tags in an audit record. */
const maxAuditedTags = 100;

async function deleteContent(
  call: ApiCall,
  { repository, fingerprint }: { readonly repository: string; readonly fingerprint?: string },
): Promise<ApiAnswer<never>> {
  await audited(
    call,
    'content.delete',
    repository.slice(0, 256),
    async () => deleteRepository(call.store, requireRepository(call, repository), { fingerprint }),
    {},
    ({ removed, kept, blobs, bytes }) => ({
      removed: removed.length,
      tags: removed.slice(0, maxAuditedTags).map(({ tag, digest }) => `${tag}@${digest}`),
      kept: kept.slice(0, maxAuditedTags).map(({ tag }) => tag),
      blobs,
      bytes,
    }),
  );
  call.operations.filesets.review(call.identity.actor, call.exchange.origin);
  call.operations.views.review();
  return { empty: true };
}

export const contentFilters = [
  {
    name: 'q',
    schema: text({ maxLength: 256 }),
    description: 'Part of the name',
    example: 'app',
  },
  {
    name: 'kind',
    schema: list(kindSchema),
    description: 'Kind; repeatable',
    example: ['ContainerImage', 'HelmChart'],
  },
  {
    name: 'prefix',
    schema: text({ maxLength: 256 }),
    description: 'Path prefix, on a segment boundary',
    example: 'team',
  },
  {
    name: 'sort',
    schema: { ...oneOf('name', 'size'), default: 'name' },
    description:
      'Order. `name`: by name; `size`: the largest first, and by name while the medium is not verified',
    example: 'size',
  },
] as const;

export const versionFilters = [
  {
    name: 'q',
    schema: text({ maxLength: 256 }),
    description: 'Part of the tag, or at least 7 characters of the digest',
    example: '1.4',
  },
  ...toPagingParameters(versionsAtOnce),
] as const;

export const contentRoutes: readonly ApiRoute[] = [
  route({
    id: 'listContent',
    method: 'GET',
    path: '/content',
    floor: 'viewer',
    errors: reading,
    summary: 'Repositories of the store',
    parameters: [
      ...contentFilters,
      {
        name: 'view',
        schema: { ...oneOf('repositories', 'folders'), default: 'repositories' },
        description:
          '`repositories`: the repositories; `folders`: the path segments that follow the prefix, with the number of repositories',
        example: 'folders',
      },
      ...pagingParameters,
    ],
    success: {
      status: 200,
      description: 'One page of repositories, or of folders',
      schema: anyOf(ContentList, FolderList),
    },
    handler: async (call) => {
      const { view, ...query } = call.query;
      if (view === 'folders') return { json: await listFolders(call, query) };
      return { json: await listContent(call, query) };
    },
  }),
  route({
    id: 'getVersion',
    method: 'GET',
    path: '/content/{repo}/-/tags/{tag}',
    floor: 'viewer',
    errors: showing,
    summary: 'One version in a repository',
    success: { status: 200, description: 'The version', schema: Tag },
    handler: async (call) => ({
      json: await showVersion(call, { repository: call.path.repo, tag: call.path.tag }),
    }),
  }),
  route({
    id: 'previewContentDeletion',
    method: 'GET',
    path: '/content/{repo}/-/delete-preview',
    floor: 'admin',
    errors: [...showing, 'SVC-CFG-001', 'SVC-POL-002', 'SVC-POL-003', 'SVC-STO-002'],
    summary: 'Previews the deletion of imported content of a repository',
    success: { status: 200, description: 'What is removed and kept', schema: DeletePreview },
    handler: async (call) => ({ json: await showDeletePreview(call, call.path.repo) }),
  }),
  route({
    id: 'getRepository',
    method: 'GET',
    path: '/content/{repo}',
    floor: 'viewer',
    errors: showing,
    summary: 'One repository with its versions, by tag',
    parameters: versionFilters,
    success: {
      status: 200,
      description: 'The repository with one page of its versions',
      schema: Repository,
    },
    handler: async (call) => ({
      json: await showRepository(call, {
        repository: call.path.repo,
        ...call.query,
      }),
    }),
  }),
  route({
    id: 'deleteContent',
    method: 'DELETE',
    path: '/content/{repo}',
    floor: 'admin',
    errors: [...showing, ...changing, 'SVC-POL-002', 'SVC-POL-003', 'SVC-STO-015'],
    summary: 'Deletes content that unit imports added to a repository and that nothing else owns',
    audit: 'content.delete',
    body: {
      schema: object({ 'fingerprint?': digest }),
      examples: {
        all: { summary: 'Deletes what the rules allow', value: {} },
        previewed: {
          summary: 'Deletes what the preview showed',
          value: { fingerprint: 'sha256:0d6be8bf3a2a04b1ff9bd5a4d3ba87bc1a0b7f9a5f3c84d6b1f2e7d0c9a8b7c6' },
        },
      },
    },
    success: {
      status: 204,
      description: 'Deleted, except for versions that a recipe or a client also owns',
    },
    handler: (call) => deleteContent(call, { repository: call.path.repo, ...call.body }),
  }),
];

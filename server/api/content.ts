import { forEachBounded } from '../../src/base/concurrency.ts';
import { svcError } from '../../src/base/error.ts';
import type { ContentKind } from '../../src/oci/kind.ts';
import { isRepositoryName, isTag } from '../../src/oci/reference.ts';
import { deleteRepository } from '../../src/operation/delete-repository.ts';
import { isSigned, selectSignatures } from '../../src/operation/select-signatures.ts';
import type { ApiAnswer, ApiCall, ApiRoute } from './api-route.ts';
import { audited } from './audited.ts';
import {
  absentLayersOf,
  formatPlatforms,
  platformsOf,
  provenanceOf,
  readParsed,
  recipesOf,
  toKind,
  versionTags,
} from './content-view.ts';
import { pagingParameters } from './paging.ts';
import { requireOpen } from './require-open.ts';
import { list, ref } from './schema.ts';
import { kind as kindSchema } from './schemas/common.ts';

/** Manifests of one repository that are read at once. */
const readsAtOnce = 8;

function isClosed(call: ApiCall): boolean {
  return call.gate.refusal() !== undefined;
}

/** Describes a repository. One whose versions are all held is described by its name only. */
function describe({ store }: ApiCall, name: string) {
  const summary = store.index.summaryOf(name);
  if (summary === undefined || summary.held) return { name };
  const { kinds, versions, sizeBytes, owners } = summary;
  return { name, kind: toKind(kinds), tags: versions, sizeBytes, provenance: provenanceOf([{ owners }]) };
}

function listContent(call: ApiCall): ApiAnswer {
  const { gate, query, store } = call;
  const text = String(query.q ?? '').toLowerCase();
  const kinds = (query.kind ?? []) as readonly ContentKind[];
  const prefix = String(query.prefix ?? '').replace(/\/+$/, '');
  const closed = isClosed(call);
  const found = store.index
    .repositories()
    .filter(
      (name) =>
        (prefix === '' || name === prefix || name.startsWith(`${prefix}/`)) &&
        (text === '' || name.includes(text)) &&
        (kinds.length === 0 || kinds.some((kind) => store.index.kindsOf(name).has(kind))) &&
        (closed || gate.allowsRepository(name)),
    );
  const page = Number(query.page ?? 1);
  const pageSize = Number(query.pageSize ?? 25);
  const repositories = found
    .slice((page - 1) * pageSize, page * pageSize)
    .map((name) => (closed ? { name } : describe(call, name)));
  const total = found.length;
  return { json: { repositories, page, totalPages: Math.ceil(total / pageSize), total } };
}

function requireRepository(call: ApiCall): string {
  requireOpen(call);
  const name = call.path.repo ?? '';
  const known =
    isRepositoryName(name) && call.store.index.hasRepository(name) && call.gate.allowsRepository(name);
  if (!known) throw svcError('SVC-REG-005', { reference: name.slice(0, 256) });
  return name;
}

async function getRepository(call: ApiCall): Promise<ApiAnswer> {
  const { store, gate } = call;
  const name = requireRepository(call);
  const tags = versionTags(store.index.tags(name)).filter(({ tag }) => gate.allowsTag(name, tag));
  const shown: object[] = [];
  await forEachBounded(tags, readsAtOnce, async (record, i) => {
    const { tag, digest, held } = record;
    const provenance = provenanceOf([record]);
    if (held) {
      shown[i] = { tag, digest, provenance, held };
      return;
    }
    const manifest = await readParsed(store, digest);
    const platforms = manifest === undefined ? [] : await platformsOf(store, name, digest, manifest);
    shown[i] = {
      tag,
      digest,
      sizeBytes: store.index.sizeBelow(digest),
      platforms: formatPlatforms(platforms),
      presentPlatforms: formatPlatforms(platforms.filter(({ present }) => present)),
      provenance,
      recipes: recipesOf([record]),
      signed: await isSigned(store, name, digest, call.operations.roots),
    };
  });
  return {
    json: {
      name,
      kind: toKind(store.index.kindsOf(name)),
      provenance: provenanceOf(tags),
      recipes: recipesOf(tags),
      tags: shown,
    },
  };
}

async function getTag(call: ApiCall): Promise<ApiAnswer> {
  const { store, gate } = call;
  const repository = requireRepository(call);
  const tag = call.path.tag ?? '';
  const record = isTag(tag) ? store.index.tag(repository, tag) : undefined;
  const unknown = () => svcError('SVC-REG-005', { reference: `${repository}:${tag.slice(0, 128)}` });
  if (record === undefined) throw unknown();
  if (record.held) throw svcError('SVC-MED-030', { mediaId: store.mediaId });
  if (!gate.allowsTag(repository, tag)) throw svcError('SVC-MED-032', { mediaId: store.mediaId });
  const manifest = await readParsed(store, record.digest);
  if (manifest === undefined) throw unknown();
  const absentLayers = await absentLayersOf(store, manifest);
  return {
    json: {
      repository,
      tag,
      digest: record.digest,
      mediaType: manifest.mediaType,
      ...(manifest.artifactType === undefined ? {} : { artifactType: manifest.artifactType }),
      kind: record.kind,
      sizeBytes: store.index.sizeBelow(record.digest),
      annotations: manifest.annotations,
      provenance: provenanceOf([record]),
      signatures: await selectSignatures(store, repository, record.digest, call.operations.roots),
      platforms: await platformsOf(store, repository, record.digest, manifest),
      ...(absentLayers.length === 0 ? {} : { absentLayers }),
    },
  };
}

/** Maximum number of tags in an audit record. */
const maxAuditedTags = 100;

async function deleteContent(call: ApiCall): Promise<ApiAnswer> {
  await audited(
    call,
    'content.delete',
    (call.path.repo ?? '').slice(0, 256),
    async () => deleteRepository(call.store, requireRepository(call)),
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
  return { empty: true };
}

export const contentRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/content',
    floor: 'viewer',
    summary: 'Repositories of the store',
    parameters: [
      { name: 'q', schema: { type: 'string', maxLength: 256 }, description: 'Part of the name' },
      { name: 'kind', schema: list(kindSchema), description: 'Kind; repeatable' },
      {
        name: 'prefix',
        schema: { type: 'string', maxLength: 256 },
        description: 'Path prefix, on a segment boundary',
      },
      ...pagingParameters,
    ],
    success: { status: 200, description: 'One page of repositories', schema: ref('ContentList') },
    handler: listContent,
  },
  {
    method: 'GET',
    path: '/content/{repo}/-/tags/{tag}',
    floor: 'viewer',
    summary: 'One version in a repository',
    success: { status: 200, description: 'The version', schema: ref('Tag') },
    handler: getTag,
  },
  {
    method: 'GET',
    path: '/content/{repo}',
    floor: 'viewer',
    summary: 'One repository',
    success: { status: 200, description: 'The repository with its versions', schema: ref('Repository') },
    handler: getRepository,
  },
  {
    method: 'DELETE',
    path: '/content/{repo}',
    floor: 'admin',
    summary: 'Deletes content that unit imports added to a repository and that nothing else owns',
    success: {
      status: 204,
      description: 'Deleted, except for versions that a recipe or a client also owns',
    },
    handler: deleteContent,
  },
];

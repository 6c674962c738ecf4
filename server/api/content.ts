import * as api from '../../src/contract/operations/content.ts';
import { deleteRepository } from '../../src/operation/delete-repository.ts';
import {
  listContent,
  listFolders,
  requireRepository,
  showDeletePreview,
  showRepository,
  showVersion,
} from '../../src/view/content.ts';
import { type ApiAnswer, type ApiCall, type ApiRoute, route } from './api-route.ts';
import { audited } from './audited.ts';

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
  call.instance.filesets.review(call.identity.actor, call.exchange.origin);
  call.instance.views.review();
  return { empty: true };
}

export const contentRoutes: readonly ApiRoute[] = [
  route(api.listContent, async (call) => {
    const { view, ...query } = call.query;
    if (view === 'folders') return { json: await listFolders(call, query) };
    return { json: await listContent(call, query) };
  }),
  route(api.getVersion, async (call) => ({
    json: await showVersion(call, { repository: call.path.repo, tag: call.path.tag }),
  })),
  route(api.previewContentDeletion, async (call) => ({
    json: await showDeletePreview(call, call.path.repo),
  })),
  route(api.getRepository, async (call) => ({
    json: await showRepository(call, {
      repository: call.path.repo,
      ...call.query,
    }),
  })),
  route(api.deleteContent, (call) => deleteContent(call, { repository: call.path.repo, ...call.body }), {
    audit: 'content.delete',
  }),
];

import { deleteContent } from '../../../../src/contract/operations/content.ts';
import { isSvcError } from '../../../../src/text/error.ts';
import { content } from '../../../../src/text/words/content.ts';
import { versionWords } from '../../../../src/text/words/version.ts';
import { requireRepository } from '../../../../src/view/content.ts';
import { pageField } from '../../parts/pager.ts';
import { toPath } from '../../to-href.ts';
import { type ActionCall, action, page, type UiRoute } from '../../ui-route.ts';
import { showContentDelete } from './delete.ts';
import { contentPageFilters } from './folders.ts';
import { showContent } from './list.ts';
import { showContentRepository, versionFilters } from './repository.ts';
import { showContentVersion, versionParameters } from './version.ts';

/** After a deletion: the repository if some of its content stays, else the list. */
function afterDelete(call: Omit<ActionCall, 'action'>): { readonly location: string } {
  const repository = call.path.repo!;
  try {
    requireRepository(call, repository);
  } catch (error) {
    if (!isSvcError(error, 'SVC-REG-005')) throw error;
    return { location: toPath('/content', {}, { deleted: repository }) };
  }
  return { location: toPath('/content/{repo}', { repo: repository }) };
}

export const contentPages: readonly UiRoute[] = [
  page({
    method: 'GET',
    path: '/content',
    floor: 'viewer',
    title: content.title,
    query: contentPageFilters,
    page: showContent,
  }),
  page({
    method: 'GET',
    path: '/content/{repo}/-/tags/{tag}',
    floor: 'viewer',
    title: versionWords.title,
    query: versionParameters,
    page: showContentVersion,
  }),
  page({
    method: 'GET',
    path: '/content/{repo}/-/delete',
    floor: 'admin',
    title: content.delete,
    query: pageField,
    page: showContentDelete,
  }),
  action(deleteContent, {
    path: '/content/{repo}/-/delete',
    page: '/content/{repo}/-/delete',
    needsPreview: true,
    done: afterDelete,
  }),
  page({
    method: 'GET',
    path: '/content/{repo}',
    floor: 'viewer',
    title: content.versions,
    query: versionFilters,
    page: showContentRepository,
  }),
];

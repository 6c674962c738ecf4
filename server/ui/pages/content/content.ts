import { oneOf } from '../../../../src/contract/schema.ts';
import { isSvcError } from '../../../../src/text/error.ts';
import { content } from '../../../../src/text/words/content.ts';
import { versionWords } from '../../../../src/text/words/version.ts';
import { requireRepository } from '../../../../src/view/content.ts';
import type { QueryParameter } from '../../../api/api-route.ts';
import { contentRoutes } from '../../../api/content.ts';
import { toPath } from '../../to-href.ts';
import type { ActionCall, UiRoute } from '../../ui-route.ts';
import { showContentDelete } from './delete.ts';
import { showContent } from './list.ts';
import { showContentRepository } from './repository.ts';
import { showContentVersion } from './version.ts';

const parametersOf = (path: string): readonly QueryParameter[] =>
  contentRoutes.find((route) => route.method === 'GET' && route.path === path)?.parameters ?? [];

/** After a deletion: the repository with what stays of it, else the list. */
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
  {
    method: 'GET',
    path: '/content',
    floor: 'viewer',
    title: content.title,
    parameters: [
      ...parametersOf('/content').filter(({ name }) => name !== 'view'),
      { name: 'rows', schema: oneOf('comfortable', 'compact'), description: 'Height of the rows' },
    ],
    page: showContent,
  },
  {
    method: 'GET',
    path: '/content/{repo}/-/tags/{tag}',
    floor: 'viewer',
    title: versionWords.title,
    parameters: [
      { name: 'by', schema: oneOf('digest', 'tag'), description: 'How commands name the version' },
      ...parametersOf('/content/{repo}').filter(({ name }) => name === 'page'),
    ],
    page: showContentVersion,
  },
  {
    method: 'GET',
    path: '/content/{repo}/-/delete',
    floor: 'admin',
    title: content.delete,
    page: showContentDelete,
  },
  {
    method: 'POST',
    path: '/content/{repo}/-/delete',
    floor: 'admin',
    page: '/content/{repo}/-/delete',
    mirror: 'DELETE /content/{repo}',
    needsPreview: true,
    done: afterDelete,
  },
  {
    method: 'GET',
    path: '/content/{repo}',
    floor: 'viewer',
    title: content.versions,
    parameters: parametersOf('/content/{repo}'),
    page: showContentRepository,
  },
];

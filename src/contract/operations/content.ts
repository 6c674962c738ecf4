import { fr } from '../../text/language.ts';
import { kind } from '../common.ts';
import { ContentList, DeletePreview, FolderList, Repository, Tag } from '../content.ts';
import { field, operation } from '../operation.ts';
import { anyOf, digest, list, object, oneOf, text } from '../schema.ts';
import { changing, reading, showing } from './error-codes.ts';
import { exampleFingerprint } from './example-documents.ts';
import { paging } from './paging.ts';
import { sorting } from './sorting.ts';

/** Versions of a repository on one page by default. */
export const versionsAtOnce = 200;

/** Query parameters that select repositories. */
export const contentFilters = {
  q: field(
    text({ maxLength: 256 }),
    ['words of the name, or parts of them', fr`mots du nom, ou parties de mots`],
    'app',
  ),
  kind: field(
    list(kind),
    ['only this kind; repeatable', fr`seulement ce type ; répétable`],
    ['ContainerImage', 'HelmChart'],
  ),
  prefix: field(text({ maxLength: 256 }), ['only below this path', fr`seulement sous ce chemin`], 'team'),
  ...sorting(['name', 'versions', 'landed', 'size'], 'By name while the medium is not verified'),
};

export const listContent = operation({
  id: 'listContent',
  method: 'GET',
  path: '/content',
  floor: 'viewer',
  errors: reading,
  summary: 'Repositories of the store',
  query: {
    ...contentFilters,
    view: field(
      { ...oneOf('repositories', 'folders'), default: 'repositories' },
      '`repositories`: the repositories; `folders`: the path segments that follow the prefix, with the number of repositories',
      'folders',
    ),
    ...paging(),
  },
  answer: {
    status: 200,
    description: 'One page of repositories, or of folders',
    schema: anyOf(ContentList, FolderList),
  },
});

export const getVersion = operation({
  id: 'getVersion',
  method: 'GET',
  path: '/content/{repo}/-/tags/{tag}',
  floor: 'viewer',
  errors: showing,
  summary: 'One version in a repository',
  answer: { status: 200, description: 'The version', schema: Tag },
});

export const previewContentDeletion = operation({
  id: 'previewContentDeletion',
  method: 'GET',
  path: '/content/{repo}/-/delete-preview',
  floor: 'admin',
  errors: [...showing, 'SVC-CFG-001', 'SVC-POL-002', 'SVC-POL-003', 'SVC-STO-002'],
  summary: 'Previews the deletion of imported content of a repository',
  answer: { status: 200, description: 'Content that is removed and kept', schema: DeletePreview },
});

export const getRepository = operation({
  id: 'getRepository',
  method: 'GET',
  path: '/content/{repo}',
  floor: 'viewer',
  errors: showing,
  summary: 'One repository with its versions, by tag',
  query: {
    q: field(
      text({ maxLength: 256 }),
      [
        'versions: part of the tag, or at least 7 characters of the digest',
        fr`versions : partie de l’étiquette, ou au moins 7 caractères de l’empreinte`,
      ],
      '1.4',
    ),
    ...sorting(['name', 'arrival'], '`arrival`: the order in which the store got the versions'),
    ...paging(versionsAtOnce),
  },
  answer: {
    status: 200,
    description: 'The repository with one page of its versions',
    schema: Repository,
  },
});

export const deleteContent = operation({
  id: 'deleteContent',
  method: 'DELETE',
  path: '/content/{repo}',
  floor: 'admin',
  errors: [...showing, ...changing, 'SVC-POL-002', 'SVC-POL-003', 'SVC-STO-015'],
  summary: 'Deletes content that unit imports added to a repository and that nothing else owns',
  body: {
    schema: object({ 'fingerprint?': digest }),
    examples: {
      all: { summary: 'Deletes the content that the rules allow', value: {} },
      previewed: {
        summary: 'Deletes the content of the preview',
        value: { fingerprint: exampleFingerprint },
      },
    },
  },
  answer: {
    status: 204,
    description: 'Deleted, except for versions that a recipe or a client also owns',
  },
});

import { fr } from '../../text/language.ts';
import { FilesetFiles, FilesetList, PackedFilesetAnswer } from '../fileset.ts';
import { field, operation } from '../operation.ts';
import { filesetName, hostPath, platformText, tagText } from '../patterns.ts';
import { described, object, refusedAs, text } from '../schema.ts';
import { changing, reading, showing } from './error-codes.ts';
import { paging } from './paging.ts';
import { sorting } from './sorting.ts';

/** Names of a folder of a FileSet on one page by default. */
export const filesAtOnce = 200;

const browsing = [
  ...showing,
  'SVC-CFG-001',
  'SVC-FIL-004',
  'SVC-REG-008',
  'SVC-SRV-006',
  'SVC-STO-002',
  'SVC-STO-004',
  'SVC-STO-005',
  'SVC-STO-014',
] as const;

const platform = field(
  platformText,
  ['platform of an index with several', fr`plateforme d’un index qui en a plusieurs`],
  'linux/amd64',
);

export const listFilesetFiles = operation({
  id: 'listFilesetFiles',
  method: 'GET',
  path: '/content/{repo}/-/tags/{tag}/files',
  floor: 'viewer',
  errors: browsing,
  summary: 'Names in one folder of a version of a FileSet',
  query: {
    folder: field(
      text({ maxLength: 12_288 }),
      ['folder (the root)', fr`dossier (la racine)`],
      'dists/stable',
      'As `path` of the answer. The first request for a version reads its layers; 503 asks to try again',
    ),
    q: field(
      text({ maxLength: 256 }),
      ['part of the name, in the folder and below', fr`partie du nom, dans le dossier et en dessous`],
      '.deb',
      'Letters outside of ASCII match in their own case only',
    ),
    platform,
    ...paging(filesAtOnce),
  },
  answer: { status: 200, description: 'One page of names', schema: FilesetFiles },
});

export const getFilesetFile = operation({
  id: 'getFilesetFile',
  method: 'GET',
  path: '/content/{repo}/-/tags/{tag}/files/{file}',
  floor: 'viewer',
  errors: browsing,
  summary: 'One file of a version of a FileSet',
  query: { platform },
  answer: {
    status: 200,
    description: 'The file, to be saved',
    schema: text({}),
    contentTypes: ['application/octet-stream'],
    isFile: true,
  },
});

export const listFilesets = operation({
  id: 'listFilesets',
  method: 'GET',
  path: '/filesets',
  floor: 'viewer',
  errors: reading,
  summary: 'FileSets of the store, served or not',
  query: sorting(
    ['repository', 'name', 'versions'],
    'Of the FileSets that no configuration names. The configured ones come first, in the order of the configuration',
  ),
  answer: { status: 200, description: 'The FileSets', schema: FilesetList },
});

export const packFileset = operation({
  id: 'packFileset',
  method: 'POST',
  path: '/filesets/pack',
  floor: 'admin',
  errors: [...changing, 'SVC-FIL-001', 'SVC-FIL-002', 'SVC-FIL-003', 'SVC-POL-002', 'SVC-POL-004'],
  summary: 'Packs a folder of the host below files.packRoots as a FileSet',
  body: {
    schema: object({
      source: described('Absolute path of the folder on the host', hostPath),
      name: refusedAs('SVC-FIL-001', filesetName),
      version: refusedAs('SVC-FIL-001', tagText),
    }),
    required: true,
    examples: {
      folder: {
        summary: 'Packs a folder as version 2026.07',
        value: { source: '/srv/packages/debian', name: 'debian', version: '2026.07' },
      },
    },
  },
  answer: {
    status: 201,
    description: 'The packed FileSet, after it was stored',
    schema: PackedFilesetAnswer,
  },
});

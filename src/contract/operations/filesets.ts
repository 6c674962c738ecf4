import { FilesetList, PackedFilesetAnswer } from '../fileset.ts';
import { operation } from '../operation.ts';
import { filesetName, hostPath, tagText } from '../patterns.ts';
import { described, object, refusedAs } from '../schema.ts';
import { changing, reading } from './error-codes.ts';

export const listFilesets = operation({
  id: 'listFilesets',
  method: 'GET',
  path: '/filesets',
  floor: 'viewer',
  errors: reading,
  summary: 'FileSets of the store, served or not',
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

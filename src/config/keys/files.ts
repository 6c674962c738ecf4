import { isAbsolute } from 'node:path';
import { boolean, type FieldEntry, listOf, objectOf, text } from '../value-type.ts';
import { type KeyDraft, serve } from './key-draft.ts';

const filesetFields: readonly FieldEntry[] = [
  { name: 'name', type: text(), required: true, doc: 'URL segment: served under `/files/<name>/`.' },
  { name: 'ref', type: text(), required: true, doc: 'Nominal ingredient reference, without tag or digest.' },
  {
    name: 'version',
    type: text(),
    doc: 'Tag to serve; by default the highest semver tag in the store.',
  },
  { name: 'platform', type: text(), doc: 'Selects a platform manifest, such as `linux/amd64`.' },
  {
    name: 'anonymous',
    type: boolean,
    default: false,
    doc: 'Serves the FileSet without authentication; always reported.',
  },
];

/** Settings of file sets. */
export const filesKeys: readonly KeyDraft[] = [
  {
    key: 'files.packRoots',
    type: listOf(text('path'), 'list of absolute paths'),
    default: [],
    fileOnly: true,
    itemRule: (item) => (isAbsolute(item) ? undefined : 'must be an absolute path'),
    doc: 'Folders below which the UI and the API may pack; if empty, they cannot pack. Does not affect the command line.',
    scopes: serve,
  },
  {
    key: 'files.filesets',
    type: listOf(objectOf(filesetFields), 'list'),
    default: [],
    fileOnly: true,
    doc: 'FileSets served over HTTP.',
    scopes: serve,
    fields: filesetFields,
  },
];

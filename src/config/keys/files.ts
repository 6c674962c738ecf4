import { isAbsolute } from 'node:path';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { boolean, type FieldEntry, listOf, objectOf, oneOf, text } from '../value-type.ts';
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

const viewFields: readonly FieldEntry[] = [
  {
    name: 'name',
    type: text(),
    required: true,
    doc: 'URL segment: served under `/files/<name>/`. No FileSet has the same name.',
  },
  {
    name: 'kind',
    type: oneOf(['helm']),
    required: true,
    doc: '`helm`: a chart repository with an `index.yaml`.',
  },
  {
    name: 'repositories',
    type: listOf(text(), 'list of globs'),
    required: true,
    doc: 'Globs on the nominal repository of a chart, `<host>[_<port>]/<path>`. `*` within a segment, `**` across.',
  },
  {
    name: 'anonymous',
    type: boolean,
    default: false,
    doc: 'Serves the view without authentication; always reported.',
  },
];

/** Settings of file sets and views. */
export const filesKeys: readonly KeyDraft[] = [
  {
    key: 'files.packRoots',
    type: listOf(text('path'), 'list of absolute paths'),
    default: [],
    fileOnly: true,
    itemRule: (item) =>
      isAbsolute(item) ? undefined : rule(['must be an absolute path', fr`doit être un chemin absolu`]),
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
  {
    key: 'files.views',
    type: listOf(objectOf(viewFields), 'list'),
    default: [],
    fileOnly: true,
    doc: 'Trees that are generated from content of the store and served over HTTP beside the FileSets.',
    scopes: serve,
    fields: viewFields,
  },
];

import { trustScopes } from '../scope.ts';
import { boolean, type FieldEntry, listOf, objectOf, path, pem, text, url } from '../value-type.ts';
import type { KeyDraft } from './key-draft.ts';

const rootFields: readonly FieldEntry[] = [
  { name: 'name', type: text(), required: true, doc: 'Name of the root; unique.' },
  { name: 'key', type: pem, doc: 'Inline PEM public key. Exactly one of `key`, `keyFile` and `keyURL`.' },
  { name: 'keyFile', type: path, doc: 'File with a PEM public key, outside the store.' },
  {
    name: 'keyURL',
    type: url('URL'),
    doc: 'https URL of a PEM public key, fetched and cached when the instance starts, never at verification.',
  },
];
const scopeFields: readonly FieldEntry[] = [
  {
    name: 'name',
    type: text(),
    required: true,
    doc: 'Name of the scope; unique. Reported wherever it applies.',
  },
  {
    name: 'repositories',
    type: listOf(text(), 'list of globs'),
    required: true,
    doc: "Globs on the recipe's nominal cookbook path; `*` within a segment, `**` across; the `:` of a port is written `_`.",
  },
  {
    name: 'allowUnsigned',
    type: boolean,
    default: false,
    doc: 'Tolerates the absence of a signature; one that is present must still verify.',
  },
  {
    name: 'roots',
    type: listOf(text(), 'list of root names'),
    doc: 'The only roots accepted in this scope.',
  },
];
/** Whom it believes. */
export const trustKeys: readonly KeyDraft[] = [
  {
    key: 'trust.roots',
    type: listOf(objectOf(rootFields), 'list'),
    default: [],
    fileOnly: true,
    doc: 'Public keys whose signatures are accepted. Several at once let a key be rotated by overlap.',
    scopes: trustScopes,
    fields: rootFields,
  },
  {
    key: 'trust.scopes',
    type: listOf(objectOf(scopeFields), 'list'),
    default: [],
    fileOnly: true,
    doc: 'Perimeters with relaxed or restricted trust, in order; the first match wins. Each must change something.',
    scopes: trustScopes,
    fields: scopeFields,
  },
];

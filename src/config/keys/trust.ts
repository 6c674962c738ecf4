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
  {
    name: 'predicates',
    type: listOf(text(), 'list of predicate types'),
    doc: 'Predicate types of signed statements accepted as approval of a recipe under this root, in addition to the type that `cosign sign` writes.',
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
    doc: 'Globs on the nominal path of a recipe, `<host>[_<port>]/<cookbook>/<recipe>`; one that matches the cookbook covers all its recipes. `*` within a segment, `**` across.',
  },
  {
    name: 'allowUnsigned',
    type: boolean,
    default: false,
    doc: 'Accepts a recipe without signature; a signature that exists must still verify.',
  },
  {
    name: 'roots',
    type: listOf(text(), 'list of root names'),
    doc: 'The only roots accepted in this scope.',
  },
];
/** Trusted keys and trust scopes. */
export const trustKeys: readonly KeyDraft[] = [
  {
    key: 'trust.roots',
    type: listOf(objectOf(rootFields), 'list'),
    default: [],
    fileOnly: true,
    doc: 'Public keys whose signatures are accepted. Configure the old and the new key together to rotate a key.',
    scopes: trustScopes,
    fields: rootFields,
  },
  {
    key: 'trust.scopes',
    type: listOf(objectOf(scopeFields), 'list'),
    default: [],
    fileOnly: true,
    doc: 'Recipes for which trust is relaxed or restricted, in order; the first match wins. Each scope must have an effect.',
    scopes: trustScopes,
    fields: scopeFields,
  },
];

import { signingScopes, trustScopes } from '../scope.ts';
import {
  boolean,
  duration,
  type FieldEntry,
  listOf,
  objectOf,
  oneOf,
  path,
  text,
  url,
} from '../value-type.ts';
import type { KeyDraft } from './key-draft.ts';

/** Kinds of statements, as `peers[].for` names them. */
const statements = ['receipt', 'passport', 'checkpoint', 'approval'];

const peerFields: readonly FieldEntry[] = [
  { name: 'name', type: text(), required: true, doc: 'Name of the peer; unique.' },
  {
    name: 'keyFile',
    type: path,
    required: true,
    doc: 'File with the PEM public key of the peer, outside the store. The key must not be a trust root. The key of a peer before it is possible with `for: [checkpoint]`: a new custody ledger of that peer.',
  },
  {
    name: 'for',
    type: listOf(oneOf(statements), 'list of `receipt`, `passport`, `checkpoint`, `approval`'),
    required: true,
    doc: 'Kinds of statements that are the business of this peer.',
  },
];

/** Milliseconds after which a receipt or a delivery of a zone is overdue. */
const defaultMaxAge = 30 * 24 * 36e5;

const zoneFields: readonly FieldEntry[] = [
  {
    name: 'name',
    type: text(),
    required: true,
    doc: 'Name of the zone, which is that of its Retriever; unique.',
  },
  {
    name: 'retriever',
    type: url('path, https URL or oci:// reference'),
    required: true,
    doc: 'The Retriever of the zone: an absolute path, `https://<host>/<path>` or `oci://<registry>/<repository>:<tag>`.',
  },
  {
    name: 'peer',
    type: text(),
    doc: 'The peer that signs the receipts of the zone. Default: the peer with the name of the zone.',
  },
  {
    name: 'maxAge',
    type: duration,
    default: defaultMaxAge,
    doc: 'Age after which the last receipt, or a delivery without a receipt, is overdue.',
  },
];

/** The key of this instance, and the keys of other ones. */
export const signingKeys: readonly KeyDraft[] = [
  {
    key: 'signing.keyFile',
    type: path,
    doc: 'File with the private key that `recipe sign` and `receipt write` use without `--key`, outside the store and for its owner only. An import of a medium signs its receipt with it.',
    scopes: signingScopes,
  },
  {
    key: 'signing.passwordFile',
    type: path,
    doc: 'File whose first line is the password of `signing.keyFile`, outside the store. Requires `signing.keyFile`.',
    scopes: signingScopes,
  },
  {
    key: 'peers',
    type: listOf(objectOf(peerFields), 'list'),
    default: [],
    fileOnly: true,
    doc: 'Public keys of other instances. Their keys are read, checked against the trust roots, and shown by `trust show`. For receipts, the name of a peer is the name of its zone (`receipt add`). A peer never approves a recipe.',
    scopes: trustScopes,
    fields: peerFields,
  },
  {
    key: 'zones',
    type: listOf(objectOf(zoneFields), 'list'),
    default: [],
    fileOnly: true,
    doc: 'Zones that this instance delivers to, for `svc zones`, the page of zones and the metrics of zones. At most 1 000.',
    scopes: ['serve', 'zones', 'dump'],
    fields: zoneFields,
  },
  {
    key: 'media.requirePassport',
    type: boolean,
    default: false,
    fileOnly: true,
    doc: 'Refuses a medium without a valid passport of a peer with `for: [passport]`. A passport that is there and wrong is refused in any case, where such a peer is configured.',
    scopes: trustScopes,
  },
];

import { type SvcError, svcError } from '../../../src/text/error.ts';
import { fr } from '../../../src/text/language.ts';
import { rule } from '../../../src/text/rule.ts';
import { showcaseArrival } from '../showcase/delivery.ts';

/** A form with values that it refuses. */
export interface WrongValues {
  /** Path of the form. */
  readonly action: string;
  /** The page that has it. */
  readonly page: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Identifiers of the controls of the wrong fields, in their order. Empty: the form has no field of its own that is typed. */
  readonly wrong: readonly string[];
  /** The error of the operation, where the showcase answers in its place. */
  readonly failure?: SvcError;
}

const name = 'no name';
const path = 'not/absolute';
const digest = `sha256:${'a'.repeat(64)}`;
const forget = `/media/deliveries/${showcaseArrival.id}/forget`;
const network = '/admin/network';
/** An error about a member of a document. */
const ofDocument = (file: string): SvcError =>
  svcError('SVC-VAL-001', { file, path: 'spec', rule: rule(['is missing', fr`manque`]) });
const layout = '/admin/oci-layout';
const accounts = '/admin/accounts';

/** A wrong value for every form of the interface, on the instance of the showcase, for its administrator. */
export const wrongValues: readonly WrongValues[] = [
  {
    action: '/login',
    page: '/login',
    fields: { name: 'alice', password: 'wrong' },
    wrong: ['field-password'],
  },
  {
    action: '/account/password',
    page: '/account',
    fields: { current: 'a good password', new: 'short' },
    wrong: ['field-new'],
  },
  {
    action: '/account/password',
    page: '/account',
    fields: { current: 'not this one', new: 'another good password' },
    wrong: ['field-current'],
  },
  {
    action: '/account/password',
    page: '/account',
    fields: { current: 'not this one', new: 'short' },
    wrong: ['field-current', 'field-new'],
  },
  {
    action: '/account/password',
    page: '/account',
    fields: { current: '', new: 'short' },
    wrong: ['field-current', 'field-new'],
  },
  {
    action: `${accounts}/-/new`,
    page: `${accounts}/-/new`,
    fields: { name: 'olga', role: 'viewer', password: 'short' },
    wrong: ['field-name', 'field-password'],
  },
  {
    action: `${accounts}/olga`,
    page: `${accounts}/olga`,
    fields: { role: 'king', password: 'short' },
    wrong: ['field-role', 'field-password'],
  },
  {
    action: `${accounts}/-/new`,
    page: `${accounts}/-/new`,
    fields: { name: '', role: 'king', password: '' },
    wrong: ['field-name', 'field-role', 'field-password'],
  },
  {
    action: `${accounts}/-/new`,
    page: `${accounts}/-/new`,
    fields: { name: 'olga', role: 'viewer', password: 'a good password' },
    wrong: ['field-name'],
  },
  {
    action: `${accounts}/-/new`,
    page: `${accounts}/-/new`,
    fields: { name: 'nina', role: 'viewer', password: 'short' },
    wrong: ['field-password'],
  },
  {
    action: `${accounts}/-/new`,
    page: `${accounts}/-/new`,
    fields: { name, role: 'king', password: 'short' },
    wrong: ['field-name', 'field-role', 'field-password'],
  },
  {
    action: `${accounts}/olga`,
    page: `${accounts}/olga`,
    fields: { password: 'short' },
    wrong: ['field-password'],
  },
  { action: `${accounts}/olga`, page: `${accounts}/olga`, fields: { role: 'king' }, wrong: ['field-role'] },
  {
    action: `${accounts}/olga/delete`,
    page: `${accounts}/olga/delete`,
    fields: { fingerprint: 'none' },
    wrong: [],
  },
  {
    action: `${accounts}/-/token`,
    page: `${accounts}/-/token`,
    fields: { name, role: 'viewer' },
    wrong: ['field-name'],
  },
  {
    action: `${accounts}/-/tokens/nodes/revoke`,
    page: `${accounts}/-/tokens/nodes/revoke`,
    fields: { fingerprint: 'none' },
    wrong: [],
  },
  {
    action: '/admin/store/reset',
    page: '/admin/store',
    fields: { confirmation: 'reset' },
    wrong: ['field-confirmation'],
  },
  {
    action: '/admin/retriever/interval',
    page: '/admin/retriever',
    fields: { interval: 'soon' },
    wrong: ['field-interval'],
  },
  {
    action: '/admin/retriever/interval/clear',
    page: '/admin/retriever',
    fields: { fingerprint: 'none' },
    wrong: [],
  },
  {
    action: `${network}/rate-limit`,
    page: network,
    fields: { rateLimit: 'fast' },
    wrong: ['field-rateLimit'],
  },
  { action: `${network}/rate-limit/clear`, page: network, fields: { fingerprint: 'none' }, wrong: [] },
  { action: `${network}/windows`, page: network, fields: { windows: 'at night' }, wrong: ['field-windows'] },
  {
    action: `${network}/windows`,
    page: network,
    fields: { windows: '25:00-99', timeZone: 'Mars/Base' },
    wrong: ['field-windows', 'field-timeZone'],
  },
  {
    action: '/filesets/pack',
    page: '/filesets/pack',
    fields: { source: '??', name: '??', version: '??' },
    wrong: ['field-source', 'field-name', 'field-version'],
  },
  { action: `${network}/windows/clear`, page: network, fields: { fingerprint: 'none' }, wrong: [] },
  {
    action: `${layout}/plan`,
    page: layout,
    fields: { output: '/proc/out.tar' },
    wrong: ['field-output'],
    failure: svcError('SVC-FIL-003', { path: '/proc/out.tar' }),
  },
  { action: `${layout}/export`, page: layout, fields: { output: '/proc/out.tar' }, wrong: ['field-output'] },
  {
    action: `${layout}/import-plan`,
    page: layout,
    fields: { input: '/srv/in.tar' },
    wrong: ['field-input'],
    failure: svcError('SVC-LAY-001', { path: '/srv/in.tar' }),
  },
  {
    action: `${layout}/import`,
    page: layout,
    fields: { input: '/srv/in.tar', fingerprint: 'none' },
    wrong: [],
  },
  {
    action: `${layout}/export`,
    page: layout,
    fields: { output: path, format: 'zip' },
    wrong: ['field-output', 'field-format'],
  },
  {
    action: `${layout}/import-plan`,
    page: layout,
    fields: { input: path, repository: 'A B' },
    wrong: ['field-input', 'field-repository'],
  },
  {
    action: '/filesets/pack',
    page: '/filesets/pack',
    fields: { source: '/proc', name: 'docs', version: '1' },
    wrong: ['field-source'],
  },
  {
    action: '/filesets/pack',
    page: '/filesets/pack',
    fields: { source: '/srv', name: 'A B', version: '1' },
    wrong: ['field-name'],
  },
  {
    action: '/deliver/write',
    page: '/deliver?zone=zone-c',
    fields: { zone: 'zone-c', folders: '/proc/disk' },
    wrong: ['field-folders'],
  },
  {
    action: '/deliver/write',
    page: '/deliver?zone=zone-c',
    fields: { zone: 'zone-c', folders: path },
    wrong: ['field-folders'],
  },
  {
    action: '/deliver/proof',
    page: '/deliver/proof',
    fields: { folders: `/srv\n${path}`, trustRoots: 'no key', strict: 'perhaps', platforms: 'none' },
    wrong: ['field-folders', 'field-trustRoots', 'field-platforms', 'field-strict'],
  },
  { action: '/receipts', page: '/receipts', fields: { receipt: '{}' }, wrong: ['field-receipt'] },
  {
    action: '/evidence',
    page: '/evidence',
    fields: { _by: 'recipe', recipe: 'other' },
    wrong: ['field-recipe'],
  },
  {
    action: '/evidence',
    page: '/evidence',
    fields: { _by: 'since', since: 'today' },
    wrong: ['field-since'],
  },
  { action: '/evidence', page: '/evidence', fields: { _by: 'recipe' }, wrong: ['field-recipe'] },
  { action: '/media/verify', page: '/media', fields: { wait: 'perhaps' }, wrong: [] },
  { action: '/media/import', page: '/media', fields: { allowStale: 'perhaps' }, wrong: [] },
  {
    action: '/recipes/sync/plan',
    page: '/recipes/sync',
    fields: { skipDestination: 'x' },
    wrong: ['field-skipDestination'],
  },
  { action: '/recipes/sync', page: '/recipes/sync', fields: { prune: 'perhaps' }, wrong: ['field-prune'] },
  {
    action: '/recipes/publish/preview',
    page: '/recipes/publish',
    fields: { document: 'a: b' },
    wrong: ['field-document'],
  },
  {
    action: '/recipes/publish',
    page: '/recipes/publish',
    fields: { document: '', reference: '', _previewed: 'true' },
    wrong: ['field-reference', 'field-document'],
  },
  {
    action: '/recipes/publish',
    page: '/recipes/publish',
    fields: { document: 'a: b', reference: 'A B', _previewed: 'true' },
    wrong: ['field-reference', 'field-document'],
  },
  { action: '/recipes/check', page: '/recipes/check', fields: { document: '' }, wrong: ['field-document'] },
  {
    action: '/recipes/check/pin',
    page: '/recipes/check',
    fields: { document: 'a: b' },
    wrong: ['field-document'],
    failure: ofDocument('document'),
  },
  {
    action: '/recipes/compare',
    page: '/recipes/compare',
    fields: { 'old-document': 'a: b', 'new-reference': 'shop@1.4.2' },
    wrong: ['field-old-document'],
    failure: ofDocument('old'),
  },
  {
    action: '/recipes/check/pin',
    page: '/recipes/check',
    fields: { document: '', setVersion: 'x y' },
    wrong: ['field-document', 'field-setVersion'],
  },
  {
    action: '/recipes/compare',
    page: '/recipes/compare',
    fields: { 'old-document': 'a: b', 'new-document': 'c: d' },
    wrong: ['field-old-document', 'field-new-document'],
    failure: ofDocument('old'),
  },
  {
    action: '/recipes/compare',
    page: '/recipes/compare',
    fields: { 'old-reference': 'shop@1.4.2' },
    wrong: ['field-new-reference'],
  },
  {
    action: '/import/inspect',
    page: '/import',
    fields: { reference: 'A B' },
    wrong: ['field-reference'],
    failure: svcError('SVC-REG-001', { reference: 'A B' }),
  },
  {
    action: '/import',
    page: '/import',
    fields: { reference: 'a', platforms: 'x', _inspected: 'true', fingerprint: digest },
    wrong: ['platform-0', 'platform-1', 'platform-2'],
  },
  {
    action: '/content/registry.example/tool/-/delete',
    page: '/content/registry.example/tool/-/delete',
    fields: { fingerprint: 'none' },
    wrong: [],
  },
  { action: forget, page: forget, fields: { fingerprint: 'none' }, wrong: [] },
  { action: '/recipes/sync/prune', page: '/recipes/sync', fields: { other: 'x' }, wrong: [] },
  { action: '/tasks/cancel', page: '/tasks', fields: { other: 'x' }, wrong: [] },
];

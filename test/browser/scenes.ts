import type { Page } from 'playwright-core';
import { placeNames } from '../../src/base/shares/places.ts';
import { svcError } from '../../src/text/error.ts';
import { toRecipeDocument } from '../kit/content/origin.ts';
import { mediumStates } from '../kit/showcase/answers.ts';
import { showcaseArrival } from '../kit/showcase/delivery.ts';
import { pastTasks } from '../kit/showcase/history.ts';
import { type Showcase, slowFolder } from '../kit/showcase/showcase.ts';
import { deepRepository, longName } from '../kit/showcase/stock.ts';

/** A page in one of its states. */
export interface Scene {
  readonly name: string;
  readonly path: string | ((show: Showcase) => string);
  /** The instance it is on; default: the one in the middle of its week. */
  readonly on?: 'empty' | 'disabled' | 'tls';
  /** The visitor; default: the administrator. */
  readonly as?: 'olga' | 'vera' | 'nobody';
  /** Status of the page, where it is an error. */
  readonly status?: number;
  /** Sets the state that the page then shows. Everything is set back afterwards. */
  readonly set?: (show: Showcase) => void;
  /** Steps on the page before it is judged. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** Each load costs one of the few failures that an address has: it is not loaded in every width. */
  readonly isRationed?: true;
}

/** Sends the form of an action and waits for the page that answers. */
async function send(
  page: Page,
  action: string,
  shown: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await page.fill(`#field-${name}`, value);
  // an action of a form, or of one of its buttons
  const button = `form[method="post"][action="${action}"] button[type="submit"]:not([formaction])`;
  await page.locator(`button[formaction="${action}"], ${button}`).first().click();
  await page.waitForSelector(shown);
}

/** Begins a proof that runs until it is cancelled, unless an earlier look has. Waits for its progress and its button. */
async function beginSlowProof(page: Page): Promise<void> {
  if ((await page.locator('#prove').count()) > 0)
    await send(page, '/deliver/proof', '#state .stages', { folders: slowFolder });
  await page.waitForSelector('#verdict form[action="/deliver/proof/cancel"] button');
}

const gateClosed = (show: Showcase): void => {
  show.closed = true;
};
const busy = (show: Showcase): void => {
  show.failure = svcError('SVC-SRV-006', {}, { detail: placeNames.plans.busy });
};
const web = '/content/registry.example/shop/web';
const tool = '/content/registry.example/tool';
const filesetFiles = '/content/localhost/filesets/manuals/-/tags/2.0.0/files';
const digest = `sha256:${'a'.repeat(64)}` as const;
const document = toRecipeDocument('registry.example', {
  name: 'shop',
  version: '1.5.0',
  ingredients: [{ name: 'web', repository: 'shop/web', version: '1.5.0', digest }],
});

const draft = document.replace(/version: 1\.5\.0\n\s+digest: \S+/, 'version: ^1.5');
const doubtful = document
  .replace('registry.example', 'localhost:5000')
  .replace(/version: 1\.5\.0(?=\n\s+digest)/, 'version: latest');

const shellScenes: readonly Scene[] = [
  { name: 'sign-in', path: '/login', as: 'nobody' },
  { name: 'sign-in, session over', path: '/login?ended=1&next=/tasks', as: 'nobody' },
  { name: 'signed out', path: '/tasks', as: 'nobody' },
  {
    name: 'sign-in, refused',
    path: '/login',
    as: 'nobody',
    status: 401,
    act: (page) => send(page, '/login', '.error', { name: 'alice', password: 'not this one' }),
  },
  { name: 'sign-in, authentication off', path: '/login', on: 'disabled', as: 'nobody' },
  { name: 'overview', path: '/' },
  { name: 'overview of a viewer', path: '/', as: 'vera' },
  { name: 'overview, gate closed', path: '/', set: gateClosed },
  {
    name: 'overview, every notice',
    path: '/',
    set: (show) => {
      show.alarmed = true;
      show.closed = true;
    },
  },
  { name: 'overview, empty', path: '/', on: 'empty' },
  { name: 'overview, authentication off', path: '/', on: 'disabled', as: 'nobody' },
  { name: 'an unknown page', path: '/no/such/page', status: 404 },
  { name: 'account', path: '/account', as: 'vera' },
  {
    name: 'account, wrong password',
    path: '/account',
    status: 422,
    isRationed: true,
    act: (page) =>
      send(page, '/account/password', '.error', { current: 'not this one', new: 'another password' }),
  },
  { name: 'help', path: '/help' },
  { name: 'help of an error', path: '/help#SVC-MED-012', as: 'vera' },
  { name: 'help of an error with several causes', path: '/help#SVC-SIG-001' },
  { name: 'API', path: '/api-docs' },
  { name: 'API, routes of a group', path: '/api-docs/content' },
  { name: 'API, unknown group', path: '/api-docs/absent', status: 404 },
  { name: 'about', path: '/about' },
  { name: 'about, TLS', path: '/about', on: 'tls' },
  { name: 'search, nothing asked', path: '/search' },
  { name: 'search', path: '/search?q=shop' },
  {
    name: 'search, suggestions',
    path: '/search',
    act: async (page) => {
      await page.fill('#search', 'shop');
      await page.waitForSelector('#search-suggestions [role="option"]', { state: 'attached' });
    },
  },
  { name: 'search, a state', path: '/search?q=agent+missing' },
  { name: 'search, nothing found', path: '/search?q=nothing-like-it' },
];

const contentScenes: readonly Scene[] = [
  { name: 'content', path: '/content' },
  { name: 'content of a host, by size', path: '/content?prefix=registry.example&sort=size' },
  {
    name: 'content, columns',
    path: '/content?sort=landed',
    act: (page) => page.click('.columns > summary'),
  },
  { name: 'content, nothing matches', path: '/content?q=nothing-like-it&kind=HelmChart' },
  { name: 'content, gate closed', path: '/content', set: gateClosed },
  { name: 'content, empty', path: '/content', on: 'empty', as: 'vera' },
  { name: 'repository', path: web },
  { name: 'repository, nothing matches', path: `${web}?q=nothing-like-it` },
  { name: 'repository, long name', path: `/content/${deepRepository}` },
  { name: 'repository, gate closed', path: web, status: 403, set: gateClosed },
  { name: 'repository, unknown', path: '/content/registry.example/absent', status: 404 },
  { name: 'version', path: `${web}/-/tags/1.4.2` },
  { name: 'version by tag', path: `${web}/-/tags/1.4.2?by=tag`, as: 'vera' },
  { name: 'version of a chart', path: '/content/registry.example/shop/chart/-/tags/1.4.2' },
  {
    name: 'version of an artifact',
    path: '/content/registry.example/models/anomaly-detection/-/tags/4',
  },
  { name: 'version, long name', path: `/content/${deepRepository}/-/tags/2026.11.0-rc.1` },
  { name: 'version, unknown', path: `${web}/-/tags/9.9.9`, status: 404 },
  { name: 'deletion', path: `${tool}/-/delete` },
  { name: 'deletion, owned by a recipe', path: `${web}/-/delete`, status: 403 },
  { name: 'deletion, forbidden', path: `${tool}/-/delete`, as: 'olga', status: 403 },
];

const recipeScenes: readonly Scene[] = [
  { name: 'recipes', path: '/recipes' },
  { name: 'recipes, nothing matches', path: '/recipes?q=nothing-like-it' },
  { name: 'recipes, gate closed', path: '/recipes', set: gateClosed },
  { name: 'recipes, empty', path: '/recipes', on: 'empty' },
  { name: 'recipe', path: '/recipes/-/shop' },
  { name: 'recipe, by reference', path: '/recipes/-/shop?sort=reference' },
  { name: 'recipe, older version', path: '/recipes/-/shop?version=1.3.9', as: 'vera' },
  { name: 'recipe with a refused version', path: '/recipes/-/agent' },
  { name: 'recipe document', path: '/recipes/-/shop/document' },
  { name: 'recipe, long name', path: `/recipes/-/${longName}` },
  { name: 'recipe, gate closed', path: '/recipes/-/shop', status: 403, set: gateClosed },
  { name: 'recipe, unknown', path: '/recipes/-/absent', status: 404 },
  { name: 'recipe, a path for a name', path: '/recipes/-/shop/web', status: 422 },
  { name: 'mapping', path: '/recipes/-/shop/mapping' },
  { name: 'mapping, by reference', path: '/recipes/-/shop/mapping?sort=nominal&order=desc', as: 'vera' },
  { name: 'mapping, wrong registry', path: '/recipes/-/shop/mapping?registry=a%20b', status: 422 },
  { name: 'clients', path: '/clients' },
  { name: 'clients, gate closed', path: '/clients', set: gateClosed },
  { name: 'client', path: '/clients/containerd', as: 'vera' },
  { name: 'client without files', path: '/clients/apt' },
  { name: 'client, wrong registry', path: '/clients/podman?registry=a%20b', status: 422 },
  { name: 'client, unknown', path: '/clients/pacman', status: 404 },
  { name: 'synchronize', path: '/recipes/sync' },
  { name: 'synchronize, forbidden', path: '/recipes/sync', as: 'vera', status: 403 },
  { name: 'synchronize, missing setting', path: '/recipes/sync', on: 'empty', status: 409 },
  { name: 'plan', path: '/recipes/sync', act: (page) => send(page, '/recipes/sync/plan', '#plan') },
  {
    name: 'plan, busy',
    path: '/recipes/sync',
    status: 503,
    set: busy,
    act: (page) => send(page, '/recipes/sync/plan', '.error'),
  },
  {
    name: 'prune preview',
    path: '/recipes/sync',
    act: (page) => send(page, '/recipes/sync/prune', '#prune'),
  },
  { name: 'publish', path: '/recipes/publish' },
  {
    name: 'publish, preview',
    path: '/recipes/publish',
    as: 'olga',
    act: (page) => send(page, '/recipes/publish/preview', '#preview', { document }),
  },
  {
    name: 'publish, wrong document',
    path: '/recipes/publish',
    status: 422,
    act: (page) =>
      send(page, '/recipes/publish/preview', '.error', {
        document: document.replace('digest:', 'digset:'),
      }),
  },
  { name: 'check', path: '/recipes/check' },
  { name: 'check, of a viewer', path: '/recipes/check', as: 'vera' },
  {
    name: 'check, nothing found',
    path: '/recipes/check',
    act: (page) => send(page, '/recipes/check', '#findings', { document }),
  },
  {
    name: 'check, findings',
    path: '/recipes/check',
    as: 'vera',
    act: (page) => send(page, '/recipes/check', '#findings', { document: doubtful }),
  },
  {
    name: 'pin',
    path: '/recipes/check',
    as: 'olga',
    act: (page) => send(page, '/recipes/check/pin', '#pinned', { document: draft }),
  },
  {
    name: 'pin, problems',
    path: '/recipes/check',
    act: (page) => send(page, '/recipes/check/pin', '#pinned', { document: draft.replace('^1.5', '^9') }),
  },
  {
    name: 'pin, busy',
    path: '/recipes/check',
    status: 503,
    set: busy,
    act: (page) => send(page, '/recipes/check/pin', '.error', { document: draft }),
  },
  { name: 'compare', path: '/recipes/compare' },
  { name: 'compare, forbidden', path: '/recipes/compare', as: 'vera', status: 403 },
  {
    name: 'compare, difference',
    path: '/recipes/compare',
    act: (page) =>
      send(page, '/recipes/compare', '#difference', { 'old-document': document, 'new-document': document }),
  },
  {
    name: 'compare, nothing given',
    path: '/recipes/compare',
    status: 422,
    act: (page) => send(page, '/recipes/compare', '.error', { 'old-document': document }),
  },
  { name: 'import', path: '/import' },
  {
    name: 'import, inspected',
    path: '/import',
    act: (page) => send(page, '/import/inspect', '#found', { reference: 'registry.example/shop/web:1.5.0' }),
  },
  {
    name: 'import, error',
    path: '/import',
    status: 502,
    set: (show) => {
      show.failure = svcError('SVC-REG-003', { host: 'registry.example' });
    },
    act: (page) => send(page, '/import/inspect', '.error', { reference: 'registry.example/shop/web:1.5.0' }),
  },
];

const stalled = (show: Showcase): void => {
  show.stalled = true;
};
const taskScenes: readonly Scene[] = [
  { name: 'tasks', path: '/tasks' },
  { name: 'tasks, nothing matches', path: '/tasks?q=nothing-like-it&status=failed' },
  { name: 'tasks, empty', path: '/tasks', on: 'empty', as: 'vera' },
  { name: 'task, running', path: ({ running }) => `/tasks/${running}` },
  { name: 'task, running, of a viewer', path: ({ running }) => `/tasks/${running}`, as: 'vera' },
  { name: 'task, stalled', path: ({ running }) => `/tasks/${running}`, set: stalled },
  { name: 'tasks, stalled', path: '/tasks', set: stalled },
  { name: 'task, cancel', path: ({ running }) => `/tasks/${running}/cancel`, as: 'olga' },
  { name: 'task, cancel a finished one', path: `/tasks/${pastTasks.complete}/cancel`, status: 409 },
  { name: 'task, failed', path: ({ partial }) => `/tasks/${partial}` },
  { name: 'task, failed items', path: ({ partial }) => `/tasks/${partial}?state=failed` },
  { name: 'task, the largest items', path: ({ partial }) => `/tasks/${partial}?sort=bytes` },
  { name: 'task, finished', path: `/tasks/${pastTasks.complete}` },
  { name: 'task, import of a medium', path: `/tasks/${pastTasks.carried}` },
  { name: 'task, no space', path: `/tasks/${pastTasks.full}` },
  { name: 'task, unknown', path: '/tasks/tsk_000000000000', status: 404 },
  { name: 'log', path: ({ partial }) => `/tasks/${partial}/log` },
  { name: 'log, running', path: ({ running }) => `/tasks/${running}/log` },
];

const forgetPath = `/media/deliveries/${showcaseArrival.id}/forget`;
const mediumScenes: readonly Scene[] = [
  ...Object.entries(mediumStates).flatMap(([name, current]): Scene[] => {
    const set = (show: Showcase): void => {
      show.media.current = current;
    };
    return [
      { name: `medium, ${name}`, path: '/media', as: 'olga', set },
      ...(current.report === undefined
        ? []
        : [{ name: `report, ${name}`, path: '/media/report', as: 'olga', set } as const]),
    ];
  }),
  {
    name: 'medium, waivers',
    path: '/media',
    set: (show) => (show.media.current = mediumStates['another zone']!),
  },
  { name: 'forget a delivery', path: forgetPath },
  { name: 'forget a delivery, unknown', path: '/media/deliveries/dlv_000000000000/forget', status: 404 },
  { name: 'forget a delivery, forbidden', path: forgetPath, as: 'olga', status: 403 },
  { name: 'medium, forbidden', path: '/media', as: 'vera', status: 403 },
  { name: 'medium, missing setting', path: '/media', on: 'empty', status: 409 },
];

const deliverScenes: readonly Scene[] = [
  { name: 'deliver, no zone', path: '/deliver' },
  { name: 'deliver, plan', path: '/deliver?zone=zone-c&disk=stick' },
  { name: 'deliver, plan of an operator', path: '/deliver?zone=zone-c&disk=dvd', as: 'olga' },
  { name: 'deliver, notes', path: '/deliver?zone=zone-d&disk=own&size=64GB' },
  { name: 'deliver, mounted disks', path: '/deliver?zone=zone-c&disk=mounted&mounted=%2Fmnt%2Fdisk-1' },
  { name: 'deliver, two receipts of one number', path: '/deliver?zone=zone-early' },
  { name: 'deliver, wrong size', path: '/deliver?zone=zone-c&disk=own&size=huge', status: 422 },
  { name: 'deliver, busy', path: '/deliver?zone=zone-c', status: 503, set: busy },
  { name: 'deliver, empty', path: '/deliver?zone=zone-c', on: 'empty' },
  { name: 'deliver, forbidden', path: '/deliver', as: 'vera', status: 403 },
  {
    name: 'deliver, refused folder',
    path: '/deliver?zone=zone-c',
    status: 403,
    act: (page) => send(page, '/deliver/write', '.error', { folders: '/proc/disk' }),
  },
];

const proofScenes: readonly Scene[] = [
  { name: 'proof, nothing proved', path: '/deliver/proof', on: 'empty' },
  { name: 'proof, running', path: '/deliver/proof', act: beginSlowProof },
  {
    name: 'proof, cancelled',
    path: '/deliver/proof',
    act: async (page) => {
      await beginSlowProof(page);
      await send(page, '/deliver/proof/cancel', '#state .note');
    },
  },
  {
    name: 'proof',
    path: '/deliver/proof',
    act: (page) =>
      send(page, '/deliver/proof', '#verdict .answer', {
        folders: '/mnt/disk-1/delivery\n/mnt/disk-2/delivery',
      }),
  },
  { name: 'proof, forbidden', path: '/deliver/proof', as: 'vera', status: 403 },
  {
    name: 'proof, busy',
    path: '/deliver/proof',
    as: 'olga',
    status: 503,
    set: busy,
    act: (page) => send(page, '/deliver/proof', '.error'),
  },
];

const receiptScenes: readonly Scene[] = [
  { name: 'zones', path: '/zones', as: 'vera' },
  { name: 'zones, by receipt', path: '/zones?sort=receipt&order=asc' },
  { name: 'zones, empty', path: '/zones', on: 'empty' },
  { name: 'zones, busy', path: '/zones', set: busy },
  { name: 'zone', path: '/zones/zone-c', as: 'olga' },
  { name: 'zone, forked receipts', path: '/zones/zone-f' },
  { name: 'zone, unknown', path: '/zones/zone-z', status: 404 },
  { name: 'deliveries', path: '/deliveries' },
  { name: 'deliveries, empty', path: '/deliveries', on: 'empty' },
  { name: 'deliveries, forbidden', path: '/deliveries', as: 'vera', status: 403 },
  { name: 'delivery', path: `/deliveries/${showcaseArrival.id}` },
  { name: 'delivery, unknown', path: '/deliveries/dlv_ffffffffffff', status: 404 },
  { name: 'receipts', path: '/receipts', as: 'olga' },
  { name: 'receipt', path: '/receipts/zone-c', as: 'olga' },
  { name: 'receipt, contradicted', path: '/receipts/zone-early' },
  { name: 'receipt, unknown', path: '/receipts/zone-z', status: 404 },
  { name: 'receipts, by recipes', path: '/receipts?sort=recipes', as: 'olga' },
  { name: 'receipts, empty', path: '/receipts', on: 'empty' },
  { name: 'receipts, forbidden', path: '/receipts', as: 'vera', status: 403 },
  {
    name: 'receipts, error',
    path: '/receipts',
    status: 422,
    act: async (page) => {
      await page.click('#add summary');
      await send(page, '/receipts', '.error', { receipt: '{}' });
    },
  },
];

const adminScenes: readonly Scene[] = [
  { name: 'file sets', path: '/filesets' },
  { name: 'version of a file set', path: filesetFiles.replace(/\/files$/, '') },
  { name: 'files of a file set', path: filesetFiles },
  { name: 'files of a folder, as a viewer', path: `${filesetFiles}?folder=pool%2Fmain%2Fs`, as: 'vera' },
  { name: 'files, found by name', path: `${filesetFiles}?q=man` },
  { name: 'files, nothing matches', path: `${filesetFiles}?q=nothing-like-it` },
  { name: 'files, gate closed', path: filesetFiles, set: gateClosed, status: 403 },
  { name: 'files, unknown folder', path: `${filesetFiles}?folder=none`, status: 404 },
  { name: 'file sets of a viewer', path: '/filesets', as: 'vera', set: gateClosed },
  { name: 'file sets, empty', path: '/filesets', on: 'empty' },
  { name: 'pack', path: '/filesets/pack' },
  { name: 'pack, missing setting', path: '/filesets/pack', on: 'empty', status: 409 },
  { name: 'store', path: '/admin/store' },
  {
    name: 'store, over its threshold',
    path: '/admin/store',
    set: (show) => {
      show.alarmed = true;
    },
  },
  { name: 'store, empty', path: '/admin/store', on: 'empty' },
  { name: 'store, forbidden', path: '/admin/store', as: 'olga', status: 403 },
  {
    name: 'reset, wrong word',
    path: '/admin/store',
    on: 'empty',
    status: 422,
    act: (page) => send(page, '/admin/store/reset', '.error', { confirmation: 'reset' }),
  },
  { name: 'accounts', path: '/admin/accounts' },
  { name: 'accounts, ordered', path: '/admin/accounts?sort=login&tokens-sort=state&tokens-order=desc' },
  { name: 'new account', path: '/admin/accounts/-/new' },
  { name: 'new token', path: '/admin/accounts/-/token' },
  { name: 'new token, shown no more', path: '/admin/accounts/-/token/made' },
  { name: 'token', path: '/admin/accounts/-/tokens/nodes' },
  { name: 'revoke a token', path: '/admin/accounts/-/tokens/nodes/revoke' },
  { name: 'one account', path: '/admin/accounts/olga' },
  { name: 'delete an account', path: '/admin/accounts/olga/delete' },
  { name: 'unknown account', path: '/admin/accounts/nobody', status: 404 },
  { name: 'Retriever', path: '/admin/retriever' },
  {
    name: 'Retriever, relaxed scopes',
    path: '/admin/retriever',
    set: (show) => {
      show.alarmed = true;
    },
  },
  { name: 'history', path: '/history' },
  { name: 'history, filtered to nothing', path: '/history?actor=nobody' },
  { name: 'history, for paper', path: '/history/-/print' },
  { name: 'history, wrong day', path: '/history?from=yesterday', status: 422 },
  { name: 'history, empty', path: '/history', on: 'empty' },
  {
    name: 'history, a record',
    path: '/history',
    act: async (page) => {
      await page.locator('#list tbody a[href^="/history/"]').first().click();
      await page.waitForSelector('#record');
    },
  },
  {
    name: 'history, a line of the ledger',
    path: '/history?action=custody.written',
    act: async (page) => {
      await page.locator('#list tbody a[href^="/history/"]').first().click();
      await page.waitForSelector('#proof');
      await page.click('#proof summary');
    },
  },
  { name: 'history, a record that is gone', path: '/history/a1-1', status: 404 },
  { name: 'history, forbidden', path: '/history', as: 'olga', status: 403 },
  { name: 'evidence', path: '/evidence?delivery=dlv_0123456789ab' },
  { name: 'evidence, no ledger', path: '/evidence', on: 'empty' },
  {
    name: 'evidence, refused',
    path: '/evidence',
    status: 404,
    act: async (page) => {
      await page.check('input[name="_by"][value="recipe"]');
      await send(page, '/evidence', '.error', { recipe: 'other' });
    },
  },
  { name: 'network', path: '/admin/network' },
  { name: 'network, TLS', path: '/admin/network', on: 'tls' },
  { name: 'layouts', path: '/admin/oci-layout' },
  {
    name: 'layouts, export planned',
    path: '/admin/oci-layout',
    act: (page) => send(page, '/admin/oci-layout/plan', '#plan', { output: '/srv/out/shop.tar' }),
  },
  {
    name: 'layouts, import planned',
    path: '/admin/oci-layout',
    act: (page) => send(page, '/admin/oci-layout/import-plan', '#plan', { input: '/srv/in/shop.tar' }),
  },
];

/** Every page in every state that can be told by its look. */
export const scenes: readonly Scene[] = [
  ...shellScenes,
  ...contentScenes,
  ...recipeScenes,
  ...taskScenes,
  ...mediumScenes,
  ...deliverScenes,
  ...proofScenes,
  ...receiptScenes,
  ...adminScenes,
];

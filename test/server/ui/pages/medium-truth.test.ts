import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { after, before, beforeEach, test } from 'node:test';
import { bringsLine, bringsNothing, toBrings } from '../../../../server/ui/pages/media/imported.ts';
import type { PageCall } from '../../../../server/ui/ui-route.ts';
import { hashBytes } from '../../../../src/base/digest.ts';
import type { GateRefusal } from '../../../../src/base/gate-refusal.ts';
import type { MediumReport } from '../../../../src/contract/medium.ts';
import type { RetrieverRecord } from '../../../../src/contract/recipe.ts';
import { recordSync } from '../../../../src/store/record-sync.ts';
import type { TaskJournal } from '../../../../src/task/model.ts';
import { svcError, toErrorRecord } from '../../../../src/text/error.ts';
import { words } from '../../../../src/text/words/words.ts';
import type { Waits } from '../../../../src/view/zone/waits.ts';
import { toRecipeRecord } from '../../../kit/content/recipe-record.ts';
import { createOpenGate } from '../../../kit/instance/open-gate.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import {
  mediaId,
  mediumReport,
  recipeVerdict,
  type ScriptedMedia,
  scriptMedia,
} from '../../../kit/scene/media-state.ts';
import { type BrowserSession, signInAs } from '../../../kit/web/browser-session.ts';
import { toPageText } from '../../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../../kit/web/strict-html.ts';

let folder: TempFolder;
let server: TestServer;
let media: ScriptedMedia;
let viewer: BrowserSession;
let operator: BrowserSession;
let isClosed = false;
let work: (journal: TaskJournal) => Promise<void> = async () => {};

before(async () => {
  folder = await openTempFolder();
  media = scriptMedia(() => Promise.reject(new Error('this medium is not imported')));
  const open = createOpenGate({ rehash: false });
  server = await startTestServer({
    folder: folder.path,
    zone: 'zone-b',
    media,
    run: (_task, _request, journal) => work(journal),
    gate: () => ({
      ...open,
      guarded: true,
      refusal: (): GateRefusal | undefined => (isClosed ? { code: 'SVC-MED-032', mediaId } : undefined),
    }),
    retriever: (): RetrieverRecord => ({
      mode: 'mirror',
      zone: 'zone-b',
      substitutions: [],
      relaxedScopes: [],
      anonymousFilesets: [],
      prune: false,
      destination: 'registry.zone-b.example',
    }),
    operations: {
      // a zone that is filled by media; the mode is that of the writer of its store
    },
  });
  viewer = await signInAs(server, 'viewer', 'vera');
  operator = await signInAs(server, 'operator', 'olga');
  await recordSync(server.store, { zone: 'zone-b', runId: 'run', resolvedAt: '2026-01-01T00:00:00.000Z' }, [
    toRecipeRecord('shop', '1.4.2', [['docker.example/shop/web', '1.4.0']]),
  ]);
});
beforeEach(() => {
  isClosed = false;
  media.current = { guarded: true, serving: 'open', mediaId };
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function proseOf(session: BrowserSession, path: string): Promise<string> {
  const response = await session.get(path);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return parseStrictHtml(text, path).prose.replace(/\s+/g, ' ');
}

/** @param more differences from a report in which everything passed */
function showVerdict(more: Partial<MediumReport>): void {
  media.current = { guarded: true, serving: 'open', mediaId, report: mediumReport(more) };
}

const blocked = recipeVerdict({
  name: 'agent',
  pushable: false,
  reason: { code: 'SVC-MED-012', params: { path: 'blobs/x', expected: 'a', actual: 'b' } },
} as Parameters<typeof recipeVerdict>[0]);

test('in a zone that media fill, content comes on the medium and goes on to the destination', async () => {
  const prose = await proseOf(operator, '/');
  assert.match(prose, /Origins and destination .*On the medium, not imported yet/);
  assert.match(prose, /Destination.*receives verified content/);
  assert.doesNotMatch(prose, /Contacted|carried to the zones/);
});

test('a medium that was verified and not imported yet is neutral, and nothing of it is delivered', async () => {
  const { lastImport: _, ...never } = media.record;
  const before = media.record;
  media.record = never;
  const text = await (await viewer.get('/')).text();
  assert.match(text, /stamp-plain/);
  const prose = await proseOf(viewer, '/');
  assert.match(prose, /1 recipe is verified, not imported yet/);
  assert.match(prose, /No version of a recipe has landed yet/);
  for (const path of ['/', '/recipes'])
    assert.match(await (await operator.get(path)).text(), /href="\/media">Open the medium/, path);
  media.record = {
    ...before,
    lastImport: {
      mediaId: server.store.mediaId,
      resolvedAt: '2026-11-20T14:02:10Z',
      importedAt: '2026-11-21T00:00:00Z',
      runId: 'run',
    },
  };
  const imported = await proseOf(viewer, '/');
  assert.match(imported, /1 recipe is here/);
  assert.doesNotMatch(imported, /No version of a recipe has landed yet/);
});

test('of a medium that passed in part and was not imported, what waits is told first, and nothing is called here', async () => {
  const before = media.record;
  const { lastImport: _, ...never } = before;
  media.record = never;
  showVerdict({ verdict: 'partial', recipes: [recipeVerdict(), blocked] });
  const prose = await proseOf(viewer, '/');
  assert.match(prose, /1 recipe is verified, not imported yet; 1 is blocked/);
  assert.doesNotMatch(prose, /recipe is here/);
  const french = await (await viewer.get('/', { 'accept-language': 'fr' })).text();
  assert.match(toPageText(french), /1 recette est vérifiée, pas encore importée ; 1 est bloquée/);
  assert.match(await (await operator.get('/')).text(), /href="\/media">Open the medium/);
  media.record = before;
});

test('recipes that a verification withholds are told on every page and in the status, to viewers too', async () => {
  const before = media.record;
  media.record = { ...before, lastImport: { ...before.lastImport!, mediaId } };
  showVerdict({
    verdict: 'partial',
    recipes: [recipeVerdict(), blocked, recipeVerdict({ ...blocked, name: 'edge' })],
  });
  const prose = await proseOf(viewer, '/');
  assert.match(prose, /2 recipes of the medium are blocked \(1 recipe is here\)/);
  assert.match(prose, /2 recipes of the medium did not pass its verification and are withheld/);
  assert.match(await proseOf(viewer, '/content'), /are withheld/);
  assert.match(await (await operator.get('/content')).text(), /href="\/media">Show the verification/);
  const status = await (await server.fetch('/api/v1/status')).json();
  assert.deepEqual((status as { notices: string[] }).notices, ['recipes-blocked']);
  showVerdict({});
  assert.doesNotMatch(await proseOf(viewer, '/'), /withheld|blocked/);
  media.record = before;
});

test('while nothing is served, no recipe of an earlier import is called here', async () => {
  work = async (journal) => {
    await journal.settleItems([{ name: 'shop@1.4.2', status: 'done', transferredBytes: 4096 }]);
  };
  const task = await server.tasks.submit({ type: 'sync', reference: '/retriever.yaml', actor: 'test' });
  await server.tasks.settled(task.id);
  assert.match(await proseOf(viewer, '/'), /Wanted recipes/);
  isClosed = true;
  const prose = await proseOf(viewer, '/');
  assert.match(prose, /No content is served/);
  assert.match(prose, /Wanted recipes\s*The wanted recipes are shown once content of the medium is served/);
  assert.doesNotMatch(prose, /shop|1\.4\.2/);
});

test('the page of an import with a waiver is its record: verdict, waiver, key, and the bytes of each item', async () => {
  const report = mediumReport({
    blocks: [
      { code: 'SVC-MED-006', params: { expected: 'zone-b', actual: 'zone-c' }, waivable: true, waived: true },
    ],
  });
  work = async (journal) => {
    journal.setVerification(report);
    await journal.settleItems([{ name: 'shop@1.4.2', status: 'done', transferredBytes: 4096 }]);
  };
  const task = await server.tasks.submit({ type: 'sync', reference: '/retriever.yaml', actor: 'test' });
  await server.tasks.settled(task.id);
  const prose = await proseOf(viewer, `/tasks/${task.id}`);
  assert.match(prose, /Verdict passed with a waiver/);
  assert.match(prose, /shop@1\.4\.2 done4 KiB/);
  const text = await (await viewer.get(`/tasks/${task.id}`)).text();
  assert.match(text, />SVC-MED-006</);
  assert.ok(text.includes(report.recipes[0]!.keyFingerprint!));
});

test('while the disk is away the page says only that, and offers no import', async () => {
  showVerdict({});
  assert.match(await proseOf(operator, '/media'), /Import (?:what passed|the)/);
  const away = `${server.store.root}.away`;
  await rename(server.store.root, away);
  try {
    const prose = await proseOf(operator, '/media');
    assert.match(prose, /The folder of the store is not there: is the disk mounted\?/);
    assert.doesNotMatch(prose, /Import (?:what passed|the)|Verdict|closed until verified/);
  } finally {
    await rename(away, server.store.root);
  }
  assert.match(await proseOf(operator, '/media'), /Import (?:what passed|the)/);
});

test('guards that are waived are not said to block the medium', async () => {
  const block = {
    code: 'SVC-MED-006',
    params: { expected: 'zone-b', actual: 'zone-c' },
    waivable: true,
  } as const;
  showVerdict({ blocks: [{ ...block, waived: true }] });
  for (const path of ['/media', '/media/report']) {
    const prose = await proseOf(operator, path);
    assert.match(prose, /Guards/, path);
    assert.match(prose, /passed with a waiver/, path);
    assert.doesNotMatch(prose, /Reasons that block the medium/, path);
  }
  for (const path of ['/', '/media', '/media/report'])
    assert.match(await (await operator.get(path)).text(), /stamp stamp-warn">.*passed with a waiver/, path);
  showVerdict({});
  for (const path of ['/', '/media'])
    assert.doesNotMatch(await proseOf(operator, path), /with a waiver/, path);
  showVerdict({ verdict: 'blocked', blocks: [{ ...block, waived: false }] });
  assert.match(await proseOf(operator, '/media'), /Reasons that block the medium/);
});

test('a medium for another zone leads to its page with the remedy, and not to another verification', async () => {
  isClosed = true;
  const params = { mediaId, found: 'delta', expected: 'zone-b' };
  showVerdict({
    verdict: 'blocked',
    blocks: [{ code: 'SVC-MED-006', params, waivable: true, waived: false }],
  });
  const prose = await proseOf(operator, '/');
  assert.match(
    prose,
    /blocked the medium: SVC-MED-006\..*addressed to zone delta.*Get the medium of this zone/,
  );
  assert.match(prose, /Open the medium/);
  assert.doesNotMatch(prose, /Verify the medium/);
  const viewed = await proseOf(viewer, '/');
  assert.match(viewed, /blocked the medium: SVC-MED-006\./);
  assert.doesNotMatch(viewed, /delta/);
});

test('recipes that the last import held back are not promised to another one, and their remedy is told', async () => {
  const delivery = { id: 'dlv_0123456789ab', part: 1, parts: 1 };
  const recipes = ['big', 'web'].map((name) => recipeVerdict({ name, digest: hashBytes(name) }));
  const report = mediumReport({ medium: { ...mediumReport().medium!, mediaFormat: 2, delivery }, recipes });
  const params = { recipe: 'web@1.4.2', files: 3, bytes: 4096, delivery: 'dlv_aaaaaaaaaaaa' };
  work = async (journal) => {
    journal.setVerification(report);
    journal.setDelivery({
      ...{ id: delivery.id, zone: 'zone-b', resolvedAt: '2026-01-02T00:00:00Z', parts: 1, complete: false },
      ...{ landed: [], needed: [1], recipes: [] },
    });
    await journal.settleItems([
      { name: 'big@1.4.2', status: 'done', transferredBytes: 4096 },
      {
        name: 'web@1.4.2',
        status: 'failed',
        transferredBytes: 0,
        error: toErrorRecord(svcError('SVC-MED-040', params)),
      },
    ]);
  };
  showVerdict(report);
  assert.match(await proseOf(operator, '/media'), /Verdict: passed/);
  const task = await server.tasks.submit({
    type: 'media-import',
    reference: 'zone-b',
    actor: 'test',
    parameters: { allowZoneMismatch: false, allowStale: false },
  });
  await server.tasks.settled(task.id);
  const prose = await proseOf(operator, '/media');
  assert.match(prose, /Verdict: passed Held back/);
  assert.match(
    prose,
    /web 1\.4\.2 SVC-MED-040 · Import delivery dlv_aaaaaaaaaaaa once more, and then this one\./,
  );
  assert.match(prose, /web 1\.4\.2 ?verified, held back/);
  assert.match(prose, /big 1\.4\.2 ?passed/);
  const french = await (await operator.get('/media', { 'accept-language': 'fr' })).text();
  assert.match(toPageText(french), /Retenu .*Importez une nouvelle fois la livraison dlv_aaaaaaaaaaaa/);
});

test('an import would bring neither the recipes of the zone nor those that it held back', () => {
  const recipes = ['here', 'held', 'new'].map((name) => recipeVerdict({ name, digest: hashBytes(name) }));
  const waits = {
    arrived: [{ name: 'here', version: '1.4.2', digest: hashBytes('here') }],
    ...{ owed: [], highest: {} },
  } as unknown as Waits;
  const held = new Map([
    [recipes[1]!, toErrorRecord(svcError('SVC-MED-040', { recipe: 'held', files: 1, bytes: 1 }))],
  ]);
  const call = (language: 'en' | 'fr') => ({ words: words[language] }) as unknown as PageCall;
  const say = (all: typeof recipes, language: 'en' | 'fr' = 'en') => {
    const brings = toBrings({ recipes: all }, { waits, delivery: undefined, held });
    return [bringsNothing(brings), bringsLine(call(language), {}, brings)];
  };
  assert.deepEqual(say(recipes), [
    false,
    'The last import held 1 of them back: the registry lacks content that this disk leaves out. Another import would bring 1 other only.',
  ]);
  assert.deepEqual(say(recipes.slice(0, 2)), [
    true,
    'The last import held 1 of them back: the registry lacks content that this disk leaves out. Another import would bring nothing before that content is there.',
  ]);
  assert.match(String(say(recipes, 'fr')[1]), /en a retenu.1.*apporterait que.1.autre\.$/);
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Plan } from '../../../../src/contract/plan.ts';
import type { TaskItem } from '../../../../src/contract/task.ts';
import { recordSync } from '../../../../src/store/record-sync.ts';
import type { TaskJournal } from '../../../../src/task/model.ts';
import { svcError, toErrorRecord } from '../../../../src/text/error.ts';
import { selectRunRecipes } from '../../../../src/view/runs.ts';
import { toRecipeRecord } from '../../../kit/content/recipe-record.ts';
import { createOpenGate } from '../../../kit/instance/open-gate.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { scriptMedia } from '../../../kit/scene/media-state.ts';
import { type BrowserSession, signInAs } from '../../../kit/web/browser-session.ts';
import { toPageText } from '../../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../../kit/web/strict-html.ts';

const hostile = '<img src=x onerror=alert(1)>\u202e"\'';
const digest = `sha256:${'a'.repeat(64)}` as const;
const day = '2026-03-04T05:06:07.000Z';
const retriever = {
  mode: 'passthrough',
  substitutions: [],
  relaxedScopes: [],
  anonymousFilesets: [],
  prune: false,
} as const;

let folder: TempFolder;
let server: TestServer;
let admin: BrowserSession;
let viewer: BrowserSession;
let work: (journal: TaskJournal, signal: AbortSignal) => Promise<void> = async () => {};
let isClosed = false;
let isGuarded = false;
let importedId = 'another medium';
let zone: string | undefined;
let planned: readonly string[] = [];
let source: string | undefined = '/retriever.yaml';

before(async () => {
  folder = await openTempFolder();
  const open = createOpenGate({ rehash: false });
  const media = scriptMedia(() => Promise.reject(new Error('this medium is not imported')));
  media.current = { guarded: true, serving: 'open' };
  Object.defineProperty(media.record, 'lastImport', {
    get: () => ({ mediaId: importedId, resolvedAt: day, importedAt: day, runId: 'run' }),
  });
  server = await startTestServer({
    folder: folder.path,
    run: (_task, _request, journal, signal) => work(journal, signal),
    gate: ({ mediaId }) =>
      ({
        ...open,
        get guarded() {
          return isGuarded;
        },
        refusal: () => (isClosed ? svcError('SVC-MED-030', { mediaId }) : open.refusal()),
      }) as typeof open,
    media,
    retriever: () => ({
      ...retriever,
      ...(zone === undefined ? {} : { zone }),
      ...(source === undefined ? {} : { source }),
      destination: 'registry.secret.example',
    }),
    operations: {
      planSync: async () => ({ plan: toPlan(planned), exit_code: 0 }),
    },
  });
  admin = await signInAs(server, 'admin', 'alice');
  viewer = await signInAs(server, 'viewer', 'vera');
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

function toPlan(names: readonly string[]): Plan {
  return {
    source: '/retriever.yaml',
    generatedAt: new Date(Date.now() + 1000).toISOString(),
    outcome: 'changes-planned',
    recipes: names.map((name) => ({
      name,
      requested: '1',
      cookbook: 'registry.example/cookbook',
      signature: 'verified',
      ingredients: [],
      totalBytes: 0,
      transferBytes: 0,
    })),
    totals: {
      recipes: names.length,
      ingredients: 0,
      new: 0,
      outdated: 0,
      upToDate: 0,
      totalBytes: 0,
      transferBytes: 0,
      largestFileBytes: 0,
      storeBytes: 0,
      projectedStoreBytes: 0,
    },
    policy: { allowlistDeclared: false, hosts: [] },
    prune: { evaluated: false, items: [], totalBytes: 0 },
    checks: [],
    problems: [],
  };
}

async function proseOf(session: BrowserSession, language = 'en'): Promise<string> {
  const response = await session.get('/', { 'accept-language': language });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  assert.equal(/.{40}(?:<img|\u202e)/.exec(text)?.[0], undefined);
  return parseStrictHtml(text, '/').prose;
}

async function run(items: readonly TaskItem[], failure?: Error): Promise<string> {
  work = async (journal) => {
    if (items.length > 0) journal.setItems(items.map((item) => ({ ...item, status: 'pending' })));
    journal.setResolutions([
      {
        recipe: 'shop@1.4.2',
        requested: '^1.4',
        resolved: '1.4.2',
        digest,
        status: 'new',
        effective: 'relay.example/shop',
      },
    ]);
    await journal.settleItems(items);
    if (failure) throw failure;
  };
  const task = await server.tasks.submit({ type: 'sync', reference: '/retriever.yaml', actor: 'test' });
  await server.tasks.settled(task.id);
  return task.id;
}

const item = (name: string, status: TaskItem['status'] = 'done'): TaskItem => ({
  name,
  status,
  transferredBytes: 0,
  ...(status === 'failed' ? { error: toErrorRecord(svcError('SVC-REG-003', { host: hostile })) } : {}),
});

test('without a run and without content the page says so and names the next step', async () => {
  const prose = await proseOf(admin);
  assert.match(prose, /Nothing has been delivered yet/);
  assert.match(prose, /No recipe has brought content yet/);
  assert.match(prose, /No version of a recipe has landed yet/);
  assert.match(prose, /Synchronize from \/retriever\.yaml/);
  // an operator does not read the path
  const operator = await signInAs(server, 'operator', 'olga');
  assert.match(await proseOf(operator), /Synchronize from the configured source/);
  assert.doesNotMatch(await proseOf(viewer), /Synchronize/, 'a viewer may not start a run');
  assert.match(await proseOf(viewer, 'fr'), /Rien n’a encore été livré/);
});

test('without a Retriever the next step is the medium, and no synchronization is offered', async () => {
  source = undefined;
  for (const path of ['/', '/recipes']) {
    const text = await (await admin.get(path)).text();
    assert.doesNotMatch(text, /href="\/recipes\/sync"/, path);
    assert.match(text, /button-primary" href="\/media"/, path);
  }
  const steps = await proseOf(admin);
  assert.match(steps, /Over the network: name a Retriever with retriever\.source .* and synchronize\./);
  assert.match(steps, /By disk: set zone and destination\.registry, mount the disk as storage\.root/);
  assert.doesNotMatch(await proseOf(viewer), /retriever\.source/);
  source = '/retriever.yaml';
  assert.doesNotMatch(await proseOf(admin), /Over the network: name/);
  assert.match(await (await admin.get('/recipes')).text(), /href="\/recipes\/sync"/);
});

test('content without a run of this instance is counted, with its origins', async () => {
  await recordSync(server.store, { zone: 'zone', runId: 'run', resolvedAt: '2026-01-01T00:00:00.000Z' }, [
    toRecipeRecord('shop', '1.4.2', [['docker.example/shop/web', '1.4.0']]),
    toRecipeRecord('agent', '1.9.0', [['quay.example/agent', '1']]),
  ]);
  const prose = await proseOf(viewer);
  assert.match(prose, /Here\s*2 recipes are here/, 'nothing was compared: complete would be a claim');
  assert.doesNotMatch(await (await viewer.get('/')).text(), /stamp-ok/);
  for (const host of ['registry.example', 'docker.example', 'quay.example'])
    assert.match(prose, new RegExp(host));
  assert.match(prose, /1 Jan 2026/);
});

test('a run that settles all recipes is complete; the constraint and the contacted host are shown', async () => {
  const id = await run([item('shop@1.4.2/web'), item('shop@1.4.2'), item('agent@1.9.0')]);
  const prose = await proseOf(viewer);
  assert.match(prose, /All 2 wanted recipes are here/);
  assert.match(prose, /\^1\.4 → 1\.4\.2/);
  assert.match(prose, /Origin\s*Contacted\s*Share\s*Repositories\s*Size\s+docker\.examplerelay\.example/);
  assert.match(await (await viewer.get('/')).text(), new RegExp(`href="/tasks/${id}"`));
});

test('a plan with another list than the run had is told', async () => {
  const plan = async (names: readonly string[]) => {
    planned = names;
    const headers = { 'content-type': 'application/json' };
    const response = await server.fetch('/api/v1/plan', { method: 'POST', headers, body: '{}' });
    assert.equal(response.status, 200, await response.text());
  };
  await plan(['agent', 'shop']);
  assert.doesNotMatch(await proseOf(viewer), /has changed since this run/);
  await plan(['agent', 'shop', 'edge', 'web']);
  assert.match(await proseOf(viewer), /The list of wanted recipes has changed since this run/);
  assert.doesNotMatch(await (await viewer.get('/')).text(), /stamp-ok/);
});

test('a missing recipe is counted and comes first, with its reason and what is here meanwhile', async () => {
  await run([item('shop@1.4.2'), item('agent@^2', 'failed')]);
  const prose = await proseOf(viewer);
  assert.match(prose, /Incomplete\s*1 of 2 wanted recipes is not here/);
  assert.match(prose, /What to do\s*agent \^2\s*SVC-REG-003/);
  assert.match(prose, /Here meanwhile: 1\.9\.0/);
  const list = prose.slice(prose.indexOf('Wanted recipes'));
  assert.ok(list.indexOf('agent') < list.indexOf('shop'));
  for (const [query, rows] of [
    ['', /agent 1\.9\.0 \^2 missing .*shop 1\.4\.2 here/],
    ['?sort=name&order=desc', /shop 1\.4\.2 here .*agent 1\.9\.0 \^2 missing/],
  ] as const)
    assert.match(toPageText(await (await viewer.get(`/recipes${query}`)).text()), rows);
});

test('a run that failed as a whole shows its error and the recipes of the run before', async () => {
  await run([], svcError('SVC-REG-002', { host: hostile }));
  const prose = await proseOf(viewer);
  assert.match(prose, /The last run failed before it knew its recipes/);
  assert.match(prose, /SVC-REG-002/);
  assert.match(prose, /Wanted recipes/);
});

test('recipes that a cancelled or failed synchronization did not reach are synchronized again, and no disk is asked for', async () => {
  const left = { ...item('agent@^2'), status: 'pending' } as const;
  const stepsOf = async (session: BrowserSession) => {
    const markup = await (await session.get('/')).text();
    const [, list = ''] = /<ol class="todo">([\s\S]*?)<\/ol>/.exec(markup) ?? [];
    return { text: toPageText(list), hrefs: [...list.matchAll(/href="([^"]+)"/g)].map(([, href]) => href) };
  };
  const cancelled = svcError('SVC-TSK-004', { actor: 'olga' });
  const id = await run(
    [item('shop@1.4.2'), left, { ...left, name: 'depot@1', status: 'running' }],
    cancelled,
  );
  const { text, hrefs } = await stepsOf(admin);
  assert.match(
    text,
    /agent \^2 SVC-TSK-004 The task was cancelled by olga\. Start the task again .*Synchronize depot 1 SVC-TSK-004 The task/,
  );
  assert.doesNotMatch(text, /disk|medium/i);
  assert.deepEqual(
    hrefs.filter((href) => !href!.startsWith('/help')),
    ['/recipes/-/agent', '/recipes/sync', '/recipes/-/depot', '/recipes/sync'],
  );
  assert.match((await stepsOf(viewer)).hrefs.join(' '), new RegExp(`/tasks/${id}(?: |$)`));
  await run([item('shop@1.4.2'), left], svcError('SVC-REG-002', { host: 'registry.example' }));
  const failed = await stepsOf(admin);
  assert.match(failed.text, /agent \^2 SVC-REG-002 /);
  assert.doesNotMatch(failed.text, /other disks/);
});

test('names that contain markup stay text', async () => {
  zone = hostile;
  await run([item(`${hostile.replaceAll('/', '')}@1`), item('agent@^2', 'failed')]);
  assert.match(await proseOf(viewer), /&lt;img src=x/);
  zone = undefined;
});

test('a destination that no run has shown is named for administrators only', async () => {
  assert.match(await proseOf(admin), /registry\.secret\.example/);
  assert.doesNotMatch(await proseOf(viewer), /registry\.secret\.example/);
});

test('on a medium, only its own import counts as an import of it, and the next step is the medium', async () => {
  isGuarded = true;
  const prose = await proseOf(admin);
  assert.match(prose, /On the medium, not imported yet/);
  assert.match(await (await admin.get('/')).text(), /href="\/media">Open the medium/);
  importedId = server.store.mediaId;
  assert.match(await proseOf(admin), /last import 4 Mar 2026/);
  isGuarded = false;
});

test('while the gate is closed nothing but names is shown', async () => {
  isClosed = true;
  const prose = await proseOf(viewer);
  assert.match(prose, /No content is served/);
  assert.match(prose, /The origins are shown once content of the medium is served/);
  assert.match(prose, /The landed recipes are shown once/);
  assert.doesNotMatch(prose, /docker\.example/);
  isClosed = false;
});

test('a running task is shown with its progress, and the page asks more often', async () => {
  const still = await (await viewer.get('/')).text();
  assert.match(still, /hx-trigger="every 15s"/);
  assert.doesNotMatch(still, /http-equiv/);
  const begun = Promise.withResolvers<void>();
  const ending = Promise.withResolvers<void>();
  work = async (journal) => {
    journal.setTotalBytes(100);
    journal.addBytes(40);
    begun.resolve();
    await ending.promise;
  };
  const task = await server.tasks.submit({ type: 'sync', reference: '/retriever.yaml', actor: 'test' });
  await begun.promise;
  const text = await (await viewer.get('/')).text();
  ending.resolve();
  await server.tasks.settled(task.id);
  assert.match(text, /hx-trigger="every 5s"/);
  assert.match(text, /<noscript><meta http-equiv="refresh" content="10"><\/noscript>/);
  assert.match(text, /Running now/);
  assert.match(text, /40\s?%/);
});

test('what a run brought is not said to be here once the store has been emptied', async () => {
  await run([item('shop@1.4.2'), item('agent@1.9.0')]);
  assert.match(await proseOf(viewer), /All 2 wanted recipes are here/);
  await recordSync(server.store, { zone: 'zone', runId: 'later', resolvedAt: day }, []);
  const prose = await proseOf(viewer);
  assert.match(
    prose,
    /2 of 2 wanted recipes are no longer here[\s\S]*What to do\s*shop 1\.4\.2[\s\S]*agent 1\.9\.0/,
  );
  assert.doesNotMatch(prose, /wanted recipes are here|1\.4\.2\s*here/);
  assert.match(await proseOf(viewer, 'fr'), /ne sont plus ici/);
});

test('recipes are told from ingredients by the names of the items', () => {
  const names = [
    'shop@1.4.2',
    'shop@1.4.2/web',
    'host:5000/path/shop@2.0.0',
    'host/path/agent@^2 (2)',
    'rest',
  ];
  const found = selectRunRecipes({ items: names.map((name) => item(name)) });
  assert.deepEqual(
    found.map(({ name, version }) => [name, version]),
    [
      ['shop', '1.4.2'],
      ['shop', '2.0.0'],
      ['agent', '^2'],
    ],
  );
});

test('a recipe that was there before a run is told from one that the run brought', () => {
  const came = (name: string, transferredBytes = 0) => ({ ...item(name), transferredBytes });
  const toResolution = (recipe: string, destinationStatus: 'pushed' | 'up-to-date') => ({
    ...{ recipe, requested: recipe, resolved: recipe, digest: `sha256:${'a'.repeat(64)}` as const },
    ...{ status: 'up-to-date' as const, destinationStatus },
  });
  const items = [came('base@1.0.0'), came('base@1.0.0/os'), came('shop@1.4.2', 9), came('shop@1.4.2/web')];
  const mended = [came('agent@2.0.0'), came('agent@2.0.0/image', 7)];
  const found = selectRunRecipes({
    type: 'media-import',
    items: [...items, ...mended],
    resolutions: [
      toResolution('base@1.0.0', 'up-to-date'),
      toResolution('shop@1.4.2', 'pushed'),
      toResolution('agent@2.0.0', 'up-to-date'),
    ],
  });
  assert.deepEqual(
    found.map(({ name, wasHere }) => [name, wasHere]),
    [
      ['base', true],
      ['shop', undefined],
      ['agent', undefined],
    ],
  );
});

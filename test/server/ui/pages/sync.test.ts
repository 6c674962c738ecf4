import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Operations } from '../../../../server/operations.ts';
import type { Plan } from '../../../../src/contract/plan.ts';
import type { PrunePreview, RetrieverRecord } from '../../../../src/contract/recipe.ts';
import { type SvcError, svcError } from '../../../../src/text/error.ts';
import { eventually } from '../../../kit/instance/eventually.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { plan, plannedRecipe } from '../../../kit/scene/plan-document.ts';
import {
  type BrowserSession,
  fingerprintOf,
  openBrowserSession,
  signInAs,
} from '../../../kit/web/browser-session.ts';
import { toPageText } from '../../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../../kit/web/strict-html.ts';

const hostile = '<img src=x onerror=alert(1)>\u202e"\'';
const digest = `sha256:${'b'.repeat(64)}` as const;

let folder: TempFolder;
let server: TestServer;
let operator: BrowserSession;
let viewer: BrowserSession;
const configured: RetrieverRecord = {
  mode: 'passthrough',
  source: 'https://registry.example/zone-b.yaml',
  substitutions: [],
  relaxedScopes: [],
  anonymousFilesets: [],
  prune: false,
};
let retriever = configured;
let planned: Plan;
let preview: PrunePreview;
/** Why the preview cannot be made. */
let failure: SvcError | undefined;
const submitted: { readonly prune?: boolean | undefined; readonly fingerprint?: string | undefined }[] = [];
let planAsked: Parameters<Operations['planSync']>[1][];
/** Callers that took places for plans. */
let holders: string[];
/** Recipes that the next task takes. */
let settled: readonly string[] = [];
/** Keeps the next task running until it is called. */
let finish: (() => void) | undefined;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    link: { rateLimit: 1024 },
    retriever: () => retriever,
    places: {
      plans: {
        run: (holder, signal, plans) => {
          holders.push(holder.name);
          return plans(signal);
        },
      },
    },
    operations: {
      planSync: async (_context, request) => {
        planAsked.push(request);
        return { plan: planned, exit_code: 0 };
      },
      previewPrune: async () => {
        if (failure !== undefined) throw failure;
        return preview;
      },
      submitSync: (_instance, { actor, prune, fingerprint }) => {
        submitted.push({ prune, fingerprint });
        return server.tasks.submit({
          type: 'sync',
          reference: '/retriever.yaml',
          actor,
          ...(prune === undefined ? {} : { prune }),
        });
      },
    },
    run: (_task, _request, journal) =>
      finish === undefined
        ? journal.settleItems(settled.map((name) => ({ name, status: 'done' as const, transferredBytes: 0 })))
        : new Promise<void>((resolve) => {
            finish = resolve;
          }),
  });
  operator = await signInAs(server, 'operator', 'olga');
  viewer = await signInAs(server, 'viewer', 'vera');
});
beforeEach(() => {
  planAsked = [];
  holders = [];
  failure = undefined;
  finish = undefined;
  settled = [];
  preview = { items: [], count: 0, totalBytes: 0, fingerprint: digest };
  planned = plan();
  retriever = configured;
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function textOf(response: Response, status = 200): Promise<string> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  parseStrictHtml(text, response.url);
  return text;
}

const proseOf = async (response: Response, status = 200): Promise<string> =>
  parseStrictHtml(await textOf(response, status), response.url).prose;

const post = (path: string, fields: Record<string, string> = {}): Promise<Response> =>
  operator.postAndOpen(path, fields, { page: '/recipes/sync' });

test('a destination is named for administrators only', async () => {
  retriever = { ...configured, destination: 'registry.secret.example' };
  const headers = { 'accept-language': 'fr' };
  assert.doesNotMatch(await (await operator.get('/recipes/sync')).text(), /registry\.secret/);
  assert.match(
    toPageText(await (await operator.get('/recipes/sync', headers)).text()),
    /Ne demande pas à la destination/,
  );
  await server.accounts.create({ name: 'anna', role: 'admin', password: 'a good password' });
  const admin = openBrowserSession(server);
  await admin.signIn('anna', 'a good password');
  assert.match(await (await admin.get('/recipes/sync')).text(), /registry\.secret\.example/);
});

test('opening the page asks no registry, and is for operators', async () => {
  const prose = await proseOf(await operator.get('/recipes/sync'));
  assert.match(prose, /from https:\/\/registry\.example\/zone-b\.yaml/);
  assert.match(prose, /nothing is transferred or changed/);
  assert.match(prose, /as configured \(off\)/);
  assert.equal(planAsked.length, 0);
  assert.equal((await viewer.get('/recipes/sync')).status, 403);
});

test('the list of recipes leads operators to the pages that change something, and nobody else', async () => {
  const links = ['/recipes/sync', '/recipes/publish', '/import'];
  const operators = await textOf(await operator.get('/recipes'));
  const viewers = await textOf(await viewer.get('/recipes'));
  for (const path of links) {
    assert.ok(operators.includes(`href="${path}"`), path);
    assert.ok(!viewers.includes(`href="${path}"`), path);
    assert.equal((await operator.get(path)).status, 200, path);
  }
});

test('without a Retriever the page names the missing setting', async () => {
  const { source: _, ...rest } = retriever;
  retriever = rest;
  const text = await (await operator.get('/recipes/sync')).text();
  assert.match(text, /SVC-CFG-001/);
  assert.match(text, /retriever\.source/);
});

test('a plan shows recipes with what is here and what is to transfer, the refused ones first', async () => {
  const refusal = {
    code: 'SVC-SIG-001',
    class: 'verification',
    params: { reference: 'registry.example/cookbook/agent:2.0.1' },
  } as const;
  planned = plan({
    outcome: 'verification-failed',
    recipes: [
      plannedRecipe(),
      plannedRecipe({
        name: 'base',
        requested: '12.x',
        resolved: '12.4.0',
        transferBytes: 0,
        ingredients: [],
      }),
      plannedRecipe({
        name: 'agent',
        requested: '^2',
        resolved: '2.0.1',
        signature: 'refused',
        problem: refusal,
      }),
    ],
    problems: [{ ...refusal, subject: 'agent' }],
  });
  const text = await textOf(await post('/recipes/sync/plan'));
  const { prose } = parseStrictHtml(text, 'plan');
  assert.match(prose, /3 recipes: 1 to transfer, 1 up to date, 1 blocked\./);
  assert.match(
    prose,
    /In part\s*512\sB to transfer; it fits[\s\S]*A run skips blocked recipes, reports them, and takes the others/,
  );
  assert.doesNotMatch(prose, /failed/);
  assert.match(prose, /container image|image/);
  assert.doesNotMatch(prose, /ContainerImage/);
  assert.match(prose, /shop \^1\.4 → 1\.4\.2\s*signed[\s\S]*?512\sB\s*2\sKiB/);
  assert.match(prose, /base 12\.x → 12\.4\.0[\s\S]*?up to date\s*2\sKiB/);
  const rows = [...text.matchAll(/<th scope="row"[^>]*><bdi[^>]*>([^<]*)/g)].map(([, name]) => name);
  assert.deepEqual(rows.slice(0, 3), ['agent', 'shop', 'base']);
  const agent = /<th scope="row"[\s\S]*?<\/tr>/.exec(text)![0];
  assert.match(
    agent,
    /<p class="item-error">[^<]+ carries no acceptable signature\. <a href="\/help#SVC-SIG-001">/,
  );
  assert.match(
    prose,
    /1 blocked\.\s*agent 2\.0\.1 .* carries no acceptable signature/,
    'also in the summary',
  );
  assert.match(text, /class="bar-refused" x="0%" y="0" width="100%" height="100%" fill="url\(#hatch\)"/);
  assert.match(
    text,
    /class="bar-done" x="0%" y="0" width="75%"[\s\S]*?class="bar-after" x="75%" y="0" width="25%"/,
  );
  assert.deepEqual(holders, ['olga']);
  assert.equal(planAsked[0]!.skipDestination, undefined);
});

test('a plan says what is pushed, and the time of both under the cap', async () => {
  planned = plan({ promotion: { bytes: 1024, unasked: 0 } });
  const known = (await proseOf(await post('/recipes/sync/plan'))).replaceAll(/\s+/g, ' ');
  assert.match(known, /at most 1 KiB to push to the destination/);
  assert.match(known, /at most 1 KiB a second · at most about 2\ss of transfer, with the push/);
  planned = plan({ promotion: { bytes: 0, unasked: 2 } });
  const unknown = (await proseOf(await post('/recipes/sync/plan'))).replaceAll(/\s+/g, ' ');
  assert.match(unknown, /the push to the destination is not known/);
  assert.match(unknown, /at least about 1\ss of transfer, without the push/);
});

test('a plan is kept: loading it again, going back and another language ask no registry', async () => {
  const answer = await operator.post('/recipes/sync/plan', {}, { page: '/recipes/sync' });
  assert.equal(answer.status, 303, 'no form is sent again by going back');
  const at = answer.headers.get('location')!;
  assert.match(at, /^\/recipes\/sync\?result=/);
  for (const language of ['en', 'fr', 'en']) {
    const text = await textOf(await operator.get(at, { 'accept-language': language }));
    assert.match(text, /<th scope="row"[^>]*><bdi[^>]*>shop/);
    assert.match(text, language === 'en' ? /as of .* \(/ : /état au .* \(/);
  }
  const own = openBrowserSession(server);
  await own.signIn('olga', 'a good password');
  assert.match(
    await textOf(await own.get(at)),
    /<th scope="row"[^>]*><bdi[^>]*>shop/,
    'another browser of the same account',
  );
  assert.equal(planAsked.length, 1);
  const other = openBrowserSession(server);
  await server.accounts.create({ name: 'otto', role: 'operator', password: 'a good password' });
  await other.signIn('otto', 'a good password');
  const gone = await textOf(await other.get(at));
  assert.match(gone, /This result is not kept any more/);
  assert.match(gone, /Work out the plan/);
  assert.doesNotMatch(gone, /<th scope="row"[^>]*><bdi[^>]*>shop/);
  assert.equal((await viewer.get(at)).status, 403);
});

test('the page is headed by the name of the Retriever once it was read, also after a reset', async () => {
  planned = plan({ zone: 'zone-b' });
  await post('/recipes/sync/plan');
  const header = async (): Promise<string> =>
    /class="zone"[^>]*><bdi[^>]*>([^<]*)/.exec(await textOf(await operator.get('/')))![1]!;
  assert.equal(await header(), 'zone-b');
  retriever = {
    ...configured,
    lastSync: { zone: 'zone-c', runId: 'run', resolvedAt: '2026-01-01T00:00:00.000Z' },
  };
  assert.equal(await header(), 'zone-c');
  retriever = { ...configured, zone: 'zone-d' };
  assert.equal(await header(), 'zone-d');
});

test('a run that was started from a plan says whether it takes what was planned', async () => {
  const at = (await operator.post('/recipes/sync/plan', {}, { page: '/recipes/sync' })).headers.get(
    'location',
  )!;
  const _result = /name="_result" value="([^"]+)"/.exec(await textOf(await operator.get(at)))![1]!;
  settled = ['shop@1.4.3'];
  const started = await operator.post('/recipes/sync', { prune: 'false', _result }, { page: at });
  const task = started.headers.get('location')!;
  const id = task.replace('/tasks/', '');
  await eventually('the end of the task', async () => (await server.tasks.get(id)).status === 'done');
  const prose = toPageText(await textOf(await operator.get(task)));
  assert.match(
    prose,
    /The run differs from the plan of .*Planned, not taken shop@1\.4\.2 Taken, not planned shop@1\.4\.3/,
  );
  assert.doesNotMatch(await textOf(await viewer.get(task)), /the plan of/);
  const french = await operator.get(task, { 'accept-language': 'fr' });
  assert.match(toPageText(await textOf(french)), /Prévues, non prises shop@1\.4\.2/);
});

test('a start that fails leaves the plan on the page', async () => {
  const item = { repository: 'registry.example/old', tag: '1.0', digest, recipe: 'shop', sizeBytes: 2048 };
  planned = plan({ prune: { evaluated: true, items: [item], totalBytes: 2048 } });
  const at = (await operator.post('/recipes/sync/plan', {}, { page: '/recipes/sync' })).headers.get(
    'location',
  )!;
  const shown = await textOf(await operator.get(at));
  const _result = /name="_result" value="([^"]+)"/.exec(shown)![1]!;
  const failed = await operator.post('/recipes/sync', { prune: 'perhaps', _result }, { page: at });
  const text = await textOf(failed, 422);
  assert.match(text, /SVC-VAL-001[\s\S]*<th scope="row"[^>]*><bdi[^>]*>shop/);
});

test('a volume that is too small says how much is missing, and the bar passes the margin', async () => {
  const [check] = plan().checks;
  planned = plan({
    checks: [
      check!,
      {
        ...check!,
        target: 'state',
        projectedBytes: 950,
        shortfallBytes: 50,
        refusalCode: 'SVC-STO-004',
        warnings: ['<b>odd</b>'],
      },
    ],
  });
  const text = await textOf(await post('/recipes/sync/plan'));
  const { prose } = parseStrictHtml(text, 'plan');
  assert.match(prose, /Volume of the store[\s\S]*fits, 400\sB to spare/);
  assert.match(prose, /Volume of the state[\s\S]*50\sB short/);
  assert.match(text, /class="bar-refused" x="90%" y="0" width="5%"/);
  assert.match(text, /&lt;b&gt;odd/);
  assert.match(prose, /Does not fit\s*512\sB to transfer; it does not fit: volume of the state 50\sB short/);
  assert.match(prose, /short[\s\S]*There is not enough space at[\s\S]*What to do[\s\S]*Volume of the store/);
  assert.match(prose, /Free space on that volume, then work out the plan again\. SVC-STO-00/);
  assert.doesNotMatch(prose, /Start the synchronization/, 'a run would be refused');
  assert.doesNotMatch(prose, /Show the use of the store/, 'that is another volume');
});

/** The choices of a form that starts a run. */
const choicesOf = (page: string): readonly string[] =>
  [...page.matchAll(/<option value="(?:true|false|)"[^>]*>([^<]*)/g)].map(([, label]) => label!);

test('a start offers the prune that the configuration does not ask for', async () => {
  const off = await textOf(await operator.get('/recipes/sync'));
  assert.deepEqual(choicesOf(off), ['as configured (off)', 'prune, after its list is shown']);
  retriever = { ...configured, mode: 'mirror', prune: true };
  const on = await textOf(await operator.get('/recipes/sync'));
  assert.deepEqual(choicesOf(on), ['as configured (on)', 'do not prune']);
});

test('a chosen prune shows its list before anything starts', async () => {
  const item = { repository: 'registry.example/old', tag: '1.0', digest, recipe: 'shop', sizeBytes: 2048 };
  preview = { items: [item], count: 1, totalBytes: 2048, fingerprint: digest };
  const tasksBefore = (await server.tasks.list({})).total;
  const shown = await textOf(await post('/recipes/sync', { prune: 'true' }));
  assert.match(shown, /registry\.example\/old:1\.0/);
  assert.equal((await server.tasks.list({})).total, tasksBefore, 'nothing has started');
  assert.equal(fingerprintOf(shown, '/recipes/sync'), digest);
});

test('a plan offers to prune the list that it shows', async () => {
  const withoutPreview = await textOf(await post('/recipes/sync/plan'));
  assert.deepEqual(choicesOf(withoutPreview), ['as configured (off)', 'prune, after its list is shown']);
  assert.match(parseStrictHtml(withoutPreview, 'plan').prose, /Nothing: prune is off\./);
  const item = { repository: 'registry.example/old', tag: '1.0', digest, recipe: 'shop', sizeBytes: 2048 };
  planned = plan({ prune: { evaluated: true, items: [item], totalBytes: 2048 } });
  const withPreview = await textOf(await post('/recipes/sync/plan'));
  assert.deepEqual(choicesOf(withPreview), ['as configured (off)', 'prune']);
  assert.match(withPreview, /1 tag would be removed, 2\u00a0KiB would be freed/);
});

test('the preview of a prune names each tag and starts a run with prune', async () => {
  assert.match(await proseOf(await post('/recipes/sync/prune')), /Nothing would be removed/);
  const items = [
    {
      repository: 'registry.example/old',
      tag: '1.0',
      digest,
      recipe: hostile,
      sizeBytes: 2048,
      restored: digest,
    },
  ];
  preview = { items, count: 1, totalBytes: 2048, fingerprint: digest };
  const text = await textOf(await post('/recipes/sync/prune'));
  assert.match(text, /registry\.example\/old:1\.0/);
  assert.match(parseStrictHtml(text, 'prune').prose, new RegExp(`then names ${digest} again`));
  assert.doesNotMatch(text, /<img|\u202e/);
  assert.equal(fingerprintOf(text, '/recipes/sync'), digest);
  const answer = await post('/recipes/sync', { prune: 'true', fingerprint: digest });
  assert.equal(answer.status, 303, await answer.clone().text());
  const [, id] = /^\/tasks\/(tsk_[0-9a-f]+)$/.exec(answer.headers.get('location') ?? '') ?? [];
  assert.equal((await server.tasks.get(id!)).prune, true);
  await eventually('the end of the task', async () => (await server.tasks.get(id!)).status === 'done');
});

test('start leads to the task, with the prune that was chosen, and the page shows that it runs', async () => {
  const none = () => undefined;
  finish = none;
  const answer = await post('/recipes/sync', { prune: '' });
  assert.equal(answer.status, 303, await answer.clone().text());
  const id = answer.headers.get('location')!.replace('/tasks/', '');
  assert.equal((await server.tasks.get(id)).prune, undefined);
  await eventually('the work of the task', async () => finish !== none);
  const text = await textOf(await operator.get('/recipes/sync'));
  assert.match(text, new RegExp(`A synchronization is running[\\s\\S]*href="/tasks/${id}"`));
  assert.match(text, /button-primary" type="submit"[^>]*>Work out the plan</);
  assert.match(text, /disabled[^>]*>Start</, 'the next run cannot start yet');
  finish();
  await eventually('the end of the task', async () => (await server.tasks.get(id)).status === 'done');
  finish = undefined;
  const kept = await post('/recipes/sync', { prune: 'false' });
  const next = kept.headers.get('location')!.replace('/tasks/', '');
  assert.equal((await server.tasks.get(next)).prune, false);
  await server.tasks.settled(next);
  assert.equal((await viewer.post('/recipes/sync', {}, { page: '/account' })).status, 403);
});

test('a start that prunes by the configuration shows its list first, and starts by its confirmation', async () => {
  retriever = { ...configured, mode: 'mirror', prune: true };
  const item = { repository: 'registry.example/old', tag: '1.0', digest, recipe: 'shop', sizeBytes: 2048 };
  preview = { items: [item], count: 1, totalBytes: 2048, fingerprint: digest };
  const tasksBefore = (await server.tasks.list({})).total;
  const shown = await textOf(await post('/recipes/sync', { prune: '' }));
  assert.match(shown, /registry\.example\/old:1\.0/);
  assert.match(
    parseStrictHtml(shown, 'preview').prose,
    /Preview\s*1 tag would be removed, 2\sKiB would be freed/,
  );
  assert.equal((await server.tasks.list({})).total, tasksBefore, 'nothing has started');
  assert.equal(fingerprintOf(shown, '/recipes/sync'), digest);
  const started = await post('/recipes/sync', { prune: 'true', fingerprint: digest });
  assert.match(started.headers.get('location') ?? '', /^\/tasks\/tsk_/);
  const kept = await post('/recipes/sync', { prune: 'false' });
  assert.match(kept.headers.get('location') ?? '', /^\/tasks\/tsk_/);
});

test('a start that would remove nothing needs no confirmation, and holds to that', async () => {
  retriever = { ...configured, mode: 'mirror', prune: true };
  const answer = await post('/recipes/sync', { prune: '' });
  assert.match(answer.headers.get('location') ?? '', /^\/tasks\/tsk_/, await answer.clone().text());
  assert.equal(submitted.at(-1)!.fingerprint, digest);
});

test('a start whose prune cannot be listed, as with a blocked recipe, starts and confirms no list', async () => {
  retriever = { ...configured, mode: 'mirror', prune: true };
  failure = svcError('SVC-SIG-001', { subject: 'registry.example/cookbook/shop:1.0.0', reason: 'none' });
  const answer = await post('/recipes/sync', { prune: '' });
  assert.match(answer.headers.get('location') ?? '', /^\/tasks\/tsk_/, await answer.clone().text());
  assert.deepEqual(submitted.at(-1), { prune: undefined, fingerprint: undefined });
});

test('a start that asks to prune a list that is unknown starts nothing, and offers a start without it', async () => {
  retriever = { ...configured, mode: 'mirror', prune: true };
  failure = svcError('SVC-REG-002', { host: 'registry.example' });
  const answer = await post('/recipes/sync', { prune: 'true' });
  const text = await answer.text();
  assert.equal(answer.status, 502, text);
  assert.match(text, /SVC-REG-002/);
  assert.match(text, /name="prune" value="false"/);
  assert.equal(answer.headers.get('location'), null);
});

test('a plan that cannot be made is an error on the page, whose forms stay', async () => {
  const { plan: good } = { plan: planned };
  Object.defineProperty(planned, 'totals', {
    get: () => {
      throw svcError('SVC-REG-002', { host: 'registry.example' });
    },
  });
  const text = await (await post('/recipes/sync/plan')).text();
  assert.match(text, /SVC-REG-002/);
  assert.match(text, /Work out the plan/);
  planned = good;
});

test('what others named is text in a plan, which speaks French too', async () => {
  planned = plan({
    recipes: [
      plannedRecipe({
        name: hostile,
        requested: hostile,
        trustScope: hostile,
        ingredients: [
          { ...plannedRecipe().ingredients[0]!, name: hostile, ref: hostile, kind: hostile as 'OCIArtifact' },
        ],
      }),
    ],
    policy: { allowlistDeclared: true, hosts: [{ host: hostile, role: 'ingredient', allowed: false }] },
  });
  assert.doesNotMatch(await textOf(await post('/recipes/sync/plan')), /<img|\u202e/);
  const french = await operator.postAndOpen(
    '/recipes/sync/plan',
    {},
    { page: '/recipes/sync', headers: { 'accept-language': 'fr' } },
  );
  assert.match(
    toPageText(await french.text()),
    /1 recette : +1 à transférer ?\.[\s\S]*Hors de la liste autorisée[\s\S]*les ingrédients/,
  );
});

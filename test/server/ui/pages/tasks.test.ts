import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { renderHtml } from '../../../../server/ui/html.ts';
import { asksFirst } from '../../../../server/ui/pages/tasks/cancel.ts';
import { goingOn } from '../../../../server/ui/pages/tasks/import-step.ts';
import { itemsSoFar, runningOutcome } from '../../../../server/ui/pages/tasks/outcome.ts';
import {
  isStalled,
  nowOf,
  outcomeText,
  paceOf,
  stallRemedy,
  taskBadge,
  taskBar,
} from '../../../../server/ui/pages/tasks/task-words.ts';
import { stamp } from '../../../../server/ui/parts/badge.ts';
import { toTimeLeft } from '../../../../server/ui/parts/bar.ts';
import type { Task } from '../../../../src/contract/task.ts';
import type { TaskJournal } from '../../../../src/task/model.ts';
import { isOver } from '../../../../src/task/model.ts';
import { fromErrorRecord, svcError, toErrorRecord } from '../../../../src/text/error.ts';
import { renderError } from '../../../../src/text/message.ts';
import { words } from '../../../../src/text/words/words.ts';
import { eventually } from '../../../kit/instance/eventually.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { mediumReport, recipeVerdict } from '../../../kit/scene/media-state.ts';
import { type BrowserSession, signInAs } from '../../../kit/web/browser-session.ts';
import { parseStrictHtml } from '../../../kit/web/strict-html.ts';

const digest = `sha256:${'a'.repeat(64)}` as const;
const hostile = '<img src=x onerror=alert(1)>\u202e"\'';

let folder: TempFolder;
let server: TestServer;
let operator: BrowserSession;
let viewer: BrowserSession;
/** The work of the next task. */
let work: (journal: TaskJournal, signal: AbortSignal) => Promise<void> = async () => {};

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    run: (_task, _request, journal, signal) => work(journal, signal),
  });
  operator = await signInAs(server, 'operator', 'olga');
  viewer = await signInAs(server, 'viewer', 'vera');
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function start(): Promise<string> {
  const response = await server.fetch('/api/v1/sync', {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  });
  assert.equal(response.status, 201, await response.clone().text());
  return ((await response.json()) as { task: { id: string } }).task.id;
}

const finished = (id: string): Promise<Task> =>
  eventually('the end of the task', async () => {
    const task = await server.tasks.get(id);
    return isOver(task) && task;
  });

async function proseOf(session: BrowserSession, path: string, status = 200): Promise<string> {
  const response = await session.get(path);
  const text = await response.text();
  assert.equal(response.status, status, text);
  return parseStrictHtml(text, path).prose;
}

test('without a task the list says so, with a filter it names the filter', async () => {
  assert.match(await proseOf(viewer, '/tasks'), /No task has run yet/);
  const filtered = await proseOf(viewer, '/tasks?q=nothing-like-it&status=failed');
  assert.match(filtered, /Nothing matches nothing-like-it · Status: failed/);
  assert.match(filtered, /Drop the filter/);
});

test('a task shows its items, the reason of a failure with its help, and no markup of names', async () => {
  work = async (journal) => {
    journal.setItems([
      { name: 'shop/web', digest, sizeBytes: 2048, status: 'pending', transferredBytes: 0 },
      { name: hostile, status: 'pending', transferredBytes: 0 },
    ]);
    journal.setTotalBytes(2048);
    journal.addBytes(2048);
    journal.line(`a line ${hostile}`);
    await journal.updateItem('shop/web', { status: 'done', transferredBytes: 2048 });
    await journal.updateItem(hostile, {
      status: 'failed',
      error: toErrorRecord(svcError('SVC-REG-003', { host: hostile })),
    });
    throw svcError('SVC-REG-003', { host: hostile });
  };
  const id = await start();
  const task = await finished(id);
  assert.equal(task.status, 'failed');
  for (const path of [`/tasks/${id}`, '/tasks', `/tasks/${id}/log`]) {
    const text = await (await viewer.get(path)).text();
    assert.doesNotMatch(text, /<img|\u202e/, path);
  }
  const prose = await proseOf(viewer, `/tasks/${id}`);
  assert.match(prose, /1 of 2 items done, &lt;img.* failed/, 'the failed one is named');
  assert.match(
    prose,
    /Finished[\s\S]*– ?\d\d?:\d\d:\d\d [^,]*UTC/,
    'an item that is over has its time, of the day of the task',
  );
  assert.match(prose, /SVC-REG-003/);
  assert.doesNotMatch(prose, /Cancel the task/);
  const page = await (await viewer.get(`/tasks/${id}`)).text();
  assert.doesNotMatch(page, /hx-trigger/, 'nothing changes any more');
  assert.match(page, /Log, the last lines[\s\S]*a line &lt;img[\s\S]*Open the whole log/);
  assert.ok(page.indexOf('shop/web') < page.indexOf('Log, the last lines'), 'the items come before the log');
  assert.match(page, /title="sha256:[0-9a-f]{64}">sha256:[0-9a-f]{8}…[0-9a-f]{4}</);
  assert.ok(page.indexOf('failed</span>') < page.indexOf('shop/web'), 'failed items come first');
  const failed = await proseOf(viewer, `/tasks/${id}?state=failed`);
  assert.doesNotMatch(failed, /shop\/web/);
  assert.match(await proseOf(viewer, '/tasks?status=failed'), /SVC-REG-003/);
});

test('the outcome of a run counts its recipes, and a recipe without one of its ingredients as failed', async () => {
  const error = toErrorRecord(svcError('SVC-REG-003', { host: 'a.example' }));
  work = async (journal) => {
    await journal.settleItems([
      { name: 'base@12.4.0', status: 'done', transferredBytes: 1 },
      { name: 'base@12.4.0/web', status: 'done', transferredBytes: 1 },
      { name: 'shop@1.4.2', status: 'skipped', transferredBytes: 0 },
      { name: 'shop@1.4.2/web', status: 'failed', transferredBytes: 0, error },
    ]);
    throw svcError('SVC-REG-003', { host: 'a.example' });
  };
  const { id } = await finished(await start());
  assert.match(await proseOf(viewer, `/tasks/${id}`), /1 of 2 recipes done, shop@1\.4\.2 failed/);
  const french = await (await viewer.get(`/tasks/${id}`, { 'accept-language': 'fr' })).text();
  assert.match(parseStrictHtml(french, 'fr').prose, /1 recette terminée sur 2, échec de shop@1\.4\.2/);
});

test('each remedy of failed items is shown once, and never twice with that of the task', async () => {
  const record = (host: string) => toErrorRecord(svcError('SVC-REG-003', { host }));
  const refused = toErrorRecord(svcError('SVC-SIG-001', { subject: 'shop', reason: 'untrusted' }));
  work = async (journal) => {
    const errors = { one: record('a.example'), two: record('a.example'), three: refused };
    journal.setItems(Object.keys(errors).map((name) => ({ name, status: 'pending', transferredBytes: 0 })));
    for (const [name, error] of Object.entries(errors))
      await journal.updateItem(name, { status: 'failed', error });
    throw svcError('SVC-REG-003', { host: 'a.example' });
  };
  const id = await start();
  await finished(id);
  const prose = await proseOf(viewer, `/tasks/${id}`);
  const { cause, action } = renderError(fromErrorRecord(record('a.example')), 'en');
  for (const text of [cause, action, 'add the public key to trust.roots'])
    assert.equal(prose.split(text).length - 1, 1, text);
});

test('the error that leads the page names the items that have this error, and no others of its code', async () => {
  const record = (subject: string, reason: string) =>
    toErrorRecord(svcError('SVC-SIG-001', { subject, reason }));
  work = (journal) =>
    journal.settleItems([
      {
        name: 'agent@2.0.1',
        status: 'failed',
        transferredBytes: 0,
        error: record('cookbook/agent', 'missing'),
      },
      {
        name: 'market@1.1.0',
        status: 'failed',
        transferredBytes: 0,
        error: record('cookbook/market', 'untrusted'),
      },
    ]);
  const { id } = await finished(await start());
  const markup = await (await viewer.get(`/tasks/${id}`)).text();
  assert.match(markup, /<h3><bdi[^>]*>agent@2\.0\.1<\/bdi><\/h3>/);
});

test('the error of failed items leads the page of a task that has none of its own, with the names of the items', async () => {
  const error = toErrorRecord(svcError('SVC-MED-012', { path: 'blobs/sha256/a3f9' }));
  work = (journal) =>
    journal.settleItems([
      { name: 'base@12.4.0', status: 'done', transferredBytes: 1 },
      { name: 'tool@1.0.0', status: 'skipped', transferredBytes: 0 },
      { name: 'agent@1.8.3', status: 'failed', transferredBytes: 0, error },
    ]);
  const { id } = await finished(await start());
  const prose = await proseOf(viewer, `/tasks/${id}`);
  const { cause, action } = renderError(fromErrorRecord(error), 'en');
  for (const text of [cause, action]) assert.equal(prose.split(text).length - 1, 1, text);
  assert.match(prose, /agent@1\.8\.3[\s\S]*Probable cause[\s\S]*What to do[\s\S]*Items/);
  const list = await proseOf(viewer, '/tasks?status=failed');
  assert.match(
    list,
    /A file on the medium does not match its digest: \S+ \(agent@1\.8\.3\)\s+SVC-MED-012/,
    'the code has its words, with the item that has it',
  );
  assert.match(
    prose,
    /agent@1\.8\.3[\s\S]*tool@1\.0\.0[\s\S]*base@12\.4\.0/,
    'items that are done come last',
  );
});

test('each cause of failed items has its own remedy, under the names of its items', async () => {
  const refusal = (subject: string, reason: string) =>
    toErrorRecord(svcError('SVC-SIG-001', { subject, reason }));
  const names = ['agent@2.0.1', 'plugin-market@1.1.0', 'probe@3.0.0'] as const;
  const reasons = ['none', 'untrusted', 'none'] as const;
  work = (journal) =>
    journal.settleItems([
      { name: 'base@12.4.0', status: 'done', transferredBytes: 1 },
      ...names.map(
        (name, i) =>
          ({ name, status: 'failed', transferredBytes: 0, error: refusal(name, reasons[i]!) }) as const,
      ),
    ]);
  const { id } = await finished(await start());
  const path = `/tasks/${id}`;
  const blocks = (await (await viewer.get(path)).text()).split('role="alert"').slice(1);
  assert.equal(blocks.length, 2, 'one for each cause');
  const headings = blocks.map((block) => /<h3>([\s\S]*?)<\/h3>/.exec(block)![1]!.replace(/<[^>]+>/g, ''));
  assert.deepEqual(headings, ['agent@2.0.1 and probe@3.0.0', 'plugin-market@1.1.0']);
  assert.match(blocks[0]!, /Have it signed by a trusted key/);
  assert.match(blocks[1]!, /Confirm the fingerprint of the key/);
  const prose = await proseOf(viewer, path);
  for (const text of ['Have it signed by a trusted key', 'Confirm the fingerprint of the key'])
    assert.equal(prose.split(text).length - 1, 1, text);
});

test('a task that failed before it knew its items says its error in the head, once', async () => {
  const error = svcError('SVC-STO-003', { path: '/srv/out' });
  work = () => Promise.reject(error);
  const { id } = await finished(await start());
  const prose = await proseOf(viewer, `/tasks/${id}`);
  const { what, action } = renderError(error, 'en');
  const [before, after] = prose.split(what);
  assert.doesNotMatch(before!, /This task has no items/);
  assert.ok(after!.includes(action));
});

const stalledTask: Task = {
  id: 'tsk_0123456789abcdef',
  type: 'sync',
  status: 'running',
  reference: 'registry.example/cookbook',
  actor: 'vera',
  createdAt: '2026-11-22T08:00:00Z',
  runId: 'run',
  resumed: false,
  counts: { total: 2, done: 0, failed: 0, skipped: 0 },
  progress: { bytesDone: 50, bytesTotal: 100 },
  items: [],
};

test('a running task always says how fast it goes on', () => {
  const paceAt = (progress: Partial<Task['progress']>): string =>
    paceOf(words.en, { progress: { bytesDone: 50, bytesTotal: 100, ...progress } })
      .join(' · ')
      .replaceAll('\u00a0', ' ');
  assert.equal(paceAt({ bytesPerSecond: 118 << 20, secondsLeft: 120 }), '118 MiB/s · time left: about 2 min');
  assert.equal(
    paceAt({ bytesPerSecond: 0, stalledSeconds: 47 }),
    'nothing has moved for 40 s · time left: not known',
  );
  assert.equal(paceAt({ bytesPerSecond: 0, stalledSeconds: 3 }), 'measuring the rate');
  const slow = { averageBytesPerSecond: 20_972, secondsLeft: 76_000, pauseSeconds: 80 };
  const told = '20.5 KiB/s on average · time left: about 21 h';
  assert.equal(paceAt({ bytesPerSecond: 400_000, ...slow }), told);
  assert.equal(paceAt({ bytesPerSecond: 0, stalledSeconds: 3, ...slow }), told);
  assert.equal(
    paceAt({ bytesPerSecond: 0, stalledSeconds: 47, ...slow }),
    '20.5 KiB/s on average · nothing has moved for 40 s, after pauses of up to 1 min 20 s · time left: about 21 h',
    'the time left stays during a pause',
  );
  const retry = { host: 'zone-a', attempt: 2, attempts: 5 };
  const waits = 'waiting for zone-a, attempt 2 of 5';
  assert.equal(paceAt({ bytesDone: 0, retry }), waits);
  assert.equal(
    paceAt({ bytesPerSecond: 0, stalledSeconds: 3, ...slow, retry }),
    told.replace(' · ', ` · ${waits} · `),
  );
  assert.equal(
    paceOf(words.en, {
      progress: { bytesDone: 50, bytesTotal: 100, secondsLeft: 4000 },
      waiting: { reason: 'window', until: '2026-11-22T22:00:00Z' },
    })
      .join(' · ')
      .replaceAll('\u00a0', ' '),
    'waits for the next window of transfers, until 22 Nov 2026, 22:00:00 UTC · then time left: about 1 h',
  );
  assert.equal(paceAt({ bytesDone: 0, bytesTotal: 0 }), 'no byte has arrived yet');
  const begunAt = Date.parse('2026-11-22T08:00:00Z');
  const leftAt = (minutes: number, bytesDone: number): string =>
    paceOf(
      words.en,
      {
        startedAt: '2026-11-22T08:00:00Z',
        progress: { bytesDone, bytesTotal: 1000, bytesPerSecond: 1024, secondsLeft: 60 },
      },
      begunAt + minutes * 60_000,
    ).at(-1)!;
  assert.equal(leftAt(1, 9), 'time left: being measured');
  assert.match(leftAt(1, 10), /about 1\smin/, 'one per cent has come');
  assert.match(leftAt(5, 1), /about 1\smin/, 'five minutes have passed');
  assert.equal(paceAt({ bytesDone: 100, bytesPerSecond: 0, stalledSeconds: 90 }), 'all bytes have arrived');
});

test('a running task says its failures in the headline as an ended one does', () => {
  const item = (name: string, more: Partial<Task['items'][number]> = {}): Task['items'][number] => ({
    ...{ name, status: 'done', transferredBytes: 0 },
    ...more,
  });
  const refused = toErrorRecord(svcError('SVC-SIG-001', { subject: 'agent', reason: 'untrusted' }));
  const running: Task = {
    ...stalledTask,
    progress: { bytesDone: 30, bytesTotal: 1000 },
    items: [
      item('base@1'),
      item('shop@1', { transferredBytes: 20 }),
      item('agent@1', { status: 'failed', error: refused }),
      item('archive@1', { status: 'running', sizeBytes: 1000, transferredBytes: 30 }),
    ],
    resolutions: [
      { recipe: 'base@1', requested: '1', resolved: '1', digest, status: 'up-to-date' },
      { recipe: 'shop@1', requested: '1', resolved: '1', digest, status: 'new' },
    ],
  };
  const plain = (text: string | undefined): string | undefined => text?.replaceAll('\u00a0', ' ');
  assert.equal(plain(runningOutcome(words.en, running)), '2 of 4 recipes done, 1 blocked; archive@1 at 3 %');
  assert.match(runningOutcome(words.fr, running)!, /^2 recettes terminées sur 4, 1 bloquée\s; archive@1 à 3/);
  assert.equal(
    plain(itemsSoFar(words.en, running)),
    '1 item was here already, 1 done, 1 to come: 30 B of 1,000 B',
  );
  assert.equal(runningOutcome(words.en, { ...running, status: 'done' }), undefined);
  assert.equal(runningOutcome(words.en, { ...running, items: running.items.slice(3) }), undefined);
});

test('a running task that moves nothing for a minute is stalled, and says in both languages where to look', () => {
  const at = (stalledSeconds: number, more: Partial<Task> = {}): Task => ({
    ...stalledTask,
    progress: { ...stalledTask.progress, stalledSeconds },
    ...more,
  });
  assert.deepEqual(
    [at(59), at(60), at(60, { status: 'failed' }), at(60, { waiting: { reason: 'window' } })].map(isStalled),
    [false, true, false, false],
  );
  const thin = { ...stalledTask.progress, pauseSeconds: 80 };
  assert.equal(
    isStalled(at(0, { progress: { ...thin, stalledSeconds: 90 } })),
    false,
    'as its pauses before',
  );
  assert.equal(isStalled(at(0, { progress: { ...thin, stalledSeconds: 160 } })), true);
  const done = at(90, { progress: { bytesDone: 100, bytesTotal: 100, stalledSeconds: 90 } });
  assert.equal(isStalled(done), false, 'all bytes have arrived');
  assert.match(renderHtml(taskBadge(words.en, at(90))), /badge-warn.*stalled/s);
  assert.match(renderHtml(taskBadge(words.fr, at(90))), /à l’arrêt/);
  assert.match(renderHtml(taskBar(words.en, at(90))), /class="bar-stalled"[^>]*fill="url\(#hatch-stalled\)"/);
  assert.doesNotMatch(renderHtml(taskBar(words.en, at(3))), /hatch/);
  assert.match(
    stallRemedy(words.en, at(95))!,
    /^Nothing has arrived for 1.min 30.s\. Look whether the source answers/,
  );
  assert.match(
    stallRemedy(words.en, at(301, { type: 'media-import' }))!,
    /for 5.min\. Look whether the disk/,
  );
  assert.match(stallRemedy(words.fr, at(95))!, /Vérifiez que la source répond/);
  assert.equal(stallRemedy(words.en, at(3)), undefined);
});

test('the bar of a task shows the share that has failed', () => {
  const items: Task['items'] = [
    { name: 'a', status: 'done', sizeBytes: 50, transferredBytes: 50 },
    { name: 'b', status: 'failed', sizeBytes: 30, transferredBytes: 10 },
  ];
  const bar = renderHtml(taskBar(words.en, { ...stalledTask, items }));
  assert.match(bar, /class="bar-done" x="0%" y="0" width="50%"/);
  assert.match(bar, /class="bar-refused" x="50%" y="0" width="20%" height="100%" fill="url\(#hatch\)"/);
  const counted = { total: 4, done: 1, failed: 1, skipped: 0 };
  const plain = { ...stalledTask, items, counts: counted, progress: { bytesDone: 0, bytesTotal: 0 } };
  assert.match(
    renderHtml(taskBar(words.en, plain)),
    /bar-done" x="0%" y="0" width="25%".*bar-refused" x="25%" y="0" width="25%"/s,
  );
});

test('an estimate of the time left has no seconds, and is not told anew each second', () => {
  const told = (seconds: number): string =>
    words.en.format.duration(toTimeLeft(seconds)).replaceAll('\u00a0', ' ');
  assert.deepEqual([0, 34, 36, 59, 61, 170, 200].map(told), [
    '10 s',
    '30 s',
    '40 s',
    '1 min',
    '1 min',
    '3 min',
    '3 min',
  ]);
  assert.deepEqual([1281, 4000, 90_000].map(told), ['20 min', '1 h', '1 d 1 h']);
});

test('a running task names the items under way, not the recipe around them', () => {
  const nowAt = (...running: string[]): string =>
    nowOf(words.en, {
      items: [
        { name: 'base@1', status: 'done' as const, transferredBytes: 0 },
        ...running.map((name) => ({ name, status: 'running' as const, transferredBytes: 0 })),
      ],
    });
  assert.equal(nowAt(), '');
  assert.equal(nowAt('shop@1'), 'Now: shop@1');
  assert.equal(
    nowAt('shop@1', 'shop@1/web', 'shop@1/db', 'shop@1/mq'),
    'Now: shop@1/web and shop@1/db and 1 more',
  );
});

test('a list of tasks says the outcome in few words', () => {
  const outcomeAt = (status: Task['status'], done: number, total: number, bytes = 1): string =>
    outcomeText(words.en, {
      ...{ status, type: 'sync', progress: { bytesDone: bytes, bytesTotal: bytes } },
      counts: { done, total, failed: total - done, skipped: 0 },
    });
  assert.equal(outcomeAt('done', 9, 9), '9 of 9 items');
  assert.equal(outcomeAt('done', 9, 9, 0), '9 of 9 items, all was here already');
  assert.equal(outcomeAt('running', 5, 9), '5 of 9 items');
  assert.equal(outcomeAt('failed', 8, 9), 'partly: 8 of 9 items');
  assert.equal(outcomeAt('failed', 0, 1), 'none of 1 item');
  assert.equal(outcomeAt('failed', 0, 0), '');
  assert.equal(outcomeAt('done', 3, 11), 'partly: 3 of 11 items');
  assert.equal(outcomeAt('done', 0, 11), 'none of 11 items');
});

test('a failed task of which some items are done has failed in part on its page, in the list and in its head', async () => {
  const items = (...states: ('done' | 'failed')[]) =>
    states.map((status, i) => ({ name: `shop${i}@1.4.2`, status, transferredBytes: 1 }));
  const end = async (...states: ('done' | 'failed')[]): Promise<string> => {
    work = async (journal) => {
      await journal.settleItems(items(...states));
      throw svcError('SVC-REG-007', { reference: 'c', detail: 'no' });
    };
    return (await finished(await start())).id;
  };
  const none = await end('failed', 'failed');
  assert.match(await (await viewer.get(`/tasks/${none}`)).text(), /stamp-bad"[\s\S]{0,400}?> failed</);
  const some = await end('done', 'failed');
  assert.match(
    await (await viewer.get(`/tasks/${some}`)).text(),
    /stamp-warn"[\s\S]{0,400}?> failed in part</,
  );
  const list = await (await viewer.get('/tasks?status=failed')).text();
  assert.match(list, /stamp-warn"[\s\S]{0,400}?> failed in part</);
  assert.match(list, new RegExp(`${some}[\\s\\S]*?badge-warn[\\s\\S]*?${none}[\\s\\S]*?badge-bad`));
  assert.match(parseStrictHtml(list, 'list').prose, /(?:failures? stands?|failed).*, \d+ of them in part/);
  assert.match(parseStrictHtml(list, 'list').prose, /The transfer of c was interrupted[^/]*\s+SVC-REG-007/);
});

test('the stamp of the list names no order while its sentence names a failure', async () => {
  const stampOf = async (): Promise<string> => {
    const text = await (await viewer.get('/tasks')).text();
    const [, kind, mark] = /class="stamp (stamp-\w+)"[\s\S]{0,400}?> ([^<]+)</.exec(text) ?? [];
    return `${kind} ${mark}: ${/(?:No failure stands|\d+ failures? stands?) among \d+ tasks?/.exec(parseStrictHtml(text, '/tasks').prose)}`;
  };
  work = async () => {
    throw svcError('SVC-REG-007', { reference: 'c', detail: 'no' });
  };
  const other = await server.tasks.submit({
    type: 'sync',
    reference: 'registry.example/other',
    actor: 'nightly',
  });
  await finished(other.id);
  work = async () => {};
  await finished(await start());
  assert.match(await stampOf(), /^stamp-warn To look at: [1-9]\d* failures? stands?/);
});

test('a task that left items for other disks is done in part, and neither its stamp nor its row is green', async () => {
  const warning = toErrorRecord(
    svcError('SVC-MED-041', { recipe: 'shop@1.4.2', files: 1, bytes: 9, parts: ['2'] }),
  );
  work = (journal) =>
    journal.settleItems([
      { name: 'base@12.4.0', status: 'done', transferredBytes: 1 },
      { name: 'shop@1.4.2', status: 'skipped', transferredBytes: 0, warning },
      { name: 'tool@1.0.0', status: 'skipped', transferredBytes: 7, warning },
      { name: 'tool@1.0.0/web', status: 'skipped', transferredBytes: 0 },
    ]);
  const { id } = await finished(await start());
  const page = await (await viewer.get(`/tasks/${id}`)).text();
  assert.match(page, /stamp-plain"[\s\S]{0,400}?> done in part</);
  assert.match(parseStrictHtml(page, 'page').prose, /1 of 3 recipes done, 2 wait for other disks/);
  const list = await (await viewer.get('/tasks')).text();
  assert.doesNotMatch(list, /stamp-ok/);
  assert.match(list, new RegExp(`${id}[\\s\\S]*?badge-plain[\\s\\S]{0,300}?done in part`));
  assert.match(parseStrictHtml(list, 'list').prose, /partly: 1 of 4 items/);
  assert.match(page, /kept, waits for part 2</);
  assert.match(
    page,
    /state=kept"[^>]*>waits for other disks <span class="muted">3</,
    'an ingredient waits too',
  );
  const french = await (await viewer.get(`/tasks/${id}`, { 'accept-language': 'fr' })).text();
  assert.match(
    parseStrictHtml(french, 'page').prose,
    /1 recette terminée sur 3, 2 attendent d’autres disques/,
  );
});

test('the stamp of the list names no order while a task left something undone', async () => {
  await using own = await openTempFolder();
  await using alone = await startTestServer({
    folder: own.path,
    run: (_task, _request, journal) =>
      journal.settleItems([
        { name: 'base@12.4.0', status: 'done', transferredBytes: 1 },
        { name: 'shop@1.4.2', status: 'skipped', transferredBytes: 0 },
      ]),
  });
  const reader = await signInAs(alone, 'viewer', 'vera');
  const { id } = await alone.tasks.submit({
    type: 'sync',
    reference: 'registry.example/x',
    actor: 'nightly',
  });
  await eventually('the end of the task', async () => isOver(await alone.tasks.get(id)));
  const list = await (await reader.get('/tasks')).text();
  assert.match(list, /stamp-plain"[\s\S]{0,400}?> Done in part</);
  assert.match(parseStrictHtml(list, '/tasks').prose, /None of 1 task failed, 1 done in part/);
});

test('a task that was cancelled tells items that it did not reach from those that it did not want', async () => {
  const begun = Promise.withResolvers<void>();
  work = async (journal, signal) => {
    journal.setItems(
      ['base@1.0.0', 'shop@1.4.2', 'tool@1.0.0'].map((name) => ({
        name,
        status: 'pending',
        transferredBytes: 0,
      })),
    );
    await journal.updateItem('base@1.0.0', { status: 'skipped' });
    await journal.updateItem('shop@1.4.2', { status: 'running' });
    begun.resolve();
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  };
  const id = await start();
  await begun.promise;
  await server.tasks.cancel(id, 'olga');
  await finished(id);
  const prose = await proseOf(viewer, `/tasks/${id}`);
  assert.match(prose, /0 of 3 recipes done, shop@1\.4\.2 not finished, 1 not reached, 1 not wanted/);
  const unreached = await proseOf(viewer, `/tasks/${id}?state=unreached`);
  assert.match(unreached, /tool@1\.0\.0/);
  assert.doesNotMatch(unreached, /base@1\.0\.0/);
});

test('a running task of many items lists those that are not over, and the others in one line', async () => {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  work = async (journal) => {
    const names = Array.from({ length: 20 }, (_, i) => `recipe-${i}@1.0.0`);
    journal.setItems(names.map((name) => ({ name, status: 'pending', transferredBytes: 0 })));
    for (const name of names.slice(0, 18))
      await journal.updateItem(name, { status: 'done', transferredBytes: 1 });
    begun.resolve();
    await end.promise;
  };
  const id = await start();
  await begun.promise;
  const prose = await proseOf(viewer, `/tasks/${id}`);
  assert.match(prose, /recipe-19@/);
  assert.doesNotMatch(prose, /recipe-1@/);
  assert.match(prose, /Not listed:\s*18 done/);
  assert.match(await proseOf(viewer, `/tasks/${id}?state=done`), /recipe-1@/);
  end.resolve();
  await finished(id);
  assert.match(await proseOf(viewer, `/tasks/${id}`), /recipe-1@/);
});

test('a task that wrote a delivery says so in its headline and in the list', async () => {
  work = async (journal) =>
    journal.setWritten({
      delivery: 'dlv_0123456789ab',
      ...{ zone: 'zone-k', parts: 1, recipes: 2, bytes: 8_500_000, proved: true },
    });
  const { id } = await finished(await start());
  const told = /2 recipes for zone-k on 1 disk, 8\.1\sMiB, proved/;
  const prose = await proseOf(operator, `/tasks/${id}`);
  assert.match(prose, told);
  assert.match(prose, /Zone\s*zone-k[\s\S]*Delivery\s*dlv_0123456789ab/);
  assert.doesNotMatch(prose.split('Items')[0]!, /This task has no items/);
  assert.match(await proseOf(operator, '/tasks'), told);
  const french = await (await operator.get(`/tasks/${id}`, { 'accept-language': 'fr' })).text();
  assert.match(
    parseStrictHtml(french, 'fr').prose,
    /2 recettes pour zone-k sur 1 disque, 8,1\sMio, livraison prouvée/,
  );
});

test('the page of an import names each tag that has other content, and each that stays', async () => {
  const named = { tag: 'stable', from: 'shop@1.1.0' };
  work = async (journal) => {
    journal.addMovedTags([{ ...named, ingredient: 'shop@1.0.0/web', kept: false }]);
    journal.addMovedTags([
      { ...named, ingredient: 'shop@1.0.0/web', kept: true },
      { ...named, ingredient: 'shop@1.2.0/web', kept: false },
    ]);
  };
  const { id } = await finished(await start());
  const prose = await proseOf(operator, `/tasks/${id}`);
  assert.match(prose, /shop@1\.0\.0\/web: the tag stable stays with shop@1\.1\.0; this content is there/);
  assert.match(prose, /shop@1\.2\.0\/web: the tag stable is taken from shop@1\.1\.0, whose content is there/);
  assert.doesNotMatch(prose, /shop@1\.0\.0\/web: the tag stable is taken/);
});

test('an import says its present step, and no share where no bytes are sent', () => {
  const item = { name: 'base@1', status: 'pending' as const, transferredBytes: 0 };
  const at = (more: Partial<Task>): string =>
    goingOn(words.en, {
      ...stalledTask,
      type: 'media-import',
      progress: { bytesDone: 0, bytesTotal: 0 },
      ...more,
    }).join(' · ');
  const verification = mediumReport({});
  assert.match(at({}), /^step 1 of 4, verify the medium \(verify → compare → send → receipt\)$/);
  assert.match(at({ verification, items: [item] }), /^step 2 of 4, compare[^·]*$/);
  const sending = { bytesDone: 5, bytesTotal: 10, bytesPerSecond: 1 };
  assert.match(at({ verification, items: [item], progress: sending }), /^step 3 of 4, send[^·]* · 1.B\/s/);
  assert.match(
    at({ verification, items: [{ ...item, status: 'done' }] }),
    /^step 4 of 4, write the receipt .* · nothing to send: all is there$/,
  );
});

test('a failure after which the same work succeeded is counted apart, and its page leads to that run', async () => {
  await using own = await openTempFolder();
  let fails = true;
  await using alone = await startTestServer({
    folder: own.path,
    run: () =>
      fails ? Promise.reject(svcError('SVC-REG-002', { host: 'registry.example' })) : Promise.resolve(),
  });
  const reader = await signInAs(alone, 'operator', 'olga');
  const run = async (reference: string): Promise<string> => {
    const { id } = await alone.tasks.submit({ type: 'sync', reference, actor: 'nightly' });
    await eventually('the end of the task', async () => isOver(await alone.tasks.get(id)));
    return id;
  };
  const first = await run('registry.example/x');
  fails = false;
  const later = await run('registry.example/x');
  const list = async (): Promise<string> => (await reader.get('/tasks')).text();
  assert.match(parseStrictHtml(await list(), 'list').prose, /No failure stands among 2 tasks, 1 made good/);
  assert.match(await list(), /stamp-ok/);
  const page = await (await reader.get(`/tasks/${first}`)).text();
  assert.match(page, new RegExp(`Superseded: a later run[\\s\\S]*href="/tasks/${later}"`));
  assert.doesNotMatch(page, /button-primary" href="\/recipes\/sync/);
  fails = true;
  const other = await run('registry.example/y');
  assert.match(parseStrictHtml(await list(), 'list').prose, /1 failure stands among 3 tasks, 1 made good/);
  assert.doesNotMatch(await (await reader.get(`/tasks/${other}`)).text(), /Superseded/);
});

test('list and overview say the failures of a running task, and how far the item under way is', async () => {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const error = toErrorRecord(svcError('SVC-REG-003', { host: 'a.example' }));
  work = async (journal) => {
    journal.setTotalBytes(1000);
    await journal.settleItems([
      { name: 'base@1.0.0', status: 'done', transferredBytes: 0 },
      { name: 'shop@1.4.2', status: 'failed', transferredBytes: 0, error },
      { name: 'archive@1.0.0', status: 'running', sizeBytes: 1000, transferredBytes: 30 },
    ]);
    journal.addBytes(30);
    begun.resolve();
    await end.promise;
  };
  const id = await start();
  await begun.promise;
  for (const path of [`/tasks/${id}`, '/tasks', '/'])
    assert.match(await proseOf(viewer, path), /1 of 3 recipes done, 1 failed; archive@1\.0\.0 at 3\s%/, path);
  end.resolve();
  await finished(id);
});

test('a log of many lines is read from its end', async () => {
  work = async (journal) => {
    for (let i = 1; i <= 4000; i += 1) journal.line(`line ${i} ${'x'.repeat(100)}`);
  };
  const id = await start();
  await finished(id);
  const page = await (await viewer.get(`/tasks/${id}`)).text();
  assert.doesNotMatch(page, /line 3995 /);
  for (const i of [3996, 4000]) assert.match(page, new RegExp(`line ${i} `));
  const log = await (await viewer.get(`/tasks/${id}/log`)).text();
  assert.doesNotMatch(log, /line 3800 /);
  assert.match(log, /line 3801 [\s\S]*line 4000 /);
});

test('a fingerprint inside a refusal is short, in the type of code, and whole to copy', async () => {
  const key = '77e0'.repeat(16);
  work = async () => {
    throw svcError('SVC-SIG-001', { subject: 'shop', reason: 'untrusted', fingerprints: [key] });
  };
  const id = await start();
  await finished(id);
  const page = await (await viewer.get(`/tasks/${id}`)).text();
  assert.match(
    page,
    /not trusted here \(key <bdi[^>]*><span class="id" title="77e0[0-9a-f]*"><span class="screen-only">77e077e0…77e0</,
  );
  assert.ok(page.includes(`data-copy="${key}"`));
  // another run alone would fail again
  const french = await (await operator.get(`/tasks/${id}`, { 'accept-language': 'fr' })).text();
  assert.match(french, /button-primary" href="\/help\?key=(?:77e0){16}#key-check">Vérifier la clé</);
  assert.doesNotMatch(french, /button-primary" href="\/recipes\/sync"/);
});

test('an unknown page says so, without a word of the API', async () => {
  const prose = await proseOf(viewer, '/no/such/page', 404);
  assert.match(prose, /Page not found/);
  assert.match(prose, /Help on SVC-SRV-002/);
  assert.doesNotMatch(prose, /version of the API|openapi/);
});

test('a task that ended without items does not wait for them', async () => {
  work = async () => {};
  const id = await start();
  await finished(id);
  const prose = await proseOf(viewer, `/tasks/${id}`);
  assert.match(prose, /This task has no items\./);
  assert.doesNotMatch(prose, /No items yet/);
  assert.match(prose, /This task wrote no log\./);
  assert.match(await proseOf(viewer, `/tasks/${id}/log`), /This task wrote no log\./);
});

test('a state that no item of an ended task is in has no items, and none are awaited', async () => {
  work = async (journal) => {
    await journal.settleItems([{ name: 'shop@1.4.2', status: 'done', transferredBytes: 1 }]);
  };
  const { id } = await finished(await start());
  const prose = await proseOf(viewer, `/tasks/${id}?state=failed`);
  assert.match(prose, /No item is in this state\./);
  assert.doesNotMatch(prose, /No items yet/);
});

test('a page of items past the end says so, and leads back', async () => {
  work = async (journal) => {
    await journal.settleItems([{ name: 'shop@1.4.2', status: 'done', transferredBytes: 1 }]);
  };
  const { id } = await finished(await start());
  const text = await (await viewer.get(`/tasks/${id}?page=999`)).text();
  assert.match(text, /The list has no such page/);
  assert.match(text, new RegExp(`href="/tasks/${id}\\?page=1"`));
  assert.doesNotMatch(text, /No items yet/);
});

test('a running task is live, and whoever may start it cancels it', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  work = async (journal, signal) => {
    journal.setItems([{ name: 'shop/web', sizeBytes: 100, status: 'running', transferredBytes: 50 }]);
    journal.setTotalBytes(100);
    journal.addBytes(50);
    begin();
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  };
  const id = await start();
  await begun;
  const page = await (await operator.get(`/tasks/${id}`)).text();
  assert.match(page, /hx-trigger="every 1s"/);
  // sections are asked for at different times: the head has no count that its chips could contradict
  assert.doesNotMatch(parseStrictHtml(page, 'page').prose, /items? done/);
  assert.match(page, /running <span class="muted">1</);
  const listed = parseStrictHtml(await (await operator.get('/tasks')).text(), '/tasks').prose;
  assert.match(listed, /0 of 1 item · 50\s% · 50\sB of 100\sB/);
  assert.match(
    page,
    /<h2 class="answer-what">50\s% · 50\sB of 100\sB<\/h2><svg class="bar bar-thick"/,
    'the bar is below its number',
  );
  assert.match(page, /bar-thin[\s\S]{0,300}<p class="item-remedy muted">50\s% · 50\sB of 100\sB/);
  const reload = /<noscript><meta http-equiv="refresh" content="10"><\/noscript>/;
  assert.match(page, reload);
  assert.match(await (await operator.get('/tasks')).text(), reload);
  assert.match(page, /50\s% · synchronization/);
  assert.match(page, /at least 50\s%/, 'what is read out agrees with the headline');
  assert.doesNotMatch(await proseOf(viewer, `/tasks/${id}`), /Cancel the task/);
  const refused = await viewer.post(`/tasks/${id}/cancel`, {}, { page: '/account' });
  assert.equal(refused.status, 403);
  const question = await operator.get(`/tasks/${id}/cancel`);
  assert.match(await question.text(), new RegExp(`<title>Cancel the task ${id}\\?`));
  const unasked = await operator.post(`/tasks/${id}/cancel`, {}, { page: `/tasks/${id}/cancel` });
  assert.equal(unasked.status, 200);
  assert.match(
    parseStrictHtml(await unasked.text(), 'question').prose,
    /Cancel the task.*Started by\s*token:admin/s,
  );
  assert.equal(
    (await server.tasks.get(id)).status,
    'running',
    'a task of somebody else is not cancelled by one click',
  );
  const answer = await operator.post(
    `/tasks/${id}/cancel`,
    { _asked: 'true' },
    { page: `/tasks/${id}/cancel` },
  );
  assert.equal(answer.status, 303, await answer.clone().text());
  assert.equal(answer.headers.get('location'), `/tasks/${id}`);
  const task = await finished(id);
  assert.equal(task.cancelledBy, 'olga');
  const ended = await proseOf(operator, `/tasks/${id}`);
  assert.match(ended, /Cancelled by/);
  assert.match(ended, /not finished/);
  assert.doesNotMatch(ended, /\bfailed\b|item-error/);
  const unfinished = await (await operator.get(`/tasks/${id}?state=cancelled`)).text();
  assert.match(unfinished, /aria-current[^>]*>not finished <span class="muted">1</);
  assert.match(unfinished, /badge-stopped/);
  assert.ok(unfinished.includes(renderHtml(stamp('stopped', 'cancelled'))), 'the symbol of the list');
  assert.equal((await operator.get(`/tasks/${id}/cancel`)).status, 409);
  const row = await (await operator.get('/tasks')).text();
  assert.match(row, /badge-stopped[\s\S]*?cancelled/);
  assert.doesNotMatch(row, /http-equiv/);
  const french = await (await operator.get(`/tasks/${id}`, { 'accept-language': 'fr' })).text();
  assert.match(french, /<title>annulée · /);
  assert.doesNotMatch(french, /badge-bad/);
});

test('an unknown task is an error page with its code, in both languages', async () => {
  assert.match(await proseOf(viewer, '/tasks/tsk_000000000000', 404), /SVC-TSK-001/);
  const french = await viewer.get('/tasks/tsk_000000000000', { 'accept-language': 'fr' });
  assert.match(await french.text(), /Que faire/);
});

test('the task of a medium that went in partly says how many recipes did, in both languages', async () => {
  const toResolution = (recipe: string, destinationStatus: 'pushed' | 'up-to-date', ingredient?: string) => ({
    ...{ recipe, requested: '1', resolved: '1', digest, status: 'up-to-date' as const, destinationStatus },
    ...(ingredient === undefined ? {} : { ingredient }),
  });
  for (const [resolutions, en, fr] of [
    [
      [toResolution('a', 'pushed'), toResolution('a', 'pushed', 'web'), toResolution('b', 'up-to-date')],
      /partly imported: 2 of 3 recipes/,
      /import partiel\s: 2 recettes sur 3/,
    ],
    [[], /import of a medium failed(?!, )/, /import d’un support\s: échouée(?!, )/],
  ] as const) {
    work = async (journal) => {
      journal.setVerification(
        mediumReport({ recipes: ['a', 'b', 'c'].map((name) => recipeVerdict({ name })) }),
      );
      journal.setResolutions(resolutions);
      journal.setTotalBytes(10);
      journal.addBytes(10);
      throw svcError('SVC-REG-007', { reference: 'c', detail: 'no' });
    };
    const { id } = await server.tasks.submit({
      type: 'media-import',
      reference: 'medium',
      actor: 'olga',
      parameters: { allowZoneMismatch: false, allowStale: false },
    });
    await finished(id);
    for (const [language, words] of [
      ['en', en],
      ['fr', fr],
    ] as const) {
      const page = await (await operator.get(`/tasks/${id}`, { 'accept-language': language })).text();
      const { prose } = parseStrictHtml(page, language);
      assert.match(prose, words);
      assert.doesNotMatch(prose, /100\s?%/);
    }
  }
});

test('the parts of an item name stay in their order in any script', async () => {
  const name = 'خدمة@1.1.0/صورة';
  work = async (journal) => {
    journal.setItems([{ name, status: 'pending', transferredBytes: 0 }]);
    await journal.updateItem(name, { status: 'done', transferredBytes: 1 });
  };
  const { id } = await finished(await start());
  const text = await (await viewer.get(`/tasks/${id}`)).text();
  const part = (shown: string): string => `<bdi translate="no">${shown}</bdi>`;
  assert.ok(text.includes(`${part('خدمة')}@${part('1.1.0')}/${part('صورة')}`), text);
});

test('in a long list each day stands once above its tasks, in the order of their times', async () => {
  const run = work;
  work = async () => {};
  const rows = async (query: string): Promise<string> =>
    (await (await viewer.get(`/tasks?pageSize=200${query}`)).text()).replace(/ data-foot="[^"]*"/, '');
  for (let i = 0; i < 12; i += 1) {
    const { id } = await server.tasks.submit({
      type: 'sync',
      reference: 'registry.example/x',
      actor: 'nightly',
    });
    // the work of a later test is not that of one of these
    await finished(id);
  }
  const byTime = await rows('&q=nightly');
  const day = words.en.format.day(Date.now());
  assert.ok((byTime.match(/<tr class="group">/g)?.length ?? 0) <= 2, 'a day may end meanwhile');
  assert.match(byTime, /<td class="whole time" data-label="Created">\d\d:\d\d:\d\d UTC<\/td>/);
  assert.ok(byTime.split(day).length <= 3, `${day} is not repeated`);
  const byType = await rows('&q=nightly&sort=type');
  assert.doesNotMatch(byType, /<tr class="group">/);
  assert.match(byType, /data-label="Created">\d+ \w+ \d{4}, \d\d:/);
  work = run;
});

test('a short task of one’s own is cancelled at once; one of somebody else, or a long one, is asked about', () => {
  const startedAt = '2026-01-01T12:00:00Z';
  const after = (minutes: number): number => Date.parse(startedAt) + minutes * 60_000;
  const olga = { identity: { actor: 'olga' } };
  assert.equal(asksFirst(olga, { actor: 'olga' }, after(99)), false, 'it waits');
  assert.equal(asksFirst(olga, { actor: 'olga', startedAt }, after(9)), false);
  assert.equal(asksFirst(olga, { actor: 'olga', startedAt }, after(10)), true);
  assert.equal(asksFirst(olga, { actor: 'schedule', startedAt }, after(0)), true);
});

test('the waiting tasks of a list are cancelled after a question when one is of somebody else', async () => {
  const { promise: end, resolve } = Promise.withResolvers<void>();
  work = () => end;
  const first = await start();
  const own = await server.tasks.submit({ type: 'sync', reference: '/retriever.yaml', actor: 'olga' });
  const other = await start();
  const post = (fields: Readonly<Record<string, string>>) =>
    operator.post('/tasks/cancel', fields, { page: '/tasks' });
  assert.equal((await post({ ids: own.id })).status, 303);
  assert.equal((await finished(own.id)).cancelledBy, 'olga');
  const question = await post({ ids: other });
  assert.equal(question.status, 200);
  assert.match(await question.text(), new RegExp(`name="ids" value="${other}"`));
  assert.equal((await server.tasks.get(other)).status, 'pending');
  assert.equal((await post({ ids: other, _asked: 'true' })).status, 303);
  assert.equal((await finished(other)).cancelledBy, 'olga');
  resolve();
  await finished(first);
});

test('a waiting task says for which task it waits and its place, without a bar and without what has arrived', async () => {
  const release = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  work = async (journal) => {
    journal.setTotalBytes(100);
    begun.resolve();
    await release.promise;
  };
  const running = await start();
  await begun.promise;
  work = async () => {};
  const [second, third] = [await start(), await start()] as const;
  const prose = async (id: string, language = 'en') =>
    parseStrictHtml(
      await (await operator.get(`/tasks/${id}`, { 'accept-language': language })).text(),
      id,
    ).prose.replaceAll('\u00a0', ' ');
  const first = await prose(second);
  assert.match(
    first,
    new RegExp(`Waits behind synchronization ${running} \\(running\\), first in the queue`),
  );
  assert.doesNotMatch(first, /Content that has arrived|No items yet|0 %/);
  const page = await (await operator.get(`/tasks/${second}`)).text();
  assert.match(page, new RegExp(`<h2 class="answer-what">[^\\n]*<a href="/tasks/${running}">`));
  assert.doesNotMatch(page, /role="progressbar"/);
  assert.match(await prose(third), /number 2 in the queue/);
  assert.match(
    await prose(second, 'fr'),
    new RegExp(`Attend la fin de : synchronisation ${running} \\(en cours\\), première de la file`),
  );
  const list = parseStrictHtml(await (await viewer.get('/tasks')).text(), 'list').prose;
  assert.match(list, new RegExp(`${second} waiting\\s*first in the queue`));
  release.resolve();
  for (const id of [running, second, third]) await finished(id);
});

test('a search for a name that only tasks know says that nothing of it is here', async () => {
  work = (journal) => journal.settleItems([{ name: 'cooling@1.1.0', status: 'done', transferredBytes: 1 }]);
  const { id } = await finished(await start());
  // the recipes of the last run have a page of their own
  work = (journal) => journal.settleItems([{ name: 'heating@1.0.0', status: 'done', transferredBytes: 1 }]);
  await finished(await start());
  const found = await proseOf(viewer, '/search?q=cooling');
  assert.match(
    found,
    /Only tasks name cooling, the last one on .*: no recipe and no content of this name is here\./,
  );
  assert.match(found, new RegExp(id));
  assert.doesNotMatch(await proseOf(viewer, `/search?q=synchronization`), /Only tasks name/);
});

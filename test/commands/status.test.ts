import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { GateRefusal } from '../../src/base/gate-refusal.ts';
import { recordSync } from '../../src/store/record-sync.ts';
import type { TaskRunner } from '../../src/task/queue.ts';
import { toRecipeRecord } from '../kit/content/recipe-record.ts';
import { holdTasks } from '../kit/instance/held-task.ts';
import { createOpenGate } from '../kit/instance/open-gate.ts';
import { startTestServer, type TestServer } from '../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';
import { findEnglish, runInLanguage } from '../kit/program/run-command.ts';
import { assertCliDocument } from '../kit/result/cli-schema.ts';
import { mediaId, mediumReport, recipeVerdict, scriptMedia } from '../kit/scene/media-state.ts';
import { openBrowserSession } from '../kit/web/browser-session.ts';
import { toPageText } from '../kit/web/page-text.ts';

let folder: TempFolder;
let server: TestServer;
let ofStore: Readonly<Record<string, string>>;
let ofInstance: Readonly<Record<string, string>>;
const held = holdTasks();
/** Names and errors of the recipes of the next run; undefined: the run is held. */
let outcome: Readonly<Record<string, 'SVC-REG-005' | 'SVC-SIG-001' | undefined>> | undefined;

const run: TaskRunner = async (task, request, journal, signal) => {
  if (outcome === undefined) return held.run(task, request, journal, signal);
  const classes = { 'SVC-REG-005': 'failure', 'SVC-SIG-001': 'verification' } as const;
  journal.setItems(
    Object.entries(outcome).map(([name, code]) => ({
      name,
      status: code === undefined ? 'done' : 'failed',
      transferredBytes: 0,
      ...(code === undefined
        ? {}
        : { error: { code, class: classes[code], params: { subject: name, reference: name } } }),
    })),
  );
};

const toEnv = (one: TestServer, role: 'viewer' | 'operator' = 'viewer') => ({
  SVC_INSTANCE_URL: one.url,
  SVC_API_TOKEN: one.as[role].replace('Bearer ', ''),
});

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path, run });
  ofStore = {
    SVC_MODE: 'passthrough',
    SVC_STORAGE_ROOT: server.store.root,
    SVC_STATE_ROOT: `${folder.path}/state`,
  };
  ofInstance = toEnv(server);
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function runSync(recipes: NonNullable<typeof outcome>): Promise<void> {
  outcome = recipes;
  const { id } = await server.tasks.submit({ type: 'sync', reference: '/retriever.yaml', actor: 'alice' });
  await server.tasks.settled(id);
  outcome = undefined;
}

async function status(env: Readonly<Record<string, string>>, expected: number) {
  const json = await runInLanguage(['status', '--output', 'json'], 'en', env);
  assert.equal(json.exitCode, expected, json.stderr + json.stdout);
  assertCliDocument('svc status', json.stdout);
  const text = await runInLanguage(['status'], 'en', env);
  assert.equal(text.exitCode, expected);
  return { ...JSON.parse(json.stdout), text: text.stdout };
}

test('before the first start the status says what makes the store', async () => {
  await using place = await openTempFolder();
  const roots = { SVC_STORAGE_ROOT: `${place.path}/store`, SVC_STATE_ROOT: `${place.path}/state` };
  const { exitCode, stderr } = await runInLanguage(['status'], 'fr', roots);
  assert.equal(exitCode, 1);
  assert.match(stderr, /SVC-STO-001.*il n’y a pas de stockage/);
  assert.match(stderr, /Que faire\s: Démarrez l’instance avec svc serve, qui crée le stockage/);
  assert.doesNotMatch(stderr, /svc store check/);
});

/** The same of a store and of the instance that serves it. */
async function statusOfBoth(expected: number) {
  const store = await status(ofStore, expected);
  const instance = await status(ofInstance, expected);
  for (const member of ['verdict', 'counts', 'wanted', 'lastRun', 'mode', 'zone', 'occupancy', 'exit_code'])
    assert.deepEqual(store[member], instance[member], member);
  assert.deepEqual([store.store.root, store.instance], [server.store.root, undefined]);
  assert.deepEqual([instance.store, instance.instance], [undefined, server.url]);
  assert.ok(instance.volume.totalBytes >= instance.volume.freeBytes);
  return instance;
}

const state = { zone: 'zone', runId: 'run', resolvedAt: '2026-01-01T00:00:00.000Z' };
const shop = toRecipeRecord('shop', '1.0.0', [['docker.io/library/nginx', '1.27']]);

test('a new store wants nothing, and exits with 0', async () => {
  const { verdict, counts, text } = await statusOfBoth(0);
  assert.deepEqual([verdict, counts.wanted], ['nothing', 0]);
  assert.match(text, /^Nothing has been delivered yet\n/);
  assert.match(text, /\nTasks +none running\nLast run +none\n/);
});

test('what a run wanted is present, missing or blocked; without all of it the exit code is 5', async () => {
  await recordSync(server.store, state, [shop]);
  await runSync({ 'shop@1.0.0': undefined, 'db@2.0.0': 'SVC-REG-005', 'forged@1.0.0': 'SVC-SIG-001' });
  const { verdict, counts, wanted, lastRun, text } = await statusOfBoth(5);
  assert.equal(verdict, 'missing');
  assert.deepEqual(counts, { wanted: 3, present: 1, damaged: 0, missing: 1, blocked: 1, unimported: 0 });
  assert.deepEqual(
    wanted.map(({ name, state: each, code }: Record<string, string>) => [name, each, code]),
    [
      ['shop', 'present', undefined],
      ['db', 'missing', 'SVC-REG-005'],
      ['forged', 'blocked', 'SVC-SIG-001'],
    ],
  );
  assert.deepEqual([lastRun.type, lastRun.status], ['sync', 'failed']);
  assert.match(text, lastRun.counts.done > 0 ? /synchronization failed in part,/ : /synchronization failed,/);
  assert.match(text, /^2 of 3 wanted recipes are not here\n/);
  assert.match(text, /\nforged +1\.0\.0 +blocked +SVC-SIG-001\ndb .*\nshop +1\.0\.0 +present\n/);
});

test('a run that brings everything exits with 0, and with 5 once a recipe is gone', async () => {
  await runSync({ 'shop@1.0.0': undefined });
  assert.equal((await statusOfBoth(0)).verdict, 'complete');
  await recordSync(server.store, { ...state, runId: 'later' }, [toRecipeRecord('other', '1.0.0', [])]);
  await runSync({ 'shop@1.0.0': undefined, 'gone@3.0.0': undefined });
  const { verdict, wanted } = await statusOfBoth(5);
  assert.equal(verdict, 'gone');
  assert.equal(wanted.find(({ name }: { name: string }) => name === 'gone').state, 'gone');
});

test('the cap and the windows that an administrator set are shown without an instance, and that they cannot be read', async () => {
  await using place = await openTempFolder();
  const env = { ...ofStore, SVC_STATE_ROOT: place.path };
  const windows = { windows: ['22:00-06:00'], timeZone: 'Europe/Paris' };
  await writeFile(`${place.path}/link`, JSON.stringify({ rateLimit: '1KiB', ...windows }));
  const { link, notices, text } = await status(env, 0);
  assert.deepEqual(
    [link.bytesPerSecond, link.windows, link.timeZone],
    [1024, windows.windows, windows.timeZone],
  );
  assert.match(text, /at most 1\sKiB a second.*22:00-06:00/);
  assert.ok(!notices.includes('link-damaged'));
  await writeFile(`${place.path}/link`, '{"rateLi');
  const damaged = await status(env, 0);
  assert.deepEqual([damaged.link.bytesPerSecond, damaged.link.open], [undefined, true]);
  assert.ok(damaged.notices.includes('link-damaged'));
  assert.match(damaged.text, /the windows that were set cannot be read/);
});

test('what runs and what waits is shown', async () => {
  using task = await held.start(server.tasks);
  const { id: next } = await server.tasks.submit({
    type: 'sync',
    reference: '/retriever.yaml',
    actor: 'alice',
  });
  const { running, pending, text } = await status(ofInstance, 5);
  assert.deepEqual([running.id, pending], [task.id, 1]);
  assert.match(text, new RegExp(`\\nTasks +synchronization ${task.id}, 1 waiting\\n`));
  assert.match((await status(ofStore, 5)).text, /\nTasks +2 unfinished\n/);
  outcome = { 'shop@1.0.0': undefined };
  task.finish();
  await server.tasks.settled(next);
  outcome = undefined;
});

test('a medium that is not verified withholds everything', async () => {
  await using place = await openTempFolder();
  const { verdict, wanted, notices, text } = await status(
    { ...ofStore, SVC_ZONE: 'zone-b', SVC_STATE_ROOT: `${place.path}/state` },
    5,
  );
  assert.deepEqual([verdict, wanted, notices], ['closed', [], ['gate-closed']]);
  assert.match(text, /^A carried medium, without a recorded import: svc media verify verifies it\n/);
  assert.match(text, /\(of another instance\)/);
});

test('an import that a command recorded is the last run of the instance that serves the medium', async () => {
  await using place = await openTempFolder();
  const media = scriptMedia(() => Promise.reject(new Error('nothing is imported')));
  await using guarded = await startTestServer({ folder: place.path, zone: 'zone-b', media });
  const importedAt = '2026-11-22T08:00:00.000Z';
  media.record = {
    ...media.record,
    lastImport: { mediaId: guarded.store.mediaId, resolvedAt: importedAt, importedAt, runId: 'run_1' },
  };
  const { lastRun, text } = await status(toEnv(guarded), 0);
  assert.deepEqual(lastRun, { id: 'run_1', type: 'media-import', status: 'done', finishedAt: importedAt });
  assert.match(text, /\nLast run +import of a medium done, /);
});

test('recipes of a medium that its verification refused are blocked, also for whoever may not read the report', async () => {
  await using place = await openTempFolder();
  const media = scriptMedia(() => Promise.reject(new Error('nothing is imported')));
  const refusal: GateRefusal | undefined = undefined;
  const reason = { code: 'SVC-SIG-001', params: {} } as const;
  const recipes = [recipeVerdict(), recipeVerdict({ name: 'forged', pushable: false, reason })];
  media.current = {
    guarded: true,
    serving: 'open',
    mediaId,
    report: mediumReport({ verdict: 'partial', recipes }),
  };
  await using guarded = await startTestServer({
    folder: place.path,
    zone: 'zone-b',
    media,
    gate: () => ({ ...createOpenGate({ rehash: false }), guarded: true, refusal: () => refusal }),
  });
  const denied = () => guarded.report.audits.filter(({ outcome: each }) => each === 'denied');
  const { verdict, wanted, counts } = await status(toEnv(guarded, 'operator'), 5);
  assert.deepEqual([verdict, counts.blocked], ['blocked', 1]);
  assert.deepEqual(wanted, [{ name: 'forged', version: '1.4.2', state: 'blocked', code: 'SVC-SIG-001' }]);
  const viewer = await status(toEnv(guarded), 5);
  assert.deepEqual([viewer.wanted, viewer.notices], [[], ['recipes-blocked']]);
  // a status asks for nothing that its token may not read
  media.current = { guarded: true, serving: 'open', mediaId, report: mediumReport() };
  await status(toEnv(guarded), 0);
  assert.deepEqual(denied(), []);
});

test('the recipes of a verified medium that wait for their import are listed, in place of what the last import brought', async () => {
  await using place = await openTempFolder();
  const media = scriptMedia(() => Promise.reject(new Error('nothing is imported')));
  await using guarded = await startTestServer({
    folder: place.path,
    zone: 'zone-b',
    media,
    retriever: () => ({
      mode: 'mirror',
      destination: 'registry.example',
      substitutions: [],
      relaxedScopes: [],
      anonymousFilesets: [],
      prune: false,
    }),
    gate: () => ({ ...createOpenGate({ rehash: false }), guarded: true, refusal: () => undefined }),
    run,
  });
  await recordSync(guarded.store, state, [toRecipeRecord('packages', '1.3.0', [])]);
  const bring = async (recipes: NonNullable<typeof outcome>) => {
    outcome = recipes;
    const { id } = await guarded.tasks.submit({
      type: 'media-import',
      reference: mediaId,
      actor: 'alice',
      parameters: { allowZoneMismatch: false, allowStale: false },
    });
    await guarded.tasks.settled(id);
    outcome = undefined;
  };
  await bring({ 'packages@1.2.0': undefined });
  const waiting = await status(toEnv(guarded), 5);
  assert.equal(waiting.verdict, 'unimported');
  assert.deepEqual(waiting.wanted, [{ name: 'packages', version: '1.3.0', state: 'unimported' }]);
  assert.deepEqual(waiting.counts, {
    wanted: 1,
    present: 0,
    damaged: 0,
    missing: 0,
    blocked: 0,
    unimported: 1,
  });
  assert.match(waiting.text, /^1 recipe is verified, not imported yet\n/);
  assert.match(waiting.text, /\npackages +1\.3\.0 +not imported yet\n$/);
  const french = await runInLanguage(['status'], 'fr', toEnv(guarded));
  assert.match(french.stdout, /\npackages +1\.3\.0 +pas encore importée\n$/);
  // recipes that the last import missed stay listed
  await bring({ 'db@2.0.0': 'SVC-REG-005' });
  const missing = await status(toEnv(guarded), 5);
  assert.deepEqual(
    missing.wanted.map(({ name, state: each }: Record<string, string>) => [name, each]),
    [
      ['db', 'missing'],
      ['packages', 'unimported'],
    ],
  );
});

test('a medium that its verification refused is told with the words and the codes of the overview', async () => {
  await using place = await openTempFolder();
  const media = scriptMedia(() => Promise.reject(new Error('nothing is imported')));
  const block = { code: 'SVC-MED-007', params: {}, waivable: true, waived: false } as const;
  media.current = {
    guarded: true,
    serving: 'closed',
    mediaId,
    report: mediumReport({ verdict: 'blocked', blocks: [block], recipes: [] }),
  };
  await using guarded = await startTestServer({
    folder: place.path,
    zone: 'zone-b',
    media,
    gate: () => ({
      ...createOpenGate({ rehash: false }),
      guarded: true,
      refusal: () => ({ code: 'SVC-MED-032', mediaId }),
    }),
  });
  const { verdict, gate, text } = await status(toEnv(guarded), 5);
  assert.deepEqual([verdict, gate.reasons], ['closed', ['SVC-MED-007']]);
  assert.match(text, /the last verification blocked the medium: SVC-MED-007\n/);
  const session = openBrowserSession(guarded);
  await guarded.accounts.create({ name: 'vera', role: 'viewer', password: 'a good password' });
  await session.signIn('vera', 'a good password');
  const page = toPageText(await (await session.get('/')).text());
  assert.match(page, /The last verification blocked the medium: SVC-MED-007\./);
});

test('a part of a delivery that has no whole recipe is told as verified, with the parts that have the rest', async () => {
  for (const [awaits, english, french, ofPage] of [
    [
      [2, 3, 4],
      /its recipes need parts 2, 3 and 4 of the delivery\n/,
      /les parties 2, 3 et 4 de la livraison\n/,
      /parts 2, 3 and 4/,
    ],
    [
      [],
      /its recipes need content of the registry of the zone\n/,
      /du registre de la zone\n/,
      /the registry of the zone/,
    ],
  ] as const) {
    await using place = await openTempFolder();
    const media = scriptMedia(() => Promise.reject(new Error('nothing is imported')));
    media.current = { guarded: true, serving: 'closed', mediaId, report: mediumReport({}) };
    await using guarded = await startTestServer({
      folder: place.path,
      zone: 'zone-b',
      media,
      gate: () => ({
        ...createOpenGate({ rehash: false }),
        guarded: true,
        refusal: () => ({ code: 'SVC-MED-032', mediaId, awaits }),
      }),
    });
    const { verdict, gate, text } = await status(toEnv(guarded), 5);
    assert.deepEqual([verdict, gate.awaits, gate.reasons], ['closed', awaits, undefined]);
    assert.match(text.replaceAll(/\s*\n {2,}/g, ' '), english);
    assert.doesNotMatch(text, /refused/);
    const said = await runInLanguage(['status'], 'fr', { ...toEnv(guarded), COLUMNS: '200' });
    assert.match(said.stdout, french);
    const session = openBrowserSession(guarded);
    await guarded.accounts.create({ name: 'vera', role: 'viewer', password: 'a good password' });
    await session.signIn('vera', 'a good password');
    const page = toPageText(await (await session.get('/')).text());
    assert.match(page, ofPage);
    await guarded.accounts.create({ name: 'olga', role: 'operator', password: 'a good password' });
    const operator = openBrowserSession(guarded);
    await operator.signIn('olga', 'a good password');
    const medium = toPageText(await (await operator.get('/media')).text());
    assert.match(medium, /Closed: no recipe is whole on this medium/);
    assert.doesNotMatch(medium, /until a verification passes|refused/);
    assert.doesNotMatch(page, /refused|[[\]{}]/);
  }
});

test('every line fits the terminal, and everything is said in French', async () => {
  await runSync({ 'shop@1.0.0': undefined, 'db@2.0.0': 'SVC-REG-005' });
  for (const columns of [60, 80, 120])
    for (const language of ['en', 'fr'] as const)
      for (const env of [ofStore, ofInstance]) {
        const { stdout } = await runInLanguage(['status'], language, { ...env, COLUMNS: String(columns) });
        const lines = stdout.split('\n').filter((line) => !line.includes(folder.path));
        assert.deepEqual(
          lines.filter((line) => line.length > columns),
          [],
        );
        if (language === 'fr') assert.equal(findEnglish(lines.join('\n')), undefined, stdout);
      }
});

import assert from 'node:assert/strict';
import { appendFile, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { hashBytes } from '../../../../../src/base/digest.ts';
import { openRepository } from '../../../../../src/store/open-repository.ts';
import { recordSync } from '../../../../../src/store/record-sync.ts';
import { buildImage, pushArtifact } from '../../../../kit/content/content.ts';
import { toRecipeRecord } from '../../../../kit/content/recipe-record.ts';
import { startTestServer, type TestServer } from '../../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../../kit/instance/temp-folder.ts';
import { writeAudit } from '../../../../kit/scene/audit-records.ts';
import { type BrowserSession, signInAs } from '../../../../kit/web/browser-session.ts';
import { toPageText } from '../../../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../../../kit/web/strict-html.ts';

let folder: TempFolder;
let server: TestServer;
let admin: BrowserSession;
let operator: BrowserSession;
let state: string;

before(async () => {
  folder = await openTempFolder();
  state = join(folder.path, 'state');
  server = await startTestServer({
    folder: folder.path,
    filesets: [{ name: 'manuals', ref: 'localhost/filesets/manuals', anonymous: false }],
  });
  admin = await signInAs(server, 'admin', 'alice');
  operator = await signInAs(server, 'operator', 'olga');
});
beforeEach(() => writeAudit(state));
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function markupOf(query = '', language = 'en'): Promise<string> {
  const response = await admin.get(`/history${query}`, { 'accept-language': language });
  const markup = await response.text();
  assert.equal(response.status, 200, markup);
  parseStrictHtml(markup, '/history');
  return markup;
}

const textOf = async (query = '', language = 'en'): Promise<string> =>
  toPageText(await markupOf(query, language));

test('each record is a row: time, actor, action in words, subject, outcome and client address', async () => {
  const [english, french] = [await textOf(), await textOf('', 'fr')];
  assert.match(
    english,
    /4 Jul 2026, 09:00:00 UTC\s+ana\s+content deleted\s+library\/app:1\.0\s+success\s+192\.0\.2\.7/,
  );
  assert.match(
    english,
    /=1\+1\\u202e \(not signed in\)\s+sign-in attempt\s+=1\+1\\u202e Reason throttled, again\s+denied\s+192\.0\.2\.66/,
  );
  assert.match(french, /ana\s+contenu supprimé\s+library\/app:1\.0\s+succès/);
});

test('a subject leads to its page, and a record to its task', async () => {
  const markup = await markupOf();
  for (const href of ['/search?q=library%2Fapp', '/tasks/tsk_0123456789ab', '/admin/accounts/bo'])
    assert.ok(markup.includes(`href="${href}"`), href);
});

test('the form narrows the list, keeps its values, and its table has the same filter', async () => {
  const markup = await markupOf('?actor=ana&from=2026-07-02');
  assert.match(markup, /<input[^>]* name="from" type="text" data-day [^>]*value="2026-07-02"/);
  assert.ok(markup.includes('/api/v1/history?actor=ana&amp;from=2026-07-02&amp;format=csv'));
  const text = toPageText(markup);
  assert.match(text, /content deleted/);
  assert.doesNotMatch(text, /1 Jul 2026|token:ci/);
  assert.match(await textOf('?actor=nobody'), /nobody/);
});

test('older records are one link away, and the newest ones too', async () => {
  const first = await markupOf('?pageSize=1&actor=ana');
  const older = /href="(\/history\?[^"]*cursor=[^"]*)"/.exec(first)![1]!.replaceAll('&amp;', '&');
  const second = await markupOf(older.slice('/history'.length));
  assert.match(toPageText(second), /1 Jul 2026, 08:00:00 UTC\s+ana/);
  assert.ok(second.includes('href="/history?actor=ana&amp;pageSize=1"'));
});

test('the heading of the time turns the order round, and the way on leads to newer records then', async () => {
  const newest = await markupOf('?pageSize=1&actor=ana');
  const turned = /aria-sort="descending"><a class="sort" href="(\/history\?[^"]*)"/.exec(newest)![1]!;
  assert.equal(turned, '/history?pageSize=1&amp;actor=ana&amp;order=asc');
  const oldest = await markupOf(turned.slice('/history'.length).replaceAll('&amp;', '&'));
  assert.match(toPageText(oldest), /1 Jul 2026, 08:00:00 UTC\s+ana[\s\S]*Newer records/);
  assert.match(oldest, /aria-sort="ascending"><a class="sort" href="[^"]*order=desc"/);
  const newer = /href="(\/history\?[^"]*cursor=[^"]*)"/.exec(oldest)![1]!.replaceAll('&amp;', '&');
  const text = await textOf(newer.slice('/history'.length));
  assert.match(text, /4 Jul 2026, 09:00:00 UTC\s+ana[\s\S]*Oldest records/);
  assert.ok(oldest.includes('/api/v1/history?actor=ana&amp;order=asc&amp;format=csv'));
  // a record has one name in both orders
  const namesOf = (markup: string): readonly string[] =>
    [...new Set([...markup.matchAll(/"(\/history\/a[0-9]+-[0-9]+)"/g)].map(([, path]) => path!))].sort();
  assert.deepEqual(namesOf(await markupOf('?order=asc')), namesOf(await markupOf('')));
});

test('the field of the actor takes a part of a name, and suggests accounts, tokens and shown actors', async () => {
  await server.accounts.tokens.create({ name: 'reader', role: 'viewer' });
  const markup = await markupOf();
  const options = [...markup.matchAll(/<option value="([^"]*)"><\/option>/g)].map(([, name]) => name);
  assert.match(markup, /<input[^>]* name="actor"[^>]* list="filter-actor-list"/);
  for (const name of ['ana', 'alice', 'token:reader', 'local:0']) assert.ok(options.includes(name), name);
  assert.match(await textOf('?actor=an'), /content deleted\s+library/);
  assert.doesNotMatch(await textOf('?actor=%22an%22'), /content deleted\s+library/);
});

test('lost records are a row with their number and time', async () => {
  const loss = { ts: '2026-07-06T08:00:00.000Z', level: 'warn', msg: 'Records could not be written here' };
  const path = join(state, 'audit', '00000009.jsonl');
  await appendFile(path, `${JSON.stringify({ ...loss, records: 3, since: '2026-07-05T08:00:00.000Z' })}\n`);
  const sentence =
    /records lost\s+3 records lost between 5 Jul 2026, 08:00:00 UTC and 6 Jul 2026, 08:00:00 UTC/;
  assert.match(await textOf(), sentence);
  assert.match(await textOf('?actor=ana'), sentence);
  assert.match(await textOf('', 'fr'), /enregistrements perdus\s+3 enregistrements perdus entre 5 juil/);
  await rm(path);
});

test('a search that is not over says how far it got', async () => {
  const line = `${JSON.stringify({ ts: '2026-07-06T00:00:00.000Z', logType: 'audit', actor: 'x'.repeat(50_000), action: 'prune', outcome: 'success' })}\n`;
  await appendFile(join(state, 'audit', '00000003.jsonl'), line.repeat(400));
  const text = await textOf('?actor=ana');
  assert.match(text, /The others were not searched yet/);
  assert.match(text, /Searched back to 6 Jul 2026, 00:00:00 UTC\.\s+Search further back/);
  await rm(join(state, 'audit', '00000003.jsonl'));
});

test('without records the page says so', async () => {
  await rm(join(state, 'audit'), { recursive: true });
  assert.match(await textOf(), /There is no audit record yet/);
  await mkdir(join(state, 'audit'));
  assert.match(await textOf('', 'fr'), /Il n’y a pas encore d’enregistrement d’audit/);
});

test('pages of a recipe, content, an account, a token and a file set lead administrators to their records', async () => {
  const owner = { provenance: 'import' } as const;
  await pushArtifact(openRepository(server.store, 'library/app', { owner }), buildImage('app'), '1.0');
  const recipe = toRecipeRecord('shop', '1.0.0', [['library/app', '1.0']]);
  await recordSync(server.store, { zone: 'zone', runId: 'run', resolvedAt: recipe.resolvedAt }, [recipe]);
  await server.accounts.tokens.create({ name: 'ci', role: 'viewer' });
  const links: Readonly<Record<string, readonly string[]>> = {
    '/content/library/app': ['subject=library%2Fapp'],
    '/content/library/app/-/tags/1.0': ['subject=library%2Fapp%3A1.0'],
    '/recipes/-/shop': ['subject=shop'],
    '/filesets': ['subject=manuals'],
    '/admin/accounts/alice': ['subject=alice', 'actor=%22alice%22'],
    '/admin/accounts/-/tokens/ci/revoke': ['subject=ci', 'actor=%22token%3Aci%22'],
  };
  for (const [path, queries] of Object.entries(links)) {
    const markup = await (await admin.get(path)).text();
    for (const query of queries) assert.ok(markup.includes(`href="/history?${query}"`), `${path}: ${query}`);
    assert.ok(!(await (await operator.get(path)).text()).includes('/history'), path);
  }
});

test('the list says how many records it shows, gives them as files, and an actor narrows it', async () => {
  const markup = await markupOf('?outcome=success');
  assert.match(toPageText(markup), /4 records shown, none denied or failed.* CSV JSONL Print/s);
  assert.ok(markup.includes('href="/history?outcome=success&amp;actor=%22token%3Aci%22"'));
  assert.ok(markup.includes('href="/api/v1/history?outcome=success&amp;format=jsonl" download'));
  assert.match(await textOf('?pageSize=1'), /1 record shown/);
  const french = await markupOf('', 'fr');
  assert.match(french, /<option value="" selected>toutes<\/option>/);
  assert.match(french, /placeholder="AAAA-MM-JJ"/);
  const wrong = await admin.get('/history?from=2026-13-40');
  assert.equal(wrong.status, 422);
});

test('the navigation leads administrators to the history, and others to none', async () => {
  assert.match(await markupOf(), /<a href="\/history" aria-current="page">/);
  assert.doesNotMatch(await (await operator.get('/tasks')).text(), /href="\/history"/);
});

test('a token names its creator as long as the audit records do', async () => {
  await server.accounts.tokens.create({ name: 'build', role: 'viewer' });
  const record = {
    ...{ level: 'info', auditSchema: 1, logType: 'audit', msg: 'Audit: token.create' },
    ...{
      ts: '2026-07-05T00:00:00.000Z',
      actor: 'ana',
      action: 'token.create',
      target: 'build',
      outcome: 'success',
    },
  };
  const prose = async () => toPageText(await (await admin.get('/admin/accounts')).text());
  assert.doesNotMatch(await prose(), /Created by/);
  await appendFile(join(state, 'audit', '00000002.jsonl'), `${JSON.stringify(record)}\n`);
  assert.match(await prose(), /Created by .*build viewer .* ana never valid Revoke/);
});

test('each record has a page of its own, to keep or to print, with its subject linked', async () => {
  const markup = await markupOf('?action=content.delete');
  const [, path = ''] = /href="(\/history\/a[0-9]+-[0-9]+)"/.exec(markup) ?? [];
  const page = await (await admin.get(path)).text();
  parseStrictHtml(page, path);
  const text = toPageText(page);
  assert.match(text, /ana: content deleted, library\/app:1\.0 .* 4 Jul 2026, 09:00:00 UTC/);
  assert.match(text, /Action content deleted content\.delete .*Client address 192\.0\.2\.7/);
  assert.match(page, /href="\/search\?q=library%2Fapp"/);
  assert.match(page, /data-print/);
  assert.match(text, new RegExp(`Identifier ${path.slice('/history/'.length)}`));
  const french = await (await admin.get(path, { 'accept-language': 'fr' })).text();
  assert.match(toPageText(french), /ana : .*, library\/app:1\.0/);
  assert.equal((await operator.get(path)).status, 403);
  // the records beside it are one link away, and lead back
  const [, before = ''] = /rel="prev" href="([^"]+)"/.exec(page) ?? [];
  assert.match(await (await admin.get(before)).text(), new RegExp(`rel="next" href="${path}"`));
  for (const gone of ['/history/a1-3', '/history/c2026-7', '/history/x']) {
    const answer = await admin.get(gone);
    assert.equal(answer.status, 404, gone);
    assert.match(toPageText(await answer.text()), /not kept any more, or the address is wrong/);
  }
});

test('the page of a record leads back to its row in the list that it was opened from', async () => {
  const query = '?action=content.delete&order=asc';
  const [, path = '', id = ''] =
    /<a id="(a[0-9-]+)" href="(\/history\/[^"]+)"/.exec(await markupOf(query)) ?? [];
  assert.equal(id, `/history/${path}`);
  const crumbOf = async (referer: string): Promise<string | undefined> => {
    const page = await (await admin.get(id, { referer })).text();
    return /class="crumbs".*?href="([^"]+)"/.exec(page)?.[1];
  };
  const list = `https://svc.example/history${query}`;
  assert.equal(await crumbOf(list), `/history${query.replace('&', '&amp;')}#${path}`);
  for (const other of ['https://svc.example/tasks?q=1', 'x', `${list}&subject=${'x'.repeat(5000)}`])
    assert.equal(await crumbOf(other), `/history#${path}`, other);
});

test('a printed list says its instance, account, time, filter and number of records', async () => {
  const text = await textOf('?actor=ana&outcome=success&outcome=denied&from=2026-07-01');
  assert.match(
    text,
    /Instance \S+, \S+, svc \S+ Printed by alice As of \d+ \w+ \d{4}, [\d:]+ UTC Filter Actor: ana · Outcome: success, denied · From: 2026-07-01 Records 2 of 2 records/,
  );
  assert.match(await textOf('', 'fr'), /Filtre aucun : tous les enregistrements/);
  assert.match(await textOf('?pageSize=1'), /Records 1 of a longer list/);
});

test('what is printed is everything that the filter selects, with all details, up to a number of records', async () => {
  const line = (i: number): string =>
    `${JSON.stringify({
      ts: new Date(Date.UTC(2026, 5, 1, 0, 0, i)).toISOString(),
      level: 'info',
      logType: 'audit',
      action: 'content.push',
      actor: 'press',
      target: `printed/app:${i}`,
      outcome: 'success',
      digest: `sha256:${'ab'.repeat(32)}`,
    })}\n`;
  const file = join(state, 'audit', '00000003.jsonl');
  await appendFile(file, Array.from({ length: 2100 }, (_, i) => line(i)).join(''));
  const filtered = '?actor=press&to=2026-06-01T00%3A02%3A29Z';
  const list = await markupOf(filtered);
  const [, way = ''] = /<a [^>]*href="\/history(\/-\/print[^"]*)"/.exec(list) ?? [];
  const printed = toPageText(await markupOf(way.replaceAll('&amp;', '&')));
  assert.match(printed, /Filter Actor: press · To: \S+ Records 150 of 150 records/);
  for (const i of [0, 149]) assert.match(printed, new RegExp(`printed/app:${i} · Digest sha256:(?:ab){32}`));
  assert.doesNotMatch(printed, /printed\/app:150\b/);
  const all = await markupOf('/-/print?actor=press', 'en');
  assert.match(toPageText(all), /The list is longer: 2,?000 records are for paper/);
  assert.match(all, /href="\/api\/v1\/history\?actor=press&amp;format=csv"/);
  assert.equal(toPageText(all).match(/printed\/app:/g)?.length, 2000);
  await rm(file);
});

test('a wrong day is an error at its field, and the page keeps its title, the other filters and the list', async () => {
  for (const [language, title, rule] of [
    ['en', 'History', 'must be a day or a time in UTC'],
    ['fr', 'Historique', 'doit être un jour ou une heure UTC'],
  ] as const) {
    const answer = await admin.get('/history?from=yesterday&actor=ana', { 'accept-language': language });
    const markup = await answer.text();
    parseStrictHtml(markup, '/history');
    assert.equal(answer.status, 422);
    assert.match(markup, new RegExp(`<h1>${title}</h1>`));
    assert.match(
      markup,
      /<input[^>]* name="from"[^>]* value="yesterday"[^>]* aria-invalid="true" aria-describedby="filter-error-from"/,
    );
    assert.match(
      markup,
      new RegExp(`id="filter-error-from">[“«][^”»]*<bdi[^>]*>yesterday</bdi>[^:]*: <bdi[^>]*>${rule}`),
    );
    assert.match(markup, /<a href="#filter-from">/);
    assert.match(markup, /<input[^>]* name="actor"[^>]* value="ana"/);
    assert.match(markup, /href="\/api\/v1\/history\?actor=ana&amp;format=csv"/);
  }
  const both = await (await admin.get('/history?from=x&to=y&outcome=good')).text();
  for (const name of ['from', 'to', 'outcome']) assert.ok(both.includes(`id="filter-error-${name}"`), name);
  const reversed = await admin.get('/history?from=2026-07-04&to=2026-07-02');
  assert.equal(reversed.status, 422);
  assert.match(
    await reversed.text(),
    /id="filter-error-to">“<bdi[^>]*>2026-07-02<\/bdi>”: .*must not be before the first day/,
  );
  const none = await textOf('?action=instance.stop&outcome=failure');
  assert.match(none, /Action: instance stopped · Outcome: failure/);
  assert.doesNotMatch(none, /Nothing[^.]*instance\.stop/);
  // no field has it
  const other = await admin.get('/history?cursor=x');
  assert.match(await other.text(), /The parameter “.*cursor.*” of the address/);
  const asked = { 'hx-request': 'true', 'hx-target': 'section#list', 'hx-source': 'form' };
  const poll = await admin.get('/history?from=x', asked);
  assert.deepEqual([poll.status, poll.headers.get('hx-redirect')], [200, '/history?from=x']);
});

test('the digest of a record is shortened in the list, with all of it to copy, and its page has the line', async () => {
  const digest = `sha256:${'ab'.repeat(32)}`;
  const list = await markupOf('?action=content.push');
  assert.match(
    list,
    new RegExp(`<dt>Digest</dt><dd>.*title="${digest}".*>sha256:abababab…abab<.*data-copy="${digest}"`),
  );
  const [, path = ''] = /href="(\/history\/a[0-9]+-[0-9]+)"/.exec(list) ?? [];
  const page = await (await admin.get(path)).text();
  parseStrictHtml(page, path);
  const line = (await readFile(join(state, 'audit', '00000002.jsonl'), 'utf8')).split('\n')[0]!;
  const text = toPageText(page);
  assert.ok(text.includes(`Digest ${digest} `), text);
  assert.ok(text.includes(`SHA-256 of the line ${hashBytes(`${line}\n`)}`), text);
  assert.match(text, /File in the state folder audit\/00000002\.jsonl/);
  assert.match(text, /Audit records have no chain/);
  assert.ok(page.includes(`<code>${line.replaceAll('"', '&quot;')}</code>`));
  assert.match(page, /<details class="fold"><summary>The line as JSON</);
});

test('a denied record has the colour of its ground and its own shape, in the list and on its page', async () => {
  const markup = await markupOf('?action=auth.authenticate');
  assert.match(markup, /<tr class="warn">.*<span class="badge badge-warn">.*denied/s);
  const [, path = ''] = /href="(\/history\/a[0-9]+-[0-9]+)"/.exec(markup) ?? [];
  assert.match(await (await admin.get(path)).text(), /<span class="stamp stamp-warn">.*denied/);
  assert.doesNotMatch(await markupOf('?outcome=success'), /<tr class/);
});

test('a receipt that was not taken is refused, not added, and its code leads to the help', async () => {
  const record = {
    ...{ ts: '2026-07-05T09:00:00.000Z', level: 'info', msg: 'audit', auditSchema: 1, logType: 'audit' },
    ...{ actor: 'ana', action: 'receipt.accept', target: 'zone-b', outcome: 'failure' },
    code: 'SVC-RCP-001',
  };
  await appendFile(join(state, 'audit', '00000002.jsonl'), `${JSON.stringify(record)}\n`);
  const markup = await markupOf('?action=receipt.accept');
  assert.match(toPageText(markup), /receipt refused zone-b Code SVC-RCP-001 failure/);
  assert.match(markup, /href="\/help#SVC-RCP-001"/);
  assert.match(await textOf('?action=receipt.accept', 'fr'), /reçu refusé/);
});

test('a group of actions is one choice, and the filter that is set stands over the list in words', async () => {
  const markup = await markupOf('?action=sign-ins&outcome=denied');
  assert.match(markup, /<optgroup label="sign-ins"><option value="sign-ins" selected>all of this group</);
  const text = toPageText(markup);
  assert.match(text, /sign-in attempt\s+=1/);
  assert.doesNotMatch(text.slice(text.indexOf('Time Actor')), /content deleted/);
  assert.match(
    markup,
    /Filter: <bdi[^>]*>Action: <span class="unbroken">sign-ins<\/span> · Outcome: denied<\/bdi> · <a href="\/history">Drop the filter</,
  );
  assert.match(
    await textOf('?action=sign-ins', 'fr'),
    /Filtre\s:\s+Action\s: connexions · Retirer le filtre/,
  );
  assert.doesNotMatch(await textOf(), /Drop the filter/);
});

test('the head of the list counts what was denied or failed, and leads to it', async () => {
  const markup = await markupOf();
  assert.match(toPageText(markup), /To look at \d+ records shown, \d+ denied/);
  assert.match(
    markup,
    /href="\/history\?outcome=denied&amp;outcome=failure&amp;outcome=open"[^>]*>Show only these</,
  );
  const troubled = await markupOf('?outcome=denied&outcome=failure');
  assert.doesNotMatch(toPageText(troubled), /Quiet|Show only these/);
  assert.deepEqual(
    [...troubled.matchAll(/name="outcome" value="(\w+)" checked/g)].map(([, value]) => value),
    ['failure', 'denied'],
  );
  assert.match(troubled, /\/api\/v1\/history\?outcome=denied&amp;outcome=failure&amp;format=csv/);
  assert.match(await textOf('?outcome=success'), /Quiet \d+ records? shown, none denied or failed/);
});

test('a list of several pages says how many records the whole filter selects, by their outcome', async () => {
  assert.match(
    await textOf('?pageSize=1'),
    /On all pages 5 records and lines of the ledger: 4 succeeded, 1 denied /,
  );
  assert.match(
    await textOf('?pageSize=1', 'fr'),
    /Sur toutes les pages, 5 enregistrements et lignes du registre : 4 réussis, 1 refusé /,
  );
  assert.match(await textOf('?outcome=denied'), /1 record shown, 1 denied /);
  assert.doesNotMatch(await textOf('?outcome=denied'), /On all pages/);
  assert.doesNotMatch(await markupOf(), /id="list"[^>]* hx-trigger="every/);
});

test('waivers, deletions and changes of trust are to be looked at, with their number and their actors', async () => {
  const at = (i: number): string => new Date(Date.UTC(2026, 6, 6, 8, 0, i)).toISOString();
  const one = { level: 'info', logType: 'audit', outcome: 'success', target: 'x' };
  const by = (action: string, actors: readonly string[], more = {}): string =>
    actors.map((actor, i) => `${JSON.stringify({ ...one, ts: at(i), action, actor, ...more })}\n`).join('');
  const lines = [
    by('media.waiver', ['ana', 'ana', 'ana'], { step: 'attempt', waivers: ['allowStale'] }),
    by('config.key', ['system']),
    by('account.delete', ['bo', 'cy', 'di', 'eve', 'flo'], { outcome: 'failure' }),
  ];
  await appendFile(join(state, 'audit', '00000009.jsonl'), lines.join(''));
  const waivers = await textOf('?action=media.waiver');
  assert.match(waivers, /To look at 3 waivers of guards, all by ana Often asked/);
  assert.match(waivers, / x acceptance of an older medium asked for /);
  assert.doesNotMatch(waivers, /Quiet|Show only these/);
  assert.match(await textOf('?action=content.delete'), /To look at 1 deletion, by ana Often asked/);
  assert.match(await textOf('?action=recipes'), /To look at 1 change of trust, by system Often asked/);
  assert.match(
    await textOf('?action=accounts'),
    /To look at 5 deletions, by flo, eve, di and 2 others 6 records shown, 5 failed Often asked.*Show only these/s,
  );
  assert.match(await textOf('?action=content.push'), /Quiet 1 record shown/);
  await rm(join(state, 'audit', '00000009.jsonl'));
});

test('an actor that is the program itself is a word of the language, and its link keeps the name of the records', async () => {
  const record = { ts: '2026-07-06T08:00:00.000Z', logType: 'audit', actor: 'unauthenticated' };
  const refused = { ...record, action: 'ui.access', target: 'POST /login', outcome: 'denied' };
  await appendFile(join(state, 'audit', '00000009.jsonl'), `${JSON.stringify(refused)}\n`);
  const french = await markupOf('?actor=unauthenticated', 'fr');
  assert.match(french, /href="\/history\?actor=%22unauthenticated%22"[^>]*>non connecté</);
  await rm(join(state, 'audit', '00000009.jsonl'));
  assert.match(await markupOf('?actor=ana', 'fr'), />ana</);
});

test('a refused sign-in shows the name that was tried, and the filter by that name finds it', async () => {
  const path = join(state, 'audit', '00000009.jsonl');
  const tried = (target: string, second: number) =>
    `${JSON.stringify({ ts: `2026-07-06T08:00:0${second}.000Z`, logType: 'audit', actor: 'unauthenticated', action: 'auth.authenticate', target, outcome: 'failure', scheme: 'password' })}\n`;
  await appendFile(path, tried('omar', 1) + tried('(unknown)', 2) + tried('(no name)', 3));
  const markup = await markupOf('?actor=oma');
  assert.match(toPageText(markup), /omar \(not signed in\)\s+sign-in attempt\s+omar/);
  assert.match(markup, /href="\/history\?actor=%22omar%22"/);
  assert.match(await textOf('?actor=%22OMAR%22'), /omar \(not signed in\)/);
  assert.doesNotMatch(await textOf('?actor=%22oma%22'), /omar \(not signed in\)/);
  assert.match(await textOf('?actor=omar', 'fr'), /omar \(non connecté\)\s+tentative de connexion\s+omar/);
  const all = await textOf('?actor=unauthenticated&order=desc');
  assert.match(all, /not signed in\s+sign-in attempt\s+no name/);
  assert.match(all, /not signed in\s+sign-in attempt\s+unknown name/);
  await rm(path);
});

test('a receipt is named in the language, and leads to its page', async () => {
  const path = join(state, 'audit', '00000009.jsonl');
  const receipt = {
    actor: 'ana',
    action: 'receipt.accept',
    target: 'receipt 3 of zone-b',
    outcome: 'success',
  };
  await appendFile(
    path,
    `${JSON.stringify({ ts: '2026-07-06T08:00:00.000Z', logType: 'audit', ...receipt })}\n`,
  );
  const markup = await markupOf('?subject=receipt+3');
  assert.match(toPageText(markup), /receipt added\s+receipt 3 of zone-b/);
  assert.match(markup, /href="\/receipts\/zone-b"/);
  assert.match(await textOf('?subject=receipt+3', 'fr'), /reçu ajouté\s+reçu n° 3 de zone-b/);
  await rm(path);
});

test('a page of removed content leads to the records about it, for those who may read them', async () => {
  const of = async (session: BrowserSession, path: string): Promise<string> => {
    const answer = await session.get(path);
    assert.equal(answer.status, 404);
    return answer.text();
  };
  // another test has put it there
  await (await server.fetch('/api/v1/content/library/app', { method: 'DELETE' })).arrayBuffer();
  for (const path of ['/content/library/app', '/content/library/app/-/tags/1.0']) {
    const page = await of(admin, path);
    assert.match(
      page,
      /records about it: <a href="\/history\?subject=library%2Fapp">History of <bdi[^>]*>library\/app<\/bdi><\/a>/,
    );
    const closed = await of(operator, path);
    assert.match(toPageText(closed), /the history says by whom: ask an administrator\./);
    assert.doesNotMatch(closed, /href="\/history/);
  }
  assert.doesNotMatch(await of(admin, '/content/library/never'), /History of/);
});

test('a search finds the audit records with a text that nothing else has, also several words and an address', async () => {
  for (const q of ['throttled, again', '192.0.2.66'])
    assert.match(
      toPageText(await (await admin.get(`/search?${new URLSearchParams({ q })}`)).text()),
      /Records 1 sign-in attempt .* denied/,
      q,
    );
  const closed = toPageText(await (await operator.get('/search?q=192.0.2.66')).text());
  assert.match(closed, /Nothing is found/);
});

test('the questions that are asked first are filters, and the list is taken away from above it', async () => {
  const all = await markupOf('');
  for (const action of ['content.delete', 'media.waiver', 'recipes', 'accounts'])
    assert.ok(all.includes(`<a href="/history?action=${action}"`), action);
  assert.ok(all.indexOf('format=csv') < all.indexOf('<table'));
  assert.match(toPageText(await markupOf('', 'fr')), /Fréquents : /);
  const filtered = await markupOf('?action=content.delete');
  assert.match(
    filtered,
    /<b><svg(?:(?!<\/svg>).)*<\/svg> <a href="\/history\?action=content\.delete" aria-current="true">/,
  );
  assert.match(filtered, /action=content\.delete&amp;format=csv/);
});

test('a waiver says in one phrase what was accepted', async () => {
  const record = {
    ts: '2026-07-06T08:00:00.000Z',
    level: 'info',
    logType: 'audit',
    action: 'media.waiver',
    actor: 'ana',
    target: 'med_1',
    outcome: 'success',
    step: 'applied',
    allowZoneMismatch: false,
    allowStale: true,
    waived: ['SVC-MED-007'],
    mediaId: 'med_1',
  };
  await appendFile(join(state, 'audit', '00000009.jsonl'), `${JSON.stringify(record)}\n`);
  const markup = await markupOf('?action=media.waiver');
  const row = markup.slice(markup.indexOf('<tbody'), markup.indexOf('</tbody>'));
  assert.match(toPageText(row), / med_1 older medium accepted \( SVC-MED-007 \)/);
  assert.match(row, /\(<a href="\/help#SVC-MED-007">SVC-MED-007<\/a>\)/);
  assert.doesNotMatch(toPageText(row), /Step|Freshness|Waived guard|Zone guard/);
  const french = await textOf('?action=media.waiver', 'fr');
  assert.match(french, / med_1 support plus ancien accepté \( SVC-MED-007 \)/);
  assert.match(french, /À examiner 1 dérogation à un contrôle, par ana Fréquents/);
  const printed = await textOf('/-/print?action=media.waiver');
  assert.match(printed, /med_1 · older medium accepted \(SVC-MED-007\)/);
  assert.match(await textOf(), /local:0[\s\S]*An actor such as “local:0” is a command on the machine/);
});

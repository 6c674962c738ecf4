import assert from 'node:assert/strict';
import { appendFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { openRepository } from '../../../../src/store/open-repository.ts';
import { recordSync } from '../../../../src/store/record-sync.ts';
import { buildImage, pushArtifact } from '../../../kit/content/content.ts';
import { toRecipeRecord } from '../../../kit/content/recipe-record.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { writeAudit } from '../../../kit/scene/audit-records.ts';
import { type BrowserSession, signInAs } from '../../../kit/web/browser-session.ts';
import { toPageText } from '../../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../../kit/web/strict-html.ts';

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
    /unauthenticated\s+sign-in attempt\s+=1\+1\\u202e reason=throttled, again\s+denied\s+192\.0\.2\.66/,
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
  assert.match(markup, /<input[^>]* name="from" type="date" value="2026-07-02"/);
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

test('a search that is not over says how far it got', async () => {
  const line = `${JSON.stringify({ ts: '2026-07-06T00:00:00.000Z', logType: 'audit', actor: 'x'.repeat(50_000), action: 'prune', outcome: 'success' })}\n`;
  await appendFile(join(state, 'audit', '00000003.jsonl'), line.repeat(400));
  const text = await textOf('?actor=ana');
  assert.match(text, /Older records were not searched yet/);
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
    '/admin/accounts/alice': ['subject=alice', 'actor=alice'],
    '/admin/accounts/-/tokens/ci/revoke': ['subject=ci', 'actor=token%3Aci'],
  };
  for (const [path, queries] of Object.entries(links)) {
    const markup = await (await admin.get(path)).text();
    for (const query of queries) assert.ok(markup.includes(`href="/history?${query}"`), `${path}: ${query}`);
    assert.ok(!(await (await operator.get(path)).text()).includes('/history'), path);
  }
});

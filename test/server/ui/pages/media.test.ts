import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { after, before, beforeEach, test } from 'node:test';
import type { MediumBlock } from '../../../../src/contract/medium.ts';
import type { RetrieverRecord } from '../../../../src/contract/recipe.ts';
import { toBlobDigest } from '../../../../src/engine/medium/inventory.ts';
import { recordSync } from '../../../../src/store/record-sync.ts';
import { svcError, toErrorRecord } from '../../../../src/text/error.ts';
import { buildImage } from '../../../kit/content/content.ts';
import { pushAsClient } from '../../../kit/content/push-as-client.ts';
import { toRecipeRecord } from '../../../kit/content/recipe-record.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import {
  mediaId,
  mediumReport,
  recipeVerdict,
  type ScriptedMedia,
  scriptMedia,
} from '../../../kit/scene/media-state.ts';
import { type BrowserSession, openBrowserSession } from '../../../kit/web/browser-session.ts';
import { toPageText } from '../../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../../kit/web/strict-html.ts';

const hostile = '<img src=x onerror=alert(1)>\u202e"\'';
const people = { vera: 'viewer', olga: 'operator', anna: 'admin' } as const;

let folder: TempFolder;
let server: TestServer;
let media: ScriptedMedia;
let destination: string | undefined;
const as = {} as Record<keyof typeof people, BrowserSession>;

before(async () => {
  folder = await openTempFolder();
  media = scriptMedia(({ actor }) =>
    server.tasks.submit({
      type: 'media-import',
      reference: mediaId,
      actor,
      parameters: { allowZoneMismatch: false, allowStale: false },
    }),
  );
  const configPath = `${folder.path}/zone's.yaml`;
  await writeFile(configPath, '');
  server = await startTestServer({
    folder: folder.path,
    zone: 'zone-b',
    media,
    configPath,
    retriever: (): RetrieverRecord => ({
      mode: 'passthrough',
      zone: 'zone-b',
      substitutions: [],
      relaxedScopes: [],
      anonymousFilesets: [],
      prune: false,
      ...(destination === undefined ? {} : { destination }),
    }),
  });
  for (const [name, role] of Object.entries(people)) {
    await server.accounts.create({ name, role, password: 'a good password' });
    as[name as 'vera'] = openBrowserSession(server);
    await as[name as 'vera'].signIn(name, 'a good password');
  }
});
beforeEach(() => {
  destination = 'registry.zone-b.example';
  media.current = { guarded: true, serving: 'closed', mediaId };
  media.verifications.length = 0;
  media.imports.length = 0;
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function textOf(session: BrowserSession, path: string, status = 200): Promise<string> {
  const response = await session.get(path);
  const text = await response.text();
  assert.equal(response.status, status, text);
  parseStrictHtml(text, path);
  return text;
}

const proseOf = async (session: BrowserSession, path: string, status = 200): Promise<string> =>
  parseStrictHtml(await textOf(session, path, status), path).prose;

const zoneBlock = (waived: boolean): MediumBlock => ({
  code: 'SVC-MED-006',
  params: { mediaId, expected: 'zone-b', found: 'zone-c' },
  waivable: true,
  waived,
});

test('findings on files of a blocked recipe fold under the recipe, others stand apart', async () => {
  const image = buildImage('blocked');
  await pushAsClient(server.store, 'registry.example/shop/web', image, '1');
  const { digest } = image.manifest.descriptor;
  const known = toRecipeRecord('zebra', '1.0.0', [['registry.example/shop/web', '1']]);
  const record = { ...known, ingredients: known.ingredients.map((each) => ({ ...each, digest })) };
  await recordSync(server.store, record, [record]);
  const toFinding = (path: string) => ({ code: 'SVC-MED-021', path, params: { path } }) as const;
  const own = [digest, ...image.blobs.map(({ descriptor }) => descriptor.digest)].map((each) =>
    toFinding(`blobs/${each.replace(':', '/')}`),
  );
  const stray = toFinding(`blobs/sha256/${'0'.repeat(64)}`);
  const { name, version, cookbook, repository } = record;
  const reason = {
    code: 'SVC-SIG-001',
    params: { subject: name, reason: 'none', fingerprints: [] },
  } as const;
  const blocked = recipeVerdict({
    name,
    version,
    cookbook,
    repository,
    digest: record.digest,
    pushable: false,
    reason,
  });
  const report = mediumReport({
    verdict: 'partial',
    recipes: [recipeVerdict(), blocked],
    findings: [...own, stray],
  });
  media.current = { guarded: true, serving: 'open', mediaId, report };
  const text = await textOf(as.olga, '/media');
  const cards = text.slice(
    text.indexOf('<ul class="blocks">'),
    text.lastIndexOf('<details class="fold"><summary>1 '),
  );
  for (const { path } of own) assert.ok(cards.includes(`title="${toBlobDigest(path)}"`), path);
  assert.match(
    text,
    /badge-warn">(?:(?!<\/span>)[\s\S])*1 recipe that is blocked stays/,
    'no tick stands on a blocked recipe',
  );
  assert.doesNotMatch(cards, /0{64}/);
  const prose = toPageText(text);
  assert.match(prose, new RegExp(`${own.length} files of the same recipe withheld`));
  assert.match(prose, /1 other finding /);
  const french = await (await as.olga.get('/media', { 'accept-language': 'fr' })).text();
  assert.match(french, new RegExp(`${own.length} fichiers retenus de la même recette`));
  // the cause stands before what follows from it, on the screen and on paper
  const [first, ...rest] = own;
  const cause = { ...toFinding(first!.path), code: 'SVC-MED-012' } as const;
  const damaged = { ...blocked, reason: { ...cause, params: { path: cause.path } } };
  const findings = [...rest, stray];
  media.current = {
    ...media.current,
    report: mediumReport({ verdict: 'partial', recipes: [damaged], findings }),
  };
  for (const path of ['/media', '/media/report']) {
    const shown = toPageText(await textOf(as.olga, path));
    const line = `1 altered or missing file; ${rest.length} files of the same recipe withheld`;
    assert.ok(shown.includes(line), `${path}: ${shown}`);
    assert.ok(shown.indexOf('does not match its digest') < shown.indexOf(line), path);
    assert.ok(shown.indexOf(line) < shown.indexOf('1 other finding'), path);
    // one sentence for all of them, and one for the other finding
    assert.ok(
      shown.includes(`${rest.length} files are not part of a verified recipe, and are not pushed:`),
      path,
    );
    assert.equal(shown.match(/part of a verified recipe/g)?.length, 2, path);
    assert.equal(shown.split(cause.path).length - 1, 1, `${path}: the altered file is named once`);
  }
});

test('the report says what to do about a blocked recipe, and its reason is no further finding', async () => {
  const reason = { code: 'SVC-MED-012', path: 'strange', params: { path: 'strange' } } as const;
  const other = { ...reason, path: 'other', params: { path: 'other' } };
  const recipes = [recipeVerdict({ pushable: false, reason }), recipeVerdict({ name: 'base' })];
  media.current = {
    ...media.current,
    serving: 'open',
    report: mediumReport({ verdict: 'partial', recipes, findings: [reason, other] }),
  };
  assert.match(
    await proseOf(as.olga, '/media'),
    /1 recipe that passed is served; 1 recipe that is blocked stays closed until a verification passes/,
  );
  const text = toPageText(await textOf(as.olga, '/media/report'));
  assert.match(
    text,
    /does not match its digest: strange\. Probable cause .* Consequence .*neither served nor imported\..* What to do Copy the medium again from the source/,
  );
  assert.match(text, /base 1\.4\.2 passed 212 files, 4 GiB Repository/);
  assert.match(text, /1 other finding [^.]*: other\. SVC-MED-012/);
});

test('recipes that were not looked at are not said to be absent', async () => {
  const absent = { path: 'media.jsonl', folder: '/media/disk', found: 'incomplete' };
  const block: MediumBlock = { code: 'SVC-MED-001', params: absent, waivable: false, waived: false };
  const blocked = { verdict: 'blocked', recipes: [] } as const;
  const { medium: _, ...unread } = mediumReport({ ...blocked, blocks: [block] });
  media.current = { guarded: true, serving: 'closed', mediaId, report: unread };
  for (const path of ['/media', '/media/report']) {
    const prose = await proseOf(as.olga, path);
    assert.match(prose, /The recipes were not looked at/, path);
    assert.doesNotMatch(prose, /has no recipes/, path);
    if (path === '/media')
      assert.match(prose, /Closed by the last verification; opens after one that passes/);
  }
  const empty: MediumBlock = { ...block, code: 'SVC-MED-025', params: {} };
  media.current = {
    guarded: true,
    serving: 'closed',
    mediaId,
    report: mediumReport({ ...blocked, blocks: [empty] }),
  };
  for (const path of ['/media', '/media/report'])
    assert.match(await proseOf(as.olga, path), /The medium has no recipes\./, path);
});

test('without a zone the pages name the missing setting', async () => {
  await using other = await openTempFolder();
  await using bare = await startTestServer({ folder: other.path });
  await bare.accounts.create({ name: 'olga', role: 'operator', password: 'a good password' });
  const session = openBrowserSession(bare);
  await session.signIn('olga', 'a good password');
  for (const path of ['/media', '/media/report']) {
    const response = await session.get(path);
    const text = await response.text();
    assert.match(text, /SVC-CFG-001/, path);
    assert.match(text, /This instance has no zone, so that it takes no medium/);
    assert.match(text, /data-copy="zone: zone-b"/);
    assert.match(text, /aria-current="page"[^>]*><svg[\s\S]{0,400}?<span>Medium</);
    assert.doesNotMatch(text, /href="\/media"/, 'the navigation has no entry for a medium');
  }
});

test('before a verification the page says so, and its button begins one without waiting for it', async () => {
  const prose = await proseOf(as.olga, '/media');
  assert.match(prose, /has not been verified since the instance started/);
  assert.match(prose, /Closed until a verification passes/);
  assert.doesNotMatch(prose, /Import (?:what passed|the)/);
  const answer = await as.olga.post('/media/verify', { wait: 'false' }, { page: '/media' });
  assert.equal(answer.status, 303, await answer.clone().text());
  assert.equal(answer.headers.get('location'), '/media');
  assert.equal(media.verifications.length, 1);
  const { allowZoneMismatch, allowStale, actor } = media.verifications[0]!;
  assert.deepEqual(
    { allowZoneMismatch, allowStale, actor },
    { allowZoneMismatch: false, allowStale: false, actor: 'olga' },
  );
});

test('a walk shows its five stages, its pace and the recipes judged so far, each second', async () => {
  media.current = {
    ...media.current,
    running: {
      startedAt: '2026-11-22T08:00:00Z',
      stage: 'manifest',
      files: 400,
      totalFiles: 1042,
      bytes: 50,
      totalBytes: 80,
      bytesPerSecond: 1_048_576,
      secondsLeft: 540,
      recipes: [],
    },
  };
  const text = await textOf(as.olga, '/media');
  assert.match(text, /<title>62\s% · Medium/);
  assert.match(text, /hx-trigger="every 1s"/);
  assert.equal(text.match(/<li class="stage /g)?.length, 5);
  assert.match(text, /aria-current="step"[\s\S]*?Files/);
  const { prose } = parseStrictHtml(text, '/media');
  assert.match(
    prose,
    /Verifying[\s\S]*62\s% · time left: about 9\smin[\s\S]*400 of 1,042 files · 50\sB of 80\sB · 1\sMiB\/s/,
  );
  assert.doesNotMatch(prose, /Verify the medium|Import (?:what passed|the)/);
  assert.match(
    text,
    /Files: 62\s% · [\s\S]{0,100}<\/h2><svg class="bar bar-thick"[\s\S]*Cancel the verification</,
  );
  assert.equal((await as.olga.post('/media/verify/cancel', {}, { page: '/media' })).status, 303);
  media.current = {
    ...media.current,
    running: {
      ...media.current.running!,
      stage: 'ingredients',
      recipe: 'base@12.4.0',
      recipes: [
        recipeVerdict({
          name: 'agent',
          pushable: false,
          reason: { code: 'SVC-MED-012', path: 'blobs/x', params: { path: 'blobs/x' } },
        }),
      ],
      totalRecipes: 4,
    },
  };
  const later = await proseOf(as.olga, '/media');
  assert.match(later, /1 recipe is blocked already[\s\S]*So far/);
  assert.match(later, /Now: base@12\.4\.0/);
  assert.match(later, /agent[\s\S]*does not match its digest/);
  const { secondsLeft: _, ...walk } = media.current.running!;
  media.current = { ...media.current, running: { ...walk, bytesPerSecond: 0, stalledSeconds: 130 } };
  const still = await textOf(as.olga, '/media');
  assert.match(still, /<title>stalled · 25\s% · Medium/);
  assert.match(still, /stamp-warn/);
  assert.match(still, /class="bar-stalled"[\s\S]*Ingredients<\/span> <span class="stage-state">stalled/);
  assert.match(
    parseStrictHtml(still, '/media').prose,
    /Stalled[\s\S]*Nothing has been read for 2\smin\. Look whether the disk/,
  );
});

test('a walk that was cancelled is no fault', async () => {
  const failure = toErrorRecord(svcError('SVC-TSK-004', { work: 'verification', actor: 'olga' }));
  media.current = { ...media.current, failure };
  const text = await textOf(as.olga, '/media');
  assert.match(text, /class="note"[\s\S]*The verification was cancelled by [\s\S]*olga/);
  assert.doesNotMatch(text, /class="error"/);
});

test('a walk that failed is an error, not a verdict', async () => {
  const failure = toErrorRecord(svcError('SVC-STO-007', { path: 'media.jsonl' }));
  media.current = { ...media.current, failure };
  const prose = await proseOf(as.olga, '/media');
  assert.match(prose, /The verification did not end/);
  assert.match(prose, /SVC-STO-007/);
  assert.match(prose, /Verify the medium/);
  assert.doesNotMatch(prose, /Verdict/);
});

test('a partial verdict shows blocked recipes first, and imports what passed as a task', async () => {
  const blocked = recipeVerdict({
    name: 'zebra',
    pushable: false,
    reason: {
      code: 'SVC-MED-012',
      path: 'blobs/sha256/a3f9',
      params: { path: 'blobs/sha256/a3f9', recipe: 'zebra' },
    },
  });
  media.current = {
    ...media.current,
    serving: 'open',
    report: mediumReport({ verdict: 'partial', recipes: [recipeVerdict(), blocked] }),
  };
  const prose = await proseOf(as.olga, '/media');
  assert.match(prose, /partial\s*1 recipe passed, 1 recipe is blocked/);
  assert.match(prose, /Import the recipes that passed.*Blocked recipes stay out/);
  assert.ok(prose.indexOf('zebra') < prose.indexOf('shop'), prose);
  assert.match(prose, /sends only content that the destination lacks/);
  assert.match(await proseOf(as.anna, '/media'), /sends only content that registry\.zone-b\.example lacks/);
  const french = await (await as.olga.get('/media', { 'accept-language': 'fr' })).text();
  assert.match(french, /ce qui manque à la destination/);
  const answer = await as.olga.post('/media/import', {}, { page: '/media' });
  assert.equal(answer.status, 303, await answer.clone().text());
  assert.match(answer.headers.get('location') ?? '', /^\/tasks\/tsk_/);
  assert.equal(media.imports.length, 1);
});

test('without a destination nothing offers an import, and a blocked medium has none either', async () => {
  destination = undefined;
  media.current = { ...media.current, report: mediumReport() };
  const prose = await proseOf(as.anna, '/media');
  assert.match(prose, /no destination\.registry/);
  assert.doesNotMatch(prose, /Import (?:what passed|the)/);
  destination = 'registry.zone-b.example';
  media.current = {
    ...media.current,
    report: mediumReport({ verdict: 'blocked', blocks: [zoneBlock(false)] }),
  };
  assert.doesNotMatch(await proseOf(as.anna, '/media'), /Import (?:what passed|the)/);
});

test('a waiver is offered to administrators only, under the guard that it waives, and said to be recorded', async () => {
  const damaged: MediumBlock = { code: 'SVC-MED-001', params: { mediaId }, waivable: false, waived: false };
  media.current = { ...media.current, report: mediumReport({ verdict: 'blocked', blocks: [damaged] }) };
  assert.doesNotMatch(await textOf(as.anna, '/media'), /allowZoneMismatch|allowStale/);
  media.current = {
    ...media.current,
    report: mediumReport({ verdict: 'blocked', blocks: [zoneBlock(false)] }),
  };
  const text = await textOf(as.anna, '/media');
  assert.match(text, /SVC-MED-006[\s\S]*name="allowZoneMismatch"/);
  const prose = await proseOf(as.anna, '/media');
  assert.match(prose, /Addressed to zone zone-c: nothing can be imported/);
  assert.doesNotMatch(prose, /recipes? passed/, 'a recipe that passed does not pass with its medium');
  assert.match(prose, /verified, held back/);
  assert.doesNotMatch(text, /> passed</);
  assert.doesNotMatch(text, /name="allowStale"/);
  assert.match(text, /recorded under your name/);
  const stale: MediumBlock = { code: 'SVC-MED-007', params: { mediaId }, waivable: true, waived: false };
  media.current = {
    ...media.current,
    report: mediumReport({ verdict: 'blocked', blocks: [zoneBlock(false), stale] }),
  };
  const ids = [...(await textOf(as.anna, '/media')).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  assert.deepEqual(
    ids.filter((id, i) => ids.indexOf(id) !== i),
    [],
    'two guards have two forms',
  );
  media.current = {
    ...media.current,
    report: mediumReport({ verdict: 'blocked', blocks: [zoneBlock(false)] }),
  };
  const operators = await textOf(as.olga, '/media');
  assert.doesNotMatch(operators, /name="allowZoneMismatch"/);
  assert.match(operators, /An administrator can waive this guard/);
  const fields = { wait: 'false', allowZoneMismatch: 'true' };
  const refused = await as.olga.post('/media/verify', fields, { page: '/media' });
  assert.equal(refused.status, 403);
  assert.match(await refused.text(), /SVC-AUTH-003/);
  assert.equal(media.verifications.length, 0);
  assert.match(text, /SVC-MED-006[\s\S]*<label for="field-reason-allowZoneMismatch">Reason \(optional\)/);
  const reason = '<b>drill</b> \u202e';
  const answer = await as.anna.post('/media/verify', { ...fields, reason }, { page: '/media' });
  assert.equal(answer.status, 303, await answer.clone().text());
  assert.equal(media.verifications[0]!.allowZoneMismatch, true);
  assert.equal(media.verifications[0]!.reason, reason);
  const recorded = server.report.audits.findLast(({ action }) => action === 'media.waiver')!;
  assert.deepEqual([recorded.actor, recorded.details?.reason], ['anna', reason]);
  const long = { ...fields, reason: 'x'.repeat(501) };
  const wrong = await as.anna.post('/media/verify', long, { page: '/media' });
  assert.match(
    toPageText(await wrong.text()),
    /The field “Reason \(optional\)” must have at most 500 characters/,
  );
});

test('a verdict with a waived guard needs the waiver again for the import', async () => {
  media.current = { ...media.current, report: mediumReport({ blocks: [zoneBlock(true)] }) };
  assert.match(await proseOf(as.olga, '/media'), /an administrator has to import it/);
  assert.doesNotMatch(await proseOf(as.olga, '/media'), /Import (?:what passed|the)/);
  const text = await textOf(as.anna, '/media');
  assert.match(
    text,
    /action="\/media\/import"[\s\S]*name="allowZoneMismatch"[\s\S]*Import (?:what passed|the)/,
  );
  assert.match(text, /action="\/media\/import"[\s\S]*name="reason"/);
  const fields = { allowZoneMismatch: 'true', reason: '' };
  const answer = await as.anna.post('/media/import', fields, { page: '/media' });
  assert.equal(answer.status, 303, await answer.clone().text());
  assert.deepEqual([media.imports[0]!.allowZoneMismatch, media.imports[0]!.reason], [true, undefined]);
});

test('names and paths of a medium are text on every page', async () => {
  media.current = {
    ...media.current,
    report: mediumReport({
      verdict: 'partial',
      zone: { expected: 'zone-b', found: hostile, match: false },
      recipes: [
        recipeVerdict({
          name: hostile,
          version: hostile,
          cookbook: hostile,
          repository: hostile,
          trustScope: hostile,
        }),
        recipeVerdict({
          name: hostile,
          pushable: false,
          reason: { code: 'SVC-MED-012', path: hostile, params: { path: hostile } },
        }),
      ],
      findings: [{ code: 'SVC-MED-020', path: hostile, params: { path: hostile } }],
    }),
  };
  for (const path of ['/media', '/media/report']) {
    const text = await textOf(as.olga, path);
    assert.doesNotMatch(text, /<img/, path);
    assert.match(text, /&lt;img/, path);
    // a button copies the true path; no text of the page has the mark
    assert.doesNotMatch(parseStrictHtml(text, path).prose, /\u202e/, path);
  }
});

test('the report for paper has the SHA-256 of the file that it offers, the same for every role', async () => {
  assert.match(await proseOf(as.olga, '/media/report'), /There is no report/);
  assert.equal((await as.olga.get('/media/report.json')).status, 404);
  const findings = [
    { code: 'SVC-MED-020', path: 'strange', params: { path: `${server.store.root}/strange` } },
  ] as const;
  media.current = { ...media.current, report: mediumReport({ blocks: [zoneBlock(true)], findings }) };
  for (const who of ['olga', 'anna'] as const) {
    const file = await as[who].get('/media/report.json');
    assert.equal(file.headers.get('content-disposition'), 'attachment; filename="media-report.json"');
    const bytes = Buffer.from(await file.arrayBuffer());
    assert.equal(JSON.parse(bytes.toString()).medium.mediaId, mediaId);
    assert.doesNotMatch(bytes.toString(), new RegExp(server.store.root), 'no path of the machine');
    const text = await textOf(as[who], '/media/report');
    assert.ok(text.includes(createHash('sha256').update(bytes).digest('hex')), text);
    assert.match(text, /Waivers<\/dt><dd><code[^>]*>SVC-MED-006</);
    assert.match(text, new RegExp(`Printed by</dt><dd><bdi translate="no">${who}<`));
    assert.match(
      text,
      new RegExp(`data-foot="Verification report of ${mediaId} · \\S+ · \\S+/media/report · ${who} · `),
    );
  }
  for (const path of ['/media', '/media/report', '/media/report.json'])
    assert.equal((await as.vera.get(path)).status, 403, path);
});

test('many recipes are shown page by page, and the page speaks French', async () => {
  const recipes = Array.from({ length: 60 }, (_, i) =>
    recipeVerdict({ name: `recipe-${String(i).padStart(2, '0')}` }),
  );
  media.current = { ...media.current, report: mediumReport({ recipes }) };
  const row = /<th scope="row" data-label="Recipe">/g;
  assert.equal((await textOf(as.olga, '/media')).match(row)?.length, 50);
  assert.equal((await textOf(as.olga, '/media?page=2')).match(row)?.length, 10);
  const french = await (await as.olga.get('/media', { 'accept-language': 'fr' })).text();
  assert.match(french, /60 recettes sont validées/);
});

test('the commands of the page name the configuration, and only to who may read it', async () => {
  const administrators = await textOf(as.anna, '/media');
  assert.match(administrators, /svc media verify --config &#39;[^&]+\/zone&#39;\\&#39;&#39;s\.yaml&#39;/);
  const operators = await textOf(as.olga, '/media');
  assert.doesNotMatch(operators, /svc media|zone&#39;/);
  assert.match(await textOf(as.anna, '/receipts'), /svc receipt list --config /);
  const receipts = await textOf(as.olga, '/receipts');
  assert.doesNotMatch(receipts, /svc receipt list --config|zone&#39;/);
  assert.match(receipts, /--config FILE, whose path an administrator knows/);
  assert.match(operators, /curl -X POST[^<]*media\/verify/s);
});

test('a medium that was replaced or changed is told as such, without a verdict, in both languages', async () => {
  media.current = { guarded: true, serving: 'closed', mediaId, replaced: true };
  const texts = [
    [
      'en',
      [
        'Closed: the medium was replaced or changed',
        'it is opened when it no longer changes',
        'without a restart',
      ],
    ],
    [
      'fr',
      [
        'Fermé : le support a été remplacé ou modifié',
        'il est ouvert dès qu’il ne change plus',
        'sans redémarrage',
      ],
    ],
  ] as const;
  for (const [language, expected] of texts) {
    const answer = await as.olga.get('/media', { 'accept-language': language });
    assert.equal(answer.status, 200);
    const text = toPageText(await answer.text()).replaceAll(/[\u00a0\u202f]/g, ' ');
    for (const part of expected) assert.ok(text.includes(part), `${part}\n${text}`);
    assert.doesNotMatch(text, /blocked|bloqué/);
  }
  media.current = {
    ...media.current,
    failure: toErrorRecord(svcError('SVC-STO-020', { path: '/mnt/medium' })),
  };
  const text = toPageText(await textOf(as.olga, '/media'));
  assert.match(text, /There is no store in \/mnt\/medium/);
});

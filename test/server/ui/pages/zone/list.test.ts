import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import type { Delivery } from '../../../../../src/contract/delivery.ts';
import type { Media } from '../../../../../src/contract/medium.ts';
import type { Task } from '../../../../../src/contract/task.ts';
import { openRepository } from '../../../../../src/store/open-repository.ts';
import { isOver } from '../../../../../src/task/model.ts';
import { svcError, toErrorRecord } from '../../../../../src/text/error.ts';
import { openArrivals } from '../../../../../src/zone/arrivals.ts';
import { pushArtifact } from '../../../../kit/content/content.ts';
import { toFilesetImage, toLayer } from '../../../../kit/content/fileset-image.ts';
import { toRawArchive } from '../../../../kit/content/tar-archive.ts';
import { eventually } from '../../../../kit/instance/eventually.ts';
import { createOpenGate } from '../../../../kit/instance/open-gate.ts';
import { startTestServer, type TestServer } from '../../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../../kit/instance/temp-folder.ts';
import { passthroughRetriever } from '../../../../kit/instance/test-instance.ts';
import { mediaId, mediumReport, recipeVerdict, scriptMedia } from '../../../../kit/scene/media-state.ts';
import { showcaseArrival as delivery } from '../../../../kit/showcase/delivery.ts';
import { type BrowserSession, openBrowserSession } from '../../../../kit/web/browser-session.ts';
import { toPageText } from '../../../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../../../kit/web/strict-html.ts';

const { source: _, ...retriever } = passthroughRetriever;
const labDigest = `sha256:${'e'.repeat(64)}` as const;
/** Files of a recipe whose content is on another disk. */
const filesOf = 'registry.example/files/manuals';
let folder: TempFolder;
let server: TestServer;
let browser: BrowserSession;
let state: string;
let task: Task;
const media = scriptMedia(() => Promise.reject(new Error('this medium is not imported')));

/** A zone that disks feed: it knows no Retriever. */
before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    zone: 'zone-b',
    media,
    retriever: () => ({ ...retriever, destination: 'registry.example:5000' }),
    filesets: [{ name: 'manuals', ref: filesOf, anonymous: false }],
    gate: () => ({
      ...createOpenGate({ rehash: false }),
      guarded: true,
      allowsTag: (repository) => repository !== filesOf,
      refusalOf: () => ({ code: 'SVC-MED-032', mediaId, awaits: [2] }),
    }),
    run: async (_task, _request, journal) => {
      const error = toErrorRecord(svcError('SVC-SIG-001', { subject: 'lab@0.1.0', reason: 'none' }));
      const damage = toErrorRecord(
        svcError('SVC-MED-012', { ...{ path: 'blobs/x', expected: 'a', actual: 'b' }, recipe: 'mail@1.0.0' }),
      );
      await journal.settleItems([
        { name: 'shop@1.4.0', status: 'done', transferredBytes: 0 },
        { name: 'lab@0.1.0', digest: labDigest, status: 'failed', transferredBytes: 0, error },
        { name: 'lab@0.1.0/web', status: 'skipped', transferredBytes: 0 },
        { name: 'mail@1.0.0', status: 'failed', transferredBytes: 0, error: damage },
      ]);
    },
  });
  state = join(folder.path, 'state');
  await server.accounts.create({ name: 'olga', role: 'operator', password: 'a good password' });
  browser = openBrowserSession(server);
  await browser.signIn('olga', 'a good password');
  const { id } = await server.tasks.submit({
    type: 'media-import',
    reference: mediaId,
    actor: 'olga',
    parameters: { allowZoneMismatch: false, allowStale: false },
  });
  await eventually('the end of the task', async () => isOver(await server.tasks.get(id)));
  task = await server.tasks.get(id);
});
beforeEach(async () => {
  media.current = { guarded: true, serving: 'open', mediaId };
  delete (media.record as { lastImport?: Media['lastImport'] }).lastImport;
  await rm(join(state, 'media', 'deliveries'), { recursive: true, force: true });
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function proseOf(path: string, language = 'en'): Promise<string> {
  const response = await browser.get(path, { 'accept-language': language });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  parseStrictHtml(text, path);
  return toPageText(text);
}

const keep = (record: Delivery) => openArrivals(state).update(record, () => record);

test('each delivered recipe has a page and a result of the search, with its state, its day and its delivery', async () => {
  const digests = { shop: `sha256:${'1'.repeat(64)}`, depot: `sha256:${'2'.repeat(64)}` } as const;
  const reason = { code: 'SVC-MED-012' as const, params: { path: 'blobs/x', recipe: 'depot@2.0.0' } };
  const depot = { name: 'depot', version: '2.0.0', digest: digests.depot };
  media.current = {
    ...{ guarded: true, serving: 'open', mediaId },
    report: mediumReport({
      verdict: 'partial',
      recipes: [recipeVerdict(), recipeVerdict({ ...depot, pushable: false, reason })],
    }),
  };
  const landed = (name: keyof typeof digests, version: string) =>
    ({ name, version, digest: digests[name], state: 'landed' }) as const;
  const waiting = delivery.recipes.flatMap((one) =>
    one.state === 'waiting' ? [{ ...one, name: 'agent' }] : [],
  );
  const older = { ...landed('shop', '1.3.0'), digest: `sha256:${'3'.repeat(64)}` as const };
  await keep({
    ...delivery,
    recipes: [landed('shop', '1.4.0'), older, landed('depot', '2.0.0'), ...waiting],
  });
  const list = await proseOf('/recipes');
  assert.match(list, /5 recipes were delivered: 2 blocked, 1 missing, 2 here/);
  assert.match(list, /missing .*depot 2\.0\.0 here; damaged on this disk .*shop 1\.4\.0 here/);
  assert.match(await proseOf('/'), /3 of 5 delivered recipes are not here .*depot 2\.0\.0 here; damaged/);
  assert.match(
    await proseOf('/recipes/-/shop'),
    /In the zone shop 1\.4\.0 is in the zone since 22 Nov 2026 Delivery dlv_0123456789ab ?brought it\..*Versions in the zone .*1\.4\.0 22 Nov 2026 .*1\.3\.0 22 Nov 2026/,
  );
  assert.match(
    await proseOf('/recipes/-/shop?version=1.3.0'),
    /shop 1\.3\.0 is in the zone .*Newer in the zone: 1\.4\.0/,
  );
  assert.match(
    await proseOf('/recipes/-/depot'),
    /Here; damaged on this disk depot 2\.0\.0 is in the zone since 22 Nov 2026; its copy on this disk is damaged .*The zone already has depot 2\.0\.0\./,
  );
  assert.match(await proseOf('/recipes/-/agent'), /waits for parts 1 and 3 Import parts 1 and 3 of 3/);
  assert.match(
    await proseOf('/recipes/-/depot', 'fr'),
    /depot 2\.0\.0 est dans la zone depuis le 22 nov\. 2026/,
  );
  const found = await proseOf('/search?q=depot');
  assert.match(found, /Exact match 1 depot 2\.0\.0 recipe here; damaged on this disk 1 version/);
  assert.doesNotMatch(found, /blocked|Only tasks/);
  assert.match(await proseOf('/search?q=shop'), /shop 1\.4\.0 recipe here 2 versions/);
  const medium = await proseOf('/media');
  assert.match(medium, /depot 2\.0\.0 here; damaged on this disk The zone already has depot 2\.0\.0\./);
  assert.match(
    await proseOf('/media/report'),
    /depot 2\.0\.0 here; damaged on this disk .*The zone lacks nothing of it\./,
  );
  assert.match(medium, /shop 1\.4\.2 passed older: 1\.4\.0/);
  assert.equal((await browser.get('/recipes/-/unknown')).status, 404);
  assert.equal((await browser.get('/recipes/-/shop?version=9.9.9')).status, 404);
});

const digest = (letter: string) => `sha256:${letter.repeat(64)}` as const;
const lab = recipeVerdict({ name: 'lab', version: '0.1.0', digest: digest('5'), pushable: false });
const shop = recipeVerdict({ name: 'shop', version: '1.4.0', digest: digest('1') });
const tools = recipeVerdict({ name: 'tools', version: '2.0.0', digest: digest('2') });
const complete = { ...delivery, complete: true, needed: [], completedAt: '2026-11-22T09:00:00Z' };
const toLanded = ({ name, version, digest: of }: typeof shop) =>
  ({ name, version, digest: of, state: 'landed' }) as const;

test('before an import the page of the medium says what of it the zone has, and when an import would bring nothing', async () => {
  await keep({
    ...complete,
    recipes: [toLanded(shop), { ...toLanded(tools), version: '1.9.0', digest: digest('3') }],
  });
  const show = async (recipes: readonly (typeof shop)[], language?: string) => {
    media.current = { ...media.current, report: mediumReport({ verdict: 'partial', recipes }) };
    return proseOf('/media', language);
  };
  const some = await show([shop, tools, recipeVerdict({ name: 'mail', digest: digest('4') }), lab]);
  assert.match(some, /1 of them is in the zone already: an import would bring 2 others\./);
  assert.match(
    some,
    /mail 1\.4\.2 passed new .*shop 1\.4\.0 passed same .*tools 2\.0\.0 passed older: 1\.9\.0/,
  );
  assert.match(
    await (await browser.get('/media')).text(),
    /button-primary[^>]*>Import the recipes that passed/,
  );
  const none = await show([shop, lab]);
  assert.match(none, /It is in the zone already: an import would bring nothing\./);
  assert.match(
    await (await browser.get('/media')).text(),
    /<button(?=[^>]*button-plain)[^>]*>(?:<[^>]*>)*Import the recipes that passed/,
  );
  assert.match(await show([shop, lab], 'fr'), /Elle est déjà dans la zone : un import n’apporterait rien/);
});

test('after an import in part the page of the medium says so, apart from the last complete one, and what to do with the disk', async () => {
  const report = mediumReport({ verdict: 'partial', recipes: [shop, lab] });
  media.current = { ...media.current, report };
  const { mediaId: id, resolvedAt } = report.medium!;
  (media.record as { lastImport?: Media['lastImport'] }).lastImport = {
    mediaId: id,
    resolvedAt,
    importedAt: '2026-12-01T01:25:39Z',
    runId: task.runId,
  };
  const text = await proseOf('/media');
  assert.match(
    text,
    /Imported in part 1 recipe was imported on 1 Dec 2026, 01:25:39 UTC; 1 refused The disk can be taken out\./,
  );
  assert.match(text, /The zone had all of it before: nothing was sent\. Open the task/);
  assert.match(
    text,
    /Last import 1 Dec 2026, 01:25:39 UTC, in part \(1 of 3\) .*Last complete import none complete yet/,
  );
  assert.match(
    await (await browser.get('/media')).text(),
    /<button(?=[^>]*button-plain)[^>]*>(?:<[^>]*>)*Import again/,
  );
  assert.match(await proseOf('/media', 'fr'), /Importé en partie 1 recette importée le 1 déc\. 2026/);
  // a later part of a delivery is an import too
  const [part] = delivery.landed;
  await keep({ ...delivery, landed: [{ ...part!, importedAt: '2026-12-02T09:00:00Z' }] });
  assert.match(
    await proseOf('/media'),
    /Last import 2 Dec 2026, 09:00:00 UTC med_11aa22bb33cc44dd .*Last complete import none complete yet/,
  );
});

test('a disk of a refused recipe is needed once more, and each one of an import has its card and one word', async () => {
  const refused = { ...toLanded(lab), state: 'failed', parts: [1], blocked: true } as const;
  await keep({
    ...delivery,
    parts: 1,
    landed: [],
    needed: [1],
    refused: [1],
    recipes: [toLanded(shop), refused],
  });
  const text = await proseOf('/media');
  assert.match(
    text,
    /Parts still needed part 1 once more, for lab@0\.1\.0 Refused lab@0\.1\.0 \(SVC-SIG-001\)/,
  );
  assert.match(await (await browser.get('/tasks')).text(), /class="below code unbroken">tsk_/);
  const reason = { code: 'SVC-SIG-001', params: { subject: 'lab@0.1.0', reason: 'none' } } as const;
  media.current = {
    ...{ guarded: true, serving: 'open', mediaId },
    report: mediumReport({ verdict: 'partial', recipes: [shop, { ...lab, reason }] }),
  };
  assert.match(await proseOf('/recipes'), /lab 0\.1\.0 blocked SVC-SIG-001 blocked –/);
  const page = await proseOf(`/tasks/${task.id}`);
  assert.match(page, /1 of 3 recipes done, lab@0\.1\.0 and mail@1\.0\.0 blocked/);
  const medium = await proseOf('/media');
  assert.match(medium, /imported in part: 1 of 2 recipes in the zone/);
  assert.match(await proseOf('/deliveries'), /imported in part: 1 of 2 recipes in the zone/);
  assert.equal(medium.match(/checked until the first fault/g)?.length, 1);
  assert.ok(medium.indexOf('lab 0.1.0 SVC-SIG-001') < medium.indexOf('files checked'), medium);
  assert.match(
    page,
    /lab@0\.1\.0 carries no signature\. .*Help on SVC-SIG-001.*Help on SVC-MED-012|Help on SVC-MED-012.*Help on SVC-SIG-001/,
  );
});

test('an item that an import did not bring is here since the day on which a later delivery brought its recipe', async () => {
  const lab = { name: 'lab', version: '0.1.0', digest: labDigest, state: 'landed' } as const;
  const arriveAt = (importedAt: string) =>
    keep({
      ...delivery,
      ...{ landed: delivery.landed.map((one) => ({ ...one, importedAt })), recipes: [lab] },
    });
  const path = `/tasks/${task.id}`;
  assert.doesNotMatch(await proseOf(path), /here since/);
  await arriveAt('2020-01-01T00:00:00Z');
  assert.doesNotMatch(await proseOf(path), /here since/);
  await arriveAt('2999-01-02T00:00:00Z');
  const prose = await proseOf(path);
  assert.match(prose, /lab@0\.1\.0[\s\S]*failed then; here since 2 Jan 2999/);
  assert.match(prose, /lab@0\.1\.0\/web\s*here since 2 Jan 2999/i);
  assert.match(await proseOf(`${path}?state=arrived`), /here since then 2/i);
  // nothing brought the other one
  assert.match(await proseOf(`${path}?state=failed`), /mail@1\.0\.0/);
  assert.match(await proseOf(path, 'fr'), /échec alors\s; présent depuis le 2 janv\. 2999/i);
});

test('of a file set on a disk that was imported the page says that the zone has it, and else which disks to import', async () => {
  await pushArtifact(
    openRepository(server.store, filesOf, { owner: { provenance: 'import' }, kind: 'FileSet' }),
    toFilesetImage([toLayer(toRawArchive([{ path: 'a.txt', content: 'text' }]))]),
    '1.0.0',
  );
  const { medium } = mediumReport();
  const part = { id: delivery.id, part: 1, parts: 3 };
  media.current = { ...media.current, report: mediumReport({ medium: { ...medium!, delivery: part } }) };
  await openArrivals(state).update(delivery, () => ({ ...delivery, needed: [2, 3] }));
  const missing = await proseOf('/filesets');
  assert.match(
    missing,
    /the rest is on part 2\..*Import this disk and the others of its delivery, in any order/,
  );
  assert.doesNotMatch(missing, /Read the report/);
  await openArrivals(state).update(delivery, () => delivery);
  const here = await proseOf('/filesets');
  assert.match(here, /manuals not on this disk/);
  assert.match(here, /The registry of the zone has it, from part 2 of the delivery\./);
  assert.doesNotMatch(here, /SVC-MED-032/);
  assert.match(await proseOf('/filesets', 'fr'), /Le registre de la zone l’a, depuis la partie 2/);
});

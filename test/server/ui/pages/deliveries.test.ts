import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import type { Delivery } from '../../../../src/contract/delivery.ts';
import type { Status } from '../../../../src/contract/status.ts';
import { isOver } from '../../../../src/task/model.ts';
import { svcError, toErrorRecord } from '../../../../src/text/error.ts';
import { openArrivals } from '../../../../src/zone/arrivals.ts';
import { eventually } from '../../../kit/instance/eventually.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { mediaId, mediumReport, recipeVerdict, scriptMedia } from '../../../kit/scene/media-state.ts';
import { showcaseArrival } from '../../../kit/showcase/delivery.ts';
import { type BrowserSession, openBrowserSession } from '../../../kit/web/browser-session.ts';
import { parseStrictHtml } from '../../../kit/web/strict-html.ts';

const delivery = showcaseArrival;
const { base } = delivery;

let folder: TempFolder;
let server: TestServer;
let browser: BrowserSession;
let admin: BrowserSession;
/** Imports end when it is resolved. */
let held: PromiseWithResolvers<void>;
let state: string;
let records: string;
const media = scriptMedia(() => Promise.reject(new Error('this medium is not imported')));

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    zone: 'zone-b',
    media,
    run: async (_task, _request, journal) => {
      await held.promise;
      const params = { recipe: 'agent', files: 2, bytes: 4096, parts: ['1', '3'], delivery: delivery.id };
      const warning = toErrorRecord(svcError('SVC-MED-041', params));
      await journal.settleItems([{ name: 'agent', status: 'skipped', transferredBytes: 0, warning }]);
      journal.setDelivery(delivery);
    },
  });
  state = join(folder.path, 'state');
  records = join(state, 'media', 'deliveries');
  await server.accounts.create({ name: 'olga', role: 'operator', password: 'a good password' });
  await server.accounts.create({ name: 'alice', role: 'admin', password: 'a good password' });
  browser = openBrowserSession(server);
  admin = openBrowserSession(server);
  await browser.signIn('olga', 'a good password');
  await admin.signIn('alice', 'a good password');
});
beforeEach(async () => {
  held = Promise.withResolvers();
  media.current = { guarded: true, serving: 'closed', mediaId };
  await rm(records, { recursive: true, force: true });
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function proseOf(path: string, language = 'en', as = browser): Promise<string> {
  const response = await as.get(path, { 'accept-language': language });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  parseStrictHtml(text, path);
  return text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}

async function submitImport(): Promise<string> {
  const { id } = await server.tasks.submit({
    type: 'media-import',
    reference: mediaId,
    actor: 'olga',
    parameters: { allowZoneMismatch: false, allowStale: false },
  });
  return id;
}

const keep = (record: Delivery) => openArrivals(state).update(record, () => record);

test('the page of a medium without deliveries has no list of them', async () => {
  assert.doesNotMatch(
    await proseOf('/media'),
    /delivery of this medium|deliveries that wait|other deliveries/i,
  );
});

test('an incomplete delivery shows its parts, and its recipes with the urgent ones first', async () => {
  await keep(delivery);
  const text = await proseOf('/media');
  assert.match(text, /dlv_0123456789ab incomplete/);
  assert.match(text, /Parts part 2 of 3 imported, on 22 Nov 2026, 09:00:00 UTC/);
  assert.match(
    text,
    /Parts still needed part 1, for &lt;b&gt;agent&lt;\/b&gt;@1\.0\.0, base@1\.0\.0 part 3, for/,
  );
  assert.match(text, /Leaves out the content of receipt 4 of zone zone-b/);
  assert.match(
    text,
    /base 1\.0\.0 failed in the last import tools 1\.0\.0 needs content that the registry lacks: import the earlier deliveries, or have the recipe written with --base none &lt;b&gt;agent&lt;\/b&gt; 1\.0\.0 waits for parts 1 and 3 shop 1\.0\.0 in the zone/,
  );
  assert.match(await proseOf('/media', 'fr'), /Parties encore nécessaires partie 1/);
  assert.match(text, /Deliveries that wait for disks dlv_0123456789ab/);
  const { medium } = mediumReport();
  const report = mediumReport({ medium: { ...medium!, delivery: { id: delivery.id, part: 2, parts: 3 } } });
  media.current = { guarded: true, serving: 'open', mediaId, report };
  const own = await proseOf('/media');
  assert.match(own, /Part 2 of 3; parts 1 and 3 to come[\s\S]*Delivery of this medium/);
  assert.doesNotMatch(own, /Other deliveries/);
});

test('the page lists the deliveries in a state, unfolded, and leads back to all', async () => {
  const done = { ...delivery, complete: true, needed: [], recipes: [] };
  await keep({ ...done, id: 'dlv_00000000000a' });
  await keep({ ...delivery, recipes: [], id: 'dlv_00000000000b' });
  await keep({ ...delivery, recipes: [], id: 'dlv_00000000000c', overtakenBy: 'med_2' });
  await keep({ ...delivery, id: 'dlv_00000000000d' });
  const listed = async (state: string, language = 'en') => {
    const text = await proseOf(`/media?deliveries=${state}`, language);
    return [...new Set(text.match(/dlv_00000000000[a-d]/g))]
      .map((id) => id.slice(-1))
      .sort()
      .join('');
  };
  assert.equal(await listed('arrived'), 'a');
  assert.equal(await listed('on-the-way'), 'bd');
  assert.equal(await listed('lost'), 'c');
  assert.equal(await listed('refused'), 'd');
  const text = await proseOf('/media?deliveries=lost', 'fr');
  assert.match(text, /Livraisons perdues/);
  assert.match(await (await browser.get('/media?deliveries=lost')).text(), /<a href="\/media#deliveries">/);
  for (const [q, title, found] of [
    ['lost', 'Lost deliveries', 'lost'],
    ['perdues', 'Lost deliveries', 'lost'],
    ['on the way', 'Deliveries on the way', 'on-the-way'],
    ['en route', 'Deliveries on the way', 'on-the-way'],
    ['arrived', 'Deliveries that arrived', 'arrived'],
    ['refused', 'Deliveries with refused recipes', 'refused'],
  ] as const) {
    const answer = await browser.get(`/search?q=${encodeURIComponent(q)}`);
    const way = `/media?deliveries=${found}#deliveries`;
    // a single result is opened at once
    if (answer.status === 303) assert.equal(answer.headers.get('location'), way, q);
    else assert.match(await answer.text(), new RegExp(`href="${way.replace('?', '\\?')}">${title}`), q);
  }
  await rm(records, { recursive: true });
  assert.match(await proseOf('/media?deliveries=refused'), /No delivery is in this state/);
});

test('recipes of an open delivery are wanted until they land or it is forgotten, and lead to its disks', async () => {
  media.current = { guarded: true, serving: 'open', mediaId, report: mediumReport() };
  await keep(delivery);
  assert.match(await proseOf('/'), /Incomplete 3 of 4 wanted recipes are not here/);
  const place = `/media#${delivery.id}`;
  const toName = (name: string) => new RegExp(`<a href="/recipes/-/${name}">(?:<[^>]*>)?${name}<`);
  const overview = await (await browser.get('/')).text();
  assert.match(overview, toName('tools'));
  assert.match(overview, new RegExp(`<a href="${place}">Open the delivery`));
  assert.match(
    await proseOf('/'),
    /1\.0\.0 missing Import parts 1 and 3 of 3 of the delivery dlv_0123456789ab ?, with the content of 20 Nov 2026/,
  );
  assert.match(
    await proseOf('/', 'fr'),
    /Importez les parties 1 et 3 sur 3 de la livraison dlv_0123456789ab/,
  );
  const recipes = await proseOf('/recipes');
  assert.match(recipes, /4 recipes are wanted: 3 missing, 1 here/);
  assert.match(recipes, /shop 1\.0\.0 here in the zone, not in this store/);
  assert.match(await proseOf('/recipes?state=present'), /shop 1\.0\.0 here/);
  assert.match(await (await browser.get('/recipes')).text(), toName('shop'));
  assert.match(recipes, /tools 1\.0\.0 missing lacks content that dlv_0123456789ab leaves out/);
  assert.doesNotMatch(await proseOf('/recipes?q=tools'), /base 1\.0\.0/);
  const found = await browser.get('/search?q=tools');
  assert.deepEqual([found.status, found.headers.get('location')], [303, '/recipes/-/tools']);
  const status = async () =>
    (await (
      await server.fetch('/api/v1/status', { headers: { authorization: server.as.viewer } })
    ).json()) as Status;
  const owed = (await status()).owed!.map(({ name, state, delivery: of }) => [name, state, of?.needed]);
  assert.deepEqual(owed.toSorted(), [
    ['<b>agent</b>', 'missing', [1, 3]],
    ['base', 'missing', [1, 2, 3]],
    ['tools', 'missing', []],
  ]);
  await openArrivals(state).forget(delivery.id);
  assert.deepEqual((await status()).owed, []);
  assert.doesNotMatch(await proseOf('/'), /Incomplete|What to do/);
});

test('pages read the records of deliveries again when their folder changed, and not for each request', async () => {
  await keep(delivery);
  const settle = async (): Promise<void> => {
    for (const folder of [records, join(state, 'media')]) await utimes(folder, 1000, 1000);
  };
  const owedNow = async (): Promise<readonly string[]> => {
    const answer = await server.fetch('/api/v1/status', {
      headers: { authorization: server.as.viewer },
    });
    return ((await answer.json()) as Status).owed!.map(({ name }) => name).toSorted();
  };
  await settle();
  const first = await owedNow();
  assert.ok(first.includes('tools'));
  const path = join(records, `${delivery.id}.json`);
  // written in place, which no program does
  await writeFile(path, JSON.stringify({ ...delivery, recipes: [] }));
  assert.deepEqual(await owedNow(), first);
  await utimes(records, 1001, 1001);
  assert.deepEqual(await owedNow(), []);
});

test('deliveries of several peers with one identifier stand apart, each with its peer', async () => {
  await keep({ ...delivery, peer: 'source' });
  await keep({ ...delivery, peer: 'rival' });
  const { medium } = mediumReport();
  media.current = {
    ...{ guarded: true, serving: 'open', mediaId },
    report: mediumReport({
      medium: { ...medium!, delivery: { id: delivery.id, part: 2, parts: 3 } },
      passport: { signer: 'source' },
    }),
  };
  const text = await proseOf('/media');
  assert.match(text, /Delivery of this medium.*Passports of source.*that wait for disks.*Passports of rival/);
  const html = await (await browser.get('/media')).text();
  assert.equal(html.match(/<h3 id="dlv_0123456789ab">/g)?.length, 1);
});

test('a complete delivery names its parts and no recipes', async () => {
  await keep({ ...delivery, complete: true, completedAt: '2026-11-22T09:00:00Z', needed: [] });
  const text = await proseOf('/media');
  assert.match(text, /dlv_0123456789ab complete/);
  assert.doesNotMatch(text, /still needed|tools 1\.0\.0/);
});

test('an administrator forgets a delivery on a page that says what stays, and nobody else may', async () => {
  await keep(delivery);
  const page = `/media/deliveries/${delivery.id}/forget`;
  const link = `href="${page}"`;
  assert.ok((await (await admin.get('/media')).text()).includes(link));
  assert.ok(!(await (await browser.get('/media')).text()).includes(link));
  assert.equal((await browser.get(page)).status, 403);
  assert.match(
    await proseOf(page, 'en', admin),
    /nothing waits for its missing disks .* in the registry stays there.* Parts still needed part 1, .* svc media forget dlv_0123456789ab/,
  );
  assert.match(await proseOf(page, 'fr', admin), /Oublier la livraison dlv_0123456789ab.*y reste/);
  const answer = await admin.post(page, {}, { page });
  assert.deepEqual([answer.status, answer.headers.get('location')?.split('?')[0]], [303, '/media']);
  const after = await proseOf(answer.headers.get('location')!, 'en', admin);
  assert.match(after, /The delivery dlv_0123456789ab was forgotten/);
  assert.doesNotMatch(after, /Parts still needed/);
  assert.equal((await admin.get(page)).status, 404);
  await keep({ ...delivery, complete: true });
  assert.ok(!(await (await admin.get('/media')).text()).includes(link));
});

const forget = async (id: string, as: 'admin' | 'operator' = 'admin') => {
  const response = await server.fetch(`/api/v1/media/deliveries/${id}`, {
    method: 'DELETE',
    headers: { authorization: server.as[as] },
  });
  const { delivery: last, code } = (await response.json()) as { delivery?: Delivery; code?: string };
  return [response.status, code ?? last];
};

test('the API forgets a delivery once, with an audit record of each attempt', async () => {
  await keep(delivery);
  const segments = join(state, 'media', 'segments');
  await mkdir(segments);
  const from = server.report.audits.length;
  assert.deepEqual(await forget('dlv_0123456789ac'), [404, 'SVC-REG-005']);
  assert.deepEqual(await forget(delivery.id, 'operator'), [403, 'SVC-AUTH-003']);
  const running = await submitImport();
  await eventually(
    'the start of the import',
    async () => (await server.tasks.get(running)).status === 'running',
  );
  assert.deepEqual(await forget(delivery.id), [409, 'SVC-TSK-003']);
  held.resolve();
  await server.tasks.settled(running);
  assert.ok(existsSync(segments));
  assert.deepEqual(await forget(delivery.id), [200, delivery]);
  assert.ok(!existsSync(segments));
  assert.deepEqual(await forget(delivery.id), [404, 'SVC-REG-005']);
  assert.deepEqual(
    server.report.audits
      .slice(from)
      .filter(({ action }) => action === 'media.forget')
      .map(({ target, outcome, details }) => [target, outcome, details?.code]),
    [
      ['dlv_0123456789ac', 'failure', 'SVC-REG-005'],
      [delivery.id, 'failure', 'SVC-TSK-003'],
      [delivery.id, 'success', undefined],
      [delivery.id, 'failure', 'SVC-REG-005'],
    ],
  );
});

test('a record that cannot be read is an error beside the verdict, which stands', async () => {
  await keep(delivery);
  await writeFile(join(records, `${delivery.id}.json`), '{}');
  media.current = { guarded: true, serving: 'open', mediaId, report: mediumReport() };
  const text = await proseOf('/media');
  assert.match(text, /SVC-STO-001/);
  assert.match(text, /1 recipe passed/);
});

test('a medium that is a part says so, and each recipe names the content that it needs from elsewhere', async () => {
  const { medium } = mediumReport();
  const report = mediumReport({
    medium: { ...medium!, delivery: { id: delivery.id, part: 2, parts: 3 }, base },
    passport: { signer: 'source', expiresAt: '2026-12-01T09:00:00Z' },
    recipes: [
      recipeVerdict({
        needs: [
          { from: 'base', files: 12, bytes: 2048 },
          { from: 'part', part: 1, files: 1, bytes: 1024 },
          { from: 'part', parts: [1, 3], files: 2, bytes: 4096 },
        ],
      }),
    ],
  });
  media.current = { guarded: true, serving: 'open', mediaId, report };
  const text = await proseOf('/media');
  assert.match(text, /Delivery dlv_0123456789ab ?, part 2 of 3/);
  assert.match(text, /Passport valid, signed by source ?, until 1 Dec 2026, 09:00:00 UTC/);
  assert.match(text, /the content of receipt 4 of zone zone-b/);
  const needs =
    /12 files, 2 KiB from the registry of the zone 1 file, 1 KiB from part 1 2 files, 4 KiB from parts 1 and 3/;
  assert.match(text, needs);
  assert.match(await proseOf('/media/report'), needs);
  assert.match(await proseOf('/media', 'fr'), /1 fichier, 1 Kio de la partie 1/);
});

test('the task of an import shows its delivery, and a recipe that waits as waiting', async () => {
  await keep(delivery);
  held.resolve();
  const id = await submitImport();
  await eventually('the end of the task', async () => isOver(await server.tasks.get(id)));
  const text = await proseOf(`/tasks/${id}`);
  assert.match(text, /SVC-MED-041 kept, waits for parts? \d/);
  assert.match(text, /Delivery dlv_0123456789ab incomplete/);
  assert.doesNotMatch(text, /skipped waits|agent failed/);
  const medium = await (await browser.get('/media')).text();
  assert.match(medium, new RegExp(`href="/tasks/${id}">The task of the last import`));
});

test('the delivery that was carried last leads from the overview to its place on the page of the medium', async () => {
  await keep(delivery);
  held.resolve();
  await server.tasks.settled(await submitImport());
  const overview = await (await browser.get('/')).text();
  assert.ok(overview.includes('<a href="/media#dlv_0123456789ab">'));
  assert.match(await (await browser.get('/media')).text(), /<h3 id="dlv_0123456789ab">/);
});

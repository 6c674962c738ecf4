import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { awaitedBy } from '../../../../server/ui/pages/overview/todo.ts';
import type { Delivery } from '../../../../src/contract/delivery.ts';
import type { Media } from '../../../../src/contract/medium.ts';
import type { RetrieverRecord } from '../../../../src/contract/recipe.ts';
import type { Status } from '../../../../src/contract/status.ts';
import { openArrivals } from '../../../../src/zone/arrivals.ts';
import { createOpenGate } from '../../../kit/instance/open-gate.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { runInLanguage } from '../../../kit/program/run-command.ts';
import { assertCliDocument } from '../../../kit/result/cli-schema.ts';
import { mediaId, mediumReport, recipeVerdict, scriptMedia } from '../../../kit/scene/media-state.ts';
import { type BrowserSession, signInAs } from '../../../kit/web/browser-session.ts';
import { toPageText } from '../../../kit/web/page-text.ts';

let folder: TempFolder;
let server: TestServer;
let operator: BrowserSession;
const media = scriptMedia(() => Promise.reject(new Error('nothing is imported')));
const report = mediumReport({
  medium: {
    ...mediumReport().medium!,
    delivery: { id: 'dlv_0123456789ab', part: 1, parts: 3 },
  },
  recipes: [recipeVerdict({ needs: [{ from: 'part', parts: [2, 3], files: 4, bytes: 4096 }] })],
});
const digest = `sha256:${'ab'.repeat(32)}` as const;
const landed = { part: 1, mediaId, manifest: digest, importedAt: '2026-11-22T09:00:00Z' };
const delivery: Delivery = {
  id: 'dlv_0123456789ab',
  zone: 'zone-b',
  resolvedAt: '2026-11-20T14:02:10Z',
  parts: 3,
  complete: false,
  landed: [landed],
  needed: [2, 3],
  recipes: [{ name: 'shop', version: '1.4.2', digest, state: 'waiting', parts: [2, 3] }],
};

before(async () => {
  folder = await openTempFolder();
  media.current = { guarded: true, serving: 'closed', mediaId, report };
  server = await startTestServer({
    folder: folder.path,
    zone: 'zone-b',
    media,
    gate: () => ({
      ...createOpenGate({ rehash: false }),
      guarded: true,
      refusal: () => ({ code: 'SVC-MED-032', mediaId, awaits: [2, 3] }),
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
    operations: {},
  });
  operator = await signInAs(server, 'operator', 'olga');
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

const keep = (record: Delivery) => openArrivals(`${folder.path}/state`).update(record, () => record);
const textOf = async (path: string, language = 'en'): Promise<string> =>
  toPageText(await (await operator.get(path, { 'accept-language': language })).text());
const pages = ['/', '/content', '/recipes', '/clients', '/filesets'] as const;
const toEnv = () => ({
  SVC_INSTANCE_URL: server.url,
  SVC_API_TOKEN: server.as.operator.replace('Bearer ', ''),
  COLUMNS: '240',
});

async function statusOf(exitCode: number): Promise<string> {
  const text = await runInLanguage(['status'], 'en', toEnv());
  assert.equal(text.exitCode, exitCode, text.stderr);
  const json = await runInLanguage(['status', '--output', 'json'], 'en', toEnv());
  assertCliDocument('svc status', json.stdout);
  return text.stdout;
}

const reasonOf = async (): Promise<string> => (await server.fetch('/readyz')).text();

test('the pages of a healthy part say that it is verified, which parts it needs, and to import the disks', async () => {
  for (const path of pages) {
    const text = await textOf(path);
    assert.match(text, /The medium is verified, and its recipes need parts 2 and 3 of the delivery/, path);
    assert.match(text, /import the disks of the delivery in any order/, path);
    assert.doesNotMatch(text, /has not passed|medium has been verified|refused/, path);
    const french = await textOf(path, 'fr');
    assert.match(french, /vérifié, et ses recettes nécessitent les parties 2 et 3 de la livraison/, path);
    assert.doesNotMatch(french, /n’a pas passé|une fois le support vérifié/, path);
  }
  assert.match(
    await textOf('/media'),
    /1 recipe passed\. The medium is verified, and its recipes need parts 2 and 3 of the delivery/,
  );
  const page = await (await operator.get('/media')).text();
  assert.match(page, /stamp-warn"[\s\S]{0,400}?> waits for parts 2 and 3</);
  assert.match(page, /badge-warn"[\s\S]{0,400}?> verified, waits for parts 2 and 3</);
  assert.doesNotMatch(page, /stamp-ok|> passed</);
  assert.match(await textOf('/media'), /Part 1 of 3; parts 2 and 3 to come/);
  assert.match(await textOf('/media/report', 'fr'), /vérifiée, attend les parties 2 et 3/);
  assert.match(await statusOf(5), /^The medium is verified, and its recipes need parts 2 and 3/);
});

test('before the import of the part, nobody is sent for a disk that arrived', async () => {
  const wait = (parts: number[]) => ({
    needed: parts,
    recipes: [{ ...delivery.recipes[0]!, parts }],
  });
  const others = { ...delivery, landed: [{ ...landed, part: 2, mediaId: 'other-2' }] };
  await keep({ ...others, ...wait([1, 3]) });
  for (const path of [...pages, '/media']) {
    const text = await textOf(path);
    assert.match(text, /The medium is verified, and its recipes need part 3 of the delivery/, path);
    assert.doesNotMatch(text, /parts 2 and 3/, path);
  }
  const page = await (await operator.get('/media')).text();
  assert.match(page, /stamp-warn"[\s\S]{0,400}?> waits for part 3</);
  const record = await (await operator.get('/media/report')).text();
  assert.match(record, /stamp-warn"[\s\S]{0,400}?> waits for part 3</);
  assert.match(record, /badge-warn"[\s\S]{0,400}?> verified, waits for part 3</);
  assert.match(await textOf('/media/report'), /Not on this medium ?4 files, 4 KiB from parts 2 and 3/);
  assert.match(await textOf('/media/report', 'fr'), /Absent de ce support ?4 fichiers/);
  assert.match(await statusOf(5), /its recipes need part 3 of the delivery/);
  assert.match(await reasonOf(), /its recipes need part 3 of the delivery/);

  await keep({
    ...others,
    landed: [...others.landed, { ...landed, part: 3, mediaId: 'other-3' }],
    ...wait([1]),
  });
  for (const path of pages) {
    const text = await textOf(path);
    assert.match(text, /medium is verified, and the other parts that its recipes need are in the zone/, path);
    assert.match(text, /import it/, path);
    assert.doesNotMatch(text, /parts? [23]|in any order/, path);
  }
  const last = await textOf('/media');
  assert.match(last, /1 recipe passed/);
  assert.match(last, /Part 1 of 3(?!; part)/);
  assert.doesNotMatch(last, /needs? part|waits? for parts? [23]|parts? [23] to/);
  assert.match(await reasonOf(), /the other parts that its recipes need are in the zone/);
});

test('after the import of the part, status, probe and pages say that it is imported, and which parts it waits for', async () => {
  await keep({ ...delivery, needed: [3] });
  const waits = /medium is imported, and its recipes wait for part 3 of the delivery/;
  for (const path of [...pages, '/media']) assert.match(await textOf(path), waits, path);
  assert.match(await textOf('/', 'fr'), /importé, et ses recettes attendent la partie 3 de la livraison/);
  const text = await statusOf(5);
  assert.match(text, waits);
  assert.doesNotMatch(text, /parts 2 and 3|verify/);
  const ready = await reasonOf();
  assert.match(ready, waits);
  assert.doesNotMatch(ready, /parts 2 and 3/);
  const status = await server.fetch('/api/v1/status');
  const told = (await status.json()) as Pick<Status, 'delivery' | 'lastImport' | 'unimported'>;
  assert.deepEqual(told.delivery, {
    id: 'dlv_0123456789ab',
    part: 1,
    imported: true,
    needed: [3],
    complete: false,
    recipes: 1,
  });
  const { importedAt } = landed;
  assert.deepEqual(told.lastImport, { mediaId, importedAt });
  assert.equal(told.unimported, false);
  const { lastImport } = (await (await server.fetch('/api/v1/media')).json()) as Media;
  assert.deepEqual(lastImport, { mediaId, importedAt, resolvedAt: delivery.resolvedAt });
  assert.match(await textOf('/'), /On the medium \S+, last import 22 Nov 2026, 09:00:00 UTC/);
});

test('of a disk that was mounted again, nothing can land while another one is missing, and the page names that one', async () => {
  const before = media.current;
  const id = 'dlv-0123456789ab-1';
  const other = { name: 'agent', digest: `sha256:${'cd'.repeat(32)}` } as const;
  media.current = {
    ...{ guarded: true, serving: 'open', mediaId: id },
    report: {
      ...report,
      medium: { ...report.medium!, mediaId: id },
      passport: { signer: 'harbour' },
      recipes: [...report.recipes, recipeVerdict(other)],
      freshness: { resolvedAt: delivery.resolvedAt, stale: false },
    },
  };
  await keep({
    ...delivery,
    peer: 'harbour',
    landed: [
      { ...landed, mediaId: id },
      { ...landed, part: 2, mediaId: 'dlv-0123456789ab-2' },
    ],
    needed: [3],
    recipes: [
      { ...delivery.recipes[0]!, parts: [3] },
      { ...delivery.recipes[0]!, ...other, state: 'landed' },
    ],
  });
  const text = await textOf('/media');
  assert.match(
    text,
    /The medium is imported: 1 of its recipes is in the zone, 1 waits for part 3 of the delivery/,
  );
  assert.match(text, /Nothing more can be imported from this disk: mount the disk dlv-0123456789ab-3\./);
  assert.match(text, /no complete import with a passport of harbour before/);
  assert.doesNotMatch(text, /an import would bring|Import the 2 recipes/);
  const page = await (await operator.get('/media')).text();
  assert.match(page, /<button(?=[^>]*button-plain)[^>]*>(?:<[^>]*>)*Import again/);
  assert.match(await textOf('/media', 'fr'), /montez le disque dlv-0123456789ab-3\./);
  assert.match(await textOf('/'), /On the medium \S+, last import 22 Nov 2026, 09:00:00 UTC/);
  await openArrivals(`${folder.path}/state`).forget(delivery.id);
  media.current = before;
});

test('after the whole delivery nothing is asked for any more', async () => {
  await keep({
    ...delivery,
    complete: true,
    completedAt: '2026-11-23T09:00:00Z',
    needed: [],
    landed: [landed, { ...landed, part: 2 }, { ...landed, part: 3 }],
    recipes: [{ name: 'shop', version: '1.4.2', digest, state: 'landed' }],
  });
  const done = /The delivery dlv_0123456789ab is complete: 1 recipe is in the zone/;
  for (const path of [...pages, '/media']) {
    const text = await textOf(path);
    assert.match(text, done, path);
    assert.doesNotMatch(text, /need parts|wait for part|in any order/, path);
  }
  assert.doesNotMatch(await textOf('/media'), /from parts 2 and 3/);
  assert.doesNotMatch(await textOf('/'), /not imported yet/);
  const text = await statusOf(0);
  assert.match(text, done);
  assert.doesNotMatch(text, /verify|need/);
  assert.match(await reasonOf(), done);
});

test('the steps of the overview name for each recipe the disks that it waits for, and that are still needed', () => {
  const run = { delivery: { ...delivery, recipes: [{ ...delivery.recipes[0]!, parts: [2] }] } };
  const now = { id: delivery.id, part: 1, imported: true, needed: [2, 3], complete: false, recipes: 2 };
  const shop = { name: 'shop', version: '1.4.2' };
  assert.deepEqual(awaitedBy(shop, run, now), [2]);
  assert.deepEqual(awaitedBy({ ...shop, name: 'depot' }, run, now), [2, 3]);
  assert.deepEqual(awaitedBy(shop, run, { ...now, id: 'dlv_ffffffffffff' }), [2, 3]);
  assert.deepEqual(awaitedBy(shop, undefined, undefined), []);
});

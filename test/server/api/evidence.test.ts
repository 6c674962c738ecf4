import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { Places, placeNames } from '../../../src/base/shares/places.ts';
import { resources } from '../../../src/base/shares/resources.ts';
import { openCustody } from '../../../src/custody/custody.ts';
import { verifyPack } from '../../../src/engine/evidence/verify-pack.ts';
import { packForClient, removeAbandonedPacks } from '../../../src/operation/custody/pack-for-client.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { delivery } from '../../kit/scene/evidence-site.ts';
import { openBrowserSession } from '../../kit/web/browser-session.ts';

const run = promisify(execFile);
const url = '/api/v1/evidence';

let folder: TempFolder;
let server: TestServer;
let state: string;
/** Whether the archive of a recipe is longer than the buffers of a connection. */
let isLong = false;
const mebibyte = Buffer.alloc(1 << 20);
const longArchive = {
  size: 64 << 20,
  read: async function* () {
    for (let n = 0; n < 64; n += 1) yield mebibyte;
  },
};

before(async () => {
  folder = await openTempFolder();
  state = join(folder.path, 'state');
  await mkdir(state);
  const custody = openCustody({ stateRoot: state, site: 'zone-a' });
  const subjects = [{ name: 'shop@1.4.0', digest: `sha256:${'a'.repeat(64)}` as const }];
  await custody.record({ type: 'written', actor: 'alice', subjects, details: { delivery } });
  await custody.record({ type: 'reset', actor: 'carol', details: { folder: '/store' } });
  server = await startTestServer({
    folder: folder.path,
    custodySite: 'zone-a',
    operations: {
      packForClient: async (...args) => {
        const pack = await packForClient(...args);
        return args[1].scope.kind === 'recipe' && isLong ? { ...pack, ...longArchive } : pack;
      },
    },
    places: {
      evidence: new Places(resources.evidence, placeNames.evidence, { wait: 1000, duration: 60_000 }),
    },
  });
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

const ask = (body: unknown, authorization?: string): Promise<Response> =>
  server.fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(authorization === undefined ? {} : { authorization }),
    },
    body: JSON.stringify(body),
  });

/** Folders of packs below the state. */
const listPacks = (): Promise<string[]> => readdir(join(state, 'custody', 'packs')).catch(() => []);
const isEmptied = () =>
  eventually('the folder of packs is empty', async () => (await listPacks()).length === 0);

/** A client that reads the head of an answer, and nothing more. */
function openSilent(): Promise<{ readonly leave: () => void }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly leave: () => void }>();
  const headers = { authorization: server.as.admin, 'content-type': 'application/json' };
  const sent = request(`${server.url}${url}`, { method: 'POST', headers, agent: false }, (answer) => {
    answer.on('error', () => {}).pause();
    resolve({ leave: () => sent.destroy() });
  });
  sent.on('error', reject).end(JSON.stringify({ recipe: 'shop' }));
  return promise;
}

test('a pack is an archive of the folder that the command writes; the same request gives the same bytes', async () => {
  const answer = await ask({ delivery, language: 'fr' });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'application/x-tar');
  assert.equal(answer.headers.get('content-disposition'), `attachment; filename="evidence-${delivery}.tar"`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  assert.equal(answer.headers.get('content-length'), String(bytes.length));
  const second = await ask({ delivery, language: 'fr' });
  assert.equal(second.status, 200);
  const again = Buffer.from(await second.arrayBuffer());
  const sum = (each: Buffer): string => createHash('sha256').update(each).digest('hex');
  assert.equal(sum(again), sum(bytes));
  await writeFile(join(folder.path, 'pack.tar'), bytes);
  await run('tar', ['-xf', join(folder.path, 'pack.tar'), '-C', folder.path]);
  const pack = join(folder.path, `evidence-${delivery}`);
  const { version } = JSON.parse(await readFile(join(pack, 'evidence.json'), 'utf8'));
  const { faults, evidence, page } = await verifyPack(pack, { keys: [], version });
  assert.deepEqual(
    [faults.map(({ params }) => String(params.rule)), page],
    [['the pack has no statement that a given key signed: it proves nothing'], 'same'],
  );
  assert.deepEqual(
    evidence!.ledgers[0]!.lines.map(({ actor, type }) => [actor, type]),
    [['alice', 'written']],
  );
  assert.match(await readFile(join(pack, 'index.html'), 'utf8'), /<html lang="fr">/);
  await isEmptied();
  const packed = server.report.audits.filter(({ action }) => action === 'evidence.pack');
  assert.deepEqual(
    packed.map(({ target, outcome, details }) => [target, outcome, details]),
    Array.from({ length: 2 }, () => [delivery, 'success', { delivery }]),
  );
});

test('actors are withheld on request', async () => {
  const answer = await ask({ recipe: 'shop', redact: 'actors' });
  assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="evidence-shop.tar"');
  assert.doesNotMatch(await answer.text(), /alice|carol/);
});

test('a request that names no subject, two, or an unknown one is refused, and leaves nothing', async () => {
  const cases: readonly (readonly [body: unknown, status: number, code: string])[] = [
    [{}, 422, 'SVC-VAL-001'],
    [{ delivery, recipe: 'shop' }, 422, 'SVC-VAL-001'],
    [{ delivery: '../..' }, 422, 'SVC-VAL-001'],
    [{ recipe: 'shop@' }, 400, 'SVC-REG-001'],
    [{ recipe: 'other' }, 404, 'SVC-CUS-002'],
    [{ since: '2999-01-01' }, 404, 'SVC-CUS-002'],
    [{ since: 'yesterday' }, 422, 'SVC-VAL-001'],
  ];
  for (const [body, status, code] of cases) {
    const answer = await ask(body);
    const problem = (await answer.json()) as { code: string };
    assert.deepEqual([answer.status, problem.code], [status, code], JSON.stringify(body));
  }
  for (const role of ['viewer', 'operator'] as const)
    assert.equal((await ask({ delivery }, server.as[role])).status, 403);
  assert.deepEqual(await listPacks(), []);
});

test('a caller has one pack at a time, and its folder goes with a client that leaves', async () => {
  isLong = true;
  const silent = await openSilent();
  isLong = false;
  assert.equal((await listPacks()).length, 1);
  const second = await ask({ delivery });
  assert.equal(second.status, 503);
  assert.equal(((await second.json()) as { code: string }).code, 'SVC-SRV-006');
  silent.leave();
  await isEmptied();
  assert.equal((await ask({ delivery })).status, 200);
});

test('packs that a killed instance left are removed, and nothing else', async () => {
  const packs = join(state, 'custody', 'packs');
  for (const name of ['pack.0123456789ab.tmp', 'pack.of-mine'])
    await mkdir(join(packs, name, 'ledger'), { recursive: true });
  await removeAbandonedPacks(state);
  assert.deepEqual(await listPacks(), ['pack.of-mine']);
});

test('the form of the page gives the archive, and shows why there is none', async () => {
  const admin = openBrowserSession(server);
  await server.accounts.create({ name: 'ada', role: 'admin', password: 'a good password' });
  await admin.signIn('ada', 'a good password');
  const markup = await (await admin.get('/history')).text();
  assert.match(markup, /href="\/evidence"/);
  assert.match(
    await (await admin.get(`/evidence?delivery=${delivery}`)).text(),
    new RegExp(`value="${delivery}"`),
  );
  const packed = await admin.post('/evidence', { delivery, language: 'en', redact: 'actors' });
  assert.equal(packed.headers.get('content-type'), 'application/x-tar');
  assert.doesNotMatch(await packed.text(), /alice/);
  const refused = await admin.post('/evidence', { recipe: 'other', language: 'en' });
  assert.equal(refused.status, 404);
  assert.match(await refused.text(), /SVC-CUS-002[\s\S]*value="other"|value="other"[\s\S]*SVC-CUS-002/);
});

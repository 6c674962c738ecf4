import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ScrubView } from '../../../../src/contract/recipe.ts';
import { openRepository } from '../../../../src/store/open-repository.ts';
import { quarantine } from '../../../../src/store/quarantine.ts';
import { buildImage, pushArtifact } from '../../../kit/content/content.ts';
import { damageFile } from '../../../kit/hostile/damage-file.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { type BrowserSession, fingerprintOf, openBrowserSession } from '../../../kit/web/browser-session.ts';
import { toPageText } from '../../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../../kit/web/strict-html.ts';

const hostile = '<img src=x onerror=alert(1)>\u202e"\'';
const digest = `sha256:${'a'.repeat(64)}` as const;

let folder: TempFolder;
let server: TestServer;
let admin: BrowserSession;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    retriever: () => ({
      mode: 'passthrough',
      source: `/etc/${hostile}`,
      substitutions: [{ host: 'docker.io', base: `zone-a.example/${hostile}` }],
      relaxedScopes: [{ name: hostile, repositories: ['docker.io/**'], allowUnsigned: true }],
      anonymousFilesets: [],
      prune: true,
      scrub: {
        enabled: true,
        running: { startedAt: '2026-01-02T00:00:00Z', files: 5, bytes: 61, totalBytes: 100, damaged: 0 },
        last: {
          startedAt: '2026-01-01T00:00:00Z',
          finishedAt: '2026-01-01T05:00:00Z',
          files: 9,
          bytes: 100,
          damaged: 1,
          findings: [
            {
              digest,
              problem: hostile,
              foundAt: '2026-01-01T03:00:00Z',
              affects: [{ repository: 'shop/web', tag: '1.4.0', recipes: ['shop@1.4.2'] }],
            },
          ],
        },
        quarantine: { files: 1, bytes: 2048 },
      },
    }),
  });
  admin = openBrowserSession(server);
  await server.accounts.create({ name: 'alice', role: 'admin', password: 'a good password' });
  await admin.signIn('alice', 'a good password');
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function proseOf(path: string, status = 200): Promise<string> {
  const response = await admin.get(path);
  const text = await response.text();
  assert.equal(response.status, status, text.slice(-2000));
  assert.equal(/.{40}(?:<img|\u202e)/.exec(text)?.[0], undefined);
  return parseStrictHtml(text, path).prose;
}

async function roleOf(name: string): Promise<string | undefined> {
  return (await server.accounts.list()).find((each) => each.name === name)?.role;
}

test('an account is created, changed and deleted through its pages', async () => {
  const made = await admin.post(
    '/admin/accounts/-/new',
    { name: 'olga', role: 'operator', password: 'first password' },
    { page: '/admin/accounts/-/new' },
  );
  assert.equal(made.status, 303, await made.text());
  assert.equal(await roleOf('olga'), 'operator');
  assert.match(await proseOf('/admin/accounts'), /olga/);
  const page = '/admin/accounts/olga';
  assert.equal((await admin.post(page, { role: 'viewer' }, { page })).status, 303);
  assert.equal(await roleOf('olga'), 'viewer');
  assert.equal(
    (await admin.post(page, { password: 'second password', _name: 'olga' }, { page })).status,
    303,
  );
  await openBrowserSession(server).signIn('olga', 'second password');
  assert.match(await proseOf(`${page}/delete`), /The account is deleted/);
  const removed = await admin.post(`${page}/delete`, {}, { page: `${page}/delete` });
  assert.match(removed.headers.get('location')!, /^\/admin\/accounts\?said=/);
  assert.equal(await roleOf('olga'), undefined);
  assert.match(await proseOf(page, 404), /SVC-AUTH-010/);
});

test('a name that is taken is refused with the form filled, the password excepted', async () => {
  const path = '/admin/accounts/-/new';
  const answer = await admin.post(
    path,
    { name: 'alice', role: 'operator', password: 'a well kept secret' },
    { page: path },
  );
  const text = await answer.text();
  assert.equal(answer.status, 409);
  assert.match(text, /SVC-AUTH-009/);
  assert.match(text, /value="alice"/);
  assert.doesNotMatch(text, /kept secret/);
});

test('the secret of a token is shown once, works, and stops working when the token is revoked', async () => {
  const path = '/admin/accounts/-/token';
  const made = await admin.post(path, { name: 'pipeline', role: 'viewer' }, { page: path });
  assert.equal(made.status, 303);
  const text = await (await admin.get(made.headers.get('location')!)).text();
  assert.match(parseStrictHtml(text, path).prose, /the only page that shows the secret/);
  const secret = /svc_[A-Za-z0-9_-]+/.exec(text)?.[0];
  assert.ok(secret);
  const ask = () => server.fetch('/api/v1/status', { headers: { authorization: `Bearer ${secret}` } });
  assert.equal((await ask()).status, 200);
  assert.doesNotMatch(await (await admin.get('/admin/accounts')).text(), new RegExp(secret));
  const revoke = '/admin/accounts/-/tokens/pipeline/revoke';
  assert.match(await proseOf(revoke), /cannot be undone/);
  assert.equal((await admin.post(revoke, {}, { page: revoke })).status, 303);
  assert.equal((await ask()).status, 401);
  assert.match(await proseOf('/admin/accounts'), /revoked/);
  const listed = await (await admin.get('/admin/accounts')).text();
  assert.match(listed, /<a href="\/history\?actor=%22token%3Apipeline%22"/, 'also a revoked one');
});

test('the store shows its check, its quarantine and what it holds; a wrong word empties nothing', async () => {
  const prose = await proseOf('/admin/store');
  for (const part of [
    /61\s?% read/,
    /Sound\s*No file of the store is damaged\s*The damaged content of the last pass has come again/,
    /1 file, 2\sKiB/,
    /shop\/web:1\.4\.0/,
    /The store is empty/,
  ])
    assert.match(prose, part);
  const path = '/admin/store/reset';
  const before = server.store.mediaId;
  const wrong = await admin.post(path, { confirmation: 'reset' }, { page: '/admin/store' });
  assert.match(await wrong.text(), /SVC-STO-006/);
  assert.equal(server.store.mediaId, before);
  const done = await admin.post(path, { confirmation: 'RESET' }, { page: '/admin/store' });
  assert.equal(done.status, 303, await done.text());
  assert.notEqual(server.store.mediaId, before);
});

test('after a pass without a finding, the store says when the damaged file in quarantine was found, or that one is missing', async () => {
  await using own = await openTempFolder();
  const image = buildImage('lost');
  const { digest: layer, size } = image.blobs.at(-1)!.descriptor;
  const at = '2026-01-05T05:00:00Z';
  let kept: ScrubView['quarantine'] = { files: 0, bytes: 0 };
  await using local = await startTestServer({
    folder: own.path,
    retriever: () => ({
      mode: 'passthrough',
      ...{ substitutions: [], relaxedScopes: [], anonymousFilesets: [], prune: true },
      scrub: {
        enabled: true,
        last: { startedAt: at, finishedAt: at, files: 9, bytes: 100, damaged: 0, findings: [] },
        quarantine: kept,
      },
    }),
  });
  const owner = { provenance: 'recipe', recipe: 'shop@1.0.0' } as const;
  await pushArtifact(openRepository(local.store, 'shop/web', { owner }), image, 'v1');
  await damageFile(join(local.store.root, 'blobs', ...layer.split(':')), 7);
  assert.equal((await quarantine(local.store, [{ digest: layer }])).length, 1);
  await local.accounts.create({ name: 'alice', role: 'admin', password: 'a good password' });
  const session = openBrowserSession(local);
  await session.signIn('alice', 'a good password');
  const textOf = async (language: string) =>
    toPageText(await (await session.get('/admin/store', { 'accept-language': language })).text());
  assert.match(await textOf('en'), /This pass found nothing; 1 file is missing or damaged now/);
  kept = { files: 1, bytes: size, lastAt: '2026-01-03T03:00:00Z' };
  assert.match(
    await textOf('en'),
    /This pass found nothing; 1 file found damaged on 3 Jan 2026 is in quarantine/,
  );
  assert.match(
    await textOf('fr'),
    /Ce passage n’a rien trouvé ; 1 fichier trouvé endommagé le 3 janv\. 2026 est en quarantaine/,
  );
});

test('the interval is set and returned to the configured one', async () => {
  const page = '/admin/retriever';
  const prose = await proseOf(page);
  assert.match(prose, /admits unsigned recipes/);
  assert.doesNotMatch(prose, /Return to the configured interval/);
  const set = await admin.post('/admin/retriever/interval', { interval: '6h' }, { page });
  assert.equal(set.status, 303, await set.text());
  assert.match(await proseOf(page), /overridden here/);
  const wrong = await admin.post('/admin/retriever/interval', { interval: '1s' }, { page });
  const text = await wrong.text();
  assert.match(text, /SVC-VAL-001/);
  assert.match(text, /aria-invalid="true"/);
  assert.equal((await admin.post('/admin/retriever/interval/clear', {}, { page })).status, 303);
  assert.doesNotMatch(await proseOf(page), /overridden here/);
});

test('the network page of a listener without TLS says which setting turns it on', async () => {
  const prose = await proseOf('/admin/network');
  assert.match(prose, /server\.tls\.enabled/);
  assert.match(prose, /connections are direct/);
});

test('the cap and the windows are set, explained where they are wrong, and returned to the configuration', async () => {
  const page = '/admin/network';
  assert.doesNotMatch(await proseOf(page), /Return to the configuration/);
  const capped = await admin.post(`${page}/rate-limit`, { rateLimit: '2MiB' }, { page });
  assert.equal(capped.status, 303, await capped.text());
  const set = await admin.post(
    `${page}/windows`,
    { windows: '22:00-06:00\r\n12:00-13:00', timeZone: 'Europe/Paris' },
    { page },
  );
  assert.equal(set.status, 303, await set.text());
  const prose = await proseOf(page);
  assert.match(prose, /In effect set here/);
  assert.match(prose, /transfers (?:run|wait) until /);
  assert.match(await proseOf('/'), /at most 2\sMiB a second · transfers run 22:00-06:00, 12:00-13:00/);
  for (const [path, fields, rule] of [
    ['rate-limit', { rateLimit: '8Mbit' }, /bytes, not bits/],
    ['windows', { windows: '22-6' }, /must be HH:MM-HH:MM/],
  ] as const) {
    const wrong = await admin.post(`${page}/${path}`, fields, { page });
    const text = await wrong.text();
    assert.match(text, /SVC-VAL-001/);
    assert.match(text, rule);
    assert.match(text, /aria-invalid="true"/);
  }
  for (const path of ['rate-limit', 'windows'])
    assert.equal((await admin.post(`${page}/${path}/clear`, {}, { page })).status, 303);
  assert.doesNotMatch(await proseOf(page), /set here/);
  assert.doesNotMatch(await proseOf('/'), /at most/);
});

test('a form that was made from another value than the present one changes nothing', async () => {
  await server.accounts.create({ name: 'otto', role: 'viewer', password: 'first password' });
  const other = openBrowserSession(server);
  await other.signIn('alice', 'a good password');
  const [account, link] = ['/admin/accounts/otto', '/admin/network'];
  const scenes = [
    [account, account, 'role', 'operator', 'admin'],
    [account, account, 'password', 'second password', 'third password'],
    ['/admin/retriever', '/admin/retriever/interval', 'interval', '5h17m', '7h23m'],
    [link, `${link}/rate-limit`, 'rateLimit', '3MiB', '9MiB'],
    [link, `${link}/windows`, 'windows', '01:00-02:00', '03:00-04:00'],
  ] as const;
  for (const [page, action, field, first, second] of scenes) {
    const shown = async () => fingerprintOf(await (await admin.get(page)).text(), action)!;
    const stale = await shown();
    const send = (fingerprint: string) => admin.post(action, { [field]: second, fingerprint }, { page });
    assert.equal((await other.post(action, { [field]: first }, { page })).status, 303, field);
    const refused = await send(stale);
    assert.equal(refused.status, 409, field);
    const text = await refused.text();
    assert.match(text, /SVC-SRV-007/);
    // the field has the present value, and no longer the typed one
    const given = field === 'role' ? ['operator" selected', 'admin" selected'] : [first, second];
    assert.equal(text.includes(given[0]!), field !== 'password', field);
    assert.ok(!text.includes(given[1]!), field);
    assert.equal((await send('')).status, 409, `${field} without a fingerprint`);
    // the page that refused is the one to confirm on
    assert.equal(fingerprintOf(text, action), await shown());
    if (field === 'password') continue;
    assert.equal((await send(await shown())).status, 303, field);
  }
  assert.equal(await roleOf('otto'), 'admin');
  await openBrowserSession(server).signIn('otto', 'second password');
  await server.accounts.delete('otto');
  for (const path of ['/admin/retriever/interval', `${link}/rate-limit`, `${link}/windows`]) {
    const page = path.startsWith(link) ? link : '/admin/retriever';
    assert.equal((await admin.post(`${path}/clear`, {}, { page })).status, 303);
  }
});

test('a fingerprint that is given twice is refused, as every other field', async () => {
  await server.accounts.create({ name: 'otto', role: 'viewer', password: 'first password' });
  const [account, link] = ['/admin/accounts/otto', '/admin/network'];
  for (const [page, action, field, value] of [
    [account, account, 'role', 'operator'],
    [link, `${link}/rate-limit`, 'rateLimit', '3MiB'],
  ] as const) {
    const text = await (await admin.get(page)).text();
    const fingerprint = fingerprintOf(text, action)!;
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)![1]!;
    const cookie = [...admin.cookies].map((pair) => pair.join('=')).join('; ');
    const send = (twice: readonly string[]) =>
      fetch(`${server.url}${action}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie, 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams([
          ['csrf', csrf],
          [field, value],
          ...twice.map((each): [string, string] => ['fingerprint', each]),
        ]),
      });
    const refused = await send([fingerprint, 'sha256:other']);
    assert.equal(refused.status, 422, action);
    assert.match(toPageText(await refused.text()), /The value “fingerprint” of the form must be given once/);
    const { outcome } = server.report.audits.at(-1)!;
    assert.notEqual(outcome, 'success');
    assert.equal((await send([fingerprint])).status, 303, action);
  }
  await server.accounts.delete('otto');
  assert.equal((await admin.post(`${link}/rate-limit/clear`, {}, { page: link })).status, 303);
});

test('the substitutions in force are shown with the base that is contacted in place of each host', async () => {
  const text = toPageText(await (await admin.get('/admin/retriever')).text());
  assert.match(
    text,
    /Source substitutions .*Origin host Contacted in its place docker\.io zone-a\.example\//,
  );
  const { substitutions } = (await (await server.fetch('/api/v1/retriever')).json()) as {
    substitutions: readonly { readonly host: string }[];
  };
  assert.deepEqual(
    substitutions.map(({ host }) => host),
    ['docker.io'],
  );
});

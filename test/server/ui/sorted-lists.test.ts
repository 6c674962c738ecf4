import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Operations } from '../../../server/operations.ts';
import { toSubject, toZoneFile, writeReceipt } from '../../../src/attest/receipt.ts';
import type { Account, Token } from '../../../src/contract/access.ts';
import type { Fileset } from '../../../src/contract/fileset.ts';
import type { ReceiptSummary } from '../../../src/contract/receipt.ts';
import type { TaskItem } from '../../../src/contract/task.ts';
import type { ZoneBoard } from '../../../src/contract/zone-board.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { toFilesetImage, toLayer } from '../../kit/content/fileset-image.ts';
import { putFileset } from '../../kit/content/put-fileset.ts';
import { toReceipt } from '../../kit/content/receipt.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { toArchive } from '../../kit/content/tar-archive.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { showcaseZoneSettings, showcaseZones } from '../../kit/showcase/zones.ts';
import { type BrowserSession, openBrowserSession } from '../../kit/web/browser-session.ts';
import { toPageText } from '../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../kit/web/strict-html.ts';

/** Names in other scripts, in an order that is neither theirs nor that of their other values. */
const zones = ['zone-m', '区域-乙', 'منطقة-أ', 'zone-a'] as const;

const at = (second: number): string => `2026-03-01T12:00:0${second}.000Z`;
/** Items of a task; one is pushed, and has no size of its own, and one is skipped when the task ends. */
const items: readonly TaskItem[] = [
  { name: 'shop/web', status: 'done', sizeBytes: 300, transferredBytes: 300, finishedAt: at(3) },
  { name: '区域/镜像', status: 'failed', sizeBytes: 500, transferredBytes: 9, finishedAt: at(1) },
  { name: 'منطقة/صورة', status: 'pending', sizeBytes: 20, transferredBytes: 0 },
  { name: 'shop/api', status: 'done', transferredBytes: 400, finishedAt: at(5) },
  { name: 'base', status: 'failed', sizeBytes: 100, transferredBytes: 0, finishedAt: at(2) },
];

let folder: TempFolder;
let server: TestServer;
let admin: BrowserSession;
/** Zones whose boards were read since the last look. */
let read: readonly string[] = [];

before(async () => {
  folder = await openTempFolder();
  const { path } = folder;
  const keys = zones.map((name, i) => ({ name, signer: createSigner(), keyFile: join(path, `${i}.pub`) }));
  for (const { keyFile, signer } of keys) await writeFile(keyFile, signer.publicKeyPem);
  const readZoneBoards: Operations['readZoneBoards'] = async (_context, { zones: asked }) => {
    read = asked.map(({ name }) => name);
    return asked.flatMap(({ name }) => showcaseZones.find((board) => board.name === name) ?? []);
  };
  server = await startTestServer({
    folder: folder.path,
    peers: keys.map(({ name, keyFile }) => ({ name, keyFile, for: ['receipt'] })),
    zones: showcaseZoneSettings,
    operations: { readZoneBoards },
    run: async (_task, _request, journal) => {
      journal.setItems(items);
      await journal.settleItems(items);
    },
  });
  const { accounts, store } = server;
  await accounts.create({ name: 'Zoe', role: 'viewer', password: 'a good password' });
  await accounts.create({ name: 'ana', role: 'operator', password: 'a good password' });
  for (const [name, role] of [
    ['night', 'operator'],
    ['day', 'viewer'],
    ['gone', 'admin'],
    ['early', 'viewer'],
  ] as const)
    await accounts.tokens.create({ name, role });
  await accounts.tokens.revoke('gone');
  await accounts.tokens.revoke('early');
  const image = toFilesetImage([toLayer(toArchive({ text: 'text' }))]);
  for (const [name, count] of [
    ['os/manuals', 2],
    ['debian', 3],
    ['a/zypper', 1],
  ] as const)
    for (let i = 0; i < count; i += 1) await putFileset(store, name, image, `1.${9 + i}.0`);
  for (const [i, { name: zone, signer }] of keys.entries()) {
    const receipt = toReceipt({
      zone,
      sequence: [7, 9, 3, 8][i]!,
      issuedAt: `2026-03-0${[2, 1, 4, 3][i]}T12:00:00.000Z`,
      evidence: i % 2 === 0 ? 'head' : 'deep',
      recipes: toReceipt({ recipes: 4 }).recipes.map((recipe, place) => ({
        ...recipe,
        state: place < [0, 3, 1, 2][i]! ? 'incomplete' : 'present',
      })),
    });
    const text = writeReceipt(receipt, [toSubject(toZoneFile(zone))], toSigner(signer.privateKey));
    const answer = await server.fetch('/api/v1/receipts', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ receipt: text.toString() }),
    });
    assert.equal(answer.status, 200, await answer.text());
  }
  admin = openBrowserSession(server);
  await admin.signIn('admin', 'admin password');
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

interface Heading {
  readonly link: string;
  readonly direction: string | undefined;
}

/** The headings of a table by the key that they order by, and the first cell of each row. */
async function readTable(path: string, section: string) {
  const answer = await admin.get(path);
  const markup = await answer.text();
  assert.equal(answer.status, 200, markup);
  parseStrictHtml(markup, path);
  const [, shown = ''] = new RegExp(`<section class="section" id="${section}"([\\s\\S]*?)</section>`).exec(
    markup,
  )!;
  const headings = new Map<string, Heading>();
  for (const [, attributes, link] of shown.matchAll(
    /<th scope="col"([^>]*)><a class="sort" href="([^"]*)"/g,
  )) {
    const to = link!.replaceAll('&amp;', '&');
    const search = new URL(to, 'http://x').searchParams;
    const key = search.get(`${section}-sort`) ?? search.get('sort')!;
    headings.set(key, { link: to, direction: /aria-sort="(\w+)"/.exec(attributes!)?.[1] });
  }
  const rows = [...shown.matchAll(/<tr><th scope="row"[^>]*>([\s\S]*?)<\/th>/g)].map(([, cell]) =>
    toPageText(cell!).trim(),
  );
  return { headings, rows };
}

interface List<T> {
  readonly path: string;
  readonly section: string;
  /** Path and member of the answer of the API. */
  readonly api: readonly [path: string, member: string];
  /** The name of a row, as its first cell begins. */
  readonly name: (row: T) => string;
  /** The value of a row for each key, the default first. */
  readonly values: Readonly<Record<string, (row: T) => string | number | undefined>>;
  /** Keys from the least to the largest unless told. */
  readonly rising: readonly string[];
}

/** Compares page, API and their own order of the rows by each key in each direction. */
async function judge<T>({
  path,
  section,
  api: [apiPath, member],
  name,
  values,
  rising,
}: List<T>): Promise<void> {
  const ask = async (search: string): Promise<readonly T[]> => {
    const answer = await server.fetch(`/api/v1${apiPath}?${search}`);
    assert.equal(answer.status, 200, await answer.clone().text());
    return ((await answer.json()) as any)[member];
  };
  const all = await ask('');
  const [first] = Object.keys(values) as [string];
  const expect = (key: string, order: string): readonly string[] => {
    const of = (row: T, by: string) => values[by]!(row);
    const compare = (a: T, b: T, by: string): number => {
      const [one, other] = [of(a, by), of(b, by)];
      return one === other ? 0 : one === undefined ? 1 : other === undefined ? -1 : one < other ? -1 : 1;
    };
    const isAbsent = (row: T) => of(row, key) === undefined;
    const present = all.filter((row) => !isAbsent(row));
    const sign = order === 'asc' ? 1 : -1;
    const sorted = present.toSorted((a, b) => sign * compare(a, b, key) || compare(a, b, first));
    return [...sorted, ...all.filter(isAbsent).toSorted((a, b) => compare(a, b, first))].map(name);
  };
  const start = await readTable(path, section);
  for (const key of Object.keys(values)) {
    if (!start.headings.has(key)) continue;
    let { link } = start.headings.get(key)!;
    const natural = rising.includes(key) ? 'asc' : 'desc';
    const turned = natural === 'asc' ? 'desc' : 'asc';
    // the heading of the order that is shown already turns it round
    const isShown = start.headings.get(key)!.direction !== undefined;
    const turns = isShown ? [turned, natural] : [natural, turned];
    for (const order of turns) {
      const { headings, rows } = await readTable(link, section);
      const wanted = expect(key, order);
      assert.ok(new Set(wanted).size > 2, key);
      assert.deepEqual(
        rows.map((row, i) => (row.startsWith(wanted[i]!) ? wanted[i] : row)),
        wanted,
        `${link}`,
      );
      assert.deepEqual((await ask(`sort=${key}&order=${order}`)).map(name), wanted, key);
      for (const [other, { direction }] of headings)
        assert.equal(direction, other === key ? `${order}ending` : undefined, `${link}: ${other}`);
      link = headings.get(key)!.link;
    }
    assert.deepEqual((await ask(`sort=${key}`)).map(name), expect(key, natural), key);
  }
  const keys = [...start.headings.keys()].toSorted();
  assert.deepEqual(
    keys,
    Object.keys(values)
      .filter((key) => key !== 'configured')
      .toSorted(),
  );
}

test('accounts are ordered by each column', () =>
  judge<Account>({
    path: '/admin/accounts',
    section: 'accounts',
    api: ['/accounts', 'accounts'],
    name: ({ name }) => name,
    values: {
      name: ({ name }) => name,
      role: ({ role }) => role,
      created: ({ createdAt }) => createdAt,
      login: ({ lastLoginAt }) => lastLoginAt,
    },
    rising: ['name', 'role'],
  }));

test('tokens are ordered by each column, the valid ones before the revoked ones', async () => {
  await judge<Token>({
    path: '/admin/accounts',
    section: 'tokens',
    api: ['/tokens', 'tokens'],
    name: ({ name }) => name,
    values: {
      name: ({ name }) => name,
      role: ({ role }) => role,
      created: ({ createdAt }) => createdAt,
      used: ({ lastUsedOn }) => lastUsedOn,
      state: ({ revokedAt = '' }) => revokedAt,
    },
    rising: ['name', 'role', 'state'],
  });
  const { rows } = await readTable('/admin/accounts?tokens-sort=state', 'tokens');
  assert.deepEqual(rows.slice(-2), ['gone', 'early']);
});

test('each list of a page keeps the order of the other, and the second one its place on the page', async () => {
  const path = '/admin/accounts?sort=role&order=desc&tokens-sort=state';
  const accounts = await readTable(path, 'accounts');
  const tokens = await readTable(path, 'tokens');
  assert.equal(accounts.headings.get('role')!.direction, 'descending');
  assert.equal(tokens.headings.get('state')!.direction, 'ascending');
  const link = tokens.headings.get('created')!.link;
  assert.match(
    link,
    /^\/admin\/accounts\?sort=role&order=desc&tokens-sort=created&tokens-order=desc#tokens$/,
  );
  assert.match(accounts.headings.get('name')!.link, /\?sort=name&order=asc&tokens-sort=state$/);
});

test('receipts are ordered by each column', () =>
  judge<ReceiptSummary>({
    path: '/receipts',
    section: 'list',
    api: ['/receipts', 'receipts'],
    name: ({ zone }) => zone,
    values: {
      zone: ({ zone }) => zone,
      sequence: ({ sequence }) => sequence,
      issued: ({ issuedAt }) => issuedAt,
      evidence: ({ evidence }) => evidence,
      recipes: ({ recipes }) => recipes.incomplete + recipes.blocked,
    },
    rising: ['zone', 'evidence'],
  }));

test('zones are ordered by each column, and only the order of what boards say reads all of them', async () => {
  const places = showcaseZoneSettings.map(({ name }) => name);
  await judge<ZoneBoard>({
    path: '/zones',
    section: 'list',
    api: ['/zones', 'zones'],
    name: ({ name }) => name,
    values: {
      configured: ({ name }) => places.indexOf(name),
      name: ({ name }) => name,
      recipes: ({ recipes, totals }) => recipes.length - totals.current,
      receipt: ({ receipt }) => receipt?.issuedAt,
      deliveries: ({ deliveries }) => deliveries.length,
      resolved: ({ wanted }) => wanted.resolvedAt,
    },
    rising: ['configured', 'name'],
  });
  await readTable('/zones?pageSize=1&sort=name&order=desc', 'list');
  assert.deepEqual(read, places.toSorted().reverse().slice(0, 1));
  const { headings } = await readTable('/zones?q=zone&pageSize=1&page=2&sort=receipt', 'list');
  assert.equal(read.length, places.length);
  assert.equal(headings.get('name')!.link, '/zones?q=zone&pageSize=1&sort=name&order=asc');
});

test('FileSets that are not served are ordered by each column', () =>
  judge<Fileset>({
    path: '/filesets',
    section: 'others',
    api: ['/filesets', 'filesets'],
    name: ({ name }) => name,
    values: {
      repository: ({ repository }) => repository,
      name: ({ name }) => name,
      versions: ({ versions }) => versions.length,
    },
    rising: ['repository', 'name'],
  }));

test('a FileSet that is not served leads to its newest versions first', async () => {
  const text = toPageText(await (await admin.get('/filesets')).text());
  assert.match(text, /localhost\/filesets\/debian\s+1\.11\.0\s+1\.10\.0\s+1\.9\.0\s/);
});

test('items of a task are ordered by each column, and a filter by state keeps the order', async () => {
  const { id } = await server.tasks.submit({
    type: 'sync',
    reference: 'https://registry.example/zone-b.yaml',
    actor: 'alice',
  });
  await server.tasks.settled(id);
  const path = `/tasks/${id}`;
  const rowsOf = async (search: string): Promise<readonly number[]> => {
    const { rows } = await readTable(`${path}${search}`, 'items');
    return rows.map((row) => items.findIndex(({ name }) => row.startsWith(name)));
  };
  assert.deepEqual(await rowsOf(''), [1, 4, 2, 0, 3]);
  for (const [key, least] of [
    ['state', [1, 4, 2, 0, 3]],
    ['name', [4, 3, 0, 2, 1]],
    ['bytes', [2, 4, 0, 3, 1]],
  ] as const) {
    assert.deepEqual(await rowsOf(`?sort=${key}&order=asc`), least, key);
    const turned = key === 'state' ? [0, 3, 2, 1, 4] : least.toReversed();
    assert.deepEqual(await rowsOf(`?sort=${key}&order=desc`), turned, key);
  }
  // an item that never began comes last in either direction
  assert.deepEqual(await rowsOf('?sort=finished'), [3, 0, 4, 1, 2]);
  assert.deepEqual(await rowsOf('?sort=finished&order=asc'), [1, 4, 0, 3, 2]);
  const { headings } = await readTable(`${path}?state=failed`, 'items');
  assert.deepEqual([...headings.keys()].toSorted(), ['bytes', 'finished', 'name', 'state']);
  assert.equal(headings.get('state')!.direction, 'ascending');
  assert.deepEqual(await rowsOf(headings.get('bytes')!.link.slice(path.length)), [1, 4]);
  const text = await (await admin.get(`${path}?sort=bytes`)).text();
  assert.match(text, new RegExp(`href="${path}\\?state=failed&amp;sort=bytes"`));
});

test('an unknown key is refused by the page and by the API', async () => {
  for (const path of ['/admin/accounts?sort=size', '/admin/accounts?tokens-sort=login', '/receipts?order=up'])
    assert.equal((await admin.get(path)).status, 422, path);
  for (const path of ['/accounts?sort=size', '/tokens?sort=login', '/filesets?sort=zone', '/zones?sort=zone'])
    assert.equal((await server.fetch(`/api/v1${path}`)).status, 422, path);
  const say = async (language: string): Promise<string> =>
    toPageText(await (await admin.get('/zones?sort=size', { 'accept-language': language })).text());
  assert.match(
    await say('en'),
    /The parameter “sort” of the address must be one of configured, urgency, name/,
  );
  const french = await say('fr');
  assert.match(french, /Le paramètre «\s*sort\s*» de l’adresse doit être l’un de/);
  assert.doesNotMatch(french, /query/);
});

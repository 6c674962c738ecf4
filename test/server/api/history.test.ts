import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import type { HistoryPage } from '../../../src/contract/history.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { writeAudit } from '../../kit/scene/audit-records.ts';

let folder: TempFolder;
let server: TestServer;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path });
  await writeAudit(join(folder.path, 'state'));
});

after(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function ask(query: ConstructorParameters<typeof URLSearchParams>[0] = {}): Promise<HistoryPage> {
  const answer = await server.fetch(`/api/v1/history?${new URLSearchParams(query)}`);
  assert.equal(answer.status, 200);
  return (await answer.json()) as HistoryPage;
}

/** The name of a download: of the site, here the address of the instance, and of the day. */
const nameOf = (form: string): RegExp =>
  new RegExp(`^attachment; filename="history-127\\.0\\.0\\.1_\\d+-\\d{4}-\\d\\d-\\d\\d\\.${form}"$`);

const targetsOf = ({ records }: HistoryPage): unknown[] => records.map(({ target }) => target);

test('the history has the newest record first, and its members', async () => {
  const { records, next, keep } = await ask();
  assert.equal(records.length, 5);
  assert.deepEqual([next, keep], [undefined, 64 << 20]);
  assert.deepEqual(records[1], {
    ts: '2026-07-04T08:00:00.000Z',
    actor: 'token:ci',
    action: 'content.push',
    target: 'library/app:1.0',
    outcome: 'success',
    origin: '192.0.2.9',
    taskId: 'tsk_0123456789ab',
    details: { digest: `sha256:${'ab'.repeat(32)}` },
  });
});

test('each filter narrows the history, and several narrow it together', async () => {
  const cases: readonly (readonly [Record<string, string>, readonly string[]])[] = [
    [{ actor: 'ANA' }, ['library/app:1.0', 'bo']],
    [{ subject: 'library/app' }, ['library/app:1.0', 'library/app:1.0']],
    [{ subject: `sha256:${'AB'.repeat(8)}` }, ['library/app:1.0']],
    [{ subject: 'tsk_0123' }, ['library/app:1.0']],
    [{ subject: '\u202e' }, ['=1+1\u202e']],
    [{ action: 'account.create' }, ['bo']],
    [{ action: 'accounts' }, ['bo']],
    [{ action: 'content' }, ['library/app:1.0', 'library/app:1.0']],
    [{ action: 'settings' }, []],
    [{ outcome: 'denied' }, ['=1+1\u202e']],
    [{ from: '2026-07-04' }, ['library/app:1.0', 'library/app:1.0']],
    [{ to: '2026-07-02' }, ['=1+1\u202e', 'bo']],
    [{ from: '2026-07-03T10:00:00Z', to: '2026-07-03T10:00:00Z' }, ['https://svc.example']],
    [{ actor: 'ana', subject: 'app' }, ['library/app:1.0']],
    [{ actor: 'nobody' }, []],
    [{ actor: 'AN' }, ['library/app:1.0', 'bo']],
    [{ actor: '"an"' }, []],
    [{ actor: '"Ana"' }, ['library/app:1.0', 'bo']],
    [{ actor: 'ci' }, ['library/app:1.0']],
    // the name that a refused sign-in tried
    [{ actor: '=1+1' }, ['=1+1\u202e']],
  ];
  for (const [query, expected] of cases)
    assert.deepEqual(targetsOf(await ask(query)), expected, JSON.stringify(query));
});

test('several outcomes select the records of each', async () => {
  const outcomes = async (...wanted: readonly string[]) =>
    targetsOf(await ask(wanted.map((one): [string, string] => ['outcome', one]))).length;
  assert.deepEqual(
    [await outcomes('denied', 'failure'), await outcomes('denied', 'success'), await outcomes('open')],
    [1, 5, 0],
  );
});

test('pages of one record, across files, are the whole history once', async () => {
  const seen: unknown[] = [];
  let cursor: string | undefined;
  do {
    const page = await ask({ pageSize: '1', ...(cursor === undefined ? {} : { cursor }) });
    assert.ok(page.records.length <= 1);
    seen.push(...page.records);
    cursor = page.next;
  } while (cursor !== undefined && seen.length < 100);
  assert.deepEqual(seen, (await ask()).records);
});

test('a wrong filter is refused, and viewers and operators see nothing', async () => {
  for (const query of [
    'from=yesterday',
    'to=2026-13-01',
    'from=2026-07-02&to=2026-07-01',
    'action=nothing',
    'cursor=x',
    'outcome=good',
  ])
    assert.equal((await server.fetch(`/api/v1/history?${query}`)).status, 422, query);
  for (const role of ['viewer', 'operator'] as const) {
    const answer = await server.fetch('/api/v1/history', { headers: { authorization: server.as[role] } });
    assert.equal(answer.status, 403);
  }
});

test('the table has every selected record, and no cell that a program runs as a formula', async () => {
  const answer = await server.fetch('/api/v1/history?format=csv&to=2026-07-02');
  assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.match(answer.headers.get('content-disposition')!, nameOf('csv'));
  const kept = await readFile(join(folder.path, 'state', 'audit', '00000001.jsonl'), 'utf8');
  /** Identifier, hash and address of the line with a text; audit records have no line of the ledger. */
  const proofOf = (text: string): string => {
    const line = `${kept.split('\n').find((one) => one.includes(text))}\n`;
    const id = `a1-${Buffer.byteLength(kept.slice(0, kept.indexOf(line))) + Buffer.byteLength(line) + 1}`;
    return `${id},${hashBytes(line)},/history/${id},`;
  };
  assert.equal(
    await answer.text(),
    'time,actor,action,target,outcome,origin,task,run,details,id,sha256,address,ledgerLine\r\n' +
      `2026-07-02T23:59:59.999Z,unauthenticated,auth.authenticate,'=1+1\\u202e,denied,192.0.2.66,,,"{""reason"":""throttled, again""}",${proofOf('=1+1')}\r\n` +
      `2026-07-01T08:00:00.000Z,ana,account.create,bo,success,,,,,${proofOf('"bo"')}\r\n`,
  );
});

test('both downloads have every record of a long history that the filter selects', async () => {
  const path = join(folder.path, 'state', 'audit', '00000009.jsonl');
  const record = { ts: '2026-07-06T08:00:00.000Z', level: 'info', msg: '', logType: 'audit', actor: 'bo' };
  const many = Array.from({ length: 2345 }, (_, i) => ({
    ...record,
    action: 'content.push',
    target: `library/app:${i}`,
    outcome: i % 2 === 0 ? 'success' : 'failure',
    note: 'line\nof two',
  }));
  await writeFile(path, many.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const pages: HistoryPage['records'][number][] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const place: Record<string, string> = cursor === '' ? {} : { cursor };
    const page = await ask({ ...place, actor: 'bo', outcome: 'failure', pageSize: '200' });
    pages.push(...page.records);
    cursor = page.next;
  }
  assert.equal(pages.length, 1172);
  const answer = await server.fetch('/api/v1/history?format=jsonl&actor=bo&outcome=failure');
  assert.equal(answer.headers.get('content-type'), 'application/x-ndjson');
  assert.match(answer.headers.get('content-disposition')!, nameOf('jsonl'));
  const lines = (await answer.text()).split('\n');
  assert.equal(lines.pop(), '');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    pages,
  );
  const csv = await (await server.fetch('/api/v1/history?format=csv&actor=bo&outcome=failure')).text();
  assert.equal(csv.trim().split('\r\n').length, 1173);
  // a cursor goes on where its page ended
  const { next } = await ask({ actor: 'bo', outcome: 'failure', pageSize: '172' });
  const rest = await server.fetch(`/api/v1/history?format=jsonl&actor=bo&outcome=failure&cursor=${next}`);
  assert.equal((await rest.text()).split('\n').length - 1, 1000);
  await rm(path);
});

test('the download of a client that leaves ends with it', async () => {
  const path = join(folder.path, 'state', 'audit', '00000009.jsonl');
  const line = JSON.stringify({
    ...{ ts: '2026-07-06T08:00:00.000Z', level: 'info', msg: '', logType: 'audit', actor: 'bo' },
    ...{ action: 'content.push', target: 'library/app', outcome: 'success', note: 'x'.repeat(8000) },
  });
  // more than the buffers of a connection take
  await writeFile(path, `${line}\n`.repeat(4000));
  const countEnded = async (): Promise<number> =>
    (await (await server.fetch('/metrics')).text())
      .split('\n')
      .filter((one) => one.startsWith('svc_http_requests_total') && one.includes('"499"'))
      .reduce((sum, one) => sum + Number(one.split(' ').at(-1)), 0);
  const before = await countEnded();
  for (const format of ['jsonl', 'csv']) {
    const leaving = new AbortController();
    const answer = await server.fetch(`/api/v1/history?format=${format}`, { signal: leaving.signal });
    const { value } = await answer.body!.getReader().read();
    assert.ok(value!.length > 0);
    leaving.abort();
  }
  while ((await countEnded()) < before + 2);
  assert.deepEqual(
    server.report.records.filter(({ level }) => level === 'error'),
    [],
  );
  await rm(path);
});

test('lost records are a line of their own, under every filter but a time, and in the table', async () => {
  const kept = join(folder.path, 'state', 'audit');
  const loss = {
    ts: '2026-07-06T08:00:00.000Z',
    level: 'warn',
    msg: 'Records could not be written here',
    records: 3,
  };
  const path = join(kept, '00000009.jsonl');
  await writeFile(
    path,
    `${JSON.stringify(loss)}\n${JSON.stringify({ ...loss, since: '2026-07-05T08:00:00.000Z' })}\n`,
  );
  const { records } = await ask({ actor: 'nobody' });
  assert.deepEqual(
    records.map(({ action, details }) => [action, details]),
    [
      ['audit.lost', { records: 3, since: '2026-07-05T08:00:00.000Z' }],
      ['audit.lost', { records: 3 }],
    ],
  );
  assert.equal((await ask({ to: '2026-07-05', action: 'audit.lost' })).records.length, 1);
  const csv = await (await server.fetch('/api/v1/history?format=csv&action=audit.lost')).text();
  assert.match(
    csv,
    /,audit\.lost,3 records lost between 2026-07-05T08:00:00\.000Z and 2026-07-06T08:00:00\.000Z,failure,/,
  );
  assert.match(csv, /,audit\.lost,3 records lost before 2026-07-06T08:00:00\.000Z,failure,/);
  await rm(path);
});

test('a delivery is found under the names of its media too', async () => {
  const path = join(folder.path, 'state', 'audit', '00000009.jsonl');
  const record = { ts: '2026-07-06T08:00:00.000Z', level: 'info', msg: '', logType: 'audit', actor: 'ana' };
  const media = ['dlv-48d77967b98f-2', 'dlv-48d77967b98e-2'].map((mediaId) => ({
    ...record,
    action: 'media.verify',
    target: '/mnt',
    outcome: 'success',
    mediaId,
  }));
  await writeFile(path, media.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const { records } = await ask({ subject: 'dlv_48d77967b98f' });
  assert.deepEqual(
    records.map(({ details }) => details.mediaId),
    ['dlv-48d77967b98f-2'],
  );
  await rm(path);
});

test('lines that are no whole audit record are passed over', async () => {
  const kept = join(folder.path, 'state', 'audit');
  const newest = join(kept, (await readdir(kept)).sort().at(-1)!);
  const before = await ask();
  const lines = ['', '{"ts":"2026-07-05T', 'null', '[]', '{"logType":"audit"}', 'x'.repeat(300_000), '{"ts"'];
  await appendFile(newest, lines.join('\n'));
  assert.deepEqual((await ask()).records, before.records);
});

test('a history without records is empty', async () => {
  const kept = join(folder.path, 'state', 'audit');
  await rm(kept, { recursive: true });
  assert.deepEqual(await ask(), { records: [], keep: 64 << 20 });
  await mkdir(kept);
  assert.deepEqual(await ask({ cursor: '7-100' }), { records: [], keep: 64 << 20 });
});

test('the changes are all records but sign-ins and requests', async () => {
  const path = join(folder.path, 'state', 'audit', '00000011.jsonl');
  const record = { ts: '2026-07-07T08:00:00.000Z', logType: 'audit', actor: 'zoe', outcome: 'success' };
  const kept = ['session.login', 'content.delete', 'ui.access', 'account.create'];
  await writeFile(
    path,
    kept.map((action) => `${JSON.stringify({ ...record, action, target: 'x' })}\n`).join(''),
  );
  const actionsOf = async (query: Record<string, string>): Promise<readonly string[]> =>
    (await ask({ actor: 'zoe', order: 'asc', ...query })).records.map(({ action }) => action);
  assert.deepEqual(await actionsOf({}), kept);
  assert.deepEqual(await actionsOf({ action: 'changes' }), ['content.delete', 'account.create']);
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Places, placeNames } from '../../../src/base/shares/places.ts';
import { resources } from '../../../src/base/shares/resources.ts';
import { writeHistory } from '../../../src/view/history.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';

let folder: TempFolder;
let server: TestServer;
let state: string;
/** Exports that have a place now. */
let held = 0;

const exports = new Places(resources.exports, placeNames.exports, { wait: 300, duration: 60_000 });

before(async () => {
  folder = await openTempFolder();
  state = join(folder.path, 'state');
  await mkdir(join(state, 'audit'), { recursive: true });
  const record = {
    ...{ ts: '2026-07-01T08:00:00.000Z', level: 'info', msg: '', auditSchema: 1, logType: 'audit' },
    ...{ actor: 'ana', action: 'content.delete', outcome: 'success', path: 'p'.repeat(1000) },
  };
  // more than the buffers of a connection hold
  const lines = Array.from(
    { length: 14_000 },
    (_, n) => `${JSON.stringify({ ...record, target: `n${n}` })}\n`,
  );
  await writeFile(join(state, 'audit', '00000001.jsonl'), lines.join(''));
  server = await startTestServer({
    folder: folder.path,
    historyRole: 'operator',
    places: {
      exports: {
        run: (holder, until, work) =>
          exports.run(holder, until, async (signal) => {
            held += 1;
            try {
              return await work(signal);
            } finally {
              held -= 1;
            }
          }),
      },
    },
  });
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

const path = '/api/v1/history?format=csv';

/** A client that reads the head of an export, and nothing more. */
async function openSilent(authorization: string) {
  const sent = request(`${server.url}${path}`, { headers: { authorization }, agent: false }).end();
  sent.on('error', () => {});
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.on('error', () => {}).pause();
  return { status: answer.statusCode, leave: () => sent.destroy() };
}

test('an account has two exports of the history at once; a further one waits, others have theirs', async () => {
  const silent = [await openSilent(server.as.operator), await openSilent(server.as.operator)];
  const refused = await server.fetch(path, { headers: { authorization: server.as.operator } });
  assert.equal(refused.status, 503);
  const { code, detail } = (await refused.json()) as { code: string; detail: string };
  assert.equal(code, 'SVC-SRV-006');
  assert.match(detail, /other exports of the history are being read/);
  // lists are not exports
  const asOperator = { headers: { authorization: server.as.operator } };
  assert.equal((await server.fetch('/api/v1/history', asOperator)).status, 200);
  const other = await openSilent(server.as.admin);
  assert.equal(other.status, 200);
  for (const each of [...silent, other]) each.leave();
  await eventually('the places are free', () => Promise.resolve(held === 0));
  const whole = await server.fetch(path, asOperator);
  assert.equal((await whole.text()).trimEnd().split('\r\n').length, 14_001);
});

test('the head of an export takes no place', async () => {
  for (let n = 0; n < 3; n += 1) assert.equal((await server.fetch(path, { method: 'HEAD' })).status, 200);
  assert.equal(held, 0);
});

test('an export whose client has left reads no further, also within a part', async () => {
  const config = { state: { root: state }, audit: { keep: 1 << 20 } };
  for (const subject of [undefined, 'in no record']) {
    const left = new AbortController();
    const parts = writeHistory(config, { subject }, 'csv', left.signal);
    await parts.next();
    let turns = 0;
    const next = parts.next();
    const leave = (): void => {
      turns += 1;
      if (turns === 3) left.abort();
      else setImmediate(leave);
    };
    setImmediate(leave);
    await assert.rejects(next, { name: 'AbortError' });
    // reading all of it takes hundreds of turns
    assert.equal(turns, 3);
    assert.deepEqual(await parts.next(), { done: true, value: undefined });
  }
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { readBody } from '../../server/body.ts';
import { startTestServer } from '../kit/instance/server.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

/** A body that arrives as the test writes it, and a clock that the test moves. */
function openBody(t: TestContext, headers: Readonly<Record<string, string>> = {}) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const stream = Object.assign(new PassThrough(), { headers });
  const read = readBody(
    stream as unknown as IncomingMessage,
    { headersSent: false } as ServerResponse,
    4 << 20,
    { take: () => {} },
  );
  read.catch(() => {});
  return {
    read,
    stream,
    /** Lets seconds pass one after another, with the events of each. */
    async pass(seconds: number, each: (second: number) => void = () => {}): Promise<void> {
      for (let second = 0; second < seconds && !stream.destroyed; second += 1) {
        each(second);
        await turn();
        t.mock.timers.tick(1000);
        await turn();
      }
    },
  };
}

test('a body of which a byte comes now and then is closed after seconds, however long it announces to be', async (t) => {
  const announced: readonly Readonly<Record<string, string>>[] = [{}, { 'content-length': '1000' }];
  for (const headers of announced) {
    const body = openBody(t, headers);
    await body.pass(19, (second) => second % 5 === 0 && body.stream.write('x'));
    assert.equal(body.stream.destroyed, false);
    await body.pass(1);
    assert.equal(body.stream.destroyed, true);
    await assert.rejects(body.read);
    t.mock.timers.reset();
  }
});

test('a request whose body makes progress is read to its end, and the connection of one that stalls is closed', async (t) => {
  const body = openBody(t);
  await body.pass(120, () => body.stream.write(Buffer.alloc(1100)));
  assert.equal(body.stream.destroyed, false);
  await body.pass(40);
  assert.equal(body.stream.destroyed, true);
  await assert.rejects(body.read);
});

test('a manifest of which a byte comes now and then is closed as early as a document', async (t) => {
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path });
  const { secret } = await server.accounts.tokens.create({ name: 'slow', role: 'operator' });
  const { hostname, port } = new URL(server.url);
  const manifest = request({
    ...{ hostname, port, method: 'PUT', path: '/v2/a/manifests/slow' },
    headers: { authorization: `Bearer ${secret}`, expect: '100-continue' },
  });
  t.mock.timers.enable({ apis: ['setInterval'] });
  const closed = once(manifest, 'error');
  manifest.flushHeaders();
  // the server reads the body
  await once(manifest, 'continue');
  t.mock.timers.tick(20_000);
  await closed;
});

test('a body that is whole in time is read, and nothing is closed after it', async (t) => {
  const body = openBody(t);
  body.stream.write('{}');
  await body.pass(19);
  body.stream.end();
  assert.equal((await body.read).toString(), '{}');
  t.mock.timers.tick(60_000);
  await turn();
  assert.equal(body.stream.errored, null);
});

import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { pushProgress, readBody } from '../../server/body.ts';

/** A body that arrives as the test writes it, and a clock that the test moves. */
function openBody(
  t: TestContext,
  headers: Readonly<Record<string, string>> = {},
  ...least: readonly (typeof pushProgress)[]
) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const stream = Object.assign(new PassThrough(), { headers });
  const read = readBody(
    stream as unknown as IncomingMessage,
    { headersSent: false } as ServerResponse,
    4 << 20,
    { take: () => {} },
    ...least,
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

test('a manifest may come as slowly as a thin link brings it', async (t) => {
  const body = openBody(t, {}, pushProgress);
  await body.pass(300, (second) => second % 50 === 0 && body.stream.write('x'));
  assert.equal(body.stream.destroyed, false);
  await body.pass(120);
  assert.equal(body.stream.destroyed, true);
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

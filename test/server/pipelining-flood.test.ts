import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { listen } from '../../server/listen.ts';
import { startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { trackChild } from '../kit/program/svc.ts';
import { askLiveMemory, toProbedEnvironment } from '../kit/result/live-memory.ts';

/** Pipelines requests on 300 connections until it is killed; prints a line when each has had an answer. */
const program = `
const { connect } = require('node:net');
const [url, request] = process.argv.slice(1);
const { hostname, port } = new URL(url);
const requests = Buffer.from(request.repeat(1000));
let answered = 0;
for (let n = 0; n < 300; n += 1) {
  const socket = connect(Number(port), hostname);
  const send = () => { while (socket.write(requests)); };
  socket.on('error', () => {}).on('drain', send).once('connect', send).resume();
  socket.once('data', () => { answered += 1; if (answered === 300) console.log('answered'); });
}
`;

/** Starts a flood in a process of its own, so that it does not delay the client that is measured. */
async function flood(url: string, request: string): Promise<AsyncDisposable> {
  const child = trackChild(
    spawn(process.execPath, ['-e', program, url, request], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const closed = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), closed.then(() => assert.fail('the flood ended'))]);
  return {
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

test('few pipelined requests of 300 connections are answered before a request of a new connection', async (t) => {
  let answered = 0;
  const listener = await listen({
    address: { host: '127.0.0.1', port: 0 },
    handler: (req, res) => {
      answered += 1;
      res.end(req.url === '/other' ? String(answered) : 'here');
    },
  });
  try {
    await using _flood = await flood(listener.url, 'GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    const before: number[] = [];
    for (let n = 0; n < 10; n += 1) {
      const asked = answered;
      const answer = await fetch(`${listener.url}/other`, { headers: { connection: 'close' } });
      before.push(Number(await answer.text()) - asked);
    }
    t.diagnostic(`answered before it: ${before.join(', ')}`);
    const median = before.sort((a, b) => a - b)[5]!;
    assert.ok(median < 300, `${before}`);
  } finally {
    await listener.close();
  }
});

test('a flood of pipelined requests over 300 connections holds less than 192 KiB for each, and others are answered', async (t) => {
  await using folder = await openTempFolder();
  const file = join(folder.path, 'memory');
  await using instance = await startInstance({ folder: folder.path, env: toProbedEnvironment(file) });
  const pid = instance.process.pid!;
  const { authorization, url } = instance;
  const ask = async (): Promise<void> => {
    const answer = await fetch(`${url}/v2/`, { headers: { authorization, connection: 'close' } });
    await answer.arrayBuffer();
    assert.equal(answer.status, 200);
  };
  await ask();
  const before = await askLiveMemory(pid, file);
  await using _flood = await flood(
    url,
    `GET /v2/ HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n\r\n`,
  );
  for (let n = 0; n < 20; n += 1) await ask();
  const perConnection = ((await askLiveMemory(pid, file)) - before) / 300;
  t.diagnostic(`${(perConnection / 1024).toFixed(0)} KiB for each connection`);
  assert.ok(perConnection < 192 * 1024, `${perConnection} bytes`);
});

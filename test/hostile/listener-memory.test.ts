import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildImage } from '../kit/content/content.ts';
import { pushArtifactOverHttp } from '../kit/content/push-artifact.ts';
import { createRawPeer } from '../kit/hostile/raw-peer.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { askLiveMemory, toProbedEnvironment } from '../kit/result/live-memory.ts';
import { processFootprint } from '../kit/result/process-footprint.ts';

/** Bytes by which live memory may differ between two equal floods, of which each is 1200 connections. */
const tolerance = 3 << 20;
const peersOfARound = 60;
const rounds = 20;

test('a thousand peers that misbehave leave no memory and no descriptor behind', async (t) => {
  await using folder = await openTempFolder('svc-listener-');
  const probe = join(folder.path, 'live');
  await using instance = await startInstance({
    folder: folder.path,
    config: { auth: { disabled: true } },
    env: toProbedEnvironment(probe, '--max-semi-space-size=16'),
  });
  const pid = instance.process.pid!;
  const image = buildImage('good', { ownLayers: 1, layerSize: 3 << 20 });
  await pushArtifactOverHttp({ registry: instance.url, repository: 'good' }, image, '1.0');
  const peer = createRawPeer(instance.url);
  const layer = image.blobs[1]!.descriptor.digest;
  const head = (line: string, headers = '') => `${line} HTTP/1.1\r\nhost: 127.0.0.1\r\n${headers}\r\n`;
  const gone = async (socket: Socket): Promise<void> => {
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  };
  const ways: readonly ((socket: Socket) => Promise<void>)[] = [
    // half a head, and away
    async (socket) => {
      socket.write('GET /v2/ HTTP/1.1\r\nhost: x\r\nx-a: ');
      setTimeout(() => socket.resetAndDestroy(), 20);
    },
    // a reader that goes in the middle
    async (socket) => {
      socket.write(head(`GET /v2/good/blobs/${layer}`));
      await once(socket, 'data');
      socket.destroy();
    },
    // a writer that goes in the middle
    async (socket) => {
      socket.write(head('POST /v2/new/blobs/uploads/', 'content-length: 0\r\n'));
      const [answer] = (await once(socket, 'data')) as [Buffer];
      const location = /^location: (\S+)/im.exec(answer.toString('latin1'))?.[1];
      assert.ok(location, answer.toString('latin1'));
      socket.write(head(`PATCH ${location}`, 'transfer-encoding: chunked\r\n'));
      socket.write('10000\r\n');
      socket.write(Buffer.alloc(30_000));
      setTimeout(() => socket.resetAndDestroy(), 20);
      await gone(socket);
      await eventually('the session is given up', async () => {
        const { statuses } = await peer.say(head(`DELETE ${location}`, 'connection: close\r\n'));
        return statuses[0] === 204 || statuses[0] === 404;
      });
    },
    // two lengths, and headers without end
    async (socket) => {
      socket.resume();
      socket.write(head('POST /v2/x/blobs/uploads/', 'content-length: 5\r\ntransfer-encoding: chunked\r\n'));
    },
    async (socket) => {
      socket.resume();
      socket.write(head('GET /v2/', `x-long: ${'x'.repeat(100_000)}\r\n`));
    },
    // a document that is refused, and a body that nobody wants
    async (socket) => {
      socket.resume();
      socket.write(
        head('POST /api/v1/sync', 'content-type: application/json\r\ncontent-length: 2000000\r\n'),
      );
      socket.write(Buffer.alloc(200_000, '['));
      setTimeout(() => socket.destroy(), 30);
    },
  ];
  const flood = async (): Promise<number> => {
    for (let round = 0; round < rounds; round += 1) {
      await Promise.all(
        Array.from({ length: peersOfARound }, async (_, i) => {
          const socket = await peer.open();
          await ways[i % ways.length]!(socket);
          await gone(socket);
        }),
      );
    }
    await eventually(
      'descriptors are given back',
      async () => (await processFootprint.descriptors(pid)) <= resting + 4,
      30,
    );
    return askLiveMemory(pid, probe);
  };
  const resting = await processFootprint.descriptors(pid);
  const first = await flood();
  const second = await flood();
  const third = await flood();
  const grown = Math.min(second - first, third - second);
  t.diagnostic(
    `alive after ${rounds * peersOfARound} peers each: ${[first, second, third].map((bytes) => `${(bytes / (1 << 20)).toFixed(1)} MiB`).join(', ')}`,
  );
  assert.ok(grown < tolerance, `${grown} bytes more after each flood`);
});

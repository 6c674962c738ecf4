import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Digest } from '../../src/base/digest.ts';
import type { Task } from '../../src/contract/task.ts';
import { openContext } from '../../src/operation/context.ts';
import { openBlob } from '../../src/store/open-blob.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { startInstance } from '../kit/instance/instance.ts';
import { settleTask } from '../kit/instance/settle-task.ts';
import type { RecordedRequest } from '../kit/result/registry-double.ts';
import { openSyncScene, type SyncScene, toIngredient } from '../kit/scene/sync-scene.ts';
import { checkStoreAt } from './rig/check-store.ts';
import { isFull } from './rig/form.ts';

const mib = 1 << 20;
/** Of a killed process the last checkpoint counts, which lies at most 8 MiB back. */
const size = (isFull ? 256 : 64) * mib;
const change = { transfer: { resumeThreshold: mib }, sync: { retries: 3 } } as const;

interface Download {
  readonly scene: SyncScene;
  readonly bytes: Buffer;
  readonly digest: Digest;
  /** Bytes of the blob that the source has sent. */
  sent: number;
  /** Answers the next request for the blob instead of the source. */
  answer(how: (request: RecordedRequest, response: ServerResponse, from: number) => void): void;
}

async function openDownload(): Promise<Download> {
  const scene = await openSyncScene();
  const bytes = randomBytes(size);
  const digest: Digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  const image = scene.putImage('shop/large', '1', { layers: [bytes] });
  scene.publish('app', '1.0.0', [toIngredient('large', 'shop/large', '1', image)]);
  await scene.setRetriever([['app', '1.0.0']]);
  const answers: Parameters<Download['answer']>[0][] = [];
  const download: Download = { scene, bytes, digest, sent: 0, answer: (how) => answers.push(how) };
  scene.origin.intercept((request, response) => {
    if (request.method !== 'GET' || !request.path.endsWith(digest)) return false;
    const write = response.write.bind(response) as (chunk: Buffer, then?: () => void) => boolean;
    const end = response.end.bind(response) as () => ServerResponse;
    const count = (chunk: Buffer, then?: () => void): boolean => {
      download.sent += chunk.length;
      return write(chunk, then);
    };
    Object.assign(response, {
      write: count,
      // `end` would write its chunk by itself, past the count
      end: (chunk?: Buffer) => {
        if (chunk !== undefined) count(chunk);
        return end();
      },
    });
    const how = answers.shift();
    const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    how?.(request, response, from);
    return how !== undefined;
  });
  return download;
}

const etagOf = (digest: Digest): string => `"${digest.slice(7, 19)}"`;

function send(download: Download, response: ServerResponse, share: number, then: () => void): void {
  const { bytes, digest } = download;
  response.writeHead(200, { 'content-length': bytes.length, 'accept-ranges': 'bytes', etag: etagOf(digest) });
  response.write(bytes.subarray(0, Math.floor(bytes.length * share)), then);
}

async function requireWhole({ scene, digest }: Download): Promise<void> {
  await checkStoreAt(scene.storeRoot, join(scene.folder, 'state'), async (store) => {
    const { file } = await openBlob(store, digest);
    const hash = createHash('sha256');
    for await (const chunk of file.createReadStream()) hash.update(chunk as Buffer);
    assert.equal(`sha256:${hash.digest('hex')}`, digest);
  });
}

/** Reports bytes that moved more than once, or in vain. */
function tellMovedAgain(t: TestContext, { sent }: Download, most = 0.15): void {
  const again = (sent - size) / size;
  t.diagnostic(`of ${size / mib} MiB moved again: ${(again * 100).toFixed(2)} %`);
  assert.ok(again <= most, `${(again * 100).toFixed(1)} % moved again`);
}

test('a download cut by the peer at 90 % moves at most 15 % again', async (t) => {
  const download = await openDownload();
  await using scene = download.scene;
  download.answer((_, response) => send(download, response, 0.9, () => response.socket?.destroy()));
  const { task } = await scene.run({ change });
  assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
  tellMovedAgain(t, download);
  await requireWhole(download);
});

test('a download from a peer that freezes at 90 % moves at most 15 % again', async (t) => {
  const download = await openDownload();
  await using scene = download.scene;
  download.answer((_, response) => send(download, response, 0.9, () => {}));
  const { report } = scene;
  const options = { report, version: '0.0.0-test', spool: true, stallTimeout: 1000 };
  const { task } = await scene.run({ change, context: await openContext(scene.config(change), options) });
  assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
  tellMovedAgain(t, download);
  await requireWhole(download);
});

test('a download of a process killed at 90 % moves at most 15 % again', async (t) => {
  const download = await openDownload();
  await using scene = download.scene;
  const { promise: held, resolve } = Promise.withResolvers<void>();
  download.answer((_, response) => send(download, response, 0.9, resolve));
  const options = {
    folder: scene.folder,
    config: {
      mode: 'mirror',
      auth: { disabled: true },
      retriever: { source: join(scene.folder, 'retriever.yaml') },
      registries: { insecure: [scene.origin.host] },
      trust: { roots: [{ name: 'ours', key: scene.signer.publicKeyPem }] },
      transfer: { resumeThreshold: '1MiB' },
    },
  };
  const first = await startInstance(options);
  const { body } = await first.api('POST', '/sync', {});
  await held;
  const share = await eventually('nine tenths to arrive', async () => {
    const answer = await first.api('GET', `/tasks/${body.task.id}`);
    const { bytesDone } = (answer.body.task as Task).progress;
    return bytesDone >= size * 0.89 && bytesDone;
  });
  await first.kill();
  const second = await startInstance(options);
  try {
    const task = await settleTask(second, body.task.id);
    assert.equal(task.status, 'done', JSON.stringify(task));
    assert.equal(task.resumed, true);
  } finally {
    await second.stop();
  }
  tellMovedAgain(t, download);
  await requireWhole(download);
  t.diagnostic(`${share} bytes were there`);
});

const cut = (download: Download): void =>
  download.answer((_, response) => send(download, response, 0.9, () => response.socket?.destroy()));

test('a source that answers a range with the whole starts over, and what arrives is whole', async (t) => {
  const download = await openDownload();
  await using scene = download.scene;
  cut(download);
  download.answer((request, response, from) => {
    assert.ok(from > 0, `a range was asked for: ${request.headers.range}`);
    send(download, response, 1, () => response.end());
  });
  const { task } = await scene.run({ change });
  assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
  // the bytes from before the cut, and no more
  tellMovedAgain(t, download, 0.9);
  await requireWhole(download);
});

test('a source whose ETag has changed starts over, and what arrives is whole', async (t) => {
  const download = await openDownload();
  await using scene = download.scene;
  cut(download);
  download.answer((request, response, from) => {
    assert.ok(from > 0);
    assert.equal(request.headers['if-range'], etagOf(download.digest));
    response.writeHead(200, { 'content-length': size, 'accept-ranges': 'bytes', etag: '"another"' });
    response.end(download.bytes);
  });
  const { task } = await scene.run({ change });
  assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
  // the bytes from before the cut, and no more
  tellMovedAgain(t, download, 0.9);
  await requireWhole(download);
});

for (const [what, most, answer] of [
  [
    'another range than was asked for',
    0.15,
    (download: Download, response: ServerResponse, from: number) => {
      const start = from - 1000;
      response.writeHead(206, {
        'content-length': size - start,
        'content-range': `bytes ${start}-${size - 1}/${size}`,
        etag: etagOf(download.digest),
      });
      response.end(download.bytes.subarray(start));
    },
  ],
  [
    'other bytes under the right range',
    1.2,
    (download: Download, response: ServerResponse, from: number) => {
      response.writeHead(206, {
        'content-length': size - from,
        'content-range': `bytes ${from}-${size - 1}/${size}`,
        etag: etagOf(download.digest),
      });
      response.end(Buffer.alloc(size - from));
    },
  ],
  [
    'more bytes than it promised',
    // repeated, and then complete from the first byte
    1.2,
    (download: Download, response: ServerResponse, from: number) => {
      response.writeHead(206, {
        'content-range': `bytes ${from}-${size - 1}/${size}`,
        etag: etagOf(download.digest),
      });
      response.write(download.bytes.subarray(from));
      response.end(Buffer.alloc(100_000));
    },
  ],
  [
    'fewer bytes than it promised',
    0.15,
    (download: Download, response: ServerResponse, from: number) => {
      response.writeHead(206, {
        'content-range': `bytes ${from}-${size - 1}/${size}`,
        etag: etagOf(download.digest),
      });
      response.end(download.bytes.subarray(from, size - 5000));
    },
  ],
] as const) {
  test(`a source that sends ${what} is not believed, and the next run completes`, async (t) => {
    const download = await openDownload();
    await using scene = download.scene;
    cut(download);
    download.answer((_, response, from) => answer(download, response, from));
    const { task } = await scene.run({ change });
    if (task.counts.failed > 0) {
      const codes = task.items.flatMap(({ error }) => error?.code ?? []);
      for (const code of codes) assert.match(code, /^SVC-(REG-007|SIG-002)$/);
      await checkStoreAt(scene.storeRoot, join(scene.folder, 'state'), (store) =>
        assert.equal(store.index.sizeOf(download.digest), undefined),
      );
    }
    const again = await scene.run({ change });
    assert.equal(again.task.counts.failed, 0, JSON.stringify(again.task.items));
    tellMovedAgain(t, download, most);
    await requireWhole(download);
  });
}

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { startTestServer, type TestServer } from '../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';

let folder: TempFolder;
let server: TestServer;
before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const form = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data; boundary=b';
const json = 'application/json';
const manifest = 'application/vnd.oci.image.manifest.v1+json';

/** Requests with a body, on every surface that reads one. */
const requests = [
  ['POST', '/login', form, 'ui'],
  ['POST', '/login', multipart, 'ui'],
  ['POST', '/import', form, 'ui'],
  ['POST', '/api/v1/recipes/lint', json, 'api'],
  ['PUT', '/v2/team/app/manifests/v1', manifest, 'registry'],
  [
    'POST',
    `/v2/team/app/blobs/uploads/?digest=sha256:${'a'.repeat(64)}`,
    'application/octet-stream',
    'registry',
  ],
] as const;

const ways: Readonly<Record<string, (socket: Socket) => void>> = {
  'closes its side': (socket) => socket.end(),
  'closes the connection': (socket) => socket.destroy(),
  'resets the connection': (socket) => socket.resetAndDestroy(),
};

/** Requests of a surface that ended without an answer. */
async function countLeft(surface: string): Promise<number> {
  const metrics = await (await server.fetch('/metrics')).text();
  const lines = metrics.split('\n').filter((line) => line.startsWith('svc_http_requests_total'));
  const own = lines.filter((line) => line.includes(`"${surface}"`) && line.includes('"499"'));
  return own.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

for (const [way, leave] of Object.entries(ways))
  test(`a client that ${way} in the middle of a body is no failure on any surface`, async () => {
    for (const [method, path, type, surface] of requests) {
      const left = await countLeft(surface);
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      socket.on('error', () => {});
      socket.write(
        `${method} ${path} HTTP/1.1\r\nhost: x\r\n${surface === 'ui' ? '' : `authorization: ${server.as.operator}\r\n`}accept: text/html\r\ncontent-type: ${type}\r\ncontent-length: 1000\r\nexpect: 100-continue\r\n\r\n`,
      );
      const [answer] = (await once(socket, 'data')) as [Buffer];
      assert.match(answer.toString(), /^HTTP\/1\.1 100 /, `${method} ${path}`);
      socket.write('name=admin&password=ad');
      leave(socket);
      while ((await countLeft(surface)) === left);
      const { records, audits } = server.report;
      assert.deepEqual(
        records.filter(({ level, fields }) => level === 'error' || fields.code === 'SVC-SRV-001'),
        [],
        `${method} ${path}`,
      );
      assert.deepEqual(
        audits.filter(({ outcome }) => outcome === 'failure'),
        [],
      );
    }
  });

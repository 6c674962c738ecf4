import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { carry } from '../../kit/scene/carried-medium.ts';
import { type BuiltMedium, buildMedium } from '../../kit/scene/medium.ts';

let folder: TempFolder;
let server: TestServer;
let medium: BuiltMedium;
before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path });
  medium = await buildMedium();
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
  await medium[Symbol.asyncDispose]();
});

async function prove(body: object, as: 'operator' | 'viewer' = 'operator') {
  const response = await server.fetch('/api/v1/media/prove', {
    method: 'POST',
    headers: { authorization: server.as[as], 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, answer: (await response.json()) as Record<string, any> };
}

test('a proof is answered with 200, whatever its verdict', async () => {
  const trustRoots = [medium.signer.publicKeyPem];
  const good = await prove({ folders: [medium.root], trustRoots, platforms: ['linux/amd64'] });
  assert.deepEqual([good.status, good.answer.verdict, good.answer.findings], [200, 'proved', []]);
  const carried = await carry(medium);
  await rm(carried.blob((await carried.parts('shop')).layer));
  const broken = await prove({ folders: [carried.root], trustRoots });
  assert.deepEqual([broken.status, broken.answer.verdict], [200, 'refused']);
  assert.equal(broken.answer.findings[0].code, 'SVC-MED-010');
});

test('folders follow the rules for the paths of layouts, and keys are judged', async () => {
  const trustRoots = [medium.signer.publicKeyPem];
  for (const [body, status, code] of [
    [{ folders: ['relative'], trustRoots }, 422, 'SVC-VAL-001'],
    [{ folders: [server.store.root], trustRoots }, 403, 'SVC-FIL-003'],
    [{ folders: ['/proc'], trustRoots }, 403, 'SVC-FIL-003'],
    [{ folders: [`${medium.root}/absent`], trustRoots }, 422, 'SVC-FIL-005'],
    [{ folders: [medium.root], trustRoots: ['no key'] }, 422, 'SVC-VAL-001'],
    [{ folders: [] }, 422, 'SVC-VAL-001'],
  ] as const) {
    const { status: answered, answer } = await prove(body);
    assert.deepEqual([answer.code, answered], [code, status], JSON.stringify(body).slice(0, 80));
  }
  const { status } = await prove({ folders: [medium.root], trustRoots }, 'viewer');
  assert.equal(status, 403);
});

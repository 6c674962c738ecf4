import assert from 'node:assert/strict';
import { appendFile, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ProofState } from '../../../src/contract/proof.ts';
import { readLedgerPage } from '../../../src/custody/read-page.ts';
import { inspectVolume } from '../../../src/disk/volume.ts';
import { toBlobDigest } from '../../../src/engine/medium/inventory.ts';
import { eventually } from '../../kit/instance/eventually.ts';
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

const look = async (): Promise<ProofState> => {
  const response = await server.fetch('/api/v1/media/proof', {
    headers: { authorization: server.as.operator },
  });
  return (await response.json()) as ProofState;
};

async function post(path: string, body: object, as: 'operator' | 'viewer') {
  const response = await server.fetch(`/api/v1/media/${path}`, {
    method: 'POST',
    headers: { authorization: server.as[as], 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, answer: (await response.json()) as Record<string, any> };
}

const prove = (body: object, as: 'operator' | 'viewer' = 'operator') => post('prove', body, as);
const cancel = (as: 'operator' | 'viewer' = 'operator') => post('proof/cancel', {}, as);

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

test('the custody ledger has each proof, with its account, also one that nobody waits for', async () => {
  const trustRoots = [medium.signer.publicKeyPem];
  await using own = await openTempFolder();
  await using kept = await startTestServer({ folder: own.path, custodySite: 'gate' });
  const ask = (body: object) =>
    kept.fetch('/api/v1/media/prove', {
      method: 'POST',
      headers: { authorization: kept.as.operator, 'content-type': 'application/json' },
      body: JSON.stringify({ folders: [medium.root], trustRoots, ...body }),
    });
  const read = () => readLedgerPage(join(own.path, 'state', 'custody'), { type: 'proved', pageSize: 50 });
  assert.equal((await ask({})).status, 200);
  assert.equal((await ask({ wait: false })).status, 200);
  const lines = await eventually('the outcome of the second proof', async () => {
    const found = (await read()).lines;
    return found.length === 4 ? found.toReversed() : undefined;
  });
  assert.deepEqual(
    lines.map(({ step, of, result }) => [step, of, result]),
    [
      ['intent', undefined, undefined],
      ['outcome', lines[0]!.seq, 'success'],
      ['intent', undefined, undefined],
      ['outcome', lines[2]!.seq, 'success'],
    ],
  );
  for (const { actor, details } of lines) {
    assert.match(actor, /^token:operator/);
    assert.equal(details.folder, medium.root);
    assert.match(String(details.origin), /^127\.|^::1$/);
  }
  const place = join(own.path, 'state', 'custody');
  const name = (await readdir(place)).find((one) => one.endsWith('.jsonl'))!;
  await appendFile(join(place, name), 'no line\n');
  const refused = await ask({});
  assert.equal(((await refused.json()) as { code: string }).code, 'SVC-CUS-001');
});

test('folders follow the rules for the paths of layouts, and keys are judged', async () => {
  const trustRoots = [medium.signer.publicKeyPem];
  for (const [body, status, code] of [
    [{ folders: ['relative'], trustRoots }, 422, 'SVC-VAL-001'],
    [{ folders: [server.store.root], trustRoots }, 403, 'SVC-FIL-003'],
    [{ folders: ['/proc'], trustRoots }, 403, 'SVC-FIL-003'],
    [{ folders: [`${medium.root}/absent`], trustRoots }, 422, 'SVC-FIL-005'],
    [{ folders: [`${medium.root}/media.jsonl`], trustRoots }, 422, 'SVC-FIL-005'],
    [{ folders: [medium.root], trustRoots: ['no key'] }, 422, 'SVC-VAL-001'],
    [{ folders: [] }, 422, 'SVC-VAL-001'],
  ] as const) {
    const { status: answered, answer } = await prove(body);
    assert.deepEqual([answer.code, answered], [code, status], JSON.stringify(body).slice(0, 80));
  }
  const { status } = await prove({ folders: [medium.root], trustRoots }, 'viewer');
  assert.equal(status, 403);
});

test('a proof that nobody waits for can be cancelled while it reads a file, and a second one begins', async () => {
  const trustRoots = [medium.signer.publicKeyPem];
  const carried = await carry(medium);
  const path = `blobs/sha256/${'e'.repeat(64)}`;
  // reading so many bytes takes much longer than this test
  const size = Math.min(2 ** 36, Math.floor((await inspectVolume(carried.root)).totalBytes / 2));
  await writeFile(join(carried.root, path), '');
  await truncate(join(carried.root, path), size);
  await carried.editManifest((_, lines) =>
    [...lines, { path, size, digest: toBlobDigest(path)! }].sort((a, b) => (a.path < b.path ? -1 : 1)),
  );
  const { answer } = await prove({ folders: [carried.root], trustRoots, wait: false });
  assert.equal(answer.running.cancelledBy, undefined);
  assert.equal((await cancel('viewer')).status, 403);
  const cancelled = await cancel();
  assert.equal(cancelled.status, 200);
  const actor = cancelled.answer.running.cancelledBy;
  assert.match(actor, /^token:operator/);
  const ended = await eventually('the end of the proof', async () => {
    const state = await look();
    return state.running === undefined ? state : undefined;
  });
  assert.deepEqual(
    [ended.proof, ended.failure?.code, ended.failure?.params],
    [undefined, 'SVC-TSK-004', { actor, work: 'proof' }],
  );
  assert.deepEqual((await cancel()).answer, ended);
  assert.deepEqual(
    server.report.audits
      .filter(({ action, target }) => action.startsWith('media.prove') && target === carried.root)
      .map(({ action, outcome, details }) => [action, outcome, details?.code]),
    [
      ['media.prove_cancel', 'success', undefined],
      ['media.prove', 'failure', 'SVC-TSK-004'],
    ],
  );
  await prove({ folders: [medium.root], trustRoots, wait: false });
  await eventually('the second proof', async () => (await look()).proof?.verdict === 'proved');
});

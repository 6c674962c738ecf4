import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { openContext } from '../../../src/operation/context.ts';
import { toPromptContext } from '../../../src/operation/prompt-registry.ts';
import { writeReceipt } from '../../../src/operation/zone/write-receipt.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { openOwnReceipts } from '../../../src/zone/own-receipts.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { createRecordingReport } from '../../kit/instance/recording-report.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { toZoneConfig } from '../../kit/scene/import-carried.ts';

/** A registry that accepts connections and never answers. @param onAsked called with each request */
async function listenSilently(onAsked: () => void) {
  const silent = createServer((socket) => socket.on('error', () => {}).on('data', onAsked));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  return { host: `127.0.0.1:${port}`, [Symbol.dispose]: () => void silent.close().unref() };
}

test('a receipt that is interrupted while the registry is silent is recorded as that, and not as a defect', async () => {
  await using folder = await openTempFolder();
  const stop = new AbortController();
  using silent = await listenSilently(() => stop.abort());
  const { host } = silent;
  const { privateKey } = createSigner();
  const config = toZoneConfig({ zone: 'zone-b', state: join(folder.path, 'state'), host, signers: [] });
  const report = createRecordingReport();
  await using context = await openContext(config, { report, version: '0.0.0-test' });
  const input = { actor: 'ana', signer: toSigner(privateKey), signal: stop.signal };
  await assert.rejects(writeReceipt(context, input as never), { name: 'AbortError' });
  assert.deepEqual(
    report.audits.map(({ action, outcome, details }) => [action, outcome, details]),
    [['receipt.write', 'failure', { interrupted: true }]],
  );
});

test('a registry that keeps silent is waited for once, and no number is used', async (test) => {
  await using folder = await openTempFolder();
  const asked = Promise.withResolvers<void>();
  let requests = 0;
  using silent = await listenSilently(() => {
    requests += 1;
    asked.resolve();
  });
  const { host } = silent;
  const state = join(folder.path, 'state');
  const base = toZoneConfig({ zone: 'zone-b', state, host, signers: [] });
  const config = { ...base, sync: { ...base.sync, retries: 3 } };
  const report = createRecordingReport();
  await using context = await openContext(config, { report, version: '0.0.0-test' });
  const input = { actor: 'ana', signer: toSigner(createSigner().privateKey) };
  test.mock.timers.enable({ apis: ['setTimeout'] });
  const writing = writeReceipt(toPromptContext(context), input);
  const refused = assert.rejects(writing, { code: 'SVC-REG-002' });
  await asked.promise;
  test.mock.timers.tick(30_000);
  await refused;
  assert.equal(requests, 1);
  assert.equal(await openOwnReceipts(state).last('zone-b'), undefined);
});

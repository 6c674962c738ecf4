import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { openContext } from '../../../src/operation/context.ts';
import { writeReceipt } from '../../../src/operation/zone/write-receipt.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { createRecordingReport } from '../../kit/instance/recording-report.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { toZoneConfig } from '../../kit/scene/import-carried.ts';

test('a receipt that is interrupted while the registry is silent is recorded as that, and not as a defect', async () => {
  await using folder = await openTempFolder();
  const silent = createServer((socket) => socket.on('error', () => {}).once('data', () => stop.abort()));
  const stop = new AbortController();
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const host = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
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
  silent.close().unref();
});

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { renderZones } from '../../../commands/render/zones.ts';
import { toSubject, toZoneFile, writeReceipt } from '../../../src/attest/receipt.ts';
import { hashBytes } from '../../../src/base/digest.ts';
import { addReceipt } from '../../../src/operation/zone/known-receipts.ts';
import { readZoneBoards } from '../../../src/operation/zone/read-zone-boards.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { openSent } from '../../../src/zone/sent.ts';
import { toReceipt } from '../../kit/content/receipt.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { createRecordingReport } from '../../kit/instance/recording-report.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

test('a receipt that names a medium which this source did not write is kept, with a warning', async () => {
  await using folder = await openTempFolder();
  const { privateKey, publicKeyPem } = createSigner();
  const signer = toSigner(privateKey);
  const keyFile = join(folder.path, 'zone-b.pub');
  await writeFile(keyFile, publicKeyPem);
  const peers = [{ name: 'zone-b', keyFile, for: ['receipt'] }];
  const config = { state: { root: folder.path }, peers, custody: { enabled: false } };
  const context = { config, policy: { roots: [] }, report: createRecordingReport() } as never;
  const id = 'dlv_0123456789ab';
  const [known, found] = [hashBytes('written'), hashBytes('other')];
  await openSent(folder.path).keepDelivery({
    ...{ id, zone: 'zone-b', sequence: 1, startedAt: '2026-02-01T00:00:00.000Z', recipes: [], parts: 2 },
    written: [{ part: 1, manifest: known }],
  });
  const sequences = [
    // of another source, the one that was written, one that is not written yet, another one, a part too many
    [{ id: 'dlv_ffffffffffff', part: 1, manifest: found }, undefined],
    [{ id, part: 1, manifest: known }, undefined],
    [{ id, part: 2, manifest: found }, undefined],
    [
      { id, part: 1, manifest: found },
      { delivery: id, part: 1, found, known },
    ],
    [
      { id, part: 3, manifest: found },
      { delivery: id, part: 3, found },
    ],
  ] as const;
  for (const [i, [lastDelivery, other]] of sequences.entries()) {
    const receipt = toReceipt({ sequence: i + 1, lastDelivery });
    const bytes = writeReceipt(receipt, [toSubject(toZoneFile('zone-b'))], signer);
    const { contradictions } = await addReceipt(context, { bytes, actor: 'test' });
    const expected = other && { zone: 'zone-b', sequence: i + 1, ...other };
    assert.deepEqual(
      contradictions.map(({ code, params }) => [code, params]),
      expected ? [['SVC-RCP-006', expected]] : [],
    );
    const boards = await readZoneBoards(context, {
      wanted: { get: async () => ({ resolvedAt: receipt.issuedAt, recipes: [] }) },
      zones: [{ name: 'zone-b', retriever: '/zone-b.yaml', maxAge: 1e12 }],
      now: Date.parse(receipt.issuedAt),
    });
    assert.deepEqual(boards[0]?.receipt?.otherMedium, other);
    const said = renderZones(boards, { language: 'en', width: 400 } as never);
    assert.equal(/did not write \(SVC-RCP-006\)/.test(said), other !== undefined, said);
  }
});

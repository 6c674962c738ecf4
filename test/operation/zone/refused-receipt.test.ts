import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { toCustodyFolder } from '../../../src/custody/ledger-files.ts';
import { readLedgerPage } from '../../../src/custody/read-page.ts';
import { addReceipt } from '../../../src/operation/zone/known-receipts.ts';
import { createRecordingReport } from '../../kit/instance/recording-report.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

test('the line of a refused receipt names its file and what was in it', async () => {
  await using folder = await openTempFolder();
  const config = {
    state: { root: folder.path },
    peers: [],
    custody: { enabled: true, site: 'source' },
    signing: {},
  };
  const context = { config, policy: { roots: [], scopes: [] }, report: createRecordingReport() } as never;
  const bytes = Buffer.from('no receipt');
  const path = join('/mnt/disk', 'receipt.json');
  await assert.rejects(addReceipt(context, { bytes, path, actor: 'ana' }), { code: 'SVC-RCP-001' });
  const { lines } = await readLedgerPage(toCustodyFolder(folder.path), {
    type: 'receipt-accepted',
    pageSize: 5,
  });
  assert.deepEqual(
    lines.map(({ type, result, subjects }) => [type, result, subjects]),
    ['failure', undefined].map((result) => [
      'receipt-accepted',
      result,
      [{ name: 'receipt.json', digest: hashBytes(bytes) }],
    ]),
  );
});

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAccess } from '../../commands/serve-parts.ts';
import { openAccounts } from '../../src/account/accounts.ts';
import type { ConfigFor } from '../../src/config/requirements.ts';
import { createRecordingReport } from '../kit/instance/recording-report.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

test('an instance whose accounts have no administrator says so at its start, and how to make one', async () => {
  await using folder = await openTempFolder();
  const start = async (disabled: boolean): Promise<string> => {
    const report = createRecordingReport();
    const config = { state: { root: folder.path }, auth: { disabled, sessionTTL: 1000 } };
    await using cleanup = new AsyncDisposableStack();
    await openAccess(config as ConfigFor<'serve'>, report, cleanup, '--state-root state');
    return JSON.stringify(report.records);
  };
  const hashing = { timeCost: 1, memoryCost: 64, parallelism: 1 };
  await using accounts = openAccounts({ stateRoot: folder.path, hashing });
  await accounts.create({ name: 'ana', password: 'a good password' });
  assert.doesNotMatch(await start(false), /role admin/);
  const path = join(folder.path, 'accounts');
  await writeFile(path, (await readFile(path, 'utf8')).replace('"admin"', '"operator"'));
  assert.match(await start(false), /"warn".*svc user role NAME admin/);
  assert.doesNotMatch(await start(true), /role admin/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProofProgress } from '../../../src/contract/proof.ts';
import { ProofRecord } from '../../../src/operation/instance/proof-record.ts';

test('a proof whose disk hangs has stalled, also before the first byte, and a later step has no pace', () => {
  let time = 0;
  let report: (progress: ProofProgress) => void = () => {};
  const record = new ProofRecord(() => time);
  record.begin({ folders: ['/mnt/disk'] }, (onProgress) => {
    report = onProgress;
    return new Promise(() => {});
  });
  const stalled = (): number | undefined => record.state.running?.stalledSeconds;
  time = 90_000;
  assert.equal(stalled(), 90);
  report({ step: 'media', files: 1, bytes: 0, totalBytes: 1000 });
  time += 2000;
  assert.equal(stalled(), 2, 'a file was found');
  report({ step: 'media', files: 1, bytes: 500, totalBytes: 1000 });
  for (const end = time + 90_000; time < end; time += 2000) stalled();
  assert.ok((stalled() ?? 0) >= 60, `${stalled()}`);
  report({ step: 'trust' });
  time += 90_000;
  assert.equal(stalled(), undefined);
});

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import type { HashOutcome } from '../../src/disk/hash-file.ts';
import { hashFiles } from '../../src/disk/hash-pool.ts';

let root: string;
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-hash-'));
  await mkdir(join(root, 'real'));
  await writeFile(join(root, 'real', 'file'), 'content');
  await symlink('real', join(root, 'linked'));
  await symlink('real/file', join(root, 'link'));
});
after(() => rm(root, { recursive: true, force: true }));

async function outcomes(jobs: readonly { path: string; size?: number }[]): Promise<Map<string, HashOutcome>> {
  const seen = new Map<string, HashOutcome>();
  await hashFiles(
    root,
    jobs.map((job) => ({ algorithm: 'sha256' as const, ...job })),
    { onOutcome: (job, outcome) => seen.set(job.path, outcome) },
  );
  return seen;
}

test('a file gets its digest and the identity it had while it was read', async () => {
  const outcome = (await outcomes([{ path: 'real/file', size: 7 }])).get('real/file')!;
  assert.ok('digest' in outcome);
  assert.equal(outcome.digest, hashBytes('content'));
  assert.equal(outcome.identity.size, 7);
});

test('links, folders, absent files and wrong sizes are named, not followed and not read', async () => {
  const seen = await outcomes([
    { path: 'link' },
    { path: 'linked/file' },
    { path: 'real' },
    { path: 'absent' },
    { path: 'real/file', size: 8 },
  ]);
  assert.deepEqual(
    ['link', 'linked/file', 'real', 'absent', 'real/file'].map(
      (path) => (seen.get(path) as { problem?: string }).problem,
    ),
    ['unreadable', 'unreadable', 'unreadable', 'missing', 'size'],
  );
});

test('more files than threads are all hashed, and the bytes are counted', async () => {
  const jobs = Array.from({ length: 50 }, (_, i) => ({ path: `many-${i}`, algorithm: 'sha256' as const }));
  for (const [i, job] of jobs.entries()) await writeFile(join(root, job.path), 'x'.repeat(i));
  const seen = new Set<string>();
  const bytes = await hashFiles(root, jobs, {
    onOutcome: (job, outcome) => {
      if ('digest' in outcome) seen.add(job.path);
    },
  });
  assert.equal(seen.size, 50);
  assert.equal(bytes, (49 * 50) / 2);
});

test('an aborted run stops with the reason', async () => {
  const reason = new Error('enough');
  await assert.rejects(
    hashFiles(root, [{ path: 'real/file', algorithm: 'sha256' }], {
      onOutcome: () => {},
      signal: AbortSignal.abort(reason),
    }),
    reason,
  );
});

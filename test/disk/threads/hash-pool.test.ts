import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, open, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setImmediate as takeTurn } from 'node:timers/promises';
import { hashBytes } from '../../../src/base/digest.ts';
import { notRegular } from '../../../src/disk/special-file.ts';
import type { HashOutcome } from '../../../src/disk/threads/hash-file.ts';
import { hashFiles } from '../../../src/disk/threads/hash-pool.ts';
import {
  type HashThreads,
  openLastingThreads,
  startHashThreads,
  startHashThreadsBeside,
} from '../../../src/disk/threads/hash-threads.ts';
import { leaveSocket } from '../../kit/hostile/leave-socket.ts';

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

test('a pipe and a socket are no regular files, and nobody waits for them', async () => {
  execFileSync('mkfifo', [join(root, 'pipe')]);
  await leaveSocket(join(root, 'socket'), join(root, 's'));
  const seen = await outcomes([{ path: 'pipe' }, { path: 'socket' }]);
  for (const path of ['pipe', 'socket'])
    assert.deepEqual(seen.get(path), { problem: 'unreadable', detail: notRegular });
});

test('a file gets its digest and the identity it had while it was read', async () => {
  const outcome = (await outcomes([{ path: 'real/file', size: 7 }])).get('real/file')!;
  assert.ok('digest' in outcome);
  assert.equal(outcome.digest, hashBytes('content'));
  assert.equal(outcome.identity.size, 7);
});

test('ranges are hashed in the pass that hashes their file, over the borders of reads', async () => {
  const bytes = Buffer.alloc(700_001, 'ranges ');
  await writeFile(join(root, 'long'), bytes);
  const ranges = [
    { offset: 0, size: 1 },
    { offset: 1, size: 300_000 },
    { offset: 400_000, size: 0 },
    { offset: 400_000, size: 262_144 },
    { offset: 690_000, size: 10_001 },
  ];
  let found: HashOutcome | undefined;
  const read = await hashFiles(root, [{ path: 'long', algorithm: 'sha512', ranges }], {
    onOutcome: (_, outcome) => {
      found = outcome;
    },
  });
  assert.ok(found !== undefined && 'digest' in found);
  assert.equal(found.digest, hashBytes(bytes, 'sha512'));
  assert.deepEqual(
    found.ranges,
    ranges.map(({ offset, size }) => hashBytes(bytes.subarray(offset, offset + size))),
  );
  assert.equal(read, bytes.length);
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

test('a job gets the bytes that were hashed when it asks for them, in a thread and without one', async () => {
  await writeFile(join(root, 'empty'), '');
  await writeFile(join(root, 'large'), Buffer.alloc(3 << 20, 'large'));
  for (const start of [() => startHashThreads(1), () => startHashThreadsBeside(1)]) {
    const seen = new Map<string, HashOutcome>();
    const jobs = ['real/file', 'empty', 'large'].map((path) => ({
      path,
      algorithm: 'sha256' as const,
      keep: true,
    }));
    await hashFiles(root, [...jobs, { path: 'many-7', algorithm: 'sha256' }], {
      threads: start(),
      onOutcome: (job, outcome) => seen.set(job.path, outcome),
    });
    const bytesOf = (path: string): string | undefined => {
      const outcome = seen.get(path)!;
      assert.ok('digest' in outcome, path);
      return outcome.bytes && Buffer.from(outcome.bytes).toString();
    };
    assert.equal(bytesOf('real/file'), 'content');
    assert.equal(bytesOf('empty'), '');
    assert.equal(bytesOf('large'), undefined, 'more than one read gave');
    assert.equal(bytesOf('many-7'), undefined, 'not asked for');
  }
});

test('the calling thread hashes what the others leave, and alone where there are none', async () => {
  for (const threads of [1, 2]) {
    const jobs = Array.from({ length: 50 }, (_, i) => ({ path: `many-${i}`, algorithm: 'sha256' as const }));
    const seen = new Map<string, HashOutcome>();
    const bytes = await hashFiles(root, jobs, {
      threads: startHashThreadsBeside(threads),
      onOutcome: (job, outcome) => seen.set(job.path, outcome),
    });
    assert.equal(bytes, (49 * 50) / 2);
    for (let i = 0; i < 50; i += 1) {
      const outcome = seen.get(`many-${i}`)!;
      assert.ok('digest' in outcome);
      assert.equal(outcome.digest, hashBytes('x'.repeat(i)));
    }
  }
});

test('lasting threads do one work after the other, each with its own bytes, and are new after one that failed', async () => {
  const start = openLastingThreads(2);
  const jobs = Array.from({ length: 50 }, (_, i) => ({ path: `many-${i}`, algorithm: 'sha256' as const }));
  const hash = (threads: HashThreads, onOutcome = () => {}) => hashFiles(root, jobs, { threads, onOutcome });
  const first = start();
  assert.equal(await hash(first), (49 * 50) / 2);
  const second = start();
  assert.equal(second.pool, first.pool);
  assert.equal(second.bytes, 0);
  // a work beside another one has threads of its own
  const beside = start();
  assert.notEqual(beside.pool, first.pool);
  assert.equal(await hash(second), (49 * 50) / 2);
  const failing = start();
  assert.equal(failing.pool, first.pool);
  const reason = new Error('not this one');
  await assert.rejects(
    hash(failing, () => {
      throw reason;
    }),
    reason,
  );
  const next = start();
  assert.notEqual(next.pool, first.pool);
  assert.equal(await hash(next), (49 * 50) / 2);
  for (const threads of [beside, next]) await threads.end();
});

test('a file that takes its time is left in the middle when the work is aborted, by every thread', async () => {
  const file = await open(join(root, 'long'), 'w');
  await file.truncate(64 * 2 ** 30);
  await file.close();
  const jobs = ['long', 'long', 'long'].map((path) => ({
    path,
    algorithm: 'sha256' as const,
    size: 64 * 2 ** 30,
  }));
  for (const start of [() => startHashThreads(2), () => startHashThreadsBeside(2)]) {
    const stop = new AbortController();
    const reason = new Error('enough');
    const threads: HashThreads = start();
    const work = hashFiles(root, jobs, { threads, signal: stop.signal, onOutcome: () => {} });
    while (threads.bytes === 0) await takeTurn();
    stop.abort(reason);
    await assert.rejects(work, reason);
    const { bytes } = threads;
    await takeTurn();
    assert.equal(threads.bytes, bytes, 'nothing is read any more');
  }
});

test('what a listener throws ends the work', async () => {
  const reason = new Error('not this one');
  const jobs = [{ path: 'real/file', algorithm: 'sha256' as const }];
  for (const threads of [startHashThreads(1), startHashThreadsBeside(1)]) {
    const onOutcome = (): never => {
      throw reason;
    };
    await assert.rejects(hashFiles(root, jobs, { threads, onOutcome }), reason);
  }
});

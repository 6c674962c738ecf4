import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import type { Digest } from '../../src/base/digest.ts';
import { checkContent } from '../../src/store/repair/check-content.ts';
import { buildIndex, digestsOf } from '../kit/content/content.ts';
import { openTempStore } from '../kit/instance/temp-store.ts';

const program = join(import.meta.dirname, '..', 'kit', 'instance', 'store-writer.ts');

/** Runs the writer until it has written so many lines, kills it, and returns the lines. */
async function runUntil(args: readonly string[], lines: number): Promise<string[]> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    if (said.length === lines) child.kill('SIGKILL');
  }
  return said;
}

test('a store survives being killed at any moment: what was promised is there, and it checks clean', async () => {
  await using temp = await openTempStore({ mode: 'mirror' });
  await temp.close();
  const pushed = new Map<string, string>();
  const uploaded = new Set<Digest>();
  for (const [round, lines] of [2, 5, 8, 13, 21].entries()) {
    for (const line of await runUntil(['churn', temp.root, temp.stateRoot, `k${round}`], lines)) {
      const [word, subject, seed] = line.split(' ') as [string, string, string];
      if (word === 'pushed') pushed.set(subject, seed);
      if (word === 'deleting') pushed.delete(subject);
      if (word === 'uploaded') uploaded.add(subject as Digest);
    }
    const store = await temp.reopen();
    assert.equal(store.standing, 'ours');
    for await (const { name, problems } of checkContent(store))
      assert.deepEqual(problems, [], `${round} ${name}`);
    for (const [name, seed] of pushed) {
      const image = buildIndex(seed, undefined, { layerSize: 300 });
      assert.equal(store.index.tag(name, 'v1')?.digest, image.manifest.descriptor.digest, name);
      assert.equal(store.index.reach(image.manifest.descriptor.digest).size, digestsOf(image).length);
    }
    for (const digest of uploaded) assert.ok(store.index.isBlobIn('uploads', digest), digest);
    await temp.close();
  }
  assert.ok(pushed.size > 5 && uploaded.size > 5);
});

test('a file over the limit of the filesystem has its own error and leaves the store consistent', async () => {
  await using temp = await openTempStore();
  await temp.close();
  // the kernel's limit on file size gives the very error that a FAT volume gives
  const command = `ulimit -f 2048; exec "$0" "$@"`;
  const args = ['-c', command, process.execPath, program, 'blob', temp.root, temp.stateRoot, String(8 << 20)];
  const child = spawn('/bin/sh', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) said.push(line);
  assert.deepEqual(said, ['open', 'failed SVC-STO-005', 'closed']);
  const store = await temp.reopen();
  assert.deepEqual(await readdir(join(temp.root, 'blobs/sha256')), []);
  assert.deepEqual(await readdir(join(temp.root, '_svc/tmp')), []);
  for await (const { name, problems } of checkContent(store)) assert.deepEqual(problems, [], name);
});

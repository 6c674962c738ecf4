import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { svcCommand, svcEnvironment, trackChild } from '../kit/program/svc.ts';

/** Runs svc with a file as stderr that JOURNAL_STREAM names, or does not. @returns the lines of the file */
async function runWithJournal(args: readonly string[], isNamed: boolean): Promise<readonly string[]> {
  await using folder = await openTempFolder();
  const path = join(folder.path, 'stream');
  await using file = await open(path, 'w');
  const { dev, ino } = await file.stat({ bigint: true });
  const [program, ...first] = svcCommand();
  const child = trackChild(
    spawn(program!, [...first, ...args, '--state-root', join(folder.path, 'state')], {
      env: svcEnvironment({ JOURNAL_STREAM: isNamed ? `${dev}:${ino}` : `${dev}:1` }),
      stdio: ['pipe', 'ignore', file.fd],
    }),
  );
  child.stdin!.end('a good password\n');
  await once(child, 'exit');
  return (await readFile(path, 'utf8')).trimEnd().split('\n');
}

test('under systemd each line has its priority, elsewhere none', async () => {
  const [record] = await runWithJournal(['user', 'add', 'ada', '--password-stdin'], true);
  assert.match(record!, /^<5>\{"ts":.*"action":"account\.create"/, 'an audit record is a notice');
  const lines = await runWithJournal(['user', 'remove', 'ghost'], true);
  assert.match(lines[0]!, /^<5>\{.*"outcome":"failure"/);
  assert.match(lines[1]!, /^<3>svc: SVC-AUTH-010/, 'why a command failed has the priority of an error');
  assert.ok(
    lines.slice(1).every((line) => line.startsWith('<3>')),
    lines.join('\n'),
  );
  const [plain] = await runWithJournal(['user', 'add', 'ada', '--password-stdin'], false);
  assert.match(plain!, /^\{"ts":/, 'a stream that is not the journal is left as it is');
});

import assert from 'node:assert/strict';
import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommandTask } from '../../src/operation/command/run-command-task.ts';
import type { SvcError } from '../../src/text/error.ts';
import { createRecordingReport } from '../kit/instance/recording-report.ts';
import { stranger } from '../kit/instance/run-as-stranger.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

test('a task whose end cannot be recorded ends all the same, and the reason is told', async () => {
  await using folder = await openTempFolder();
  const commands = join(folder.path, 'commands');
  const unkept: SvcError[] = [];
  const config = { state: { root: folder.path }, tasks: { keepFinished: 5 } };
  const parameters = { allowZoneMismatch: false, allowStale: false };
  const request = { type: 'media-import', command: 'svc media import', reference: 'disk', actor: 'ana' };
  const user = process.geteuid!();
  try {
    const { task } = await runCommandTask(config as never, createRecordingReport(), {
      request: { ...request, parameters } as never,
      signal: undefined,
      work: async () => {
        // the records can be read from now on, and not written
        for (const name of await readdir(commands)) await chmod(join(commands, name), 0o644);
        for (const path of [folder.path, commands]) await chmod(path, 0o555);
        if (user === 0) process.seteuid!(stranger);
      },
      onUnkept: (error) => unkept.push(error),
    });
    assert.equal(task.status, 'done');
    assert.deepEqual(
      unkept.map(({ code }) => code),
      ['SVC-STO-002'],
    );
  } finally {
    process.seteuid!(user);
    for (const path of [folder.path, commands]) await chmod(path, 0o700);
  }
});

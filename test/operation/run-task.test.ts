import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Context } from '../../src/operation/context.ts';
import { createTaskRunner } from '../../src/operation/run-task.ts';
import { svcError } from '../../src/text/error.ts';
import { createMemoryJournal } from '../kit/instance/memory-journal.ts';
import { createRecordingReport } from '../kit/instance/recording-report.ts';
import { request } from '../kit/instance/task-queue.ts';

test('a task that waits for the verification of the medium stops waiting when it is cancelled', async () => {
  const waits = Promise.withResolvers<void>();
  const verifier = {
    isBusy: true,
    idle: () => {
      waits.resolve();
      return new Promise<void>(() => {});
    },
  };
  const context = { report: createRecordingReport() } as unknown as Context;
  const run = createTaskRunner({ context, store: {}, shown: {}, verifier } as never);
  const { journal, task, lines } = createMemoryJournal();
  const cancel = new AbortController();
  const work = run(task, request, journal, cancel.signal);
  await waits.promise;
  cancel.abort(svcError('SVC-TSK-004', { actor: 'ana' }));
  await assert.rejects(work, { code: 'SVC-TSK-004' });
  await journal.logged();
  assert.match(lines.join(''), /waiting for the verification of the medium/);
});

import type { Task } from '../../../src/contract/task.ts';
import { LiveTask } from '../../../src/task/live-task.ts';

export interface MemoryJournal {
  readonly journal: LiveTask;
  readonly task: Task;
  readonly lines: string[];
}

/** The journal of one running sync task, kept in memory. With `before` it resumes that task. */
export function createMemoryJournal(before?: Task): MemoryJournal {
  const lines: string[] = [];
  const task: Task = before ?? {
    id: 'tsk_000000000001',
    runId: '00000000-0000-4000-8000-000000000001',
    type: 'sync',
    reference: 'retriever',
    actor: 'test',
    status: 'running',
    createdAt: new Date(0).toISOString(),
    resumed: false,
    items: [],
    counts: { total: 0, done: 0, failed: 0, skipped: 0 },
    progress: { bytesDone: 0, bytesTotal: 0 },
  };
  const journal = new LiveTask({
    record: { sequence: 1, request: { type: 'sync', reference: 'retriever', actor: 'test' }, task },
    note: async () => {},
    log: async (text) => {
      lines.push(text);
    },
    onChange: () => {},
  });
  return { journal, task, lines };
}

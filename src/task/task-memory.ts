import { Readable } from 'node:stream';
import { svcError } from '../text/error.ts';
import type { TaskRecord, TaskStorage } from './storage.ts';

const maxLogBytes = 1 << 20;

/** Stores tasks of an instance without a state root in memory; they are never resumed. */
export function openTaskMemory(): TaskStorage {
  const records = new Map<string, TaskRecord>();
  const logs = new Map<string, Buffer>();
  return {
    load: async () => [],
    async create(record) {
      records.set(record.task.id, record);
    },
    async note() {},
    async finish(record) {
      records.set(record.task.id, record);
    },
    async read(id) {
      const record = records.get(id);
      if (!record) throw svcError('SVC-TSK-001', { id });
      return record.task;
    },
    async remove(id) {
      records.delete(id);
      logs.delete(id);
    },
    async appendLog(id, text) {
      const log = logs.get(id) ?? Buffer.alloc(0);
      if (log.length < maxLogBytes) logs.set(id, Buffer.concat([log, Buffer.from(text)]));
    },
    async readLog(id, after, length) {
      const log = logs.get(id) ?? Buffer.alloc(0);
      return { bytes: log.subarray(after, after + length), size: log.length };
    },
    openLog: (id) => Readable.from([logs.get(id) ?? Buffer.alloc(0)], { objectMode: false }),
    async [Symbol.asyncDispose]() {},
  };
}

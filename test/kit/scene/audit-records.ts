import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const head = { level: 'info', auditSchema: 1, logType: 'audit' };

/** Audit records of four days in July 2026, oldest first. */
const records = [
  {
    ts: '2026-07-01T08:00:00.000Z',
    actor: 'ana',
    action: 'account.create',
    target: 'bo',
    outcome: 'success',
  },
  {
    ts: '2026-07-02T23:59:59.999Z',
    actor: 'unauthenticated',
    action: 'auth.authenticate',
    target: '=1+1\u202e',
    outcome: 'denied',
    origin: '192.0.2.66',
    reason: 'throttled, again',
  },
  {
    ts: '2026-07-03T10:00:00.500Z',
    actor: 'local:0',
    action: 'instance.start',
    target: 'https://svc.example',
    outcome: 'success',
  },
  {
    ts: '2026-07-04T08:00:00.000Z',
    actor: 'token:ci',
    action: 'content.push',
    target: 'library/app:1.0',
    outcome: 'success',
    origin: '192.0.2.9',
    taskId: 'tsk_0123456789ab',
    digest: `sha256:${'ab'.repeat(32)}`,
  },
  {
    ts: '2026-07-04T09:00:00.000Z',
    actor: 'ana',
    action: 'content.delete',
    target: 'library/app:1.0',
    outcome: 'success',
    origin: '192.0.2.7',
  },
];

/** Writes the records that an instance with this folder of the state has kept, in two files. */
export async function writeAudit(stateRoot: string): Promise<void> {
  const kept = join(stateRoot, 'audit');
  await mkdir(kept, { recursive: true, mode: 0o700 });
  const toLines = (some: typeof records): string =>
    some
      .map((record) => `${JSON.stringify({ ...head, msg: `Audit: ${record.action}`, ...record })}\n`)
      .join('');
  await writeFile(join(kept, '00000001.jsonl'), toLines(records.slice(0, 3)));
  await writeFile(join(kept, '00000002.jsonl'), toLines(records.slice(3)));
}

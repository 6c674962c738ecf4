import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

type AuditRecord = Readonly<Record<string, string | undefined>>;

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

/** Records of 5 July 2026 with the longest names that nothing breaks: a digest, a token, a path and a reference. */
export const unbrokenRecords = [
  {
    ts: '2026-07-05T08:00:00.000Z',
    actor: 'local:0',
    action: 'store.quarantine',
    target: `sha256:${'5d'.repeat(32)}`,
    outcome: 'success',
    path: `_svc/quarantine/sha256-${'5d'.repeat(32)}`,
    problem: `its bytes have the digest sha256:${'5e'.repeat(32)}`,
  },
  {
    ts: '2026-07-05T09:00:00.000Z',
    actor: `token:${'nightly'.repeat(9)}`,
    action: 'content.push',
    target: `library/${'a'.repeat(247)}`,
    outcome: 'success',
    origin: '2001:db8:85a3:8d3:1319:8a2e:370:7348',
  },
  {
    ts: '2026-07-05T10:00:00.000Z',
    actor: 'local:0',
    action: 'layout.export',
    target: `/${'d'.repeat(255)}`,
    outcome: 'failure',
    code: 'SVC-STO-002',
  },
];

/**
 * Writes the records that an instance with this folder of the state has kept, in two files.
 *
 * @param further later records
 */
export async function writeAudit(stateRoot: string, further: readonly AuditRecord[] = []): Promise<void> {
  const kept = join(stateRoot, 'audit');
  await mkdir(kept, { recursive: true, mode: 0o700 });
  const toLines = (some: readonly AuditRecord[]): string =>
    some
      .map((record) => `${JSON.stringify({ ...head, msg: `Audit: ${record.action}`, ...record })}\n`)
      .join('');
  await writeFile(join(kept, '00000001.jsonl'), toLines(records.slice(0, 3)));
  await writeFile(join(kept, '00000002.jsonl'), toLines([...records.slice(3), ...further]));
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { audited, auditedRefusal } from '../../src/base/audited.ts';
import type { AuditEvent } from '../../src/base/report.ts';
import { svcError } from '../../src/text/error.ts';

const attempt = { actor: 'ann', action: 'store.reset', target: '/store', details: { kept: 1 } } as const;

function record(): { readonly events: AuditEvent[]; audit(event: AuditEvent): void } {
  const events: AuditEvent[] = [];
  return { events, audit: (event) => events.push(event) };
}

test('a success is recorded once, with what was given and what the result tells', async () => {
  const report = record();
  const describe = { success: (bytes: number) => ({ bytes }) };
  assert.equal(await audited(report, attempt, async () => 7, describe), 7);
  assert.deepEqual(report.events, [{ ...attempt, outcome: 'success', details: { kept: 1, bytes: 7 } }]);
});

test('what a policy refuses is denied, whatever else fails is a failure, each with its code', async () => {
  const report = record();
  const refuse = async () => {
    throw svcError('SVC-FIL-003', { path: 'x' });
  };
  const fail = async () => {
    throw new Error('x');
  };
  await assert.rejects(audited(report, attempt, refuse));
  await assert.rejects(auditedRefusal(report, attempt, fail));
  assert.deepEqual(
    report.events.map(({ outcome, details }) => [outcome, details]),
    [
      ['denied', { kept: 1, code: 'SVC-FIL-003' }],
      ['failure', { kept: 1, code: 'SVC-SRV-001' }],
    ],
  );
});

test('where only refusals are kept a success leaves no record', async () => {
  const report = record();
  await auditedRefusal(report, attempt, async () => {});
  assert.deepEqual(report.events, []);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderHistory } from '../../commands/render/history.ts';

test('the history names the reason of a waiver beside its target, without what a terminal interprets', () => {
  const record = (action: string) => ({
    ...{
      ts: '2026-07-04T08:00:00.000Z',
      actor: 'ana',
      action,
      target: '/mnt/disk',
      outcome: 'success' as const,
    },
    details: { reason: 'restores \u001b[2J the state' },
  });
  const page = { records: [record('media.waiver'), record('auth.authenticate')], keep: 1 };
  const [, waived, other] = renderHistory(page, { language: 'en', width: 200 } as never).split('\n');
  assert.match(waived!, /\/mnt\/disk \(restores .* the state\)$/);
  assert.ok(!waived!.includes('\u001b'));
  assert.match(other!, /\/mnt\/disk$/);
});

import { test } from 'node:test';
import { rulesFile } from '../../kit/program/alerts.ts';
import { judgeRules } from '../../kit/program/rule-cases.ts';

test('a zone that states nothing for too long, a delivery without an answer, and a blocked recipe raise alerts', async (t) => {
  const age = (days: number) => ({
    'svc_zone_receipt_age_seconds{zone="zone-b"}': `${days * 86_400}x200`,
    'svc_zone_receipt_max_age_seconds{zone="zone-b"}': `${30 * 86_400}x200`,
  });
  await judgeRules(
    t,
    rulesFile,
    ['SvcZoneOverdue', 'SvcZoneBlocked'],
    [
      { name: 'a young receipt', interval: '1m', series: age(29), at: '2h', firing: [] },
      { name: 'an old receipt', interval: '1m', series: age(31), at: '2h', firing: ['SvcZoneOverdue'] },
      {
        name: 'a disk in the drawer',
        interval: '1m',
        series: { ...age(1), 'svc_zone_overdue_deliveries{zone="zone-b"}': '1x200' },
        at: '2h',
        firing: ['SvcZoneOverdue'],
      },
      {
        name: 'a refused recipe',
        interval: '1m',
        series: { 'svc_zone_recipes{zone="zone-b",state="blocked"}': '2x200' },
        at: '2h',
        firing: ['SvcZoneBlocked'],
      },
      {
        name: 'a recipe that is behind',
        interval: '1m',
        series: { 'svc_zone_recipes{zone="zone-b",state="behind"}': '2x200' },
        at: '2h',
        firing: [],
      },
    ],
  );
});

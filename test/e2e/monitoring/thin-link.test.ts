import { test } from 'node:test';
import { rulesFile } from '../../kit/program/alerts.ts';
import { judgeRules, type RuleCase } from '../../kit/program/rule-cases.ts';

/** Alerts whose state windows, a cap and a link that breaks off make long or let alternate. */
const alerts = ['SvcSyncFailing', 'SvcSyncOverdue', 'SvcTasksQueuedLong', 'SvcGateClosed'];

/** Samples in an hour: one each quarter. */
const hourly = 4;
/** A value that stays for so many hours. */
const hold = (value: number, hours: number): string => `${value}x${hours * hourly - 1}`;
/** A value that grows by so much in an hour, for so many hours. */
const grow = (from: number, each: number, hours: number): string =>
  `${from}+${each / hourly}x${hours * hourly - 1}`;
/** Repeats values over a day or a week. */
const again = (times: number, values: string): string => Array(times).fill(values).join(' ');

const success = 'svc_sync_last_success_timestamp_seconds';
const received = 'svc_link_bytes_total{direction="received"}';
const running = 'svc_task_running{type="sync"}';
const pending = 'svc_tasks_oldest_pending_timestamp_seconds';
/** An instance of which the first sample is its start, with a cycle each quarter. */
const instance = {
  svc_build_info: hold(1, 230),
  process_start_time_seconds: hold(0, 230),
  svc_sync_interval_seconds: hold(900, 230),
};
/** Open for eight hours from the first sample, then closed for sixteen. */
const nightly = again(20, `${hold(1, 8)} ${hold(0, 16)}`);
const always = hold(1, 230);
/** Open for three quarters of an hour in each night. */
const short = again(20, `${hold(1, 0.75)} ${hold(0, 23.25)}`);
/** Open for two days from the first sample, then closed for five. */
const weekly = again(3, `${hold(1, 48)} ${hold(0, 120)}`);
/** A success in the second hour of the first night, nothing since. */
const oneSuccess = { [success]: `_x${hourly} ${hold(3600, 500)}` };

/** These series, judged at several times. */
const about = (
  name: string,
  series: RuleCase['series'],
  firingAt: Readonly<Record<string, readonly string[]>>,
): RuleCase => ({ name, interval: '15m', series, firingAt });

const twoNights = `${hold(0, 24)} ${hold(1, 6)}`;
const cases: readonly RuleCase[] = [
  about(
    'runs that fail wholly and in part in turn',
    {
      'svc_sync_last_outcome{outcome="success"}': '0x12',
      'svc_sync_last_outcome{outcome="partial"}': again(3, '1x1 0x1'),
      'svc_sync_last_outcome{outcome="failure"}': again(3, '0x1 1x1'),
    },
    { '15m': [], '165m': ['SvcSyncFailing'] },
  ),
  about(
    'runs that fail and succeed in turn',
    {
      'svc_sync_last_outcome{outcome="success"}': again(3, '1x1 0x1'),
      'svc_sync_last_outcome{outcome="failure"}': again(3, '0x1 1x1'),
    },
    { '165m': [] },
  ),
  about(
    'a medium of which nothing, then some is withheld',
    {
      'svc_condition{condition="gate-closed"}': again(4, `${hold(1, 0.5)} ${hold(0, 0.5)}`),
      'svc_condition{condition="recipes-withdrawn"}': again(4, `${hold(0, 0.5)} ${hold(1, 0.5)}`),
    },
    { '180m': ['SvcGateClosed'] },
  ),
  about(
    'a run that takes six hours of the second night',
    {
      ...instance,
      ...oneSuccess,
      svc_link_open: nightly,
      [running]: `${twoNights} 0x99`,
      [received]: `${hold(9, 24)} ${grow(9, 9e9, 6)} 1e12x99`,
    },
    { '20h': [], '24h': [], '24h30m': [], '25h': [], '26h': [], '29h45m': [] },
  ),
  about(
    'a run of the second night that receives nothing',
    {
      ...instance,
      ...oneSuccess,
      svc_link_open: nightly,
      [running]: `${twoNights} ${hold(1, 60)}`,
      [received]: hold(9, 230),
    },
    // also during the day
    { '24h30m': [], '26h': ['SvcSyncOverdue'], '40h': ['SvcSyncOverdue'] },
  ),
  about(
    'a first run that takes days under a cap',
    {
      ...instance,
      svc_link_open: always,
      [running]: hold(1, 100),
      [received]: `${grow(0, 9e7, 72)} ${hold(1e12, 28)}`,
    },
    { '3h': [], '70h': [], '75h': ['SvcSyncOverdue'] },
  ),
  about(
    'no run at all, although other tasks receive',
    {
      ...instance,
      ...oneSuccess,
      svc_link_open: always,
      [running]: hold(0, 230),
      [received]: grow(0, 9e7, 100),
    },
    { '1h30m': [], '3h': ['SvcSyncOverdue'] },
  ),
  about(
    'no run in windows of three quarters of an hour',
    { ...instance, ...oneSuccess, svc_link_open: short, [running]: hold(0, 230), [received]: hold(9, 230) },
    { '24h45m': [], '52h': ['SvcSyncOverdue'] },
  ),
  about(
    'a first run in such windows, of which one is not enough',
    {
      ...instance,
      svc_link_open: short,
      [running]: hold(1, 230),
      [received]: again(20, `${grow(0, 9e9, 0.75)} ${hold(9e9, 23.25)}`),
    },
    { '60h': [] },
  ),
  about(
    'windows at weekends',
    {
      ...instance,
      [success]: `_x${hourly} ${Array.from({ length: 47 * hourly }, (_, at) => 3600 + at * 900).join(' ')} ${hold(48 * 3600 - 900, 300)}`,
      svc_link_open: weekly,
      [running]: hold(0, 230),
      [received]: hold(9, 230),
    },
    {
      '60h': [],
      '72h': [],
      '75h': [],
      '100h': [],
      '167h': [],
      // the next weekend begins
      '168h': [],
      '168h30m': [],
      '169h': ['SvcSyncOverdue'],
    },
  ),
  about(
    'a task that was queued by day, behind one that transfers by night',
    {
      svc_link_open: nightly,
      [pending]: `_x${12 * hourly} ${hold(12 * 3600, 40)}`,
      svc_task_done_bytes: `${hold(9, 24)} ${grow(9, 9e9, 8)} ${hold(1e12, 16)}`,
    },
    { '20h': [], '24h': [], '24h30m': [], '26h': [], '30h': [], '40h': [] },
  ),
  about(
    'a task that was queued by day, behind one that does nothing by night',
    {
      svc_link_open: nightly,
      [pending]: `_x${12 * hourly} ${hold(12 * 3600, 80)}`,
      svc_task_done_bytes: hold(9, 100),
      [received]: hold(9, 100),
    },
    { '24h': [], '25h': ['SvcTasksQueuedLong'], '45h': ['SvcTasksQueuedLong'] },
  ),
  about(
    'a task behind one that a cap makes long',
    {
      svc_link_open: always,
      [pending]: hold(0, 100),
      svc_task_done_bytes: hold(9, 100),
      [received]: `${grow(0, 9e7, 48)} ${hold(1e12, 52)}`,
    },
    { '2h': [], '40h': [], '50h': ['SvcTasksQueuedLong'] },
  ),
  about(
    'a task that waits over a week in windows at weekends',
    {
      svc_link_open: weekly,
      [pending]: `_x${60 * hourly} ${hold(60 * 3600, 200)}`,
      svc_task_done_bytes: hold(9, 300),
    },
    { '66h': [], '100h': [], '168h': [], '169h': ['SvcTasksQueuedLong'] },
  ),
  about(
    'a task that waits in windows of three quarters of an hour',
    { svc_link_open: short, [pending]: `_x${hourly} ${hold(3600, 200)}`, svc_task_done_bytes: hold(9, 300) },
    { '12h': [], '24h45m': [], '52h': ['SvcTasksQueuedLong'] },
  ),
];

test('alerts take the time that a closed window or a cap makes long for what it is, and no change of a label for an end', async (t) => {
  await judgeRules(t, rulesFile, alerts, cases);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { parse, stringify } from 'yaml';
import { openTempFolder } from '../instance/temp-folder.ts';
import { needs } from './peers.ts';
import { runProgram } from './run-program.ts';
import type { Scrape } from './scrape.ts';

/** The rules that say when one machine is outgrown. */
export const growthFile = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'deploy',
  'prometheus',
  'svc-growth.yaml',
);

/** The alert rules that are delivered. */
export const rulesFile = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'deploy',
  'prometheus',
  'svc-alerts.yaml',
);

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export const alertRules: readonly AlertRule[] = parse(readFileSync(rulesFile, 'utf8')).groups.flatMap(
  ({ rules }: { rules: readonly AlertRule[] }) => rules,
);

/** Samples between two scrapes that a test made, so that each stands for some time. */
const held = 5;

const labelsOf = (series: string): string => {
  const own = 'job="svc",instance="zone.example:8443"';
  return series.endsWith('}') ? `${series.slice(0, -1)},${own}}` : `${series}{${own}}`;
};

/**
 * Writes scrapes as the series of a promtool test: each scrape stands for five intervals, the last one for ever.
 * Times are moved to the clock of that test, which starts at 0.
 *
 * @param interval seconds
 */
function toSeries(scrapes: readonly (Scrape | undefined)[], interval: number, samples: number) {
  const lengths = scrapes.map((_, at) => (at === scrapes.length - 1 ? samples - at * held : held));
  const names = new Set(scrapes.flatMap((scrape) => [...(scrape?.samples.keys() ?? [])]));
  const toValues = (read: (scrape: Scrape | undefined, at: number) => number | undefined): string =>
    scrapes
      .map((scrape, at) => {
        const value = read(scrape, at);
        const times = `x${lengths[at]! - 1}`;
        return value === undefined || Number.isNaN(value) ? `_x${lengths[at]!}` : `${value}+0${times}`;
      })
      .join(' ');
  const isTime = (series: string): boolean =>
    /_timestamp_seconds(\{|$)|^process_start_time_seconds/.test(series);
  return [
    { series: labelsOf('up'), values: toValues((scrape) => (scrape === undefined ? 0 : 1)) },
    ...[...names]
      .filter((series) => /^(svc_|process_)/.test(series) && !series.includes('_bucket'))
      .map((series) => ({
        series: labelsOf(series),
        values: toValues((scrape, at) => {
          const value = scrape?.samples.get(series);
          return value === undefined || !isTime(series) ? value : value - scrape!.at + at * held * interval;
        }),
      })),
  ];
}

/** Alerts that fire, and when. */
export interface Expectation {
  /** Minutes after the first scrape. */
  readonly minute: number;
  /** Every alert that fires then. */
  readonly firing: readonly string[];
  /** Looks at these alerts only. Default: all. */
  readonly among?: readonly string[];
}

/**
 * Evaluates the delivered rules over scrapes, and requires that exactly these alerts fire. Scrapes stand five
 * minutes each, the last one for ever; undefined: the instance did not answer. Listed as not run without promtool.
 *
 * @param minutes between two samples; more than 1 for alerts that take days
 */
export async function expectAlerts(
  t: TestContext,
  scrapes: readonly (Scrape | undefined)[],
  expectations: readonly Expectation[],
  minutes = 1,
): Promise<void> {
  await t.test(
    `alerts: ${expectations.map(({ firing }) => firing.join(', ') || 'none').join('; ')}`,
    async (own) => {
      const promtool = needs(own, 'promtool');
      if (promtool === undefined) return;
      await using folder = await openTempFolder();
      const samples = Math.ceil(Math.max(...expectations.map(({ minute }) => minute)) / minutes) + 2;
      const path = join(folder.path, 'test.yaml');
      const document = {
        rule_files: [rulesFile],
        evaluation_interval: `${minutes}m`,
        tests: [
          {
            interval: `${minutes}m`,
            input_series: toSeries(scrapes, minutes * 60, samples),
            promql_expr_test: expectations.flatMap(({ minute, firing, among }) =>
              (among ?? alertRules.map(({ alert }) => alert)).map((name) => ({
                expr: `clamp_max(count(ALERTS{alertname="${name}",alertstate="firing"}) or vector(0), 1)`,
                eval_time: `${minute}m`,
                exp_samples: [{ labels: '{}', value: firing.includes(name) ? 1 : 0 }],
              })),
            ),
          },
        ],
      };
      for (const name of expectations.flatMap(({ firing }) => firing))
        assert.ok(
          alertRules.some(({ alert }) => alert === name),
          `no alert ${name}`,
        );
      await writeFile(path, stringify(document));
      const { exitCode, stdout, stderr } = await runProgram(promtool, ['test', 'rules', path], { env: {} });
      assert.equal(exitCode, 0, `${stdout}\n${stderr}`);
    },
  );
}

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { parse, stringify } from 'yaml';
import { openTempFolder } from '../instance/temp-folder.ts';
import { needs } from './peers.ts';
import { runProgram } from './run-program.ts';

/** A test of promtool: the recorded values or the firing alerts at a time, from these series. */
export interface RuleCase {
  /** Unique; names the instance. */
  readonly name: string;
  /** Time between two samples, and between two evaluations. */
  readonly interval: string;
  /** Values in the notation of promtool, by series without the labels `job` and `instance`. */
  readonly series: Readonly<Record<string, string>>;
  /** The time of the judgement. Default: the first sample. */
  readonly at?: string;
  readonly recorded?: Readonly<Record<string, number>>;
  /** Series that have no value. */
  readonly absent?: readonly string[];
  /** The judged alerts that fire; all others are silent. Default: none is judged. */
  readonly firing?: readonly string[];
  /** The same at further times. */
  readonly firingAt?: Readonly<Record<string, readonly string[]>>;
}

interface RuleFile {
  readonly groups: readonly {
    readonly name: string;
    readonly rules: readonly { readonly alert?: string }[];
  }[];
}

const withOwn = (series: string, own: string): string =>
  series.endsWith('}') ? `${series.slice(0, -1)},${own}}` : `${series}{${own}}`;

/** Values are compared with three digits after the point: samples are floating point numbers. */
const toExpectation = (series: string, at: string, value: number | undefined) => ({
  expr: `round(${series}, 0.001)`,
  eval_time: at,
  exp_samples: value === undefined ? [] : [{ labels: `{${/\{(.*)\}/.exec(series)![1]}}`, value }],
});

/** The cases of one pace as one test: each is an instance of its own, so that an evaluation looks at all of them. */
const toTest = (interval: string, alerts: readonly string[], cases: readonly RuleCase[]) => {
  const made = cases.map(({ name, series, at = '0s', recorded = {}, absent = [], firing, firingAt = {} }) => {
    const instance = name.replaceAll(' ', '-');
    const own = `instance="${instance}",job="svc"`;
    const judged = [...(firing === undefined ? [] : [[at, firing] as const]), ...Object.entries(firingAt)];
    return {
      series: Object.entries(series).map(([one, values]) => ({ series: withOwn(one, own), values })),
      tests: [
        ...Object.entries(recorded).map(([one, value]) => toExpectation(withOwn(one, own), at, value)),
        ...absent.map((one) => toExpectation(withOwn(one, own), at, undefined)),
        ...judged.map(([time, names]) => ({
          expr: `count by (alertname) (ALERTS{alertstate="firing",${own},alertname=~"${alerts.join('|')}"})`,
          eval_time: time,
          exp_samples: names.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
        })),
      ],
    };
  });
  return {
    interval,
    input_series: made.flatMap((one) => one.series),
    promql_expr_test: made.flatMap((one) => one.tests),
  };
};

/**
 * Evaluates a file of rules over the series of each case. Listed as not run without promtool.
 *
 * @param alerts the alerts that each case with `firing` judges
 */
export async function judgeRules(
  t: TestContext,
  file: string,
  alerts: readonly string[],
  cases: readonly RuleCase[],
): Promise<void> {
  const promtool = needs(t, 'promtool');
  if (promtool === undefined) return;
  await using folder = await openTempFolder();
  // the program takes groups in any order unless told; an alert that comes first sees no value of this evaluation
  const { groups }: RuleFile = parse(await readFile(file, 'utf8'));
  // an alert that no case judges costs an evaluation at each sample
  const judged = groups.map(({ name, rules }) => ({
    name,
    rules: rules.filter(({ alert }) => alert === undefined || alerts.includes(alert)),
  }));
  const rulesPath = join(folder.path, 'rules.yaml');
  await writeFile(rulesPath, stringify({ groups: judged }));
  // some cases take minutes, some weeks: each file has its own pace
  const paths = await Promise.all(
    [...new Set(cases.map(({ interval }) => interval))].map(async (interval) => {
      const path = join(folder.path, `cases-${interval}.yaml`);
      const document = {
        rule_files: [rulesPath],
        evaluation_interval: interval,
        group_eval_order: groups.map(({ name }) => name),
        tests: [
          toTest(
            interval,
            alerts,
            cases.filter((one) => one.interval === interval),
          ),
        ],
      };
      await writeFile(path, stringify(document));
      return path;
    }),
  );
  const { exitCode, stdout, stderr } = await runProgram(promtool, ['test', 'rules', ...paths], { env: {} });
  assert.equal(exitCode, 0, `${stdout}${stderr}`);
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandDefinition } from '../commands/cli/command-definition.ts';
import { commonFlags } from '../commands/cli/common-flags.ts';
import { renderCompletion, type Shell, shells } from '../commands/cli/completion-scripts.ts';
import { describeCommands } from '../commands/cli/describe-command.ts';
import { describeCompletions } from '../commands/completion.ts';
import { renderFlags, renderUsage } from '../commands/render/usage.ts';
import { type MetricDefinition, metricTable } from '../server/probe/metric-table.ts';
import { toConfigFileSchema } from '../src/config/config-json-schema.ts';
import { renderConfigTable } from '../src/config/render-config-table.ts';
import { type Cases, isPaired, toCases } from '../src/text/cases.ts';
import { exitCodes } from '../src/text/error.ts';
import { errorCodes, errorKinds } from '../src/text/errors/codes.ts';
import { listAlternatives } from '../src/text/fill.ts';
import { getMessage } from '../src/text/message.ts';
import { root } from './bundle-options.ts';
import { renderManual } from './render-manual.ts';

const notice = (title: string, intro: string): string => `# ${title}\n\n${intro}\n\n`;

/** Escapes a cell of a Markdown table. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/** The causes of an error, and its remedies; those that belong together have the same number. */
function listCases(all: Cases): readonly (readonly string[])[] {
  const number = (i: number): string => (isPaired(all) ? `${i + 1}. ` : '');
  const some = (lines: readonly string[]): readonly string[] => lines.filter((line) => line !== '');
  return [
    some([...all.cases.map(({ cause }, i) => cause && `${number(i)}${cause}`), all.cause]),
    some([
      ...all.cases.flatMap(({ actions }, i) => actions.map((each) => each && `${number(i)}${each}`)),
      all.action,
    ]),
  ];
}

function renderErrors(): string {
  const rows = errorCodes.map((code) => {
    const { class: errorClass, status } = errorKinds[code];
    const { what, cause, action } = getMessage(code, 'en');
    const told = [listAlternatives(what, 'en'), ...listCases(toCases({ cause, action }, 'en'))];
    return `| \`${code}\` | ${errorClass} (${exitCodes[errorClass]}) | ${status} | ${told.map((lines) => cell(lines.join('<br>'))).join(' | ')} |`;
  });
  const intro =
    'Every coded error with its class, exit code, HTTP status (for errors sent to a client) and message. Names in braces\n' +
    'are parameters; of several causes, each has the number of its remedy. An instance answers with the name of\n' +
    'the setting in place of a path of its machine: `<storage.root>` is the folder that `storage.root` names, see\n' +
    '`svc config dump` there. The messages are also available in French (`LC_ALL`, `LANG`, `Accept-Language`).';
  return `${notice('Errors', intro)}| code | class (exit) | HTTP | what happened | probable cause | what to do |\n|---|---|---|---|---|---|\n${rows.join('\n')}\n`;
}

function renderCommands(commands: readonly CommandDefinition[]): string {
  const sections = commands.map((command) => {
    const usage = renderUsage(command);
    return `## svc ${command.path.join(' ')}\n\n\`\`\`text\n${usage.trimEnd()}\n\`\`\`\n`;
  });
  const intro =
    'Output of `svc <command> --help`; the manual pages (`man svc-sync`) have the same content. Exit codes:\n' +
    '[exit-codes.md](exit-codes.md).';
  const { flags: ofVersion } = commands.find(({ path }) => path[0] === 'version')!;
  const common = ofVersion.filter(({ names }) => names.some((name) => name in commonFlags));
  const flags = `## Common flags\n\n\`\`\`text\n${renderFlags(common).trimEnd()}\n\`\`\`\n`;
  return `${notice('Commands', intro)}${[flags, ...sections].join('\n')}`;
}

/** File names under which each shell looks for completion scripts. */
const completionFiles: Readonly<Record<Shell, string>> = {
  bash: 'svc',
  zsh: '_svc',
  fish: 'svc.fish',
  powershell: 'svc.ps1',
};

function renderConfiguration(): string {
  const intro =
    'Order of precedence: command-line flags, environment variables, the YAML file (`--config`, default\n' +
    '`/etc/svc/config.yaml`), built-in defaults. The merged configuration is validated for the command that is run; all\n' +
    'errors are reported together. `svc config dump` prints the result with secrets redacted.\n\n' +
    'Durations look like `30s`, `15m`, `1h30m`; sizes like `64MiB`, `512kB` or a bare number of bytes; lists in the\n' +
    'environment are comma-separated. An empty variable counts as unset.';
  return `${notice('Configuration', intro)}${renderConfigTable()}`;
}

/** Renders the labels of a metric with their values, except codes. */
function renderLabels({ labels = {} }: MetricDefinition): string {
  return Object.entries(labels)
    .map(([label, values]) => {
      const listed = label === 'code' ? [] : values;
      return `\`${label}\`${listed.length === 0 ? '' : `: ${listed.join(', ')}`}`;
    })
    .join('; ');
}

function renderMetrics(): string {
  const rows = Object.entries(metricTable).map(
    ([name, definition]) =>
      `| \`${name}\` | ${definition.kind} | ${renderLabels(definition)} | ${definition.help} |`,
  );
  const intro =
    '`GET /metrics` answers without credentials, in OpenMetrics 1.0 or in the Prometheus text format 0.0.4, as `Accept`\n' +
    'prefers. In OpenMetrics, each counter and histogram also has a `_created` time. No metric is labelled by host,\n' +
    'repository or recipe; a label `code` has the codes of [errors](errors.md). The metrics of the process and of the\n' +
    'runtime (`process_…`, `nodejs_…`) are served beside these. [monitoring](monitoring.md) describes alerts and a dashboard.';
  return `${notice('Metrics', intro)}| metric | type | labels | value |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

/** The rules for Prometheus, copied into the chart: helm reads no file outside of a chart. */
function copyRules(): [path: string, text: string][] {
  const folder = join(root, 'deploy', 'prometheus');
  return readdirSync(folder).map((name) => [
    `deploy/chart/rules/${name}`,
    readFileSync(join(folder, name), 'utf8'),
  ]);
}

const chartSchema = 'deploy/chart/values.schema.json';

/**
 * The schema of the chart's values with that of the configuration in it. With it, helm refuses a value before the
 * instance refuses it at the start of its pod. Everything else in the file is written by hand.
 */
function renderChartSchema(): string {
  const schema = JSON.parse(readFileSync(join(root, chartSchema), 'utf8'));
  const { properties } = toConfigFileSchema();
  schema.properties.config = {
    type: 'object',
    description: 'The configuration of the instance, generated from its settings (svc config schema).',
    properties: withNullEach(properties as object),
    additionalProperties: false,
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

const withNullEach = (settings: object): object =>
  Object.fromEntries(Object.entries(settings).map(([name, schema]) => [name, withNull(schema)]));

/** Admits null for each setting and those below it: the instance takes it for one that is not set. */
function withNull(schema: Record<string, unknown>): Record<string, unknown> {
  const { type, enum: values, properties } = schema;
  return {
    ...schema,
    ...(type === undefined ? {} : { type: [...new Set([type, 'null'].flat())] }),
    ...(values === undefined ? {} : { enum: [...(values as readonly unknown[]), null] }),
    ...(properties === undefined ? {} : { properties: withNullEach(properties as object) }),
  };
}

/** Returns path and text of every generated file. */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  const commands = await describeCommands();
  const described = await describeCompletions();
  return new Map([
    ['docs/configuration.md', renderConfiguration()],
    ['docs/commands.md', renderCommands(commands)],
    ['docs/errors.md', renderErrors()],
    ['docs/metrics.md', renderMetrics()],
    ...copyRules(),
    [chartSchema, renderChartSchema()],
    ...[...renderManual(commands)].map(([name, text]): [string, string] => [`man/${name}`, text]),
    ...shells.map((shell): [string, string] => [
      `completions/${completionFiles[shell]}`,
      renderCompletion(shell, described),
    ]),
  ]);
}

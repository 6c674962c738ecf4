import type { CommandDefinition, FlagDefinition } from '../commands/cli/command-definition.ts';
import { commonFlags } from '../commands/cli/common-flags.ts';
import { groupByArea } from '../commands/render/overview.ts';
import { labelFlag, renderDetails, renderSynopsis } from '../commands/render/usage.ts';
import { exitCodes } from '../src/text/error.ts';
import { manifest } from './bundle-options.ts';

/** Release date, shown on the manual pages. */
const released = '2026-11-21';

const exitMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: 'Success, or a plan that found nothing to do.',
  failure: 'Network, storage, configuration, internal; also a task that failed on the instance.',
  usage: 'Invalid flag, unknown command, or an invalid value of a flag.',
  policy: 'Refused by policy or authorization.',
  verification: 'An integrity or authenticity check failed; no option overrides it.',
  'changes-planned': 'A dry run found changes to make, or svc status found something missing.',
};

/** Escapes a text for roff: no escapes, no requests at the start of a line, hyphens that can be copied. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(
      /[^\u0000-\u007e]/gu,
      (character) => `\\[u${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
    )
    .replace(/^(?=[.'])/gm, '\\&');
}

function bold(text: string): string {
  return `\\fB${roff(text)}\\fR`;
}

/** Quotes an argument of a roff request. */
function quoted(text: string): string {
  return `"${roff(text).replaceAll('"', '\\(dq')}"`;
}

function heading(title: string, section: string): string {
  return `.\\" Generated from the commands themselves (npm run generate).\n.TH ${quoted(title)} 1 ${released} ${quoted(`svc ${manifest.version}`)} ${quoted(section)}\n`;
}

function section(title: string, body: string): string {
  return body === '' ? '' : `.SH ${quoted(title)}\n${body}`;
}

/** Renders paragraphs, separated by empty lines. */
function paragraphs(text: string): string {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((part) => `${roff(part.trim().replace(/\s*\n\s*/g, '\n'))}\n`)
    .join('.PP\n');
}

/** Renders a list of terms with descriptions. */
function terms(entries: readonly (readonly [term: string, text: string])[]): string {
  return entries.map(([term, text]) => `.TP\n${term}\n${roff(text)}\n`).join('');
}

const toName = (path: readonly string[]): string => ['svc', ...path].join('-');

const exitStatus = (): string =>
  section(
    'EXIT STATUS',
    terms(
      Object.entries(exitCodes).map(([name, code]) => [
        bold(String(code)),
        exitMeanings[name as keyof typeof exitCodes],
      ]),
    ),
  );

/** Renders flags with their descriptions. */
function listFlags(some: readonly FlagDefinition[]): string {
  return terms(
    some.map((flag) => {
      const [names, ...shape] = labelFlag(flag).split(/ (?=[<a-z])/);
      return [`${bold(names!)}${shape.length > 0 ? ` \\fI${roff(shape.join(' '))}\\fR` : ''}`, flag.help[0]];
    }),
  );
}

const isCommon = ({ names }: FlagDefinition): boolean => names.some((name) => name in commonFlags);

function renderPage(command: CommandDefinition): string {
  const { path, flags } = command;
  const [summary] = command.summary;
  const own = flags.filter((flag) => !isCommon(flag));
  const examples = command.examples.map(
    ([[title], line]) => `${roff(title)}:\n.PP\n.RS 4\n.nf\n${roff(line)}\n.fi\n.RE\n`,
  );
  return [
    heading(toName(path).toUpperCase(), 'svc commands'),
    section('NAME', `${roff(toName(path))} \\- ${roff(summary)}\n`),
    section('SYNOPSIS', `${bold(renderSynopsis(command))}\n`),
    section('DESCRIPTION', paragraphs(renderDetails(command.details) || summary)),
    section('OPTIONS', listFlags(own)),
    section('COMMON OPTIONS', listFlags(flags.filter(isCommon))),
    exitStatus(),
    section('EXAMPLES', examples.join('.PP\n')),
    section('SEE ALSO', `${bold('svc')}(1)\n`),
  ].join('');
}

function renderMain(commands: readonly CommandDefinition[]): string {
  const groups = groupByArea(commands).map(([[title], some]) => {
    const rows = some.map(({ path, summary: [summary] }): [string, string] => [
      `${bold(toName(path))}(1)`,
      summary,
    ]);
    return `.SS ${quoted(title)}\n${terms(rows)}`;
  });
  // its flags are those that every command has
  const version = commands.find(({ path }) => path[0] === 'version')!;
  return [
    heading('SVC', 'svc commands'),
    section('NAME', `svc \\- ${roff('move signed, digest-pinned content between network zones')}\n`),
    section(
      'SYNOPSIS',
      `${bold('svc')} \\fIcommand\\fR [flags] [arguments]\n.br\n${bold('svc')} \\fIcommand\\fR ${bold('--help')}\n`,
    ),
    section(
      'DESCRIPTION',
      paragraphs(`
        svc moves container images, charts, artifacts and FileSets between network zones, including zones reached
        only by a carried disk. Every byte and every signature is checked on both sides of the gap.

        Reports are printed to stdout, messages to stderr. With --output json the report is one JSON document, alone
        on stdout. Only svc quickstart and the commands that set a password are interactive.
      `),
    ),
    section('COMMANDS', groups.join('')),
    section('COMMON OPTIONS', listFlags(version.flags.filter(isCommon))),
    section(
      'ENVIRONMENT',
      terms([
        [
          bold('SVC_*'),
          'Settings of the configuration: the key path in upper snake case. Flags override them, and they override the file.',
        ],
        [
          bold('SVC_INSTANCE_URL, SVC_API_TOKEN'),
          'URL of the running instance for the commands that ask one, and the API token for it.',
        ],
        [
          bold('LC_ALL, LANG'),
          'Language of help, reports, prompts and errors: French if the first of these that is set starts with fr, else English.',
        ],
        [bold('NO_COLOR'), 'Disables colours in the log on a terminal.'],
      ]),
    ),
    section(
      'FILES',
      terms([[`\\fI/etc/svc/config.yaml\\fR`, 'Default configuration file; need not exist.']]),
    ),
    exitStatus(),
    section('SEE ALSO', `${commands.map(({ path }) => `${bold(toName(path))}(1)`).join(',\n')}\n`),
  ].join('');
}

/** Renders the manual: one page for the program and one for each command, by file name. */
export function renderManual(commands: readonly CommandDefinition[]): ReadonlyMap<string, string> {
  return new Map([
    ['svc.1', renderMain(commands)],
    ...commands.map((command): [string, string] => [`${toName(command.path)}.1`, renderPage(command)]),
  ]);
}

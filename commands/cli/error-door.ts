import { isJournal, toPriorityPrefix } from '../../src/log/journal.ts';
import { type ExitCode, exitCodes, type SvcError, toExitCode } from '../../src/text/error.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Language, say, selectLanguage } from '../../src/text/language.ts';
import { headingOf, renderRemedy } from '../render/remedy.ts';
import { toWidth } from '../render/width.ts';
import { fitLines } from '../render/wrap.ts';
import { CommandLineError } from './command-line-error.ts';
import { toCoded, toSentence } from './sentence-error.ts';

interface ErrorDoorOptions {
  readonly stderr: {
    write(text: string): unknown;
    readonly fd?: number;
    readonly isTTY?: boolean;
    readonly columns?: number;
  };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Prints the stack of the cause of an error. */
  readonly debug?: boolean;
}

/** Maximum length of a technical detail, in characters. */
const detailLimit = 64 * 1024;

/**
 * Writes an error of a command to stderr, no wider than the terminal. An error with a code has three parts in the
 * language of the environment. An error of the command line is `svc: <message>`. Every error leaves a command here.
 *
 * @returns the exit code
 */
export async function writeError(error: unknown, options: ErrorDoorOptions): Promise<ExitCode> {
  const { env, debug = false } = options;
  const stderr = isJournal(options.stderr.fd, env) ? withPriority(options.stderr) : options.stderr;
  const language = selectLanguage(env);
  const width = toWidth(options.stderr, env);
  const coded = toCoded(error);
  if (coded !== undefined) {
    stderr.write(fitLines(await renderCoded(coded, language), width));
    if (debug) writeStack(coded.cause, stderr);
    return toExitCode(coded);
  }
  const message = toSentence(error, language);
  stderr.write(fitLines(`svc: ${escapeText(message)}\n`, width));
  if (error instanceof CommandLineError) {
    if (error.usage !== undefined) stderr.write(`${say(error.usage, language)}\n`);
    return exitCodes.usage;
  }
  return exitCodes.failure;
}

/** Gives each line the priority of an error, so that `journalctl -p err` shows why a command failed. */
function withPriority(stderr: ErrorDoorOptions['stderr']): ErrorDoorOptions['stderr'] {
  const prefix = toPriorityPrefix('error');
  return { write: (text) => stderr.write(text.replaceAll(/^(?=.)/gm, prefix)) };
}

async function renderCoded(error: SvcError, language: Language): Promise<string> {
  const { renderError, sayDetail } = await import('../../src/text/message.ts');
  const message = renderError(error, language);
  const lines = [
    `svc: ${error.code}${say([': ', fr` : `], language)}${message.what}`,
    ...renderRemedy(message, language).map((line) => `  ${line}`),
  ];
  if (
    error.detail !== undefined &&
    error.detail !== '' &&
    !String(error.params.detail ?? '').includes(error.detail)
  ) {
    const parts = sayDetail(error, language)!
      .slice(0, detailLimit)
      .split('\n')
      .map((line) => escapeText(line));
    const heading = `  ${headingOf('detail', language)}`;
    lines.push(...(parts.length === 1 ? [`${heading} ${parts[0]}`] : [heading]));
    if (parts.length > 1) lines.push(...parts.map((part) => `    - ${part}`));
  }
  if (error.correlationId !== undefined)
    lines.push(`  ${headingOf('correlation', language)}${escapeText(error.correlationId)}`);
  return `${lines.join('\n')}\n`;
}

function writeStack(error: unknown, stderr: { write(text: string): unknown }): void {
  if (!(error instanceof Error) || error.stack === undefined) return;
  for (const line of error.stack.split('\n')) stderr.write(`  ${escapeText(line)}\n`);
}

/** Returns whether the arguments of a command line that could not be parsed select JSON. */
export function selectsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const own = end < 0 ? args : args.slice(0, end);
  return own.some((arg, i) => arg === '--output=json' || (arg === '--output' && own[i + 1] === 'json'));
}

import { type ExitCode, exitCodes, isSvcError, type SvcError, toExitCode } from '../../src/base/error.ts';
import { escapeText } from '../../src/base/escape.ts';
import { CommandLineError } from './command-line-error.ts';

interface ErrorDoorOptions {
  readonly stderr: { write(text: string): unknown };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Prints the stack of errors without a code. */
  readonly debug?: boolean;
}

/** Maximum length of a technical detail, in characters. */
const detailLimit = 64 * 1024;

const headings = {
  en: { cause: 'Probable cause', action: 'What to do', detail: 'Detail', correlation: 'Correlation id' },
  fr: {
    cause: 'Cause probable',
    action: 'Que faire',
    detail: 'Détail',
    correlation: 'Identifiant de corrélation',
  },
} as const;

/**
 * Writes an error of a command to stderr: with a code as three parts in the language of the environment, any
 * other as `svc: <message>`. Every error leaves a command here.
 *
 * @returns the exit code
 */
export async function writeError(error: unknown, options: ErrorDoorOptions): Promise<ExitCode> {
  const { stderr, env, debug = false } = options;
  if (isSvcError(error)) {
    stderr.write(await renderCoded(error, env));
    if (debug) writeStack(error.cause, stderr);
    return toExitCode(error);
  }
  const message = toSentence(error);
  stderr.write(`svc: ${escapeText(message)}\n`);
  if (error instanceof CommandLineError) {
    if (error.usage !== undefined) stderr.write(`${error.usage}\n`);
    return exitCodes.usage;
  }
  if (debug) writeStack(error, stderr);
  return exitCodes.failure;
}

/** Returns the message of an error without a code. */
export function toSentence(error: unknown): string {
  if (!(error instanceof Error) || error.message === '') return String(error);
  // the current directory of the shell was removed
  if ((error as NodeJS.ErrnoException).syscall === 'uv_cwd')
    return 'the current directory no longer exists: change to another directory';
  return error.message;
}

async function renderCoded(
  error: SvcError,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const { renderError, selectLanguage } = await import('../../src/base/message.ts');
  const language = selectLanguage(env);
  const { what, cause, action } = renderError(error, language);
  const { cause: causeHeading, action: actionHeading, detail, correlation } = headings[language];
  const colon = language === 'fr' ? ' :' : ':';
  const lines = [
    `svc: ${error.code}${colon} ${what}`,
    `  ${causeHeading}${colon} ${cause}`,
    `  ${actionHeading}${colon} ${action}`,
  ];
  if (
    error.detail !== undefined &&
    error.detail !== '' &&
    !String(error.params.detail ?? '').includes(error.detail)
  ) {
    const parts = error.detail.slice(0, detailLimit).split('\n').map(escapeText);
    lines.push(...(parts.length === 1 ? [`  ${detail}${colon} ${parts[0]}`] : [`  ${detail}${colon}`]));
    if (parts.length > 1) lines.push(...parts.map((part) => `    - ${part}`));
  }
  if (error.correlationId !== undefined)
    lines.push(`  ${correlation}${colon} ${escapeText(error.correlationId)}`);
  return `${lines.join('\n')}\n`;
}

function writeStack(error: unknown, stderr: { write(text: string): unknown }): void {
  if (!(error instanceof Error) || error.stack === undefined) return;
  for (const line of error.stack.split('\n')) stderr.write(`  ${escapeText(line)}\n`);
}

import type { Writable } from 'node:stream';
import { exitCodes, toExitCode, toStoredRules } from '../../src/text/error.ts';
import type { ErrorClass } from '../../src/text/errors/registry.ts';
import { CommandLineError } from './command-line-error.ts';
import { printDocument } from './print.ts';
import { toCoded, toSentence } from './sentence-error.ts';

/** JSON document of a command that ends without a report. */
export interface ErrorDocument {
  readonly error: {
    /** Error code; empty for an error of the command line and a plain sentence. */
    readonly code: string;
    readonly class: ErrorClass | 'usage';
    readonly exit_code: number;
    readonly title: string;
    readonly cause: string;
    readonly action: string;
    readonly params: Readonly<Record<string, unknown>>;
    /** Technical detail in English, such as the message of the operating system. */
    readonly detail?: string;
  };
}

/** Prints the document of an error on stdout, in English: machine output is the same in every language. */
export async function printError(error: unknown, { stdout }: { readonly stdout: Writable }): Promise<void> {
  await printDocument(stdout, await toErrorDocument(error), 'json');
}

/** Makes the document of an error, in English. */
export async function toErrorDocument(error: unknown): Promise<ErrorDocument> {
  const coded = toCoded(error);
  if (coded !== undefined) {
    // the messages are loaded only for an error that has one
    const { renderError } = await import('../../src/text/message.ts');
    const { what, cause, action } = renderError(coded, 'en');
    return {
      error: {
        code: coded.code,
        class: coded.class,
        exit_code: toExitCode(coded),
        title: what,
        cause,
        action,
        params: coded.params,
        ...(coded.detail === undefined ? {} : { detail: coded.detail }),
        ...toStoredRules(coded),
      },
    };
  }
  const isUsage = error instanceof CommandLineError;
  return {
    error: {
      code: '',
      class: isUsage ? 'usage' : 'failure',
      exit_code: isUsage ? exitCodes.usage : exitCodes.failure,
      title: toSentence(error, 'en'),
      cause: '',
      action: isUsage ? (error.usage?.[0] ?? '') : '',
      params: {},
    },
  };
}

import { isSvcError, SvcError } from '../../text/error.ts';
import { escapeText } from '../../text/escape.ts';
import { fr } from '../../text/language.ts';
import { mapRule, type Rule, rule } from '../../text/rule.ts';
import { redact } from '../../text/secrets/redact.ts';
import { copyMarks } from '../transport/transience.ts';

export interface RegistryError {
  readonly code: string;
  readonly message: string;
  readonly detail: unknown;
}

/**
 * Removes secrets from the parameters of an error: a registry may return them in a URL, whose host is then refused or
 * unreachable.
 *
 * @returns the error itself where it contains none
 */
export function withoutSecrets(error: unknown, secrets: readonly string[]): unknown {
  if (!isSvcError(error)) return error;
  const toText = (text: string): string => redact(text, secrets);
  const toClean = <T>(value: T): T | string => (typeof value === 'string' ? toText(value) : value);
  const params = Object.fromEntries(
    Object.entries(error.params).map(([name, value]) => [name, toClean(value)]),
  );
  const detail = toClean(error.detail);
  const isClean =
    detail === error.detail && Object.entries(params).every(([name, value]) => value === error.params[name]);
  if (isClean) return error;
  // the cause would show the removed secrets
  const clean = new SvcError(error.code, params, {
    class: error.class,
    ...(detail === undefined ? {} : { detail }),
    rules: Object.fromEntries(Object.entries(error.rules).map(([name, one]) => [name, mapRule(one, toText)])),
    detailRules: error.detailRules.map((line) => mapRule(line, toText)),
  });
  return copyMarks(error, clean);
}

/** Says how a request was answered. @param reasons the errors of the registry; empty when it gave none */
export function toAnswered(request: string, status: number, reasons: string): Rule {
  return rule(
    ['{request} was answered {status}[: {reasons}]', fr`réponse {status} à {request}[ : {reasons}]`],
    {
      request,
      status,
      reasons,
    },
  );
}

/**
 * Parses the errors of a registry (distribution specification, Error Codes). The texts are untrusted: they
 * are limited and escaped, and only the code is evaluated.
 *
 * @param secrets secrets sent to the registry, which it may return; replaced before texts are shortened and
 *   escaped
 */
export function parseRegistryErrors(text: string, secrets: Iterable<string>): readonly RegistryError[] {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return [];
  }
  const errors: unknown = (body as { errors?: unknown } | null)?.errors;
  if (!Array.isArray(errors)) return [];
  return errors.slice(0, 1000).flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return [];
    const { code, message, detail } = entry as Record<string, unknown>;
    if (typeof code !== 'string') return [];
    const toText = (value: string, length: number) => escapeText(redact(value, secrets).slice(0, length));
    const shown = typeof message === 'string' ? toText(message, 200) : '';
    return [{ code: toText(code, 64), message: shown, detail }];
  });
}

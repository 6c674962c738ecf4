import { escapeText } from '../../base/escape.ts';
import { redact } from '../../base/redact.ts';

export interface RegistryError {
  readonly code: string;
  readonly message: string;
  readonly detail: unknown;
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

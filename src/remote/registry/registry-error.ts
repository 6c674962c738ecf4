import { escapeText } from '../../base/escape.ts';
import { redact } from '../../base/redact.ts';

export interface RegistryError {
  readonly code: string;
  readonly message: string;
  readonly detail: unknown;
}

/**
 * Reads the errors of a registry (distribution specification, Error Codes). Text of a peer: bounded, and for people only
 * but for the code.
 *
 * @param secrets what the registry was sent and may send back; it is replaced, before a text is cut and its controls escaped
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
    const toText = (said: string, length: number) => escapeText(redact(said, secrets).slice(0, length));
    const said = typeof message === 'string' ? toText(message, 200) : '';
    return [{ code: toText(code, 64), message: said, detail }];
  });
}

export interface RegistryError {
  readonly code: string;
  readonly message: string;
  readonly detail: unknown;
}

/**
 * Reads the errors of a registry (distribution specification, Error Codes). Text of a peer: bounded, and for people only
 * but for the code.
 */
export function parseRegistryErrors(text: string): readonly RegistryError[] {
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
    return [
      { code: code.slice(0, 64), message: typeof message === 'string' ? message.slice(0, 200) : '', detail },
    ];
  });
}

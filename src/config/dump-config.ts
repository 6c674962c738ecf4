import type { Config } from './model.ts';
import { configEntries } from './schema.ts';

/**
 * Returns the merged configuration in the form of the document, safe to show. Secrets are `REDACTED` (absent ones an
 * empty text), URLs have no user information or query. Absent settings are left out.
 */
export function dumpConfig(config: Config): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const { key, type, secret } of configEntries) {
    const parts = key.split('.');
    let value: unknown = config;
    for (const part of parts) value = (value as Record<string, unknown> | undefined)?.[part];
    if (value === undefined && !secret) continue;
    const last = parts.pop()!;
    let section = root;
    for (const part of parts) {
      section[part] ??= {};
      section = section[part] as Record<string, unknown>;
    }
    section[last] = type.format(value);
  }
  return root;
}

import type { ConfigEntry } from './config-entry.ts';
import { configEntries } from './schema.ts';

interface ObjectSchema {
  type: 'object';
  properties: Record<string, unknown>;
  additionalProperties: false;
}

/** Returns the JSON Schema (draft 2020-12) of the result of {@link dumpConfig}. */
export function toConfigJsonSchema(): Record<string, unknown> {
  return { ...toSchema(({ type, doc }) => ({ ...type.json, description: doc })) };
}

/**
 * Returns the JSON Schema (draft 2020-12) of a configuration file, for editors and pipelines. It describes names, types
 * and defaults; rules between settings are checked by `svc config dump`.
 */
export function toConfigFileSchema(): Record<string, unknown> {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration file of svc',
    ...toSchema(({ type, doc, default: preset }) => ({
      ...type.input,
      description: doc,
      ...(preset === undefined ? {} : { default: type.format(preset) }),
    })),
  };
}

function toSchema(describe: (entry: ConfigEntry) => unknown): ObjectSchema {
  const empty = (): ObjectSchema => ({ type: 'object', properties: {}, additionalProperties: false });
  const root = empty();
  for (const entry of configEntries) {
    const parts = entry.key.split('.');
    const last = parts.pop()!;
    let section = root;
    for (const part of parts) {
      section.properties[part] ??= empty();
      section = section.properties[part] as ObjectSchema;
    }
    section.properties[last] = describe(entry);
  }
  return root;
}

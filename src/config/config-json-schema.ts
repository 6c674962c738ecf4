import { configEntries } from './schema.ts';

interface ObjectSchema {
  type: 'object';
  properties: Record<string, unknown>;
  additionalProperties: false;
}

/** Returns the JSON Schema (draft 2020-12) of the result of {@link dumpConfig}. */
export function toConfigJsonSchema(): Record<string, unknown> {
  const root: ObjectSchema = { type: 'object', properties: {}, additionalProperties: false };
  for (const { key, type, doc } of configEntries) {
    const parts = key.split('.');
    const last = parts.pop()!;
    let section = root;
    for (const part of parts) {
      section.properties[part] ??= { type: 'object', properties: {}, additionalProperties: false };
      section = section.properties[part] as ObjectSchema;
    }
    section.properties[last] = { ...type.json, description: doc };
  }
  return { ...root };
}

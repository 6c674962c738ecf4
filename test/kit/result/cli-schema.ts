import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { renderCliSchema } from '../../../server/api/cli-output.ts';

const schema = JSON.parse(renderCliSchema());
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });

/** Checks the output of a command with `--output json` by the schema that an instance serves for it. */
export function assertCliDocument(command: string, text: string): void {
  const definition = schema.$defs[command];
  assert.ok(definition, `the schema has no entry for ${command}`);
  const isValid = ajv.validate(definition, JSON.parse(text));
  assert.ok(isValid, `${command}: ${JSON.stringify(ajv.errors, undefined, 1)}\n${text.slice(0, 4000)}`);
}

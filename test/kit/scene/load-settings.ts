import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { loadConfig } from '../../../src/config/load-config.ts';
import type { Config } from '../../../src/config/model.ts';

/** The configuration of a document that is written to a path, with the defaults of all settings that it does not have. */
export async function loadSettings(configPath: string, document: object): Promise<Config> {
  await writeFile(configPath, JSON.stringify(document));
  const { config, violations } = await loadConfig({ configPath });
  assert.deepEqual(violations, []);
  return config;
}

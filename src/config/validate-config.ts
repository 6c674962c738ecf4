import { combinationRules } from './combination-rules.ts';
import type { LoadedConfig } from './load-config.ts';
import type { Config } from './model.ts';
import { configEntries } from './schema.ts';
import type { Scope } from './scope.ts';
import type { Violation } from './violation.ts';

/** The settings that a command cannot do without. */
const requirements: Readonly<Record<Scope, readonly string[]>> = {
  serve: ['mode', 'storage.root'],
  'sync-trigger': [],
  'sync-plan': ['mode', 'storage.root', 'retriever.source'],
  'media-verify': ['zone', 'storage.root'],
  'media-import': ['zone', 'storage.root', 'state.root', 'destination.registry'],
  'recipe-push': [],
  user: ['state.root'],
  export: ['storage.root'],
  import: ['storage.root'],
  'fileset-pack': ['storage.root'],
  'store-check': ['storage.root'],
  dump: [],
};

/**
 * Judges the merged configuration for one command: what it needs, the values it uses, and how they go together.
 * What {@link loadConfig} could not read is included, so that all violations come in one list.
 *
 * A key that is already named by a worse finding is not named again for being absent; of a document that cannot be read
 * at all nothing is called absent.
 */
export async function validateConfig(loaded: LoadedConfig, scope: Scope): Promise<Violation[]> {
  const { config } = loaded;
  const found: Violation[] = [...loaded.violations];
  if (loaded.isUnreadable) return found;
  const isNamed = (key: string) => found.some((violation) => violation.key === key);
  const isFlag = (key: string) => loaded.originOf(key).layer === 'flag';
  const add = (key: string, rule: string, usage: boolean, more: Partial<Violation> = {}): void => {
    found.push({ code: 'SVC-CFG-001', key, rule, origin: loaded.originOf(key), usage, ...more });
  };

  for (const { key, rule, itemRule, scopes } of configEntries) {
    if (!scopes.includes(scope) && !isFlag(key)) continue;
    const value = valueAt(config, key);
    if (value === undefined) continue;
    const broken = rule?.(value as never);
    if (broken !== undefined) add(key, broken, isFlag(key));
    if (itemRule === undefined) continue;
    for (const [index, item] of (value as string[]).entries()) {
      const brokenItem = itemRule(item);
      if (brokenItem !== undefined) add(`${key}[${index}]`, brokenItem, isFlag(key));
    }
  }
  for (const key of requirements[scope]) {
    if (valueAt(config, key) === undefined && !isNamed(key)) {
      add(key, `is required and not set${toWays(key)}`, false);
    }
  }
  if (
    scope === 'serve' &&
    config.state.root === undefined &&
    !config.auth.disabled &&
    !isNamed('state.root')
  ) {
    add('state.root', `is required while authentication is on, and not set${toWays('state.root')}`, false, {
      code: 'SVC-AUTH-001',
    });
  }
  const isSet = (key: string) => loaded.originOf(key).layer !== 'default';
  for (const { scopes, check } of combinationRules) {
    if (!scopes.includes(scope)) continue;
    for (const finding of await check(config, isSet)) {
      const { key, rule, with: others = [], code, path, root } = finding;
      const involved = [key, ...others].filter(isSet);
      const usage = involved.length > 0 && involved.every(isFlag);
      const more = code === undefined ? {} : { code, path: path!, root: root! };
      if (!found.some((violation) => violation.key === key && violation.rule === rule))
        add(key, rule, usage, more);
    }
  }
  return found;
}

/** How a setting can be given besides the document. */
function toWays(key: string): string {
  const entry = configEntries.find((candidate) => candidate.key === key);
  const ways = [entry?.flag, entry?.env].filter((way) => way !== undefined);
  return ways.length === 0 ? '' : ` (${ways.join(', ')})`;
}

function valueAt(config: Config, key: string): unknown {
  let value: unknown = config;
  for (const part of key.split('.')) value = (value as Record<string, unknown> | undefined)?.[part];
  return value;
}

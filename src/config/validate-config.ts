import { notSet } from '../base/require-setting.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { combinationRules } from './combination-rules.ts';
import type { LoadedConfig } from './load-config.ts';
import type { Config } from './model.ts';
import { requirements } from './requirements.ts';
import { configEntries } from './schema.ts';
import type { Scope } from './scope.ts';
import type { Violation } from './violation.ts';

/**
 * Validates the merged configuration for one command: the settings it requires, the values it uses, and their
 * combination. Includes the violations of {@link loadConfig}, so that all are in one list.
 *
 * A key with another violation is not reported as absent as well; if the document cannot be read, no setting is reported
 * as absent.
 */
export async function validateConfig(loaded: LoadedConfig, scope: Scope): Promise<Violation[]> {
  const { config } = loaded;
  const found: Violation[] = [...loaded.violations];
  if (loaded.isUnreadable) return found;
  const isNamed = (key: string) => found.some((violation) => violation.key === key);
  const isFlag = (key: string) => loaded.originOf(key).layer === 'flag';
  const add = (key: string, broken: Rule, usage: boolean, more: Partial<Violation> = {}): void => {
    found.push({ code: 'SVC-CFG-001', key, rule: broken, origin: loaded.originOf(key), usage, ...more });
  };

  for (const { key, rule: check, itemRule, scopes } of configEntries) {
    if (!scopes.includes(scope) && !isFlag(key)) continue;
    const value = valueAt(config, key);
    if (value === undefined) continue;
    const broken = check?.(value as never);
    if (broken !== undefined) add(key, broken, isFlag(key));
    if (itemRule === undefined) continue;
    for (const [index, item] of (value as string[]).entries()) {
      const brokenItem = itemRule(item);
      if (brokenItem !== undefined) add(`${key}[${index}]`, brokenItem, isFlag(key));
    }
  }
  for (const key of requirements[scope]) {
    if (valueAt(config, key) === undefined && !isNamed(key)) {
      add(
        key,
        rule(['{rule}[ ({ways})]', fr`{rule}[ ({ways})]`], { rule: notSet, ways: toWays(key) }),
        false,
      );
    }
  }
  if (
    scope === 'serve' &&
    config.state.root === undefined &&
    !config.auth.disabled &&
    !isNamed('state.root')
  ) {
    add(
      'state.root',
      rule(
        [
          'is required while authentication is on, and not set[ ({ways})]',
          fr`est requis tant que l’authentification est active, et n’est pas défini[ ({ways})]`,
        ],
        { ways: toWays('state.root') },
      ),
      false,
      {
        code: 'SVC-AUTH-001',
      },
    );
  }
  const isSet = (key: string) => loaded.originOf(key).layer !== 'default';
  for (const { scopes, check } of combinationRules) {
    if (!scopes.includes(scope)) continue;
    for (const finding of await check(config, isSet)) {
      const { key, rule: broken, with: others = [], code, path, root } = finding;
      const involved = [key, ...others].filter(isSet);
      const usage = involved.length > 0 && involved.every(isFlag);
      const more = code === undefined ? {} : { code, path: path!, root: root! };
      if (!found.some((violation) => violation.key === key && String(violation.rule) === String(broken)))
        add(key, broken, usage, more);
    }
  }
  return found;
}

/** Returns the other ways to give a setting, besides the document; empty when there is none. */
function toWays(key: string): string {
  const entry = configEntries.find((candidate) => candidate.key === key);
  const ways = [entry?.flag, entry?.env].filter((way) => way !== undefined);
  return ways.join(', ');
}

function valueAt(config: Config, key: string): unknown {
  let value: unknown = config;
  for (const part of key.split('.')) value = (value as Record<string, unknown> | undefined)?.[part];
  return value;
}

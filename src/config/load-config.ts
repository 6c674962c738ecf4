import { dirname } from 'node:path';
import { selectNearest } from '../base/nearest.ts';
import { canonicalHost } from '../oci/reference.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import type { ConfigEntry } from './config-entry.ts';
import { breaksZoneName } from './keys/instance.ts';
import type { Config } from './model.ts';
import { type ConfigDocument, readConfigDocument } from './read-document.ts';
import { configEntries, toEnvName } from './schema.ts';
import { isRecord, isUnset, notEmpty, type Parsed, toUnknownRule } from './value-type.ts';
import type { Origin, Violation } from './violation.ts';

const defaultConfigPath = '/etc/svc/config.yaml';

/** Variables that are no settings of an instance: it does not warn about them. */
const otherVariables = ['SVC_CONFIG', 'SVC_INSTANCE_URL', 'SVC_API_TOKEN', 'SVC_SIGNING_PASSWORD'];

export interface LoadOptions {
  /** Values given by flags, by key path; unparsed text. */
  readonly flags?: Readonly<Record<string, string | undefined>>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Path of the document; default: the variable `SVC_CONFIG`, then `/etc/svc/config.yaml`. */
  readonly configPath?: string | undefined;
  /** Whether the document must exist; default: if a path is given, also by the variable. */
  readonly explicit?: boolean;
}

export interface LoadedConfig {
  /** Path of the document, whether or not it exists. */
  readonly path: string;
  /** Whether neither a flag nor `SVC_CONFIG` named the document. */
  readonly isDefaultPath: boolean;
  /** The merged settings; a key with a violation has its default. */
  readonly config: Config;
  /** Unknown keys and malformed values. {@link validateConfig} checks the rest. */
  readonly violations: readonly Violation[];
  /** Ignored parts of the input. */
  readonly warnings: readonly Rule[];
  /** Whether a document exists but could not be read: absent settings then mean nothing. */
  readonly isUnreadable: boolean;
  /** Whether there is no document at the path. */
  readonly isAbsent: boolean;
  /** Origin of the value of each key. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** Returns the origin of a path below a key, with its line if the document has it. */
  readonly originOf: (path: string) => Origin;
}

/**
 * Merges the four layers: flags over environment over document over defaults. Throws nothing: all problems are returned
 * together. An empty variable counts as unset. A relative path counts from the folder of the document that contains it,
 * and from the working directory in a flag or a variable.
 */
export async function loadConfig(options: LoadOptions = {}): Promise<LoadedConfig> {
  const flags = options.flags ?? {};
  const env = options.env ?? {};
  const given = options.configPath ?? (env.SVC_CONFIG || undefined);
  const path = given ?? defaultConfigPath;
  const document = await readConfigDocument(path, options.explicit ?? given !== undefined);
  const sources: Sources = { flags, env, document, path };
  const violations: Violation[] = [];
  const origins = new Map<string, Origin>();
  const values = new Map<string, unknown>();

  const fileOrigin = (key: string): Origin => {
    const line = document.lineOf(key);
    return { layer: 'file', name: path, ...(line === undefined ? {} : { line }) };
  };
  for (const {
    key = rule(['configuration file', fr`fichier de configuration`]),
    rule: broken,
    line,
  } of document.problems) {
    const origin: Origin = { layer: 'file', name: path, ...(line === undefined ? {} : { line }) };
    violations.push({ code: 'SVC-CFG-001', key, rule: broken, origin, usage: false });
  }
  for (const [key, rule] of findUnknownKeys(document.root)) {
    violations.push({ code: 'SVC-CFG-001', key, rule, origin: fileOrigin(key), usage: false });
  }
  for (const entry of configEntries) {
    const { origin, parsed } = readEntry(entry, sources, fileOrigin);
    for (const { path: below, rule } of parsed.problems) {
      const key = `${entry.key}${below}`;
      const at = origin.layer === 'file' ? fileOrigin(key) : origin;
      violations.push({ code: 'SVC-CFG-001', key, rule, origin: at, usage: origin.layer === 'flag' });
    }
    origins.set(entry.key, origin);
    values.set(entry.key, parsed.value ?? entry.default);
  }
  // a flag names the zone of one run, and the ledger has one site
  if (values.get('custody.site') === undefined) {
    const zone = configEntries.find(({ key }) => key === 'zone')!;
    const { parsed } = readEntry(zone, { ...sources, flags: {} }, fileOrigin);
    const { value } = parsed;
    if (typeof value === 'string' && breaksZoneName(value) === undefined) values.set('custody.site', value);
  }
  return {
    path,
    isDefaultPath: given === undefined,
    config: toConfig(values),
    violations,
    warnings: findUnknownVariables(env),
    isUnreadable: document.problems.length > 0,
    isAbsent: document.isAbsent,
    origins,
    originOf: (key) => {
      const own = origins.get(key) ?? ownerOf(key, origins);
      return own?.layer === 'file' ? fileOrigin(key) : (own ?? { layer: 'default', name: 'default' });
    },
  };
}

function ownerOf(key: string, origins: ReadonlyMap<string, Origin>): Origin | undefined {
  for (const [candidate, origin] of origins) {
    if (key.startsWith(`${candidate}[`) || key.startsWith(`${candidate}.`)) return origin;
  }
  return undefined;
}

/** The three layers above the defaults; `path` is that of the document. */
interface Sources {
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly document: ConfigDocument;
  readonly path: string;
}

function readEntry(
  entry: ConfigEntry,
  { flags, env, document, path }: Sources,
  fileOrigin: (key: string) => Origin,
): { origin: Origin; parsed: Parsed } {
  const { key, type } = entry;
  const flag = flags[key];
  if (flag !== undefined) {
    const parsed = flag === '' ? { problems: [{ path: '', rule: notEmpty }] } : type.parseText!(flag, '.');
    return { origin: { layer: 'flag', name: entry.flag ?? key }, parsed };
  }
  const variable = entry.env === undefined ? undefined : env[entry.env];
  if (entry.env !== undefined && variable !== undefined && variable !== '') {
    return { origin: { layer: 'env', name: entry.env }, parsed: type.parseText!(variable, '.') };
  }
  const node = nodeAt(document.root, key);
  if (!isUnset(node, type)) return { origin: fileOrigin(key), parsed: type.parseNode(node, dirname(path)) };
  return { origin: { layer: 'default', name: 'default' }, parsed: { problems: [] } };
}

function nodeAt(root: Readonly<Record<string, unknown>>, key: string): unknown {
  let node: unknown = root;
  for (const part of key.split('.')) {
    if (!isRecord(node) || !Object.hasOwn(node, part)) return undefined;
    node = node[part];
  }
  return node;
}

/** Returns keys that the schema does not have, and sections that are not maps. */
function findUnknownKeys(root: Readonly<Record<string, unknown>>): [key: string, rule: Rule][] {
  const keys = configEntries.map(({ key }) => key);
  const found: [string, Rule][] = [];
  const walk = (node: Readonly<Record<string, unknown>>, prefix: string): void => {
    const known = new Set(
      keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length).split('.')[0]!),
    );
    for (const [name, value] of Object.entries(node)) {
      const key = `${prefix}${name}`;
      if (!known.has(name)) found.push([key, toUnknownRule(suggestKey(key, name, known, keys))]);
      else if (!keys.includes(key)) {
        if (isRecord(value)) walk(value, `${key}.`);
        else if (value !== null)
          found.push([key, rule(['must be a map of settings', fr`doit être un objet de réglages`])]);
      }
    }
  };
  walk(root, '');
  return found;
}

/** Suggests a similar name in the same section; otherwise the same name elsewhere in the schema. */
function suggestKey(
  key: string,
  name: string,
  known: Iterable<string>,
  keys: readonly string[],
): string | undefined {
  return (
    selectNearest(name, known) ??
    keys.find((candidate) => candidate.split('.').at(-1) === name) ??
    selectNearest(key, keys)
  );
}

function findUnknownVariables(env: Readonly<Record<string, string | undefined>>): Rule[] {
  const known = configEntries.flatMap((entry) => (entry.env === undefined ? [] : [entry.env]));
  const warnings: Rule[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith('SVC_') || value === '' || value === undefined) continue;
    if (known.includes(name) || otherVariables.includes(name)) continue;
    const fileOnly = configEntries.find((entry) => entry.env === undefined && toEnvName(entry.key) === name);
    warnings.push(
      rule(
        [
          'the environment variable {name} is not a setting and is ignored[; {key} can be set in the configuration file only][; did you mean {nearest}?]',
          fr`la variable d’environnement {name} n’est pas un réglage et n’a pas d’effet[ ; {key} ne peut être défini que dans le fichier de configuration][ ; vouliez-vous dire {nearest} ?]`,
        ],
        { name, key: fileOnly?.key, nearest: fileOnly ? undefined : selectNearest(name, known) },
      ),
    );
  }
  return warnings;
}

function toConfig(values: ReadonlyMap<string, unknown>): Config {
  const root: Record<string, unknown> = {};
  for (const [key, value] of values) {
    const parts = key.split('.');
    const last = parts.pop()!;
    let section = root;
    for (const part of parts) {
      section[part] ??= {};
      section = section[part] as Record<string, unknown>;
    }
    if (value !== undefined) section[last] = value;
  }
  const config = root as unknown as Config;
  const { safetyMarginPercent } = config.preflight;
  return {
    ...config,
    registries: {
      ...config.registries,
      insecure: config.registries.insecure.map(canonicalHost),
      substitutions: toCanonicalHosts(config.registries.substitutions),
    },
    preflight: {
      ...config.preflight,
      safetyMarginPercent: safetyMarginPercent === 0 ? 10 : safetyMarginPercent,
    },
  };
}

/** Converts keys to canonical hosts; keys that would become equal are left as written, so that a rule can name them. */
function toCanonicalHosts(map: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(map).map(([host, base]): [string, string] => {
    const slash = base.indexOf('/');
    const at = slash < 0 ? base.length : slash;
    return [canonicalHost(host), base.slice(0, at).toLowerCase() + base.slice(at)];
  });
  return new Set(entries.map(([host]) => host)).size === entries.length
    ? Object.fromEntries(entries)
    : { ...map };
}

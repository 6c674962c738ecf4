import { join } from 'node:path';
import { childPath, isBareScalar, isYamlMap, readYaml, type YamlValue } from '../../src/recipe/read-yaml.ts';
import { svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { type Rule, rule } from '../../src/text/rule.ts';

/** One repository of helm's list. */
export interface HelmEntry {
  readonly name: string;
  readonly url: string;
  /** All settings of the entry that helm knows, under helm's names. */
  readonly settings: Readonly<Record<string, string | boolean>>;
}

const textKeys = ['name', 'url', 'username', 'password', 'certFile', 'keyFile', 'caFile'] as const;
const switchKeys = ['insecure_skip_tls_verify', 'pass_credentials_all'] as const;

/** Finds the list that helm reads, by the variables that `helm env` prints. */
export function toHelmListPath({
  HELM_REPOSITORY_CONFIG: file,
  HELM_CONFIG_HOME: own,
  XDG_CONFIG_HOME: shared,
  HOME: home,
}: Readonly<Record<string, string | undefined>>): string {
  if (file) return file;
  return join(own || join(shared || join(home ?? '/root', '.config'), 'helm'), 'repositories.yaml');
}

/**
 * Reads helm's list of repositories. `helm repo add` sorts the keys of an entry, and a person writes any order and form of
 * YAML. Text that helm may read in another way than this function is refused, never left out.
 *
 * @param file path of the list in errors
 * @throws SVC-VAL-001, SVC-VAL-002 for a list that is not understood
 */
export function readHelmList(bytes: Uint8Array, file: string): readonly HelmEntry[] {
  const document = toMembers(readYaml(bytes, file), '', file);
  const repositories = document.get('repositories');
  if (repositories === undefined || isNothing(repositories)) return [];
  if (!Array.isArray(repositories))
    throw refuse(file, 'repositories', rule(['must be a list', fr`doit être une liste`]));
  const entries = (repositories as readonly YamlValue[]).map((entry, i) =>
    toEntry(entry, childPath('repositories', i), file),
  );
  const twice = entries.findIndex(({ name }, i) => entries.findIndex((each) => each.name === name) < i);
  if (twice >= 0)
    throw refuse(file, `repositories[${twice}].name`, rule(['is given twice', fr`est donné deux fois`]));
  return entries;
}

/** Formats the list that helm gets: exactly the entries that were judged. JSON is YAML. */
export function formatHelmList(entries: readonly HelmEntry[]): string {
  return `${JSON.stringify({ apiVersion: '', repositories: entries.map(({ settings }) => settings) })}\n`;
}

/**
 * Resolves the address of an index as helm does: below the path of the repository, with its query. Without user and password,
 * since it is printed.
 */
export function toIndexUrl(url: string): string {
  const index = new URL(url);
  index.pathname = `${index.pathname.replace(/\/+$/, '')}/index.yaml`;
  index.username = '';
  index.password = '';
  return index.href;
}

function toEntry(value: YamlValue, path: string, file: string): HelmEntry {
  const members = toMembers(value, path, file);
  const settings: Record<string, string | boolean> = {};
  for (const key of textKeys) {
    const text = members.get(key.toLowerCase());
    if (text === undefined || isNothing(text)) continue;
    // helm takes a number for a text, as it is written
    if (typeof text === 'string') settings[key] = text;
    else if (isBareScalar(text) && typeof text.bare === 'number') settings[key] = text.source;
    else throw refuse(file, childPath(path, key), rule(['must be a string', fr`doit être un texte`]));
  }
  for (const key of switchKeys) {
    const value = members.get(key);
    if (value === undefined || isNothing(value)) continue;
    if (!isBareScalar(value) || typeof value.bare !== 'boolean')
      throw refuse(file, childPath(path, key), rule(['must be true or false', fr`doit être true ou false`]));
    settings[key] = value.bare;
  }
  const { name, url } = settings;
  for (const [key, text] of Object.entries({ name, url }))
    if (typeof text !== 'string' || text === '')
      throw refuse(file, childPath(path, key), rule(['is required', fr`est requis`]));
  // helm refuses a slash too; a name that begins with a hyphen would be an option of its command line
  if (/^-|[/\\\p{Cc}]/u.test(String(name)))
    throw refuse(
      file,
      childPath(path, 'name'),
      rule([
        'must be one line without a slash or a leading hyphen',
        fr`doit être une seule ligne sans barre oblique ni trait d’union en tête`,
      ]),
    );
  return { name: String(name), url: String(url), settings };
}

/** The members of a map by their names in lower case, since helm reads these in any case. */
function toMembers(value: YamlValue, path: string, file: string): ReadonlyMap<string, YamlValue> {
  if (!isYamlMap(value)) throw refuse(file, path, rule(['must be a map', fr`doit être un objet`]));
  const members = new Map<string, YamlValue>();
  for (const [key, member] of value) {
    const name = key.toLowerCase();
    // helm would take the members of another map
    if (name === '<<')
      throw refuse(file, path, rule(['merge keys are not read', fr`les clés de fusion ne sont pas lues`]));
    if (members.has(name))
      throw refuse(file, childPath(path, key), rule(['the key is written twice', fr`la clé est en double`]));
    members.set(name, member);
  }
  return members;
}

const isNothing = (value: YamlValue): boolean => isBareScalar(value) && value.bare === null;

const refuse = (file: string, path: string, broken: Rule) =>
  svcError('SVC-VAL-001', { file, path, rule: broken });

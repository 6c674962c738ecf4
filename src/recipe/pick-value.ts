import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import {
  isBareScalar,
  isYamlMap,
  type ReadYamlOptions,
  readYaml,
  type YamlValue,
  yamlLimits,
} from './read-yaml.ts';

/** The place of a value in a document. */
export interface WantedValue extends ReadYamlOptions {
  /** Names of the members that lead to the value; default: the whole document. */
  readonly path?: readonly string[];
  /** Of the map at that place, or of each map in a list there, only these members. */
  readonly members?: readonly string[];
}

/** Values that may be passed on from a thread, those behind aliases once: taking ten thousand takes some milliseconds. */
const mostValues = 50_000;

/**
 * Reads a value of a document of another program.
 *
 * @param file name of the document in errors
 * @returns undefined when there is no such value
 * @throws SVC-VAL-001, SVC-VAL-002 as `readYaml`, and when the value is too large to be passed on
 */
export function pickValue(
  bytes: Uint8Array,
  file: string,
  { path = [], members, ...options }: WantedValue,
): YamlValue | undefined {
  let value: YamlValue | undefined = readYaml(bytes, file, options);
  for (const name of path) value = isYamlMap(value) ? value.get(name) : undefined;
  if (value === undefined) return undefined;
  const picked = members === undefined ? value : pickMembers(value, members);
  requireSmall(picked, file, path.join('.'));
  return picked;
}

function pickMembers(value: YamlValue, members: readonly string[]): YamlValue {
  const pick = (one: YamlValue): YamlValue =>
    isYamlMap(one) ? new Map([...one].filter(([name]) => members.includes(name))) : one;
  return Array.isArray(value) ? (value as readonly YamlValue[]).map(pick) : pick(value);
}

/** @throws SVC-VAL-001, SVC-VAL-002 */
function requireSmall(value: YamlValue, file: string, path: string): void {
  let values = 0;
  let characters = 0;
  // a shared value is passed on once, a text at each place
  const known = new Set<YamlValue>();
  const walk = (one: YamlValue): void => {
    if (typeof one !== 'string') {
      if (known.has(one)) return;
      known.add(one);
    }
    values += 1;
    if (values > mostValues)
      throw svcError('SVC-VAL-001', {
        file,
        path,
        rule: rule(
          ['more than {mostValues} members and elements', fr`plus de {mostValues} membres et éléments`],
          { mostValues },
        ),
      });
    if (typeof one === 'string') characters += one.length;
    else if (isBareScalar(one)) characters += one.source.length;
    else if (isYamlMap(one))
      for (const [name, child] of one) {
        characters += name.length;
        walk(child);
      }
    else for (const child of one as readonly YamlValue[]) walk(child);
    if (characters > yamlLimits.bytes) throw svcError('SVC-VAL-002', { limit: yamlLimits.bytes, file });
  };
  walk(value);
}

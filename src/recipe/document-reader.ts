import { selectNearest } from '../base/nearest.ts';
import { svcError } from '../text/error.ts';
import { childPath, isBareScalar, isYamlMap, type YamlMap, type YamlValue } from './read-yaml.ts';

/** One broken rule of a document. */
interface DocumentProblem {
  /** `spec.ingredients[2].digset` */
  readonly path: string;
  readonly rule: string;
}

/** Returns the rule that a text breaks, or undefined. */
type TextRule = (text: string) => string | undefined;

const maximumProblems = 100;

/** Maximum number of entries of one list or map with any keys: ingredients, platforms, annotations. */
export const mostEntries = 10_000;
const tooMany = `must have at most ${mostEntries} entries`;

/** Reads members of a document and collects every broken rule, so that an author sees all of them at once. */
export class DocumentReader {
  readonly problems: DocumentProblem[] = [];
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  fail(path: string, rule: string): undefined {
    if (this.problems.length < maximumProblems) this.problems.push({ path, rule });
  }

  /**
   * Ends the reading.
   *
   * @param params more parameters of the error
   * @throws SVC-VAL-001 for the first problem; the technical detail lists the others
   */
  finish(params: { readonly unpinned?: 'yes' } = {}): void {
    const [first, ...others] = this.problems;
    if (!first) return;
    const detail = others.map(({ path, rule }) => `${path}: ${rule}`).join('\n');
    throw svcError('SVC-VAL-001', { file: this.#file, ...first, ...params }, detail === '' ? {} : { detail });
  }

  /**
   * Reads a map with no other members than these.
   *
   * @param misplaced members that exist elsewhere, with the rule that forbids them here
   */
  object(
    value: YamlValue | undefined,
    path: string,
    members: readonly string[],
    misplaced: Readonly<Record<string, string>> = {},
  ): YamlMap | undefined {
    if (!isYamlMap(value))
      return this.fail(path, value === undefined ? 'is required' : 'must be a map of members');
    for (const name of value.keys()) {
      if (members.includes(name)) continue;
      const rule = Object.hasOwn(misplaced, name) ? misplaced[name]! : unknownRule(name, members);
      this.fail(childPath(path, name), rule);
    }
    return value;
  }

  list(
    value: YamlValue | undefined,
    path: string,
    empty: 'may-be-empty' | 'non-empty',
  ): readonly YamlValue[] | undefined {
    if (value === undefined) return this.fail(path, 'is required');
    if (!Array.isArray(value)) return this.fail(path, 'must be a list');
    if (value.length === 0 && empty === 'non-empty') return this.fail(path, 'must not be empty');
    if (value.length > mostEntries) return this.fail(path, tooMany);
    return value;
  }

  /** @param maximum characters, checked before `rule` is called */
  text(value: YamlValue | undefined, path: string, maximum: number, rule?: TextRule): string | undefined {
    if (value === undefined) return this.fail(path, 'is required');
    if (isBareScalar(value)) {
      const kind =
        value.bare === null ? 'nothing' : typeof value.bare === 'boolean' ? 'a boolean' : 'a number';
      const source = value.source.slice(0, 40);
      return this.fail(
        path,
        `must be a string, not ${kind}: quote it${source === '' ? '' : `, as in "${source}"`}`,
      );
    }
    if (typeof value !== 'string') return this.fail(path, 'must be a string');
    if (value.length > maximum) return this.fail(path, `at most ${maximum} characters`);
    const broken = rule?.(value);
    return broken === undefined ? value : this.fail(path, broken);
  }

  optionalText(
    value: YamlValue | undefined,
    path: string,
    maximum: number,
    rule?: TextRule,
  ): string | undefined {
    return value === undefined ? undefined : this.text(value, path, maximum, rule);
  }

  optionalBoolean(value: YamlValue | undefined, path: string): boolean | undefined {
    if (value === undefined) return undefined;
    if (isBareScalar(value) && typeof value.bare === 'boolean') return value.bare;
    return this.fail(path, 'must be true or false');
  }

  /** Reads a map of strings with any keys. */
  strings(
    value: YamlValue | undefined,
    path: string,
    maximum: number,
    keyRule: TextRule,
    valueRule: (key: string, text: string) => string | undefined,
  ): Record<string, string> {
    if (value === undefined) return {};
    if (!isYamlMap(value)) {
      this.fail(path, 'must be a map of strings');
      return {};
    }
    if (value.size > mostEntries) {
      this.fail(path, tooMany);
      return {};
    }
    const entries: [string, string][] = [];
    for (const [key, item] of value) {
      const own = childPath(path, key);
      const broken = keyRule(key);
      if (broken !== undefined) this.fail(own, broken);
      const text = this.text(item, own, maximum, (candidate) => valueRule(key, candidate));
      if (text !== undefined) entries.push([key, text]);
    }
    return Object.fromEntries(entries);
  }
}

function unknownRule(name: string, members: readonly string[]): string {
  const meant = selectNearest(name, members);
  return `is not a known member${meant === undefined ? '' : `: did you mean ${meant}?`}`;
}

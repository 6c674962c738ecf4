import { selectNearest } from '../base/nearest.ts';
import { type SvcError, svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { quote, type Rule, rule } from '../text/rule.ts';
import { textParam } from '../text/text-param.ts';
import { childPath, isBareScalar, isYamlMap, type YamlMap, type YamlValue } from './read-yaml.ts';

/** One broken rule of a document. */
interface DocumentProblem {
  /** `spec.ingredients[2].digset` */
  readonly path: string;
  /** A text where it is one of the parser. */
  readonly rule: Rule | string;
}

/** The cause of an error that is about several broken rules. */
class DocumentProblems extends Error {
  readonly problems: readonly DocumentProblem[];

  constructor(problems: readonly DocumentProblem[]) {
    super(`the document breaks ${problems.length} rules`);
    this.problems = problems;
  }
}

/** Lists every broken rule of a document. @param error `SVC-VAL-001` of its reading, which was in this thread */
export function listProblems(error: SvcError): readonly DocumentProblem[] {
  const { cause, params } = error;
  if (cause instanceof DocumentProblems) return cause.problems;
  return [{ path: String(params.path ?? ''), rule: textParam(error, 'rule') ?? '' }];
}

/** Returns the rule that a text breaks, or undefined. */
type TextRule = (text: string) => Rule | undefined;

const maximumProblems = 100;

/** Maximum number of entries of one list or map with any keys: ingredients, platforms, annotations. */
export const mostEntries = 10_000;
const tooMany = rule(
  ['must have at most {mostEntries} entries', fr`doit avoir au plus {mostEntries} entrées`],
  { mostEntries },
);

/** Reads members of a document and collects every broken rule, so that an author sees all of them at once. */
export class DocumentReader {
  readonly problems: DocumentProblem[] = [];
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  fail(path: string, broken: Rule): undefined {
    if (this.problems.length < maximumProblems) this.problems.push({ path, rule: broken });
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
    const detail = others.map(({ path, rule: broken }) =>
      rule(['{path}: {broken}', fr`{path} : {broken}`], { path, broken }),
    );
    const cause = new DocumentProblems(this.problems);
    throw svcError(
      'SVC-VAL-001',
      { file: this.#file, ...first, rule: quote(first.rule), ...params },
      { cause, detail },
    );
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
    misplaced: Readonly<Record<string, Rule>> = {},
  ): YamlMap | undefined {
    if (!isYamlMap(value))
      return this.fail(
        path,
        value === undefined
          ? rule(['is required', fr`est requis`])
          : rule(['must be a map of members', fr`doit être un objet de membres`]),
      );
    for (const name of value.keys()) {
      if (members.includes(name)) continue;
      const broken = Object.hasOwn(misplaced, name) ? misplaced[name]! : unknownRule(name, members);
      this.fail(childPath(path, name), broken);
    }
    return value;
  }

  list(
    value: YamlValue | undefined,
    path: string,
    empty: 'may-be-empty' | 'non-empty',
  ): readonly YamlValue[] | undefined {
    if (value === undefined) return this.fail(path, rule(['is required', fr`est requis`]));
    if (!Array.isArray(value)) return this.fail(path, rule(['must be a list', fr`doit être une liste`]));
    if (value.length === 0 && empty === 'non-empty')
      return this.fail(path, rule(['must not be empty', fr`ne doit pas être vide`]));
    if (value.length > mostEntries) return this.fail(path, tooMany);
    return value;
  }

  /** @param maximum characters, checked before `check` is called */
  text(value: YamlValue | undefined, path: string, maximum: number, check?: TextRule): string | undefined {
    if (value === undefined) return this.fail(path, rule(['is required', fr`est requis`]));
    if (isBareScalar(value)) {
      const kind =
        value.bare === null
          ? rule(['nothing', fr`rien`])
          : typeof value.bare === 'boolean'
            ? rule(['a boolean', fr`un booléen`])
            : rule(['a number', fr`un nombre`]);
      const source = value.source.slice(0, 40);
      return this.fail(
        path,
        rule(
          [
            'must be a string, not {kind}: quote it[, as in "{source}"]',
            fr`doit être un texte, pas {kind} ; mettez-le entre guillemets[, comme dans "{source}"]`,
          ],
          { kind, source },
        ),
      );
    }
    if (typeof value !== 'string') return this.fail(path, rule(['must be a string', fr`doit être un texte`]));
    if (value.length > maximum)
      return this.fail(
        path,
        rule(['at most {maximum} characters', fr`au plus {maximum} caractères`], { maximum }),
      );
    const broken = check?.(value);
    return broken === undefined ? value : this.fail(path, broken);
  }

  optionalText(
    value: YamlValue | undefined,
    path: string,
    maximum: number,
    check?: TextRule,
  ): string | undefined {
    return value === undefined ? undefined : this.text(value, path, maximum, check);
  }

  optionalBoolean(value: YamlValue | undefined, path: string): boolean | undefined {
    if (value === undefined) return undefined;
    if (isBareScalar(value) && typeof value.bare === 'boolean') return value.bare;
    return this.fail(path, rule(['must be true or false', fr`doit être true ou false`]));
  }

  /** Reads a map of strings with any keys. */
  strings(
    value: YamlValue | undefined,
    path: string,
    maximum: number,
    keyRule: TextRule,
    valueRule: (key: string, text: string) => Rule | undefined,
  ): Record<string, string> {
    if (value === undefined) return {};
    if (!isYamlMap(value)) {
      this.fail(path, rule(['must be a map of strings', fr`doit être un objet de textes`]));
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

function unknownRule(name: string, members: readonly string[]): Rule {
  return rule(
    [
      'is not a known member[: did you mean {meant}?]',
      fr`n’est pas un membre connu[ : vouliez-vous dire {meant} ?]`,
    ],
    { meant: selectNearest(name, members) },
  );
}

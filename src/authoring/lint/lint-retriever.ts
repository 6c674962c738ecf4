import { isLoopbackHost } from '../../oci/reference.ts';
import { isConstraint, selectVersion } from '../../recipe/constraint.ts';
import { parseRetriever } from '../../recipe/document.ts';
import { listProblems } from '../../recipe/document-reader.ts';
import { findLines } from '../../recipe/find-line.ts';
import type { Retriever, RetrieverEntry } from '../../recipe/model.ts';
import { parseVersionTag } from '../../recipe/version.ts';
import { isSvcError } from '../../text/error.ts';
import { fr, type Language } from '../../text/language.ts';
import { type Rule, rule, sayRule } from '../../text/rule.ts';

/** A fault or doubtful part of a Retriever. */
export interface RetrieverFinding {
  readonly rule:
    | 'format'
    | 'duplicate-entry'
    | 'overlapping-entries'
    | 'no-recipe-version'
    | 'any-version'
    | 'loopback-cookbook'
    | 'redundant-cookbook';
  /** `error`: a zone cannot use the Retriever, or one entry, as it stands. */
  readonly severity: 'error' | 'warning';
  /** `spec.recipes[1].version` */
  readonly path: string;
  /** Line in the document, from 1. */
  readonly line?: number;
  readonly message: string;
  readonly fix?: string;
}

interface Finding extends Pick<RetrieverFinding, 'rule' | 'severity' | 'path'> {
  readonly message: Rule | string;
  readonly fix?: Rule;
}

/**
 * Finds the faults and doubtful parts of a Retriever, by its document alone. Every broken rule of the format is a
 * finding too. Contacts nothing.
 *
 * @param bytes the document, at most 4 MiB
 * @param file name of the document in errors
 * @throws SVC-VAL-002 for a document that is too large
 */
export function lintRetriever(
  bytes: Uint8Array,
  file: string,
  language: Language,
): readonly RetrieverFinding[] {
  const findings = findAll(bytes, file);
  const lines = findLines(
    bytes,
    findings.map(({ path }) => path),
  );
  return findings.map(({ message, fix, ...finding }, i) => {
    const line = lines[i];
    return {
      ...finding,
      ...(line === undefined ? {} : { line }),
      message: typeof message === 'string' ? message : sayRule(message, language),
      ...(fix === undefined ? {} : { fix: sayRule(fix, language) }),
    };
  });
}

function findAll(bytes: Uint8Array, file: string): readonly Finding[] {
  let retriever: Retriever;
  try {
    retriever = parseRetriever(bytes, file);
  } catch (error) {
    if (!isSvcError(error, 'SVC-VAL-001')) throw error;
    return listProblems(error).map(({ path, rule: message }) => ({
      rule: 'format',
      severity: 'error',
      path,
      message,
    }));
  }
  return [...judgeHost(retriever), ...judgeEntries(retriever)];
}

function judgeHost({ cookbook }: Retriever): readonly Finding[] {
  if (!isLoopbackHost(cookbook.host.replace(/:\d+$/, ''))) return [];
  return [
    {
      rule: 'loopback-cookbook',
      severity: 'warning',
      path: 'spec.cookbook',
      message: rule(
        [
          '{host} is this machine: no other machine reads recipes there',
          fr`{host} est cette machine : aucune autre machine n’y lit de recettes`,
        ],
        { host: cookbook.host },
      ),
      fix: rule(['name the registry as the zone reaches it', fr`nommez le registre comme la zone l’atteint`]),
    },
  ];
}

const placeOf = ({ name, cookbook }: RetrieverEntry): string =>
  `${cookbook.host}/${cookbook.repository}/${name}`;

function* judgeEntries({ recipes, cookbook }: Retriever): Generator<Finding> {
  const earlier = new Map<string, { readonly entry: RetrieverEntry; readonly position: number }[]>();
  for (const [position, entry] of recipes.entries()) {
    const path = `spec.recipes[${position}]`;
    yield* judgeVersion(entry, path);
    const same = earlier.get(placeOf(entry)) ?? [];
    const twin = same.find(({ entry: other }) => overlaps(other.version, entry.version));
    if (twin) yield toOverlap(twin.entry, twin.position, entry, path);
    earlier.set(placeOf(entry), [...same.slice(-9), { entry, position }]);
    const isOwn = entry.cookbook !== cookbook;
    if (isOwn && entry.cookbook.host === cookbook.host && entry.cookbook.repository === cookbook.repository)
      yield {
        rule: 'redundant-cookbook',
        severity: 'warning',
        path: `${path}.cookbook`,
        message: rule(['is the cookbook of the document', fr`est le livre de recettes du document`]),
        fix: rule(['remove the line', fr`supprimez la ligne`]),
      };
  }
}

function* judgeVersion({ name, version }: RetrieverEntry, path: string): Generator<Finding> {
  if (/^[*xX](?:\.[*xX])*$/.test(version))
    yield {
      rule: 'any-version',
      severity: 'warning',
      path: `${path}.version`,
      message: rule(
        [
          'any version of {name} is wanted, the next major one included',
          fr`toute version de {name} est demandée, y compris la prochaine version majeure`,
        ],
        { name },
      ),
      fix: rule(['name a range, such as ^1', fr`nommez un intervalle, par exemple ^1`]),
    };
  if (!isConstraint(version) && parseVersionTag(version) === undefined)
    yield {
      rule: 'no-recipe-version',
      severity: 'error',
      path: `${path}.version`,
      message: rule(
        [
          'no recipe is published as {version}: a recipe has a SemVer version',
          fr`aucune recette n’est publiée sous {version} : une recette a une version SemVer`,
        ],
        { version },
      ),
      fix: rule([
        'write all three numbers, or a range: 2.3.0 or ^2.3',
        fr`écrivez les trois nombres, ou un intervalle : 2.3.0 ou ^2.3`,
      ]),
    };
}

function toOverlap(
  other: RetrieverEntry,
  position: number,
  { name, version }: RetrieverEntry,
  path: string,
): Finding {
  const twin = `spec.recipes[${position}]`;
  if (other.version === version)
    return {
      rule: 'duplicate-entry',
      severity: 'error',
      path: `${path}.version`,
      message: rule(
        [
          '{name} {version} is wanted twice: {twin} is the same',
          fr`{name} {version} est demandée deux fois : {twin} est identique`,
        ],
        { name, version, twin },
      ),
      fix: rule(['remove one of them', fr`supprimez l’une des deux`]),
    };
  return {
    rule: 'overlapping-entries',
    severity: 'warning',
    path: `${path}.version`,
    message: rule(
      [
        '{version} and {other} of {twin} can select the same version',
        fr`{version} et {other} de {twin} peuvent choisir la même version`,
      ],
      { version, other: other.version, twin },
    ),
    fix: rule(['make the ranges disjoint', fr`rendez les intervalles disjoints`]),
  };
}

/** Returns whether two versions or constraints admit a common version among those that they name. */
function overlaps(a: string, b: string): boolean {
  if (a === b) return true;
  const named = [...`${a} ${b}`.matchAll(/\d+(?:\.\d+)?(?:\.\d+(?:-[0-9A-Za-z.-]+)?)?/g)].map(([text]) => {
    const dots = text.split('-')[0]!.split('.').length - 1;
    return `${text}${'.0'.repeat(Math.max(0, 2 - dots))}`;
  });
  const candidates = [...new Set(['1.0.0', ...named])].filter((text) => parseVersionTag(text));
  const admits = (version: string, candidate: string): boolean =>
    isConstraint(version)
      ? selectVersion(version, [candidate]) !== undefined
      : version.replace(/^v/, '') === candidate;
  return candidates.some((candidate) => admits(a, candidate) && admits(b, candidate));
}

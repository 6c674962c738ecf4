import { type HostRedirection, toRegistryBase } from '../../src/client/node-mirrors.ts';
import { readFacts } from '../../src/client/read-facts.ts';
import type { RecipeMapping } from '../../src/contract/recipe.ts';
import { parsePlatform } from '../../src/oci/platform.ts';
import {
  isHost,
  isLiteralHost,
  isRepositoryName,
  isTag,
  parseRepositoryReference,
} from '../../src/oci/reference.ts';
import { mapRecipe } from '../../src/operation/map-recipe.ts';
import { recipeNameRule, recipeVersionRule } from '../../src/recipe/metadata.ts';
import { isSvcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { type Rule, rule } from '../../src/text/rule.ts';
import { findOther, toOddValue } from './answer-faults.ts';

type Version = RecipeMapping['versions'][number];
type Judged = readonly [member: string, value: string, isSound: boolean];

function isNominal(text: string): boolean {
  try {
    parseRepositoryReference(text);
    return true;
  } catch (error) {
    if (isSvcError(error, 'SVC-REG-001')) return false;
    throw error;
  }
}

/** Judges the names of a version; the cookbook of a pushed recipe has no host, and may be the root. */
const judgeVersion = ({ version, cookbook, repository, tag, ingredients }: Version): readonly Judged[] => [
  ['version', version, recipeVersionRule(version) === undefined],
  ['cookbook', cookbook, cookbook === '' || isRepositoryName(cookbook) || isNominal(cookbook)],
  ['repository', repository, isRepositoryName(repository)],
  ['tag', tag, isTag(tag)],
  ...ingredients.flatMap(({ name, kind, ref, repository, tag, platforms = [] }, at) =>
    (
      [
        ['name', name, recipeNameRule(name) === undefined],
        // a newer instance may have more kinds
        ['kind', kind, /^[A-Za-z]+$/.test(kind)],
        ['ref', ref, isNominal(ref)],
        ['repository', repository, isRepositoryName(repository)],
        ['tag', tag, isTag(tag)],
        ...platforms.map((text): Judged => ['platforms', text, parsePlatform(text) !== undefined]),
      ] satisfies readonly Judged[]
    ).map(([member, ...rest]): Judged => [`ingredients/${at}/${member}`, ...rest]),
  ),
];

const isSoundRedirection = ({ host, prefix }: HostRedirection): boolean =>
  isHost(host) && isRepositoryName(prefix);

/** Makes a mapping again from its records, and from the registry and the prefix that its mirror files name. */
function remake({ recipe, versions, mirrors }: RecipeMapping): RecipeMapping | undefined {
  const { registry, redirections = [] } = readFacts('k3s', [
    { path: 'registries.yaml', content: mirrors.registriesYaml },
  ]);
  const [first] = redirections;
  const reached = first === undefined ? toRegistryBase('https://localhost') : registry!;
  const isSound =
    versions.length > 0 &&
    redirections.every(isSoundRedirection) &&
    (isHost(reached.host) || isLiteralHost(reached.host));
  if (!isSound) return undefined;
  // the last segment is that of the host
  const basePrefix = first?.prefix.split('/').slice(0, -1).join('/');
  const records = versions.map((version) => ({
    ...version,
    ingredients: version.ingredients.map(({ nominal: _, relocated: __, ...record }) => record),
  }));
  return mapRecipe(
    { storage: { basePrefix }, destination: { cookbook: '' }, registries: { insecure: [] } },
    records,
    { recipe, reached },
  );
}

const areSameMirrors = (made: RecipeMapping['mirrors'], given: RecipeMapping['mirrors']): boolean =>
  made.registriesYaml === given.registriesYaml &&
  made.hostsToml.length === given.hostsToml.length &&
  made.hostsToml.every(({ host, directory, content }, i) => {
    const other = given.hostsToml[i]!;
    return other.host === host && other.directory === directory && other.content === content;
  });

/** Names the first member that this program would make otherwise of the records and the registry. */
function findOtherwiseMade(answer: RecipeMapping): string | undefined {
  const made = remake(answer);
  if (made === undefined || !areSameMirrors(made.mirrors, answer.mirrors)) return '/mirrors';
  for (const [at, { ingredients }] of made.versions.entries())
    for (const [i, { nominal, relocated }] of ingredients.entries()) {
      const given = answer.versions[at]!.ingredients[i]!;
      const path = `/versions/${at}/ingredients/${i}`;
      if (given.nominal !== nominal) return `${path}/nominal`;
      if (given.relocated !== relocated) return `${path}/relocated`;
    }
  return undefined;
}

/** The fault of a mapping: another recipe, names that are none, or references and mirror files that contradict them. */
export function findMappingFault(answer: RecipeMapping, asked: string): Rule | undefined {
  const { recipe, versions } = answer;
  const other = [recipe, ...versions.map(({ name }) => name)].find((name) => name !== asked);
  if (other !== undefined) return findOther('recipe', asked, other);
  for (const [at, version] of versions.entries()) {
    const [member, value] = judgeVersion(version).find(([, , isSound]) => !isSound) ?? [];
    if (value !== undefined) return toOddValue(`/versions/${at}/${member}`, value);
  }
  const path = findOtherwiseMade(answer);
  if (path === undefined) return undefined;
  return rule(
    [
      '{path} must be made as this version of svc makes it',
      fr`{path} doit être fait comme le fait cette version de svc`,
    ],
    { path },
  );
}

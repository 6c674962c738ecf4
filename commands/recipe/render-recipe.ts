import type { ShownRecipe } from '../../src/authoring/door.ts';
import { formatMember, listMembers } from '../../src/recipe/compare-members.ts';
import { fr, type Language, speak } from '../../src/text/language.ts';
import { formatByteSize } from '../../src/text/size.ts';
import { renderTable } from '../cli/print.ts';
import { count } from '../render/count.ts';
import { type Fact, renderFacts } from '../render/facts.ts';
import type { RenderOptions } from '../render/options.ts';
import { renderProblems } from '../render/problems.ts';

/** Renders a recipe: its facts, its ingredients with every member that they have, and the unreadable parts. */
export function renderRecipe(recipe: ShownRecipe, { language, width }: RenderOptions): string {
  const text = speak(language);
  const headings = [
    text('INGREDIENT', fr`INGRÉDIENT`),
    text('KIND', fr`TYPE`),
    text('SIZE', fr`TAILLE`),
    text('PLATFORMS', fr`PLATEFORMES`),
    text('REFERENCE', fr`RÉFÉRENCE`),
    text('DIGEST', fr`EMPREINTE`),
  ];
  const rows = recipe.ingredients.map(
    ({ name, kind, ref, version, digest, platforms, namedPlatforms, sizeBytes }) => [
      name,
      kind,
      sizeBytes === undefined ? '-' : formatByteSize(sizeBytes, language),
      platforms.length === 0
        ? '-'
        : `${namedPlatforms.length === 0 ? text('all: ', fr`toutes : `) : ''}${platforms.join(' ')}`,
      `${ref}:${version}`,
      digest ?? text('not pinned', fr`non figé`),
    ],
  );
  const problems = recipe.ingredients.flatMap(({ name, error }) =>
    error === undefined ? [] : [{ name, error }],
  );
  const facts = renderFacts(listFacts(recipe, language), Math.min(width, 200));
  const members = renderMembers(recipe, { language, width });
  return `${facts}\n${renderTable(headings, rows, width)}${members}${renderProblems(problems, { language, indent: 0 })}`;
}

/** Members that the table of ingredients has, or that the place of the content has. */
const inTable: ReadonlySet<string> = new Set(
  'name kind ref version digest platforms namedPlatforms'.split(' '),
);

/** A table of the other members of the ingredients; empty when there are none. */
function renderMembers({ ingredients }: ShownRecipe, { language, width }: RenderOptions): string {
  const text = speak(language);
  const rows = ingredients.flatMap(({ sizeBytes: _size, error: _error, ...written }) =>
    [...listMembers(written)]
      .filter(([path]) => !inTable.has(path))
      .map(([path, value]) => [written.name, path, formatMember(value)]),
  );
  if (rows.length === 0) return '';
  const headings = [
    text('INGREDIENT', fr`INGRÉDIENT`),
    text('MEMBER', fr`MEMBRE`),
    text('VALUE', fr`VALEUR`),
  ];
  return `\n${renderTable(headings, rows, width)}`;
}

const listTexts = (texts: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(texts).map(([key, value]) => `${key}: ${value}`);

function listFacts(recipe: ShownRecipe, language: Language): readonly Fact[] {
  const text = speak(language);
  const { name, version, description, digest, documentDigest, cooked, cookedAt, sizeBytes, ingredients } =
    recipe;
  const [labels, annotations] = [listTexts(recipe.labels), listTexts(recipe.annotations)];
  return [
    [text('Recipe', fr`Recette`), `${name} ${version}`],
    ...(description === undefined ? [] : [[text('Description', fr`Description`), description] as const]),
    ...(labels.length === 0 ? [] : [[text('Labels', fr`Labels`), labels] as const]),
    ...(annotations.length === 0 ? [] : [[text('Annotations', fr`Annotations`), annotations] as const]),
    ...(digest === undefined ? [] : [[text('Digest', fr`Empreinte`), digest] as const]),
    [text('Document', fr`Document`), documentDigest],
    [
      text('State', fr`État`),
      cooked
        ? `${text('pinned', fr`figée`)}${cookedAt === undefined ? '' : ` ${cookedAt}`}`
        : text('draft', fr`brouillon`),
    ],
    [text('Signature', fr`Signature`), saySignature(recipe.signature, language)],
    [
      text('Contents', fr`Contenu`),
      [
        count(ingredients.length, 'ingredient', language),
        ...(sizeBytes === undefined ? [] : [formatByteSize(sizeBytes, language)]),
      ].join(', '),
    ],
  ];
}

function saySignature(verdict: ShownRecipe['signature'], language: Language): string {
  const text = speak(language);
  switch (verdict?.outcome) {
    case undefined:
      return text('none: a file is not signed', fr`aucune : un fichier n’est pas signé`);
    case 'verified':
      return text(
        `verified, by ${verdict.root} ${verdict.keyFingerprint}`,
        fr`vérifiée, par ${verdict.root} ${verdict.keyFingerprint}`,
      );
    case 'unsigned-admitted':
      return text(
        `none, admitted by the scope ${verdict.trustScope}`,
        fr`aucune, admise par le périmètre ${verdict.trustScope}`,
      );
    case 'refused': {
      const reasons = {
        none: text('there is none', fr`il n’y en a pas`),
        untrusted: text('of no trusted key', fr`d’aucune clé de confiance`),
        malformed: text('cannot be read', fr`illisible`),
        'no-roots': text('no trust root is configured', fr`aucune racine de confiance n’est configurée`),
      } as const;
      return text(`refused: ${reasons[verdict.reason]}`, fr`refusée : ${reasons[verdict.reason]}`);
    }
  }
}

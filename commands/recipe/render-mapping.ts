import type { RecipeMapping } from '../../src/contract/recipe.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, speak } from '../../src/text/language.ts';
import { renderTable } from '../cli/print.ts';
import type { RenderOptions } from '../render/options.ts';

/** Renders the mapping of a recipe: a table for each version, then the mirror files. */
export function renderMapping(
  { recipe, versions, mirrors }: RecipeMapping,
  { language, width }: RenderOptions,
): string {
  const text = speak(language);
  const headings = [text('REFERENCE IN THE RECIPE', fr`RÉFÉRENCE DANS LA RECETTE`), text('HERE', fr`ICI`)];
  const tables = versions.map(({ version, ingredients, cookbook }) => {
    const rows = ingredients.map(({ nominal, relocated }) => [
      nominal,
      relocated ?? text('the registry does not allow the name', fr`le registre n’admet pas ce nom`),
    ]);
    return `${escapeText(`${recipe}@${version}  ${cookbook}`)}\n${renderTable(headings, rows, width)}\n`;
  });
  const files = [
    ['registries.yaml (K3s, RKE2)', mirrors.registriesYaml],
    ...mirrors.hostsToml.map(({ directory, content }) => [`${directory}/hosts.toml (containerd)`, content]),
  ];
  return `${tables.join('')}${files.map(([name, content]) => renderFile(name!, content!)).join('\n')}`;
}

function renderFile(name: string, content: string): string {
  const lines = content.trimEnd().split('\n');
  return `${escapeText(name)}\n${lines.map((line) => `  ${escapeText(line)}`.trimEnd()).join('\n')}\n`;
}

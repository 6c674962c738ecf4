import { recipeApiVersion } from '../../recipe/model.ts';
import { escapeText } from '../../text/escape.ts';
import { fr, type Language, say, speak } from '../../text/language.ts';
import type { NamedCandidate } from './name-ingredients.ts';
import { doubtWords } from './words.ts';

/** Version of a draft, until `svc recipe pin --set-version` gives another. */
const draftVersion = '0.1.0';
const longestComment = 300;
const mostOrigins = 8;

/** A comment on one line, for any text of a source. */
function toComment(text: string): string {
  const escaped = escapeText(text);
  return escaped.length > longestComment ? `${escaped.slice(0, longestComment)}…` : escaped;
}

/** A scalar that is text in every version of YAML. */
function toScalar(text: string): string {
  const isPlain =
    /^[a-z][a-zA-Z0-9._/-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}

/**
 * Writes the draft of a recipe. Each ingredient has comments that say where it was found. A proposed one is a comment
 * as a whole, in its place: without its `#` each line has its column.
 *
 * @param ingredients with a version, unless they are proposed only
 */
export function writeDraft(
  { name, ingredients }: { readonly name: string; readonly ingredients: readonly NamedCandidate[] },
  language: Language,
): string {
  const text = speak(language);
  const blocks = ingredients.map((ingredient) => writeIngredient(ingredient, language));
  return `# ${text('Found by svc recipe init; svc recipe pin gives each ingredient an exact tag and a digest.', fr`Trouvé par svc recipe init ; svc recipe pin donne à chaque ingrédient une étiquette exacte et une empreinte.`)}
apiVersion: ${recipeApiVersion}
kind: Recipe
metadata:
  name: ${JSON.stringify(name)}
  version: ${draftVersion}
spec:
  ingredients:
${blocks.join('')}`;
}

function writeIngredient(ingredient: NamedCandidate, language: Language): string {
  const { name, kind, reference, version, platforms, doubt, origins } = ingredient;
  const { host, repository, digest } = reference;
  const comments = origins.slice(0, mostOrigins).map(toComment);
  if (origins.length > mostOrigins) comments.push(`… +${origins.length - mostOrigins}`);
  if (doubt !== undefined) comments.push(say(doubtWords[doubt], language));
  const members = [
    `- name: ${toScalar(name)}`,
    `  kind: ${kind}`,
    `  ref: ${toScalar(`${host}/${repository}`)}`,
    `  version: ${version === undefined ? '' : JSON.stringify(version)}`.trimEnd(),
    ...(digest === undefined ? [] : [`  digest: ${digest}`]),
    ...(platforms.length === 0 ? [] : [`  platforms: [${platforms.map(toScalar).join(', ')}]`]),
  ];
  const lines = [
    ...comments.map((comment) => `    # ${comment}`),
    ...members.map((member) => `    ${doubt === undefined ? '' : '#'}${member}`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

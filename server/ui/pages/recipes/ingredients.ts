import { content } from '../../../../src/text/words/content.ts';
import { recipeWords } from '../../../../src/text/words/recipes.ts';
import type { IngredientView, RecipeView } from '../../../views/show-recipe.ts';
import { type Html, html } from '../../html.ts';
import { copyButton } from '../../parts/copy.ts';
import { shortDigest } from '../../parts/digest.ts';
import { table } from '../../parts/table.ts';
import { code, untrusted } from '../../parts/text.ts';
import { compositionBar, compositionMark, toShares } from '../../pictures/composition.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';
import { kindBadge, mostPlatforms } from '../content/content-words.ts';

/** An ingredient with its place in the picture. */
interface Row {
  readonly ingredient: IngredientView;
  readonly place: number;
  readonly share: number;
}

function nameCell({ place, ingredient: { name, repository, tag, isTagged } }: Row): Html {
  const text = untrusted(name);
  const link = isTagged
    ? html`<a href="${toPath('/content/{repo}/-/tags/{tag}', { repo: repository, tag })}">${text}</a>`
    : text;
  return html`<span class="composition-name">${compositionMark(place)} ${link}</span>`;
}

function referenceCell(call: PageCall, { ingredient: { ref, tag, digest } }: Row): Html {
  const { say } = call.words;
  const nominal = `${ref}:${tag}`;
  return html`<div><span class="copyable">${code(nominal)}${copyButton(call.words, nominal, say(recipeWords.reference))}</span>
<div class="item-digest">${shortDigest(call.words, digest, say(recipeWords.digest))}</div></div>`;
}

/** The composition of a version of a recipe: a bar of sizes, and the ingredients, the largest first. */
export function composition(call: PageCall, { ingredients, sizeBytes }: RecipeView): Html {
  const { say, format } = call.words;
  const sorted = [...ingredients].sort((a, b) => (b.sizeBytes ?? 0) - (a.sizeBytes ?? 0));
  const sizes = sorted.map(({ sizeBytes: bytes = 0 }) => ({ bytes }));
  const shares = toShares(sizes);
  const rows = sorted.map((ingredient, place): Row => ({ ingredient, place, share: shares[place]! }));
  const count = say(recipeWords.ingredientCount, { count: rows.length });
  return html`<h2>${say(recipeWords.composition)}</h2>
<p>${say(recipeWords.total, { size: sizeBytes, ingredients: count })}</p>
${compositionBar(sizes)}
${table<Row>({
  caption: say(recipeWords.composition),
  empty: '',
  rows,
  columns: [
    { label: say(recipeWords.ingredient), isHeader: true, cell: nameCell },
    { label: say(recipeWords.kind), cell: ({ ingredient }) => kindBadge(call.words, ingredient.kind) },
    {
      label: say(recipeWords.size),
      isNumber: true,
      cell: ({ ingredient }) =>
        ingredient.sizeBytes === undefined ? say(recipeWords.notHere) : format.size(ingredient.sizeBytes),
    },
    {
      label: say(recipeWords.share),
      isNumber: true,
      cell: ({ share }) => (share > 0 && share < 0.01 ? say(recipeWords.smallShare) : format.percent(share)),
    },
    {
      label: say(recipeWords.platforms),
      cell: ({ ingredient: { platforms, carried } }) => {
        const known = platforms ?? carried;
        if (known === undefined) return html`<span class="muted">–</span>`;
        const more = known.length - mostPlatforms;
        return html`${untrusted(known.slice(0, mostPlatforms).join(', '))}${more > 0 ? html` <span class="muted">${say(content.morePlatforms, { count: more })}</span>` : ''}`;
      },
    },
    { label: say(recipeWords.reference), cell: (row) => referenceCell(call, row) },
  ],
})}`;
}

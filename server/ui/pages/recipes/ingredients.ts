import { selectPage } from '../../../../src/base/page.ts';
import { kind } from '../../../../src/contract/common.ts';
import type { QueryOf } from '../../../../src/contract/operation.ts';
import { paging } from '../../../../src/contract/operations/paging.ts';
import { type SortValues, sorting, sortRows } from '../../../../src/contract/operations/sorting.ts';
import { list, text } from '../../../../src/contract/schema.ts';
import { content } from '../../../../src/text/words/content.ts';
import { recipeWords } from '../../../../src/text/words/recipes.ts';
import { type Damage, findDamage } from '../../../../src/view/recipe/damage.ts';
import type { IngredientView, RecipeView } from '../../../views/show-recipe.ts';
import { type Html, html } from '../../html.ts';
import { copyButton } from '../../parts/copy.ts';
import { shortDigest } from '../../parts/digest.ts';
import { filters, nothingMatches } from '../../parts/filters.ts';
import { pager, pastEnd } from '../../parts/pager.ts';
import { belowHost, groupByHost, type HostGroups } from '../../parts/short-name.ts';
import { table } from '../../parts/table.ts';
import { code, noValue, untrusted } from '../../parts/text.ts';
import { compositionBar, compositionMark, toShares } from '../../pictures/composition.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';
import { kindBadge, kindWords, mostPlatforms } from '../content/content-words.ts';
import { damagedBadge } from '../damage.ts';

/** An ingredient with its place in the picture. */
interface Row {
  readonly ingredient: IngredientView;
  readonly place: number;
  readonly share: number;
}

function nameCell(
  { words }: PageCall,
  { hitsVersion }: Damage,
  { place, ingredient: { name, repository, tag, digest, isTagged } }: Row,
): Html {
  const shown = untrusted(name);
  const link = isTagged
    ? html`<a href="${toPath('/content/{repo}/-/tags/{tag}', { repo: repository, tag })}">${shown}</a>`
    : shown;
  return html`<span class="composition-name">${compositionMark(place)} ${link}${hitsVersion(digest) ? html` ${damagedBadge(words)}` : ''}</span>`;
}

/** The reference below its host; the button copies all of it. */
function referenceCell(call: PageCall, groupOf: HostGroups, { ingredient: { ref, tag, digest } }: Row): Html {
  const { say } = call.words;
  const nominal = `${ref}:${tag}`;
  return html`<div><span class="copyable">${code(belowHost(groupOf, nominal))}${copyButton(call.words, nominal, say(recipeWords.reference))}</span>
<div class="item-digest">${shortDigest(call.words, digest, say(recipeWords.digest))}</div></div>`;
}

/** Ingredients of one page. */
const perPage = 200;

export const ingredientFilters = {
  q: { schema: text({ maxLength: 256 }) },
  kind: { schema: list(kind) },
  ...sorting(['size', 'name', 'kind', 'reference']),
  page: paging(perPage).page,
};
type Call = PageCall<QueryOf<typeof ingredientFilters>>;

/** Whether the filter leaves an ingredient. */
export function isWanted(
  { name, ref, kind: own }: Pick<IngredientView, 'name' | 'ref' | 'kind'>,
  { q = '', kind: kinds = [] }: Pick<QueryOf<typeof ingredientFilters>, 'q' | 'kind'>,
): boolean {
  const wanted = q.toLowerCase();
  return (
    (kinds.length === 0 || kinds.includes(own)) &&
    (name.toLowerCase().includes(wanted) || ref.toLowerCase().includes(wanted))
  );
}

/** The values by which ingredients are ordered; one that is not here comes last by its size. */
const sortValues: SortValues<Row, 'size' | 'name' | 'kind' | 'reference'> = {
  size: ({ ingredient }) => ingredient.sizeBytes,
  name: ({ ingredient }) => ingredient.name,
  kind: ({ ingredient }) => ingredient.kind,
  reference: ({ ingredient: { ref, tag } }) => `${ref}:${tag}`,
};

/** The largest first. */
function sortIngredients({ ingredients }: RecipeView): readonly IngredientView[] {
  return [...ingredients].sort((a, b) => (b.sizeBytes ?? 0) - (a.sizeBytes ?? 0));
}

const toSizes = (sorted: readonly IngredientView[]) => sorted.map(({ sizeBytes: bytes = 0 }) => ({ bytes }));

/** The number and the sizes of the ingredients of a version. */
export function compositionHead({ words: { say } }: PageCall, view: RecipeView): Html {
  const sorted = sortIngredients(view);
  const count = say(recipeWords.ingredientCount, { count: sorted.length });
  return html`<h2>${say(recipeWords.composition)}</h2>
<p>${say(recipeWords.total, { size: view.sizeBytes, ingredients: count })}</p>
${compositionBar(toSizes(sorted))}`;
}

const pathOf = ({ name }: RecipeView): string => toPath('/recipes/-/{name}', { name });

/** Ingredients from which on a filter finds one sooner than the eye. */
export const fewest = 10;

/** Selects ingredients by name and kind. */
export function ingredientForm(call: Call, view: RecipeView): Html {
  return filters(call, {
    path: pathOf(view),
    section: 'ingredients',
    query: { version: { schema: text({}) }, cookbook: { schema: text({}) }, ...ingredientFilters },
    controls: {
      version: 'kept',
      cookbook: 'kept',
      q: recipeWords.searchIngredients,
      kind: { label: content.kinds, words: kindWords },
      sort: 'kept',
      order: 'kept',
    },
  });
}

/** The ingredients that the filter leaves, the largest first unless told. */
export function ingredientTable(call: Call, view: RecipeView): Html {
  const { say, format } = call.words;
  const { page, sort, order } = call.query;
  const sorted = sortIngredients(view);
  const shares = toShares(toSizes(sorted));
  const damage = findDamage(call);
  const wanted = sorted
    .map((ingredient, place): Row => ({ ingredient, place, share: shares[place]! }))
    .filter(({ ingredient }) => isWanted(ingredient, call.query));
  const found = sortRows(wanted, sortValues, { sort, order });
  const { selected: rows, pageOf } = selectPage(found, { page, pageSize: perPage });
  const groupOf = groupByHost(
    rows.map(({ ingredient }) => ingredient.ref),
    sort === 'reference',
  );
  return html`${table<Row>({
    caption: say(recipeWords.composition),
    empty: pastEnd(call, pageOf) ?? nothingMatches(call, pathOf(view), ['q', 'kind']),
    rows,
    list: { call, sort: 'size' },
    groupOf: ({ ingredient }) => groupOf(ingredient.ref),
    columns: [
      {
        label: say(recipeWords.ingredient),
        isHeader: true,
        sort: 'name',
        cell: (row) => nameCell(call, damage, row),
      },
      {
        label: say(recipeWords.kind),
        sort: 'kind',
        isState: true,
        cell: ({ ingredient }) => kindBadge(call.words, ingredient.kind),
      },
      {
        label: say(recipeWords.size),
        isNumber: true,
        sort: 'size',
        cell: ({ ingredient }) =>
          ingredient.sizeBytes === undefined ? say(recipeWords.notHere) : format.size(ingredient.sizeBytes),
      },
      {
        label: say(recipeWords.share),
        isNumber: true,
        isMinor: true,
        cell: ({ share }) =>
          share > 0 && share < 0.01 ? say(recipeWords.smallShare) : format.percent(share),
      },
      {
        label: say(recipeWords.platforms),
        cell: ({ ingredient: { platforms, carried } }) => {
          const known = platforms ?? carried;
          if (known === undefined) return noValue;
          const more = known.length - mostPlatforms;
          return html`${untrusted(known.slice(0, mostPlatforms).join(', '))}${more > 0 ? html` <span class="muted">${say(content.morePlatforms, { count: more })}</span>` : ''}`;
        },
      },
      {
        label: say(recipeWords.reference),
        isLead: true,
        sort: 'reference',
        cell: (row) => referenceCell(call, groupOf, row),
      },
    ],
  })}${pager(call, { ...pageOf, pageSize: perPage })}`;
}

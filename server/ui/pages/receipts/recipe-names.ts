import { countStates, isServed } from '../../../../src/attest/receipt.ts';
import type { Receipt } from '../../../../src/contract/receipt.ts';
import { receipts } from '../../../../src/text/words/delivering/receipts.ts';
import { listRecipes } from '../../../../src/view/recipes.ts';
import { type Html, html } from '../../html.ts';
import { shortDigest } from '../../parts/digest.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';
import { stateCounts } from './marks.ts';

/** A recipe of a receipt as this instance knows it. */
export interface Named {
  readonly name: string | undefined;
  readonly version: string | undefined;
  /** Its page; absent where this instance has no such recipe. */
  readonly path: string | undefined;
}

type Names = ReadonlyMap<string, Named>;

/** The recipes of receipts, by their names, else by the digests of the recipes that are here. */
export async function nameRecipes(
  call: PageCall,
  all: readonly Pick<Receipt['recipes'][number], 'digest' | 'name' | 'version'>[],
): Promise<Names> {
  const here = await listRecipes(call);
  const byDigest = new Map(here.flatMap((one) => ('digest' in one ? [[one.digest as string, one]] : [])));
  const names = new Set(here.map(({ name }) => name));
  return new Map(
    all.map((one) => {
      const found = byDigest.get(one.digest);
      const name = one.name ?? found?.name;
      const version = one.version ?? found?.version;
      const isHere = name !== undefined && names.has(name);
      const query = found === undefined ? {} : { version: found.version };
      return [
        one.digest,
        { name, version, path: isHere ? toPath('/recipes/-/{name}', { name }, query) : undefined },
      ];
    }),
  );
}

export const textOf = (digest: string, { name, version = '' }: Partial<Named> = {}): string =>
  name === undefined ? digest : `${name} ${version}`.trim();

/** The name of a recipe, which leads to its page; of one without a name, its digest. */
export function recipeLink(call: PageCall, digest: string, named: Named | undefined): Html {
  const { words } = call;
  const { name, path } = named ?? {};
  if (name === undefined)
    return html`${shortDigest(words, digest, words.say(receipts.recipe))} <span class="muted">${words.say(receipts.notNamed)}</span>`;
  const text = untrusted(textOf(digest, named));
  return path === undefined ? text : html`<a href="${path}">${text}</a>`;
}

interface ConfirmedOptions {
  /** Whether the receipt counts. */
  readonly believed: boolean;
  readonly named: Names;
  /** Most names that are shown. */
  readonly most: number;
  /** Where all recipes are listed. */
  readonly all: string;
}

/** The number of recipes in each state, and the names of those that the receipt confirms; of one that does not count, their number. */
export function confirmed(
  call: PageCall,
  receipt: Receipt,
  { believed, named, most, all }: ConfirmedOptions,
): Html {
  const { say } = call.words;
  const { length: count } = receipt.recipes;
  if (!believed && count > 0) return html`<span class="muted">${say(receipts.notCounted, { count })}</span>`;
  const whole = receipt.recipes.filter((one) => isServed(one) && named.get(one.digest)?.name !== undefined);
  const rest = whole.length - most;
  const names = whole
    .slice(0, most)
    .map(({ digest }) => html`<li>${recipeLink(call, digest, named.get(digest))}</li>`);
  const more =
    rest > 0 ? html`<li><a href="${all}">${say(receipts.moreRecipes, { count: rest })}</a></li>` : '';
  return html`${stateCounts(call, countStates(receipt))}${names.length === 0 ? '' : html`<ul class="inline-list">${names}${more}</ul>`}`;
}

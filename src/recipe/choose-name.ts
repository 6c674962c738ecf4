import type { IngredientKind } from '../contract/common.ts';
import type { Reference } from '../oci/reference.ts';

/** Content that has a name in a recipe, or gets one. */
export interface NamedContent {
  readonly kind: IngredientKind;
  readonly reference: Pick<Reference, 'host' | 'repository' | 'digest'>;
  readonly version?: string | undefined;
}

const longest = 63;

/** Returns the parts of a repository path as one DNS label (RFC 1123). */
function toLabel(text: string): string {
  const label = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longest)
    .replace(/^-+|-+$/g, '');
  return label === '' ? 'content' : label;
}

function addSuffix(base: string, suffix: string): string {
  const label = toLabel(suffix).slice(0, 24);
  return toLabel(`${base.slice(0, longest - 1 - label.length)}-${label}`);
}

/**
 * Chooses the name of an ingredient: the last part of its repository. A name in use gets a suffix: the kind for a chart, the
 * version for another version of a repository. Otherwise it is the preceding part of the path, or a number.
 *
 * @param used the names of the recipe
 * @returns also the name that other content has taken
 */
export function chooseName(
  { kind, reference, version }: NamedContent,
  used: ReadonlyMap<string, NamedContent>,
): { readonly name: string; readonly taken?: string } {
  const parts = reference.repository.split('/');
  const base = toLabel(parts.at(-1)!);
  const first = used.get(base);
  const choices = [base];
  if (first !== undefined) {
    const isSame =
      first.kind === kind &&
      first.reference.host === reference.host &&
      first.reference.repository === reference.repository;
    if (kind === 'HelmChart') choices.push(addSuffix(base, 'chart'));
    if (isSame) choices.push(addSuffix(base, version ?? reference.digest ?? ''));
    else if (parts.length > 1) choices.push(addSuffix(base, parts.at(-2)!));
    choices.push(addSuffix(base, reference.host));
  }
  let name = choices.find((choice) => !used.has(choice));
  for (let i = 2; name === undefined; i += 1) {
    const numbered = addSuffix(base, String(i));
    if (!used.has(numbered)) name = numbered;
  }
  return name === base ? { name } : { name, taken: base };
}

import { fr } from '../../text/language.ts';
import { field } from '../operation.ts';
import { oneOf } from '../schema.ts';

export type Order = 'asc' | 'desc';

/** Keys of texts, which a list shows from A to Z unless told, and of states and places. */
const rising: ReadonlySet<string> = new Set([
  'name',
  'actor',
  'type',
  'status',
  'role',
  'state',
  'delivery',
  'zone',
  'evidence',
  'repository',
  'configured',
  'urgency',
  'kind',
  'reference',
  'nominal',
  'place',
  'signature',
  'wanted',
]);

/** The direction of a key without `order`: texts from A to Z, times and numbers from the last or the largest. */
export const orderOf = (key: string, order?: Order): Order => order ?? (rising.has(key) ? 'asc' : 'desc');

/**
 * The two query parameters that order a list.
 *
 * @param keys values of `sort`, the default first
 * @param details English sentences for the OpenAPI document
 */
export function sorting<const K extends readonly [string, ...string[]]>(keys: K, details?: string) {
  const [first] = keys;
  return {
    sort: field(
      { ...oneOf(...(keys as readonly K[number][])), default: first as K[number] },
      [`order (${first})`, fr`ordre (${first})`],
      keys.at(-1)!,
      details,
    ),
    order: field(
      oneOf('asc', 'desc'),
      ['direction of the order', fr`sens de l’ordre`],
      'asc',
      'Default: texts from A to Z, times and numbers from the last or the largest',
    ),
  };
}

/** Compares two values, in a direction; without a value comes last, in either direction. */
export function compareBy<V extends string | number>(
  a: V | undefined,
  b: V | undefined,
  order: Order,
): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  return (a < b ? -1 : 1) * (order === 'asc' ? 1 : -1);
}

/** The value by which rows are ordered, for each key; the first key is the default, and orders rows that are equal. */
export type SortValues<T, K extends string> = Readonly<Record<K, (row: T) => string | number | undefined>>;

/** Orders the rows of a list by a key. */
export function sortRows<T, K extends string>(
  rows: readonly T[],
  values: SortValues<T, K>,
  { sort, order }: { readonly sort?: K | undefined; readonly order?: Order | undefined },
): readonly T[] {
  const [first] = Object.keys(values) as [K];
  const key = sort ?? first;
  const direction = orderOf(key, order);
  return [...rows].sort(
    (a, b) =>
      compareBy(values[key](a), values[key](b), direction) ||
      compareBy(values[first](a), values[first](b), orderOf(first)),
  );
}

import type { Form } from '../subject.ts';
import { listRequestSchemas } from './request-schemas.ts';

/** The reader of a value: the program (`request`) or its users (`answer`). Both, for a schema that is used both ways. */
interface Place {
  readonly at: string;
  readonly direction: 'value' | 'answer' | 'request' | 'both';
  /** A map from names that are chosen freely: a new name in it changes nothing of the others. */
  readonly isMap: boolean;
}

export interface Judgement {
  /** Places that only the newer document has, and whose readers need not know them. */
  readonly additions: readonly string[];
  /** Places of all other differences. */
  readonly differences: readonly string[];
}

/** Keywords of OpenAPI and JSON Schema whose value is a map from names. */
const maps = new Set(
  '$defs components content definitions examples headers links parameters paths properties responses schemas'.split(
    ' ',
  ),
);

type Value = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Judges each difference of two documents. Members that only the newer one has are additions where none depends on them. */
export function judgeDocuments(older: unknown, newer: unknown, form: Exclude<Form, 'text'>): Judgement {
  const additions: string[] = [];
  const differences: string[] = [];
  const shared = form === 'openapi' ? listRequestSchemas(older, newer) : new Set<string>();
  const directions = {
    value: 'value',
    openapi: 'answer',
    'answer-schema': 'answer',
    'request-schema': 'request',
  } as const;

  const enter = ({ at, direction, isMap }: Place, key: string): Place => {
    const next = { at: `${at}/${key}`, direction, isMap: false };
    if (direction === 'value') return { ...next, isMap: true };
    if (isMap && at === '/paths') return { ...next, isMap: true };
    if (isMap && at.endsWith('/components')) return { ...next, isMap: true };
    if (isMap) return at === '/components/schemas' && shared.has(key) ? { ...next, direction: 'both' } : next;
    // an example is a value in any place
    if (key === 'example' || key === 'value') return { ...next, direction: 'value', isMap: true };
    if (key === 'requestBody') return { ...next, direction: 'request' };
    if (key === 'parameters') return { ...next, direction: 'request', isMap: true };
    return { ...next, isMap: maps.has(key) };
  };

  const compare = (before: unknown, after: unknown, place: Place): void => {
    const { at } = place;
    if (isObject(before) && isObject(after)) compareMembers(before, after, place);
    else if (Array.isArray(before) && Array.isArray(after)) compareItems(before, after, place);
    else if (!Object.is(before, after)) differences.push(at || '/');
  };

  const compareMembers = (before: Value, after: Value, place: Place): void => {
    for (const key of Object.keys(before))
      if (key in after) compare(before[key], after[key], enter(place, key));
      else differences.push(`${place.at}/${key}`);
    for (const key of Object.keys(after))
      if (!(key in before)) (place.isMap ? additions : differences).push(`${place.at}/${key}`);
  };

  const compareItems = (before: readonly unknown[], after: readonly unknown[], place: Place): void => {
    const { at, direction } = place;
    const keyword = at.slice(at.lastIndexOf('/') + 1);
    // a member that is always in an answer, or optional in a request, breaks no client
    const mayGrow =
      (keyword === 'required' && direction === 'answer') || (keyword === 'enum' && direction === 'request');
    if (mayGrow || keyword === 'parameters') compareNamed(before, after, place, mayGrow);
    else if (before.length !== after.length) differences.push(at);
    else
      for (const [i, item] of before.entries())
        compare(item, after[i], { ...place, at: `${at}/${i}`, isMap: direction === 'value' });
  };

  /** Items whose order says nothing. An added parameter that a request must have is a difference. */
  const compareNamed = (
    before: readonly unknown[],
    after: readonly unknown[],
    place: Place,
    mayGrow: boolean,
  ): void => {
    const named = (items: readonly unknown[]): Map<string, unknown> =>
      new Map(items.map((item) => [isObject(item) ? String(item.name ?? item.$ref) : String(item), item]));
    const [known, found] = [named(before), named(after)];
    for (const [name, item] of known)
      if (found.has(name))
        compare(item, found.get(name), { ...place, at: `${place.at}/${name}`, isMap: false });
      else differences.push(`${place.at}/${name}`);
    for (const [name, item] of found) {
      if (known.has(name)) continue;
      const isOptional = mayGrow || (isObject(item) && item.required !== true);
      (isOptional ? additions : differences).push(`${place.at}/${name}`);
    }
  };

  compare(older, newer, { at: '', direction: directions[form], isMap: form === 'value' });
  return { additions, differences };
}

import type { Content, Links } from './content.ts';

export const none: never[] = [];

export function linksOf(content: Content): Links {
  content.links ??= { tags: none, homes: none, referrers: none, members: 0 };
  return content.links;
}

/** Appends to a list. Most lists have one member, and an array that was pushed to has capacity for seventeen. */
export function withItem<T>(list: T[], item: T): T[] {
  if (list.length === 0) return [item];
  list.push(item);
  return list;
}

/** Removes an item, if present, without keeping the order. */
export function removeFrom<T>(list: T[], item: T): void {
  const at = list.indexOf(item);
  if (at < 0) return;
  list[at] = list.at(-1)!;
  list.pop();
}

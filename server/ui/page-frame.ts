import type { Html } from './html.ts';
import { mayOpen } from './parts/navigation.ts';
import { untrusted } from './parts/text.ts';
import { toPath } from './to-href.ts';
import { isPage, type Page, type PageCall, type PageRoute, type UiRoute } from './ui-route.ts';

const lastName = (path: string): string | undefined => /\{([a-z]+)\}$/.exec(path)?.[1];

/** Title and breadcrumb of a page that cannot be shown, made from its path alone. */
export interface PageFrame extends Required<Pick<Page, 'title' | 'crumbs'>> {
  readonly heading: Html;
  /** Path of the page for another value of the last part of its path; undefined when that part is none. */
  readonly pathOf: ((name: string) => string) | undefined;
}

/** @param routes whose pages above that of the call are its breadcrumb */
export function toPageFrame(call: PageCall, routes: readonly UiRoute[]): PageFrame {
  const { route, path: params } = call;
  const titleOf = ({ path, title }: PageRoute): string =>
    params[lastName(path) ?? ''] ?? call.words.say(title);
  const above = routes
    .filter(isPage)
    .filter(({ path }) => path !== '/' && route.path.startsWith(`${path}/`) && mayOpen(call, routes, path))
    .sort((a, b) => a.path.length - b.path.length);
  const name = lastName(route.path);
  const title = titleOf(route);
  return {
    title,
    heading: untrusted(title),
    crumbs: above.map((each) => [titleOf(each), toPath(each.path, params)]),
    pathOf: name === undefined ? undefined : (value) => toPath(route.path, { ...params, [name]: value }),
  };
}

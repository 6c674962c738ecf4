import type { Html } from './html.ts';
import { folderCrumbs } from './pages/content/content-words.ts';
import { mayOpen } from './parts/navigation.ts';
import { untrusted } from './parts/text.ts';
import { toPath } from './to-href.ts';
import { isPage, type Page, type PageCall, type PageRoute, type UiRoute } from './ui-route.ts';

const lastName = (path: string): string | undefined => /\{([a-z]+)\}$/.exec(path)?.[1];
const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Title and breadcrumb of a page that cannot be shown, made from its path alone. */
export interface PageFrame extends Required<Pick<Page, 'title' | 'crumbs'>> {
  readonly heading: Html;
  /** The last name in the path, and the path of the page with another name in its place; undefined without a name. */
  readonly named: { readonly name: string; readonly pathOf: (other: string) => string } | undefined;
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
  const last = [...route.path.matchAll(/\{([a-z]+)\}/g)].at(-1)?.[1];
  const title = titleOf(route);
  const { repo } = params;
  // of a repository each folder is a step
  const crumbs = above.flatMap((each): PageFrame['crumbs'] =>
    each.path === '/content' && repo !== undefined
      ? folderCrumbs(call.words, repo)
      : [[lastSegment(titleOf(each)), toPath(each.path, params)]],
  );
  return {
    title,
    heading: untrusted(lastName(route.path) === 'repo' ? lastSegment(title) : title),
    crumbs,
    named:
      last === undefined
        ? undefined
        : {
            name: params[last] ?? '',
            pathOf: (other) => toPath(route.path, { ...params, [last]: other }),
          },
  };
}

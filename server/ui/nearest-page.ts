import { hasRole, type Role } from '../../src/account/model.ts';
import { selectNearest } from '../../src/base/nearest.ts';
import { isPage, type UiRoute } from './ui-route.ts';

/** Names that people type for pages that are called otherwise. */
const otherNames: Readonly<Record<string, string>> = {
  '/sync': '/recipes/sync',
  '/plan': '/recipes/sync',
  '/publish': '/recipes/publish',
  '/check': '/recipes/check',
  '/lint': '/recipes/check',
  '/pin': '/recipes/check',
  '/compare': '/recipes/compare',
  '/diff': '/recipes/compare',
  '/accounts': '/admin/accounts',
  '/users': '/admin/accounts',
  '/tokens': '/admin/accounts',
  '/retriever': '/admin/retriever',
  '/network': '/admin/network',
  '/certificate': '/admin/network',
  '/store': '/admin/store',
  '/oci-layout': '/admin/oci-layout',
  '/layout': '/admin/oci-layout',
  '/repositories': '/content',
  '/images': '/content',
  '/logs': '/tasks',
  '/api': '/api-docs',
  '/dashboard': '/',
};

/**
 * Selects the page that a mistyped path most likely means, of those that a role may open.
 *
 * @returns undefined when none is close
 */
export function selectNearestPage(path: string, routes: readonly UiRoute[], role: Role): string | undefined {
  const open = new Set(
    routes.flatMap((route) =>
      isPage(route) && route.floor !== 'public' && !route.path.includes('{') && hasRole(role, route.floor)
        ? [route.path]
        : [],
    ),
  );
  const candidates = [...open, ...Object.keys(otherNames)];
  const trimmed = path.replace(/\/+$/, '');
  const first = /^\/[^/]+/.exec(trimmed)?.[0] ?? '';
  for (const name of [trimmed, first]) {
    const near = selectNearest(name, candidates);
    const page = near === undefined ? undefined : (otherNames[near] ?? near);
    if (page !== undefined && open.has(page)) return page;
  }
  return undefined;
}

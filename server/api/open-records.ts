import { hasRole, type Role } from '../../src/account/model.ts';

/** Routes that only read the records of an instance. */
const records: ReadonlySet<string> = new Set([
  'GET /history',
  'GET /history/-/print',
  'GET /history/{record}',
  'GET /deliveries',
  'GET /deliveries/{delivery}',
  'GET /receipts',
  'GET /receipts/{zone}',
  'GET /evidence',
  'POST /evidence',
  'GET /media/report',
  'GET /media/report.json',
]);

type Named = { readonly method: string; readonly path: string };

/** Whether `auth.historyRole` sets the role of a route. */
export const isOfRecords = ({ method, path }: Named): boolean => records.has(`${method} ${path}`);

/**
 * The routes as `auth.historyRole` opens them: those of the records from that role on, where they ask for a higher one.
 *
 * @param role default: the routes as they are
 */
export function openRecords<R extends Named & { readonly floor: Role | 'public' }>(
  routes: readonly R[],
  role: Role = 'admin',
): readonly R[] {
  return routes.map((route) => {
    const { floor } = route;
    if (floor === 'public' || hasRole(role, floor) || !isOfRecords(route)) return route;
    return { ...route, floor: role };
  });
}

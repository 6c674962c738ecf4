import type { Fields, PageCall, PageRoute } from '../ui-route.ts';

/** The call of a page that an action shows with the typed values in its form. Secrets are shown too. */
export function fillForm(call: PageCall, route: PageRoute, fields: Fields): PageCall {
  const field: PageCall['field'] = (name, otherwise = '') => fields.get(name)?.[0] ?? otherwise;
  return { ...call, route, posted: { fields, wrong: new Map() }, field };
}

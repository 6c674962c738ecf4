import type { ActionCall, PageCall, PageRoute } from '../ui-route.ts';

/** The call of a page that an action shows with its form filled by what was typed. Secrets are shown too. */
export function fillForm(call: ActionCall, route: PageRoute): PageCall {
  const { fields } = call;
  const field: PageCall['field'] = (name, otherwise = '') => fields.get(name)?.[0] ?? otherwise;
  return { ...call, route, posted: { fields }, field };
}

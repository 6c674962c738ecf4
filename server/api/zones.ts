import { selectPage } from '../../src/base/page.ts';
import * as ofDeliveries from '../../src/contract/operations/deliveries.ts';
import * as api from '../../src/contract/operations/zones.ts';
import { findKnownDelivery, listKnownDeliveries } from '../../src/view/delivered/known-deliveries.ts';
import { selectDeliveries, toDocument } from '../../src/view/delivered/list-deliveries.ts';
import { listZones, showZone } from '../views/zones.ts';
import { type ApiRoute, route } from './api-route.ts';

export const zoneRoutes: readonly ApiRoute[] = [
  route(api.listZones, async (call) => ({ json: await listZones(call, call.query) })),
  route(api.getZone, async (call) => ({ json: await showZone(call, call.path.zone) })),
  route(ofDeliveries.listKnownDeliveries, async (call) => {
    const { page, pageSize, ...choice } = call.query;
    const selected = selectDeliveries(await listKnownDeliveries(call), choice);
    const { selected: shown, pageOf } = selectPage(selected, { page, pageSize });
    const { enabled } = call.instance.context.config.custody;
    return { json: { deliveries: shown.map((one) => toDocument(one, enabled)), ...pageOf } };
  }),
  route(ofDeliveries.getKnownDelivery, async (call) => {
    const { enabled } = call.instance.context.config.custody;
    return { json: toDocument(await findKnownDelivery(call, call.path.delivery), enabled) };
  }),
];

import { listZones } from '../../../../src/contract/operations/zones.ts';
import { zones } from '../../../../src/text/words/delivering/zones.ts';
import { page, type UiRoute } from '../../ui-route.ts';
import { showZones } from './list.ts';
import { recipeFilters, showOneZone } from './show.ts';

export const zonePages: readonly UiRoute[] = [
  page({
    method: 'GET',
    path: '/zones',
    floor: 'viewer',
    title: zones.title,
    query: listZones.query,
    page: showZones,
  }),
  page({
    method: 'GET',
    path: '/zones/{zone}',
    floor: 'viewer',
    title: zones.zone,
    query: recipeFilters,
    page: showOneZone,
  }),
];

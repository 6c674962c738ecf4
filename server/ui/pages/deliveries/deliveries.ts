import { dossier } from '../../../../src/text/words/delivering/dossier.ts';
import { page, type UiRoute } from '../../ui-route.ts';
import { listQuery, showDeliveries } from './list.ts';
import { showDelivery, showQuery } from './show.ts';

export const deliveryPages: readonly UiRoute[] = [
  page({
    method: 'GET',
    path: '/deliveries',
    floor: 'operator',
    title: dossier.title,
    query: listQuery,
    page: showDeliveries,
  }),
  page({
    method: 'GET',
    path: '/deliveries/{delivery}',
    floor: 'operator',
    title: dossier.delivery,
    query: showQuery,
    page: showDelivery,
  }),
];

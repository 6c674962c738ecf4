import { listClients } from '../../../../src/contract/operations/clients.ts';
import { clientWords } from '../../../../src/text/words/serving/clients.ts';
import { page, type UiRoute } from '../../ui-route.ts';
import { showClients } from './list.ts';
import { showClient } from './show.ts';

export const clientPages: readonly UiRoute[] = [
  page({
    method: 'GET',
    path: '/clients',
    floor: 'viewer',
    title: clientWords.title,
    query: listClients.query,
    page: showClients,
  }),
  page({
    method: 'GET',
    path: '/clients/{client}',
    floor: 'viewer',
    title: clientWords.client,
    query: listClients.query,
    page: showClient,
  }),
];

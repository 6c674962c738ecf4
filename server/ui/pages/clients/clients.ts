import { clientWords } from '../../../../src/text/words/serving/clients.ts';
import { clientParameters } from '../../../api/clients.ts';
import { page, type UiRoute } from '../../ui-route.ts';
import { showClients } from './list.ts';
import { showClient } from './show.ts';

export const clientPages: readonly UiRoute[] = [
  page({
    method: 'GET',
    path: '/clients',
    floor: 'viewer',
    title: clientWords.title,
    parameters: clientParameters,
    page: showClients,
  }),
  page({
    method: 'GET',
    path: '/clients/{client}',
    floor: 'viewer',
    title: clientWords.client,
    parameters: clientParameters,
    page: showClient,
  }),
];

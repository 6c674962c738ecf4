import { requireRange } from '../../src/contract/history.ts';
import * as api from '../../src/contract/operations/history.ts';
import { showHistory, writeHistoryTable } from '../../src/view/history.ts';
import { type ApiRoute, route } from './api-route.ts';

export const historyRoutes: readonly ApiRoute[] = [
  route(api.listHistory, async ({ instance, query: { format, ...query } }) => {
    requireRange(query);
    const { config } = instance.context;
    if (format !== 'csv') return { json: await showHistory(config, query) };
    return {
      contentType: 'text/csv; charset=utf-8',
      content: writeHistoryTable(config, query),
      headers: { 'content-disposition': 'attachment; filename="history.csv"' },
    };
  }),
];

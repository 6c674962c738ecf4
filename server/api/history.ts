import { systemClock } from '../../src/base/clock.ts';
import { requireRange } from '../../src/contract/history.ts';
import * as api from '../../src/contract/operations/history.ts';
import { type HistoryForm, showHistory, writeHistory } from '../../src/view/history.ts';
import { siteName } from '../views/side.ts';
import { type ApiCall, type ApiRoute, route } from './api-route.ts';

const contentTypes: Readonly<Record<HistoryForm, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson',
};

/** The name of a downloaded history: of which site and of which day (UTC). It has no character that a file system or a header gives a meaning to. */
function toFileName(call: ApiCall, form: HistoryForm): string {
  const site = siteName(call).replace(/[^\w.-]+/g, '_');
  const day = new Date(systemClock.wall()).toISOString().slice(0, 10);
  return `history-${site}-${day}.${form}`;
}

export const historyRoutes: readonly ApiRoute[] = [
  route(api.listHistory, async (call) => {
    const { format, ...query } = call.query;
    requireRange(query);
    const { config } = call.instance.context;
    if (format === undefined || format === 'json') return { json: await showHistory(config, query) };
    return {
      contentType: contentTypes[format],
      content: writeHistory(config, query, format),
      headers: { 'content-disposition': `attachment; filename="${toFileName(call, format)}"` },
    };
  }),
];

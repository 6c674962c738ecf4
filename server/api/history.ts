import { systemClock } from '../../src/base/clock.ts';
import { requireSetting } from '../../src/base/require-setting.ts';
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
    const { context, places } = call.instance;
    const { config } = context;
    if (format === undefined || format === 'json')
      return { json: await showHistory(config, { ...query, signal: call.signal }) };
    requireSetting('state.root', config.state.root);
    return {
      contentType: contentTypes[format],
      content: {
        run: (send) =>
          places.exports.run(call.holder, call.signal, (signal) =>
            send(writeHistory(config, query, format, signal)),
          ),
      },
      headers: { 'content-disposition': `attachment; filename="${toFileName(call, format)}"` },
    };
  }),
];

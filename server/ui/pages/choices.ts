import { isTable, writeHidden } from '../chosen-columns.ts';
import { choiceLife, cookieNames, readCookie, toSetCookie } from '../cookies.ts';
import { fieldOf } from '../read-form.ts';
import { isLocal } from '../to-href.ts';
import { type ActionCall, type Outcome, rowHeights, themes, type UiRoute } from '../ui-route.ts';

/** Remembers a value for a year, and goes back to where it was chosen. Without a value nothing changes. */
function remember(call: ActionCall, cookie: string, value: string | undefined): Outcome {
  const { fields, settings, certificate } = call;
  const next = fieldOf(fields, 'next') ?? '/';
  const location = next.startsWith('/') && next.length <= 2048 && isLocal(next) ? next : '/';
  if (value === undefined) return { location };
  const secure = certificate !== undefined || settings.secureCookies;
  const maxAge = value === '' ? 0 : choiceLife;
  return { location, cookies: [toSetCookie(cookie, value, { secure, maxAge })] };
}

/** Remembers one of a few values; another one changes nothing. */
function choose(call: ActionCall, cookie: string, field: string, values: readonly string[]): Outcome {
  const value = fieldOf(call.fields, field);
  return remember(call, cookie, value !== undefined && values.includes(value) ? value : undefined);
}

/** Remembers the columns of one list; those of the others stay. */
function chooseColumns(call: ActionCall): Outcome {
  const table = fieldOf(call.fields, 'table') ?? '';
  if (!isTable(table)) return remember(call, cookieNames.columns, undefined);
  const before = readCookie(call.exchange.req.headers.cookie, cookieNames.columns);
  const shown = call.fields.get('column') ?? [];
  return remember(call, cookieNames.columns, writeHidden(before, table, shown));
}

export const choiceRoutes: readonly UiRoute[] = [
  {
    method: 'POST',
    path: '/lang',
    floor: 'public',
    page: '/login',
    isInHeader: true,
    run: (call) => choose(call, cookieNames.language, 'language', ['en', 'fr']),
  },
  {
    method: 'POST',
    path: '/theme',
    floor: 'public',
    page: '/login',
    isInHeader: true,
    run: (call) =>
      fieldOf(call.fields, 'rows') === undefined
        ? choose(call, cookieNames.theme, 'theme', themes)
        : choose(call, cookieNames.rows, 'rows', rowHeights),
  },
  {
    method: 'POST',
    path: '/columns',
    floor: 'viewer',
    page: '/content',
    isInHeader: true,
    list: 'column',
    run: chooseColumns,
  },
];

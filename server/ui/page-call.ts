import { hasRole, type Identity } from '../../src/account/model.ts';
import { requireRange } from '../../src/contract/history.ts';
import { isSvcError } from '../../src/text/error.ts';
import { pageWords, type Words } from '../../src/text/words/words.ts';
import { readParameters, readSoundParameters } from '../api/request/parse-request.ts';
import { type Exchange, leavingSignal } from '../exchange.ts';
import { toHolder, toOriginHolder } from '../shares/holder.ts';
import { selectPageLanguage, selectRowHeight, selectTheme } from './select-language.ts';
import type { Visitor } from './session.ts';
import { toPath } from './to-href.ts';
import {
  isPage,
  type PageCall,
  type PageRoute,
  type Posted,
  type UiParts,
  type UiRoute,
} from './ui-route.ts';

export interface PageCalls {
  /** The call of a page, before its query is checked. */
  toCall(
    exchange: Exchange,
    route: PageRoute,
    params: Readonly<Record<string, string>>,
    visitor: Visitor,
    posted?: Posted,
  ): PageCall;
  /** The same with its declared parameters checked. @throws SVC-VAL-001 */
  withQuery(call: PageCall): PageCall;
  /** The same without the parameters that break a rule: they are in `wrong`. */
  withSoundQuery(call: PageCall): PageCall;
  /** @throws TypeError when no page has this path: the table of routes is wrong */
  pageOf(path: string): PageRoute;
  wordsOf(exchange: Exchange): Words;
}

/** A field of a GET form that was left empty is none. */
function dropEmpty(search: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...search].filter(([, value]) => value !== ''));
}

/** Makes the calls of pages. */
export function createPageCalls(parts: UiParts, routes: readonly UiRoute[]): PageCalls {
  const all = routes.filter(isPage);
  const pages = new Map(all.map((route) => [route.path, route]));
  const wordsOf = ({ req: { headers } }: Exchange): Words => pageWords[selectPageLanguage(headers)];
  const can = (identity: Identity, signedIn: boolean) => (role: Identity['role']) =>
    signedIn && hasRole(identity.role, role);
  return {
    wordsOf,
    toCall: (exchange, route, path, { identity, signedIn, sessionLeft }, posted) => {
      const search = dropEmpty(new URLSearchParams(exchange.req.method === 'POST' ? '' : exchange.query));
      const isShown = exchange.req.method === 'GET' || exchange.req.method === 'HEAD';
      const here = exchange.query === '' ? exchange.path : `${exchange.path}?${exchange.query}`;
      return {
        ...parts,
        exchange,
        route,
        pages: all,
        identity,
        holder: signedIn ? toHolder(identity, exchange.origin) : toOriginHolder(exchange.origin),
        signedIn,
        sessionLeft,
        path,
        search,
        query: {},
        body: {},
        signal: leavingSignal(exchange),
        words: wordsOf(exchange),
        theme: selectTheme(exchange.req.headers.cookie),
        rowHeight: selectRowHeight(exchange.req.headers.cookie),
        here: isShown ? here : toPath(route.path, path),
        posted,
        can: can(identity, signedIn),
        field: (name, otherwise = '') => posted?.fields.get(name)?.[0] ?? otherwise,
      };
    },
    withQuery: (call) => ({ ...call, query: readParameters(call.route.query ?? {}, call.search) }),
    withSoundQuery: (call) => {
      const { query, wrong } = readSoundParameters(call.route.query ?? {}, call.search);
      try {
        requireRange(query);
      } catch (error) {
        if (!isSvcError(error, 'SVC-VAL-001')) throw error;
        delete query.to;
        wrong.set('to', error);
      }
      return { ...call, query, wrong: wrong.size === 0 ? undefined : wrong };
    },
    pageOf: (path) => {
      const route = pages.get(path);
      if (route === undefined) throw new TypeError(`no page has the path ${path}`);
      return route;
    },
  };
}

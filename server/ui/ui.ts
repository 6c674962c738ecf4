import { resources } from '../../src/base/shares/resources.ts';
import { isSvcError, svcError, toSvcError } from '../../src/text/error.ts';
import type { ApiRoute } from '../api/api-route.ts';
import { compileRoutes, decodeParams } from '../api/request/parse-request.ts';
import { explainByMedium } from '../changed-medium.ts';
import { type Exchange, hasLeft } from '../exchange.ts';
import type { Identify } from '../identity.ts';
import { sendProblem, toLoggedRefusal } from '../problem.ts';
import type { BodyRoom } from '../shares/body-room.ts';
import type { Turns } from '../shares/turns.ts';
import { toSetCookie } from './cookies.ts';
import { notedField } from './faults.ts';
import { createHeld } from './held.ts';
import { createKeptResults, showWithResult } from './kept-result.ts';
import type { Assets } from './load-assets.ts';
import { selectNearestPage } from './nearest-page.ts';
import { createPageCalls } from './page-call.ts';
import { toPageFrame } from './page-frame.ts';
import { showSigningInAgain } from './pages/login.ts';
import { toBareErrorPage, toErrorPage } from './parts/error.ts';
import { removedLink } from './parts/history-link.ts';
import { publicStrip } from './parts/notices.ts';
import { policyHeaders } from './policy.ts';
import { createRunAction } from './run-action.ts';
import { createSaid } from './said.ts';
import { sendAsset } from './send-asset.ts';
import { createSendPage } from './send-page.ts';
import { createVisitors, isSignedOut, type Visitor } from './session.ts';
import { encodeLocation, isLocal, toPath } from './to-href.ts';
import {
  type ActionRoute,
  type DownloadRoute,
  type FileRoute,
  type HeldParts,
  isPage,
  type PageCall,
  type PageRoute,
  type UiParts,
  type UiRoute,
} from './ui-route.ts';

export interface Ui {
  handle(exchange: Exchange): Promise<void>;
  /** The error of a request that no page could be found for, or that the instance does not take any more. */
  fail(error: unknown, exchange: Exchange): void;
}

/** A page and the values of its path. */
interface Place {
  readonly route: PageRoute;
  readonly params: Readonly<Record<string, string>>;
}

interface UiOptions extends Omit<UiParts, keyof HeldParts> {
  readonly identify: Identify;
  readonly assets: Assets;
  readonly bodies: BodyRoom;
  readonly turns: Pick<Turns, 'take'>;
}

/** Certificates that wait for a confirmation. */
const heldPairs = { count: resources.pairs, waiting: 600_000 } as const;

/** Secrets of new tokens, until their page was shown; and again, when the answer got lost or another language is chosen. */
const heldSecrets = { count: resources.secrets, waiting: 60_000 } as const;

/** Whether the request is for one section of a page that is open already. */
const isPoll = ({ req }: Exchange): boolean => req.headers['hx-request'] === 'true';

/** Whether the form of a filter asks: the whole page then shows its wrong values. */
const isOfForm = ({ req }: Exchange): boolean => /^form(?:#|$)/.test(String(req.headers['hx-source'] ?? ''));

/** Below this path are style sheets, scripts and icons: none of them is a page, and neither is the error for one. */
const assetsRoot = '/static/';

/** A client that does not ask for a page gets errors as the API words them. */
const wantsPage = ({ req, path }: Exchange): boolean =>
  !path.startsWith(assetsRoot) && (req.headers.accept ?? '').includes('text/html');

/** The path after signing in: the requested page, if a GET shows it. */
function toReturnPath({ req, path, query }: Exchange): string {
  if (req.method !== 'GET' && req.method !== 'HEAD') return '/';
  const target = query === '' ? path : `${path}?${query}`;
  return target.length <= 2048 && isLocal(target) ? target : '/';
}

/**
 * Makes the web interface: finds the page, identifies the visitor, and renders. Every error is a page with the three
 * sentences, the code and the correlation id.
 */
export function createUi(options: UiOptions, routes: readonly UiRoute[], apiRoutes: readonly ApiRoute[]): Ui {
  const { identify, assets, bodies, turns, ...others } = options;
  const parts: UiParts = {
    ...others,
    pairs: createHeld(heldPairs),
    results: createKeptResults(),
    said: createSaid(),
    secrets: createHeld(heldSecrets),
  };
  const { settings, report, certificate, authenticator } = parts;
  const secure = certificate !== undefined || settings.secureCookies;
  const visitors = createVisitors({ identify, authenticator, secure, report });
  const compiled = compileRoutes<UiRoute>(routes);
  const calls = createPageCalls(parts, routes);
  const send = createSendPage({ assets, routes, visitors, parts });
  const runAction = createRunAction({ routes, apiRoutes, calls, visitors, bodies, turns, parts });

  const find = (exchange: Exchange) => {
    const { path } = exchange;
    const method = exchange.req.method ?? 'GET';
    const unknown = () => svcError('SVC-SRV-002', { path: path.slice(0, 512) });
    if (path.length > 2048) throw unknown();
    for (const { pattern, names, routes: methods } of compiled) {
      const match = pattern.exec(path);
      if (match === null) continue;
      const route = methods.get(method === 'HEAD' ? 'GET' : method);
      if (route === undefined) {
        const allow = [...methods.keys()].flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]));
        throw svcError('SVC-SRV-004', { method: method.slice(0, 32), allow });
      }
      const params = decodeParams(names, match);
      if (params === undefined) throw unknown();
      return { route, params };
    }
    throw unknown();
  };

  const redirect = (exchange: Exchange, location: string, cookies: readonly string[] = []): void => {
    const { res } = exchange;
    res.writeHead(303, {
      ...policyHeaders(exchange),
      location: encodeLocation(location),
      'cache-control': 'no-store',
      'set-cookie': [...cookies],
    });
    res.end();
  };

  /** Has htmx load a page in place of a section. */
  const loadWhole = (exchange: Exchange, status: number, location: string): void => {
    exchange.res.writeHead(status, {
      ...policyHeaders(exchange),
      'cache-control': 'no-store',
      'hx-redirect': encodeLocation(location),
    });
    exchange.res.end();
  };

  /**
   * Leads to the sign-in page and, after the sign-in, back. A poll says itself that there was a session: its browser has
   * removed the cookie of one that expired.
   */
  const sendToLogin = (exchange: Exchange, error: unknown): void => {
    const next = toReturnPath(exchange);
    const ended = isPoll(exchange) || isSvcError(error, 'SVC-AUTH-005') ? '1' : undefined;
    const login = toPath('/login', {}, { next: next === '/' ? undefined : next, ended });
    if (!isPoll(exchange)) {
      const gone = ended === undefined ? [] : [toSetCookie('svc_session', '', { secure, maxAge: 0 })];
      redirect(exchange, login, gone);
      return;
    }
    // The browser would follow a 303 by itself, into the section. The cookie stays: another tab may have signed in anew.
    loadWhole(exchange, 401, login);
  };

  /** A wrong value of a filter is shown at its field, beside the others; any other wrong parameter is the error of the page. */
  const showFiltered = async (call: PageCall) => {
    const asked = calls.withSoundQuery(call);
    const [first] = asked.wrong?.values() ?? [];
    const page = await showWithResult(asked).catch((error: unknown) => {
      throw first ?? error;
    });
    for (const [name, error] of asked.wrong ?? [])
      if (notedField(asked.wrong, name) === undefined) throw error;
    if (first !== undefined && !isPoll(call.exchange)) call.exchange.refuse(toLoggedRefusal(first));
    return { asked, page };
  };

  const showPage = async (
    route: PageRoute,
    exchange: Exchange,
    params: Readonly<Record<string, string>>,
  ): Promise<void> => {
    const visitor = await visitors.forPage(exchange, route.floor);
    const call = calls.toCall(exchange, route, params, visitor);
    await turns.take(call.holder, exchange);
    try {
      const { asked, page } = await showFiltered(call);
      if (asked.wrong !== undefined && isPoll(exchange) && isOfForm(exchange))
        return loadWhole(exchange, 200, call.here);
      if (page.location !== undefined) return redirect(exchange, page.location);
      await send.page(asked, visitor, page);
    } catch (error) {
      await failAs(exchange, error, visitor, { route, params });
    }
  };

  const sendFile = async (route: FileRoute, exchange: Exchange, params: Readonly<Record<string, string>>) => {
    const visitor = await visitors.forPage(exchange, route.floor);
    const call = calls.toCall(exchange, { ...calls.pageOf('/'), floor: route.floor }, params, visitor);
    const { name, contentType, content } = route.file(call);
    const bytes = Buffer.from(content);
    exchange.res.writeHead(200, {
      ...policyHeaders(exchange),
      'cache-control': 'no-store',
      'content-type': contentType,
      'content-length': bytes.length,
      'content-disposition': `attachment; filename="${name}"`,
    });
    exchange.res.end(exchange.req.method === 'HEAD' ? undefined : bytes);
  };

  const sendDownload = async (
    { floor, query, download }: DownloadRoute,
    exchange: Exchange,
    params: Readonly<Record<string, string>>,
  ) => {
    const visitor = await visitors.forDownload(exchange, floor);
    await download(
      calls.withQuery(calls.toCall(exchange, { ...calls.pageOf('/'), floor, query }, params, visitor)),
    );
  };

  const act = async (action: ActionRoute, exchange: Exchange, params: Readonly<Record<string, string>>) => {
    let visitor: Visitor;
    try {
      visitor = await visitors.forAction(exchange, action.floor);
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      // typed values are not lost: the form comes back after signing in
      const nobody = await visitors.forPage(exchange, 'public');
      const login = calls.toCall(exchange, calls.pageOf('/login'), {}, nobody);
      const fields = await runAction.readKept(action, exchange);
      return send.page(login, nobody, showSigningInAgain(login, action.path, params, fields));
    }
    const done = await runAction.run(action, exchange, params, visitor);
    if ('sent' in done) return;
    if ('location' in done) return redirect(exchange, done.location, done.cookies);
    if (done.error !== undefined) exchange.refuse(toLoggedRefusal(done.error));
    await send.page(done.call, { ...done.visitor, cookies: done.cookies }, done.page);
  };

  /** The error of a known visitor: the page keeps its navigation. */
  const failAs = async (
    exchange: Exchange,
    thrown: unknown,
    visitor: Visitor,
    place: Place | undefined,
  ): Promise<void> => {
    if (hasLeft(exchange)) return;
    const error = explainByMedium(thrown, parts.gate);
    if (exchange.res.headersSent || isPoll(exchange) || !wantsPage(exchange))
      return sendBare(error, exchange);
    const coded = toSvcError(error);
    exchange.refuse(toLoggedRefusal(coded));
    const { route, params } = place ?? { route: calls.pageOf('/'), params: {} };
    const call = calls.toCall(exchange, route, params, visitor);
    await turns.take(call.holder, exchange);
    const isUnknown = isSvcError(coded, 'SVC-SRV-002') || isSvcError(coded, 'SVC-SRV-004');
    const frame = place && toPageFrame(call, routes);
    const nearest =
      isUnknown && frame === undefined
        ? selectNearestPage(exchange.path, routes, visitor.identity.role)
        : undefined;
    // the page is shown as well where the history cannot be read
    const removed = await removedLink(call, coded).catch(() => '');
    await send.page(call, visitor, toErrorPage(call, coded, { frame, nearest, removed }));
  };

  const sendBare = (error: unknown, exchange: Exchange): void => {
    const { res } = exchange;
    if (res.headersSent || isPoll(exchange) || !wantsPage(exchange)) {
      // the content of the page stays there
      if (!res.headersSent && isPoll(exchange)) res.setHeader('hx-reswap', 'none');
      sendProblem(error, exchange, parts.conceal);
      return;
    }
    const coded = toSvcError(error);
    exchange.refuse(toLoggedRefusal(coded));
    const words = calls.wordsOf(exchange);
    publicStrip(words, parts)
      .then((notices) => {
        if (!res.destroyed) send.bare(exchange, toBareErrorPage(words, coded, exchange, notices));
      })
      .catch((failure: unknown) => sendProblem(failure, exchange, parts.conceal));
  };

  /** The page of a request; that of a form is the page that has it, where the form names it whole. */
  const placeOf = (exchange: Exchange): Place | undefined => {
    try {
      const { route, params } = find(exchange);
      if (isPage(route)) return { route, params };
      if (route.method !== 'POST' || route.isInHeader) return undefined;
      const page = calls.pageOf(route.page);
      toPath(page.path, params);
      return { route: page, params };
    } catch {
      return undefined;
    }
  };

  /** A signed-in visitor keeps the navigation. */
  const fail = async (error: unknown, exchange: Exchange): Promise<void> => {
    const visitor = await visitors.forPage(exchange, 'public').catch(() => undefined);
    if (visitor?.signedIn) await failAs(exchange, error, visitor, placeOf(exchange));
    else sendBare(error, exchange);
  };

  const answer = async (exchange: Exchange): Promise<void> => {
    if (exchange.path.startsWith(assetsRoot))
      return sendAsset(exchange, assets, settings.themeOverride, policyHeaders(exchange));
    const { route, params } = find(exchange);
    if ('download' in route) await sendDownload(route, exchange, params);
    else if ('file' in route) await sendFile(route, exchange, params);
    else if (route.method === 'GET') await showPage(route, exchange, params);
    else await act(route, exchange, params);
  };

  const handle = async (exchange: Exchange): Promise<void> => {
    try {
      await answer(exchange);
    } catch (error) {
      if (hasLeft(exchange)) return;
      if (isSignedOut(error) && !exchange.res.headersSent) return sendToLogin(exchange, error);
      await fail(error, exchange);
    }
  };

  return {
    handle: (exchange) =>
      handle(exchange).catch((error: unknown) => {
        if (!hasLeft(exchange)) sendBare(error, exchange);
      }),
    fail: (error, exchange) => {
      fail(error, exchange).catch((failure: unknown) => {
        if (!hasLeft(exchange)) sendBare(failure, exchange);
      });
    },
  };
}

import { isIP } from 'node:net';
import type { Authenticator } from '../src/account/authenticate.ts';
import { hasRole, type Identity, type Role } from '../src/account/model.ts';
import { actors, type Report } from '../src/base/report.ts';
import { svcError } from '../src/text/error.ts';
import { fr } from '../src/text/language.ts';
import { rule } from '../src/text/rule.ts';
import type { Exchange } from './exchange.ts';
import { cookieNames, readCookie } from './ui/cookies.ts';

interface IdentityOptions {
  /** Absent: authentication is disabled, and every request has the role of an administrator. */
  readonly authenticator: Pick<Authenticator, 'authenticate'> | undefined;
  /** Names by which this instance may be addressed while authentication is disabled (lower-case, no port). */
  readonly hosts: readonly string[];
  readonly report: Report;
}

const accessActions = { registry: 'registry.access', ui: 'ui.access' } as const;

const isNamed = (surface: string): surface is keyof typeof accessActions =>
  Object.hasOwn(accessActions, surface);

/** Requirements of a route. */
export interface Demand {
  readonly floor: Role;
  /** Whether a session cookie is accepted. Only read requests accept one. */
  readonly session: boolean;
  /** A page: a link on another site may lead to it, since to show it has no effect. */
  readonly navigation?: boolean;
}

/** Returns a promise only when it has to wait, and otherwise throws at once: it is called for every request. */
export type Identify = (exchange: Exchange, demand: Demand) => Identity | Promise<Identity>;

const anonymous: Identity = { actor: actors.anonymous, role: 'admin', via: 'disabled' };

function hostName(header: string | undefined): string {
  const text = (header ?? '').toLowerCase();
  if (text.startsWith('[')) return text.slice(1, text.indexOf(']') < 0 ? undefined : text.indexOf(']'));
  const colon = text.lastIndexOf(':');
  return colon < 0 ? text : text.slice(0, colon);
}

/**
 * Whether a browser reports that another site caused this request (Fetch Metadata, otherwise `Origin`, RFC
 * 6454).
 */
export function isForeign({ req: { headers } }: Pick<Exchange, 'req'>): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (headers.origin === undefined) return false;
  try {
    return new URL(headers.origin).host !== (headers.host ?? '').toLowerCase();
  } catch {
    return true;
  }
}

/**
 * Whether the request is a navigation. The browser shows the answer on its own, so that the page with the link
 * cannot read it.
 */
function isFollowedLink({ req: { method, headers } }: Pick<Exchange, 'req'>): boolean {
  if (method !== 'GET') return false;
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

/**
 * Makes the function that authenticates a request and checks its role. Refusals of an authenticated client are audited.
 *
 * @throws (from the function) SVC-AUTH-002 without credential, SVC-AUTH-003 below the required role, SVC-AUTH-004 for a
 *   request caused by another site, and the errors of the authenticator
 */
export function createIdentify(options: IdentityOptions): Identify {
  const { authenticator, report } = options;
  const hosts = new Set(options.hosts);

  const deny = (exchange: Exchange, actor: string, code: string): void => {
    report.audit({
      actor,
      action: isNamed(exchange.surface) ? accessActions[exchange.surface] : 'api.access',
      target: `${exchange.req.method} ${exchange.path.slice(0, 512)}`,
      outcome: 'denied',
      origin: exchange.origin,
      details: { code, correlationId: exchange.correlationId },
    });
  };

  const authenticate = (
    exchange: Exchange,
    session: boolean,
  ): Identity | undefined | Promise<Identity | undefined> => {
    if (authenticator === undefined) {
      const host = hostName(exchange.req.headers.host);
      if (isIP(host) === 0 && host !== 'localhost' && !hosts.has(host)) {
        deny(exchange, anonymous.actor, 'SVC-AUTH-004');
        throw svcError(
          'SVC-AUTH-004',
          {},
          { detail: rule(['the Host header names another host', fr`l’en-tête Host nomme un autre hôte`]) },
        );
      }
      return anonymous;
    }
    const { authorization, cookie } = exchange.req.headers;
    return authenticator.authenticate({
      authorization,
      cookie: session ? cookie : undefined,
      origin: exchange.origin,
    });
  };

  const requireAllowed = (
    exchange: Exchange,
    { floor, session, navigation = false }: Demand,
    identity: Identity | undefined,
  ): Identity => {
    if (identity === undefined) {
      const { authorization = '', cookie } = exchange.req.headers;
      const hasOnlySession =
        !session && authorization === '' && readCookie(cookie, cookieNames.session) !== undefined;
      throw svcError('SVC-AUTH-002', hasOnlySession ? { session: 'refused' } : {});
    }
    exchange.identity = identity;
    const mayBeFollowed = navigation || exchange.surface === 'files';
    if (
      // a browser never sends a token by itself, so that a page of another site cannot use one
      identity.via !== 'bearer' &&
      isForeign(exchange) &&
      !(mayBeFollowed && isFollowedLink(exchange))
    ) {
      deny(exchange, identity.actor, 'SVC-AUTH-004');
      throw svcError(
        'SVC-AUTH-004',
        {},
        { detail: rule(['the request was made by another site', fr`la requête vient d’un autre site`]) },
      );
    }
    if (!hasRole(identity.role, floor)) {
      deny(exchange, identity.actor, 'SVC-AUTH-003');
      throw svcError('SVC-AUTH-003', { role: floor });
    }
    return identity;
  };

  return (exchange, demand) => {
    const identity = authenticate(exchange, demand.session);
    return identity instanceof Promise
      ? identity.then((found) => requireAllowed(exchange, demand, found))
      : requireAllowed(exchange, demand, identity);
  };
}

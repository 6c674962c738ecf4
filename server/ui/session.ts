import { randomBytes } from 'node:crypto';
import type { Authenticator } from '../../src/account/authenticate.ts';
import type { Identity, Role } from '../../src/account/model.ts';
import { actors, type Report } from '../../src/base/report.ts';
import { isSvcError, svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { type Rule, rule } from '../../src/text/rule.ts';
import type { Exchange } from '../exchange.ts';
import { type Identify, isForeign } from '../identity.ts';
import { cookieNames, readCookie, toSetCookie } from './cookies.ts';
import { createFormTokens } from './form-token.ts';
import { fieldOf } from './read-form.ts';
import type { Fields } from './ui-route.ts';

/** The visitor of a page, and the secret that the tokens of its forms belong to. */
export interface Visitor {
  readonly identity: Identity;
  readonly signedIn: boolean;
  readonly secret: string;
  /** Cookies that the answer has to set. */
  readonly cookies: readonly string[];
  /** Milliseconds; undefined without a session. */
  readonly sessionLeft: number | undefined;
}

/** The visitor of a public page without a session; may do nothing. */
const nobody: Identity = { actor: actors.unauthenticated, role: 'viewer', via: 'disabled' };

export const isSignedOut = (error: unknown): boolean =>
  isSvcError(error, 'SVC-AUTH-002') || isSvcError(error, 'SVC-AUTH-005');

interface VisitorParts {
  readonly identify: Identify;
  readonly authenticator: Authenticator | undefined;
  /** Whether cookies are marked Secure. */
  readonly secure: boolean;
  readonly report: Report;
}

export interface Visitors {
  /** Identifies the visitor of a page. @throws the errors of `identify`, unless the page is public */
  forPage(exchange: Exchange, floor: Role | 'public'): Promise<Visitor>;
  /** Identifies the client that saves a file. @throws the errors of `identify`, and SVC-AUTH-004 also for a link on another site */
  forDownload(exchange: Exchange, floor: Role): Promise<Visitor>;
  /**
   * Identifies the sender of a form, before the form is read.
   *
   * @throws the errors of `identify`; SVC-AUTH-004 when another site caused it, or when a program brings a credential of its
   *   own, which is for the API
   */
  forAction(exchange: Exchange, floor: Role | 'public'): Promise<Visitor>;
  /** @throws SVC-AUTH-004 when the form carries no token of this visitor */
  requireToken(exchange: Exchange, visitor: Visitor, fields: Fields): void;
  /** A new token for a form of this visitor. */
  /** Makes the anti-forgery tokens of the forms of a page. */
  tokensFor(visitor: Pick<Visitor, 'secret'>): () => string;
}

/** Identifies visitors by session, credential or disabled authentication, and guards forms against other sites. */
export function createVisitors({ identify, authenticator, secure, report }: VisitorParts): Visitors {
  const tokens = createFormTokens();

  const refuseForm = (exchange: Exchange, actor: string, detail: Rule): never => {
    const code = 'SVC-AUTH-004';
    const { origin, correlationId, req, path } = exchange;
    report.audit({
      actor,
      action: 'ui.access',
      target: `${req.method} ${path.slice(0, 512)}`,
      outcome: 'denied',
      origin,
      details: { code, correlationId },
    });
    throw svcError(code, {}, { detail });
  };

  const toVisitor = (exchange: Exchange, identity: Identity | undefined): Visitor => {
    const { cookie } = exchange.req.headers;
    const session = readCookie(cookie, cookieNames.session);
    const signedIn = identity !== undefined;
    if (identity?.via === 'session' && session !== undefined) {
      const sessionLeft = authenticator?.sessionLeft(cookie);
      return { identity, signedIn, secret: session, cookies: [], sessionLeft };
    }
    const held = readCookie(cookie, cookieNames.form);
    const known = held !== undefined && /^[A-Za-z0-9_-]{43}$/.test(held) ? held : undefined;
    const secret = known ?? randomBytes(32).toString('base64url');
    const cookies = known === undefined ? [toSetCookie(cookieNames.form, secret, { secure })] : [];
    return { identity: identity ?? nobody, signedIn, secret, cookies, sessionLeft: undefined };
  };

  /** A visitor whose sign-in ended, or with a credential that is not accepted, is an unknown visitor on a public page. */
  const identifySoftly = async (exchange: Exchange): Promise<Identity | undefined> => {
    const { cookie } = exchange.req.headers;
    if (authenticator !== undefined && readCookie(cookie, cookieNames.session) === undefined)
      return undefined;
    try {
      return await identify(exchange, { floor: 'viewer', session: true, navigation: true });
    } catch (error) {
      if (isSignedOut(error)) return undefined;
      throw error;
    }
  };

  return {
    forPage: async (exchange, floor) =>
      toVisitor(
        exchange,
        floor === 'public'
          ? await identifySoftly(exchange)
          : await identify(exchange, { floor, session: true, navigation: true }),
      ),
    forDownload: async (exchange, floor) =>
      toVisitor(exchange, await identify(exchange, { floor, session: true })),
    forAction: async (exchange, floor) => {
      if (isForeign(exchange))
        refuseForm(
          exchange,
          actors.unauthenticated,
          rule(['the form was sent by another site', fr`le formulaire vient d’un autre site`]),
        );
      if (floor === 'public') return toVisitor(exchange, await identifySoftly(exchange));
      const identity = await identify(exchange, { floor, session: true });
      if (identity.via !== 'session' && identity.via !== 'disabled')
        refuseForm(
          exchange,
          identity.actor,
          rule(['programs use the API', fr`les programmes utilisent l’API`]),
        );
      return toVisitor(exchange, identity);
    },
    requireToken: (exchange, { secret, signedIn, identity }, fields) => {
      const { headers } = exchange.req;
      const token = fieldOf(fields, 'csrf') ?? '';
      // a form of a public page may have been made before or after a sign-in in another window
      const others = signedIn ? [] : [readCookie(headers.cookie, cookieNames.session) ?? ''];
      if (![secret, ...others].some((each) => each !== '' && tokens.verify(each, token)))
        refuseForm(
          exchange,
          identity.actor,
          rule([
            'the form carries no token of this session',
            fr`le formulaire ne porte aucun jeton de cette session`,
          ]),
        );
    },
    tokensFor: ({ secret }) => tokens.issuerFor(secret),
  };
}

import { hash, randomBytes } from 'node:crypto';
import type { Details } from '../base/details.ts';
import { actors, type Report, targets } from '../base/report.ts';
import { svcError } from '../text/error.ts';
import type { Accounts } from './accounts.ts';
import type { StoredAccount } from './accounts-document.ts';
import { isShortPassword, isTokenSecret } from './credential-rules.ts';
import type { Identity } from './model.ts';
import type { Sessions } from './sessions.ts';
import { type SignInAttempt, SignInQueue } from './sign-in-queue.ts';
import { type Throttle, toOrigin } from './throttle.ts';

interface AuthenticatorOptions {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly throttle: Throttle;
  readonly report: Report;
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
}

interface AuthenticationRequest {
  /** The `Authorization` header. */
  readonly authorization?: string | undefined;
  /** The `Cookie` header; omit it where sessions are not accepted. */
  readonly cookie?: string | undefined;
  /** The peer's address. */
  readonly origin: string;
}

interface SignIn {
  readonly identity: Identity;
  /** The value of the session cookie. */
  readonly secret: string;
  readonly maxAgeSeconds: number;
  /** Whether the password has fewer characters than a new one needs. */
  readonly isShort: boolean;
}

export interface Authenticator {
  /**
   * Authenticates a request.
   *
   * @returns the identity; undefined when the request has no credential. A promise only when a password has to be hashed:
   *   this is called for every request
   * @throws (or rejects with) SVC-AUTH-002 wrong credential, SVC-AUTH-005 session unknown or ended, SVC-AUTH-012 origin over
   *   its budget, SVC-SRV-006 too many hashes queued
   */
  authenticate(request: AuthenticationRequest): Identity | undefined | Promise<Identity>;
  /** Starts a session with a name and password; tokens are refused. @throws as `authenticate` */
  signIn(input: {
    readonly name: string;
    readonly password: string;
    readonly origin: string;
  }): Promise<SignIn>;
  /** Ends the session of a `Cookie` header. */
  signOut(cookie: string | undefined): void;
  /** Milliseconds for which the session of a `Cookie` header lives on; 0 without one. */
  sessionLeft(cookie: string | undefined): number;
  /**
   * Runs another password check (for the change of an account's own password) within the failure budget of
   * the origin.
   *
   * @throws SVC-AUTH-012, and the errors of `attempt`; `SVC-AUTH-006` counts as a failure
   */
  attempt<T>(origin: string, attempt: () => Promise<T>): Promise<T>;
}

/** Origin and name of an authentication attempt. */
interface Attempt {
  readonly origin: string;
  /** The submitted name, unchecked. */
  readonly name?: string | undefined;
}

const sessionCookieName = 'svc_session';

/** Milliseconds for which a verified password is not hashed again. */
const cacheLife = 60_000;
const maxCached = 1024;

/** Creates the authenticator that all interfaces share. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { accounts, sessions, throttle, report, now } = options;
  // Cached credentials are hashed together with a random key of this process, which fills the first block of SHA-256.
  // Nobody sees such a hash, so that it needs no HMAC, which takes ten times as long.
  const key = randomBytes(32).toString('hex');
  const queue = new SignInQueue();
  /** Origins at which a name signed in, oldest first. */
  const known = new Set<string>();
  const verified = new Map<string, { readonly hash: string; readonly until: number }>();
  const underWay = new Map<string, Promise<StoredAccount>>();
  /** Hashes of the short passwords that were reported. */
  const reported = new Set<string>();

  const toTarget = (name: string | undefined): string =>
    name === undefined ? targets.nameless : accounts.find(name) === undefined ? targets.unknown : name;

  const countFailure = (reason: 'wrong' | 'throttled'): void =>
    report.meter.add('svc_authentication_failures_total', 1, { reason });

  function refuse({ origin, name }: Attempt, retryAfterSeconds: number): never {
    countFailure('throttled');
    if (throttle.refuse(origin)) {
      audit('denied', { origin, name }, { reason: 'throttled', retryAfterSeconds });
    }
    throw svcError('SVC-AUTH-012', { retryAfterSeconds });
  }

  function audit(outcome: 'failure' | 'denied', { origin, name }: Attempt, details: Details): void {
    const action = 'auth.authenticate';
    report.audit({ actor: actors.unauthenticated, action, target: toTarget(name), outcome, origin, details });
  }

  function requireBudget(tried: Attempt): void {
    const wait = throttle.retryAfter(tried.origin);
    if (wait > 0) refuse(tried, wait);
  }

  function fail(tried: Attempt, details: Details): never {
    audit('failure', tried, details);
    countFailure('wrong');
    throw svcError('SVC-AUTH-002', {});
  }

  /** Fails an attempt that was rejected without hashing. */
  function failAtOnce(tried: Attempt, details: Details): never {
    requireBudget(tried);
    throttle.take(tried.origin);
    return fail(tried, details);
  }

  async function attempt<T>(tried: Attempt, work: () => Promise<T>, isFailure: (error: unknown) => boolean) {
    const { origin } = tried;
    requireBudget(tried);
    const asked = toSignInAttempt(tried);
    throttle.take(origin);
    try {
      const result = await queue.run(asked, work);
      throttle.giveBack(origin);
      return result;
    } catch (error) {
      if (!isFailure(error)) throttle.giveBack(origin);
      throw error;
    }
  }

  const toPlace = (origin: string, name: string): string => `${toOrigin(origin)} ${name}`;

  function toSignInAttempt({ origin, name }: Attempt): SignInAttempt {
    const failures = throttle.failures(origin);
    const place = name === undefined ? '' : toPlace(origin, name);
    const isAdmin = known.has(place) && accounts.find(name ?? '')?.role === 'admin';
    const holder = isAdmin
      ? ({ name: place, rank: 'admin' } as const)
      : ({ name: toOrigin(origin), rank: 'origin' } as const);
    return { holder, failures };
  }

  function remember(place: string): void {
    known.delete(place);
    if (known.size >= maxCached) known.delete(known.values().next().value ?? '');
    known.add(place);
  }

  const hasCode = (code: string) => (error: unknown) => (error as { code?: string }).code === code;

  /** Returns the account of a name and a password at once when they were verified within the last minute. */
  function verifyPassword(
    name: string,
    password: string,
    origin: string,
  ): StoredAccount | Promise<StoredAccount> {
    const account = accounts.find(name);
    const credential = hash('sha256', `${key}${name}\0${password}`, 'base64');
    const known = verified.get(credential);
    // valid for this hash only: a changed password or a deleted account invalidates it
    if (known && account && known.hash === account.hash && known.until > now()) return account;
    verified.delete(credential);
    return hashPassword(account, credential, { name, password, origin });
  }

  async function hashPassword(
    account: StoredAccount | undefined,
    credential: string,
    { name, password, origin }: { readonly name: string; readonly password: string; readonly origin: string },
  ): Promise<StoredAccount> {
    // checked after the cache, so that a client with a cached password is not affected by failures of another
    // client at the same address
    const tried = { origin, name };
    requireBudget(tried);

    // concurrent requests with the same credential from one origin count as one attempt
    const attemptKey = `${origin}\0${credential}\0${account?.hash ?? ''}`;
    const running = underWay.get(attemptKey);
    if (running) return running;
    const check = attempt(
      tried,
      async () => {
        const fits = await accounts.verifyPassword(account ?? { name }, password);
        // read again: the account may have changed during the hashing
        const present = accounts.find(name);
        if (!fits || !present || present.hash !== account?.hash) {
          return fail(tried, { scheme: 'password' });
        }
        return present;
      },
      hasCode('SVC-AUTH-002'),
    ).finally(() => underWay.delete(attemptKey));
    underWay.set(attemptKey, check);
    const verifiedAccount = await check;
    if (verified.size >= maxCached) {
      const oldest = verified.keys().next();
      if (!oldest.done) verified.delete(oldest.value);
    }
    remember(toPlace(origin, verifiedAccount.name));
    reportShort(verifiedAccount, password);
    verified.set(credential, { hash: verifiedAccount.hash, until: now() + cacheLife });
    return verifiedAccount;
  }

  /** Reports once that an account has a password that would be too short for a new one. */
  function reportShort({ name, hash: stored }: StoredAccount, password: string): void {
    if (!isShortPassword(password, accounts.passwordMinLength) || reported.has(stored)) return;
    reported.add(stored);
    report.log('warn', 'the password of an account is shorter than a new one may be; change it', {
      account: name,
      least: accounts.passwordMinLength,
    });
  }

  function verifyToken(secret: string, via: 'basic' | 'bearer', tried: Attempt): Identity {
    // checked before the budget, so that a valid token is not affected by failures of another client at the
    // same address
    const token = accounts.findToken(secret);
    if (!token) return failAtOnce(tried, { scheme: 'token' });
    accounts.recordTokenUse(token.name);
    return { actor: `token:${token.name}`, role: token.role, via };
  }

  function signInByBasic(account: StoredAccount): Identity {
    accounts.recordLogin(account.name);
    return toIdentity(account, 'basic');
  }

  function verifyAuthorization(header: string, origin: string): Identity | Promise<Identity> {
    const [, scheme = '', value = ''] = /^([A-Za-z]+) +([^ ].*)$/.exec(header.trim()) ?? [];
    switch (scheme.toLowerCase()) {
      case 'bearer':
        return verifyToken(value, 'bearer', { origin });
      case 'basic': {
        const pair = parseBasic(value);
        if (!pair) return failAtOnce({ origin }, { scheme: 'basic', reason: 'malformed' });
        if (isTokenSecret(pair.password))
          return verifyToken(pair.password, 'basic', { origin, name: pair.name });
        const account = verifyPassword(pair.name, pair.password, origin);
        return account instanceof Promise ? account.then(signInByBasic) : signInByBasic(account);
      }
      default:
        return failAtOnce({ origin }, { reason: 'unknown scheme' });
    }
  }

  return {
    authenticate({ authorization, cookie, origin }) {
      if (authorization !== undefined && authorization !== '') {
        return verifyAuthorization(authorization, origin);
      }
      const secret = findSessionSecret(cookie);
      if (secret === undefined) return undefined;
      const account = sessions.find(secret, (name) => accounts.find(name));
      if (!account) throw svcError('SVC-AUTH-005', {});
      return toIdentity(account, 'session');
    },
    async signIn({ name, password, origin }) {
      if (isTokenSecret(password)) return failAtOnce({ origin, name }, { scheme: 'token' });
      const account = await verifyPassword(name, password, origin);
      accounts.recordLogin(account.name);
      const isShort = isShortPassword(password, accounts.passwordMinLength);
      return { identity: toIdentity(account, 'session'), isShort, ...sessions.start(account) };
    },
    signOut(cookie) {
      const secret = findSessionSecret(cookie);
      if (secret !== undefined) sessions.end(secret);
    },
    sessionLeft(cookie) {
      const secret = findSessionSecret(cookie);
      return secret === undefined ? 0 : sessions.left(secret);
    },
    attempt: (origin, work) =>
      attempt({ origin }, work, (error) => {
        const isWrong = hasCode('SVC-AUTH-006')(error);
        if (isWrong) countFailure('wrong');
        return isWrong;
      }),
  };
}

function toIdentity({ name, role, createdAt }: StoredAccount, via: 'basic' | 'session'): Identity {
  return { actor: name, role, via, account: name, since: createdAt };
}

/**
 * Parses the credentials of HTTP Basic authentication (RFC 7617).
 *
 * @returns undefined when they are malformed
 */
function parseBasic(value: string): { name: string; password: string } | undefined {
  if (value.length > 8192 || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return undefined;
  const text = Buffer.from(value, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Returns the first session cookie of a `Cookie` header (RFC 6265); undefined when it is absent or empty. */
function findSessionSecret(header: string | undefined): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const equals = part.indexOf('=');
    if (equals > 0 && part.slice(0, equals).trim() === sessionCookieName) {
      return part.slice(equals + 1).trim() || undefined;
    }
  }
  return undefined;
}

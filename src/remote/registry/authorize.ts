import { createHash } from 'node:crypto';
import { type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import type { Credential, Credentials, Transport, TransportResponse } from '../model.ts';
import { toOverloaded } from '../transport/overload.ts';
import { refusePage } from '../transport/page-answer.ts';
import { toHopRule } from '../transport/policy.ts';
import { drainBody, readBody } from '../transport/read-body.ts';
import { isOverload } from '../transport/retry-policy.ts';
import { parseChallenges } from './challenge.ts';
import { toRefused } from './refused.ts';

const tokenLimit = 65_536;
const mostTokens = 4096;

interface Realm {
  readonly url: URL;
  readonly service: string | undefined;
}

interface Token {
  readonly value: string;
  /** Milliseconds on the monotonic clock. */
  readonly until: number;
}

/** A token that is being fetched or was granted; `value` is set when it is known. */
interface Grant {
  readonly fetching: Promise<Token>;
  value?: string;
}

/** Answers the challenges of registries. Keeps the scheme of each host and the tokens of each scope. */
export interface Authorizer {
  /**
   * The `Authorization` header for a scope; undefined before the host has sent a challenge.
   *
   * @param host the host as contacted, by which credentials are looked up
   * @throws SVC-REG-002, SVC-REG-003, SVC-POL-001, errors of the transport
   */
  authorize(host: string, base: URL, scope: string, signal?: AbortSignal): Promise<string | undefined>;
  /**
   * Evaluates a 401 of the contacted host.
   *
   * @param sent the `Authorization` that was refused
   * @returns whether a repeated request can succeed
   */
  learn(
    host: string,
    base: URL,
    scope: string,
    response: TransportResponse,
    sent: string | undefined,
  ): boolean;
  /** All secrets that were sent to a host, in each form sent. */
  listSecrets(host: string): readonly string[];
  /** Creates the SVC-REG-003 of a host. It names a docker login that exists but is not configured here. */
  refused(host: string, detail: Rule): Promise<SvcError>;
}

function identify(credential: Credential | undefined): string {
  if (credential === undefined) return 'anonymous';
  return createHash('sha256').update(JSON.stringify(credential)).digest('base64url');
}

type BasicCredential = Extract<Credential, { kind: 'basic' }>;

const encodeBasic = ({ username, password }: BasicCredential): string =>
  Buffer.from(`${username}:${password}`).toString('base64');

const toBasic = (credential: BasicCredential): string => `Basic ${encodeBasic(credential)}`;

function toSecrets(credential: Credential | undefined): readonly string[] {
  if (credential === undefined) return [];
  return credential.kind === 'basic' ? [encodeBasic(credential), credential.password] : [credential.token];
}

/** @throws SVC-REG-003 for an answer without a usable token */
function parseToken(bytes: Buffer, host: string): Token {
  const malformed = () =>
    svcError('SVC-REG-003', {
      host,
      detail: rule([
        'the token realm sent no valid token',
        fr`le service de jetons n’a pas envoyé de jeton valide`,
      ]),
    });
  let answer: unknown;
  try {
    answer = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw malformed();
  }
  if (typeof answer !== 'object' || answer === null) throw malformed();
  const { token, access_token: access, expires_in: lifetime } = answer as Record<string, unknown>;
  const value = typeof token === 'string' && token !== '' ? token : access;
  // the value is sent in a header: it must not contain characters that end one
  if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) throw malformed();
  // token specification of the distribution project: 60 seconds when `expires_in` is absent
  const seconds = typeof lifetime === 'number' && lifetime > 0 ? Math.min(lifetime, 86_400) : 60;
  return { value, until: performance.now() + Math.max(1, seconds - Math.min(10, seconds / 4)) * 1000 };
}

/** Creates an authorizer. Tokens are kept in memory only, at most 4096. */
export function createAuthorizer(transport: Transport, credentials: Credentials): Authorizer {
  const refused: Authorizer['refused'] = (host, detail) =>
    toRefused(host, detail, credentials, transport.environment);
  /** Scheme that each origin demands; `bearer` is a token without a realm to get it from. */
  const asked = new Map<string, 'basic' | 'bearer' | Realm>();
  const grants = new Map<string, Grant>();
  /** Tokens granted, including those that a host has refused since. */
  const granted = new Set<string>();

  const fetchToken = async (
    host: string,
    base: URL,
    realm: Realm,
    scope: string,
    signal?: AbortSignal,
  ): Promise<Token> => {
    const { protocol } = realm.url;
    const hop = { kind: 'token realm', from: base } as const;
    // before the credential decides: such a URL has no host, which a refusal would name
    if (!/^https?:$/.test(protocol))
      throw svcError(
        'SVC-POL-001',
        {
          host: realm.url.host || protocol,
          hop: toHopRule(hop),
          reason: 'scheme',
        },
        { detail: rule(['scheme {protocol}', fr`schéma {protocol}`], { protocol }) },
      );
    const credential = credentials.lookup(host);
    const isElsewhere = realm.url.host !== base.host;
    if (credential !== undefined && isElsewhere && realm.url.protocol !== 'https:')
      throw svcError(
        'SVC-POL-001',
        {
          host: realm.url.host,
          hop: toHopRule(hop),
          reason: 'https-only',
        },
        {
          detail: rule([
            'credentials are sent to a token realm on another host over https only',
            fr`les identifiants ne sont envoyés à un service de jetons d’un autre hôte qu’en https`,
          ]),
        },
      );
    const reference = `token realm of ${host}`;
    const query = new URLSearchParams();
    if (realm.service !== undefined) query.set('service', realm.service);
    for (const one of scope.split(' ').filter((part) => part !== ''))
      if (credential?.kind !== 'identity') query.append('scope', one);
    let response: TransportResponse;
    if (credential?.kind === 'identity') {
      query.set('scope', scope);
      query.set('grant_type', 'refresh_token');
      query.set('client_id', 'svc');
      query.set('refresh_token', credential.token);
      response = await transport.request({
        method: 'POST',
        url: realm.url,
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: Buffer.from(query.toString()),
        secretBody: true,
        host,
        hop,
        reference,
        signal,
      });
    } else {
      const url = new URL(realm.url);
      for (const [name, value] of query) url.searchParams.append(name, value);
      response = await transport.request({
        method: 'GET',
        url,
        headers: {
          accept: 'application/json',
          ...(credential?.kind === 'basic' ? { authorization: toBasic(credential) } : {}),
        },
        host,
        hop,
        reference,
        signal,
      });
    }
    if (response.status === 200) {
      const bytes = await readBody(response, tokenLimit, reference, signal);
      refusePage(response, bytes, `a token for ${host}`);
      const token = parseToken(bytes, host);
      if (granted.size >= mostTokens) granted.clear();
      granted.add(token.value);
      return token;
    }
    await drainBody(response);
    const detail = rule(
      ['the token realm at {host} answered {status}', fr`le service de jetons {host} a répondu {status}`],
      { host: response.url.host, status: response.status },
    );
    if (isOverload(response.status))
      throw toOverloaded(response, { host: response.url.host, detail }, transport);
    throw await refused(host, detail);
  };

  const keyOf = (host: string, realm: Realm, scope: string): string =>
    [host, realm.url.href, realm.service ?? '', scope, identify(credentials.lookup(host))].join('\n');

  // the scheme of the host may have changed: the next request is sent without authorization, to get a new
  // challenge
  const forget = (base: URL, how: 'basic' | 'bearer' | Realm): void => {
    if (asked.get(base.origin) === how) asked.delete(base.origin);
  };

  return {
    refused,
    listSecrets: (host) => [...toSecrets(credentials.lookup(host)), ...granted],
    async authorize(host, base, scope, signal) {
      const credential = credentials.lookup(host);
      const how = asked.get(base.origin);
      if (how === undefined) return undefined;
      if (how === 'basic') {
        if (credential?.kind === 'basic') return toBasic(credential);
        const detail =
          credential === undefined
            ? rule(['it requires a name and password', fr`il exige un nom et un mot de passe`])
            : rule([
                'it requires a name and password, not a token',
                fr`il exige un nom et un mot de passe, pas un jeton`,
              ]);
        forget(base, how);
        throw await refused(host, detail);
      }
      if (credential?.kind === 'registry') return `Bearer ${credential.token}`;
      if (how === 'bearer') return undefined;
      const key = keyOf(host, how, scope);
      // a grant that failed for another caller, for example by an abort, is requested again
      let token = await grants.get(key)?.fetching.catch(() => undefined);
      if (token === undefined || token.until <= performance.now()) {
        const grant: Grant = { fetching: fetchToken(host, base, how, scope, signal) };
        if (grants.size >= mostTokens) grants.clear();
        grants.set(key, grant);
        try {
          token = await grant.fetching;
        } catch (error) {
          if (grants.get(key) === grant) grants.delete(key);
          forget(base, how);
          throw error;
        }
        grant.value = token.value;
      }
      return `Bearer ${token.value}`;
    },

    learn(host, base, scope, response, sent) {
      const challenges = parseChallenges(response.headers['www-authenticate']);
      const isOwnToken = credentials.lookup(host)?.kind === 'registry';
      const bearer = challenges.find(
        ({ scheme, params: { realm = '' } }) =>
          scheme === 'bearer' && realm !== '' && URL.canParse(realm, response.url.href),
      );
      const basic = challenges.some(({ scheme }) => scheme === 'basic');
      if (bearer !== undefined) {
        const realm = {
          url: new URL(bearer.params.realm!, response.url),
          service: bearer.params.service,
        };
        asked.set(base.origin, realm);
        const key = keyOf(host, realm, scope);
        // only the refused token is removed: another one may have been granted meanwhile
        if (sent !== undefined && sent === `Bearer ${grants.get(key)?.value}`) grants.delete(key);
        return !(sent !== undefined && isOwnToken);
      }
      if (isOwnToken && challenges.some(({ scheme }) => scheme === 'bearer')) {
        asked.set(base.origin, 'bearer');
        return sent === undefined;
      }
      if (!basic) return false;
      asked.set(base.origin, 'basic');
      return sent === undefined || !sent.startsWith('Basic ');
    },
  };
}

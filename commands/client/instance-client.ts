import { X509Certificate } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { createSecureContext } from 'node:tls';
import { Agent, type Dispatcher, ProxyAgent, request } from 'undici';
import { listConfigFiles, listDataFolders } from '../../src/config/list-paths.ts';
import type { Config } from '../../src/config/model.ts';
import type { PruneItem } from '../../src/contract/common.ts';
import type { Fields, Operation, RequestOf } from '../../src/contract/operation.ts';
import { startSync } from '../../src/contract/operations/sync.ts';
import { getTask } from '../../src/contract/operations/tasks.ts';
import type { Schema } from '../../src/contract/schema.ts';
import { type Task, TaskAnswer } from '../../src/contract/task.ts';
import { readNamed } from '../../src/disk/named-file.ts';
import type { PruneProjection } from '../../src/operation/prune-preview.ts';
import { loadCertificates } from '../../src/remote/transport/certificates.ts';
import { toEnvironment } from '../../src/remote/transport/environment.ts';
import { isCutOff, isWithoutTls, toDetail } from '../../src/remote/transport/failure.ts';
import { selectProxy } from '../../src/remote/transport/proxy-route.ts';
import { loadSystemRoots } from '../../src/remote/transport/system-roots.ts';
import { isKnownCode, type Message, SvcError, svcError } from '../../src/text/error.ts';
import type { ErrorClass, ErrorCode, ParamValue } from '../../src/text/errors/registry.ts';
import { fr, selectLanguage } from '../../src/text/language.ts';
import { type Rule, RuleError, readRules, rule } from '../../src/text/rule.ts';
import { findTaskFault } from './answer-faults.ts';
import { findAnswerFault } from './check-answer.ts';
import { type InstanceAddress, isLoopback } from './instance-address.ts';

/** A created task, and a preview of its prune when the request left the choice to the configuration. */
export interface SubmittedSync {
  readonly task: Task;
  readonly prunePreview?: PruneProjection;
}

/** Maximum size of an answer in bytes. A task with many items is long; an instance sends nothing longer. */
const answerLimit = 64 << 20;

/** Asks a trigger to wait for the preview of its prune (RFC 7240). */
const previewWait = { prefer: 'wait=10' };

interface InstanceClientOptions {
  readonly address: InstanceAddress;
  readonly config: Config;
  readonly token: string | undefined;
  /** Command that starts the configured instance of this machine. */
  readonly start: string;
  /** Timeout of each request in milliseconds. */
  readonly requestTimeout: number;
  readonly signal: AbortSignal;
  /** Environment variables of the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How a client reads an answer. */
interface Reading<A> {
  /** Schema of the answer to this request, where the operation has several. */
  readonly as?: Schema<A>;
  /** True: the caller checks every member itself. */
  readonly unchecked?: true;
  /** Finds a fault of an answer that has its schema (`answer-faults.ts`). */
  readonly findFault?: (answer: A) => Rule | undefined;
}

/** Client for the part of the API that commands use. */
export interface InstanceClient extends AsyncDisposable {
  readonly url: string;
  /** Whether requests carry a token. */
  readonly isSignedIn: boolean;
  /**
   * Calls an operation, and checks its answer by the schema: a peer may be no instance.
   *
   * @throws SVC-SRV-003 that names the first wrong member, the errors of {@link submitSync}
   */
  ask<P extends string, Q extends Fields, B, A, N extends A = A>(
    operation: Operation<P, Q, B, A>,
    request: RequestOf<P, Q, B> & Reading<N>,
  ): Promise<N>;
  /** @throws SVC-SRV-003 when the instance cannot be reached, else the error that the instance answers */
  submitSync(prune: boolean | undefined): Promise<SubmittedSync>;
  /** @throws the errors of {@link submitSync} */
  getTask(id: string): Promise<Task>;
}

/** The parts of a request that the record of its operation does not have. */
interface Sent {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function openInstanceClient(options: InstanceClientOptions): Promise<InstanceClient> {
  const { address, token, requestTimeout, signal } = options;
  const dispatcher = await openDispatcher(options);
  const { variable } = address;
  const named = { instance: address.url, ...(variable === undefined ? {} : { variable }) };
  const unreachable = (detail: Rule | string, cause?: unknown): SvcError =>
    svcError('SVC-SRV-003', { ...named, detail }, cause === undefined ? {} : { cause });

  async function call(
    operation: Operation,
    { path = {}, query = {}, body, headers = {} }: Sent,
  ): Promise<object> {
    let response: Dispatcher.ResponseData;
    let text: string;
    const limit = AbortSignal.timeout(requestTimeout);
    try {
      response = await request(`${address.url}/api/v1${toTarget(operation, path, query)}`, {
        method: operation.method,
        dispatcher,
        signal: AbortSignal.any([signal, limit]),
        headersTimeout: 0,
        bodyTimeout: 0,
        headers: {
          accept: 'application/json, application/problem+json',
          'accept-language': selectLanguage(options.env),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      text = await readText(response);
      if (address.isDerived) text = revealPaths(text, options.config);
    } catch (error) {
      signal.throwIfAborted();
      if (limit.aborted)
        throw unreachable(
          rule(['no answer within {seconds} s', fr`pas de réponse en {seconds} s`], {
            seconds: requestTimeout / 1000,
          }),
          error,
        );
      const detail = (await findTls(error)) ?? toReason(error, address.url);
      // only the instance of this configuration is started with it
      if (address.isDerived && (error as NodeJS.ErrnoException).code === 'ECONNREFUSED')
        throw svcError('SVC-SRV-003', { ...named, detail, start: options.start });
      throw unreachable(detail);
    }
    const { statusCode } = response;
    const answer = parseJson(text);
    if (statusCode === 400 && answer === undefined) {
      const detail = await findTls();
      if (detail !== undefined) throw unreachable(detail);
    }
    if (statusCode >= 200 && statusCode < 300 && answer !== undefined) return answer;
    throw (
      toProblemError(answer) ??
      unreachable(
        rule(
          [
            'it answered {status}, and not as an instance does',
            fr`réponse {status}, qui n’est pas celle d’une instance`,
          ],
          { status: statusCode },
        ),
      )
    );
  }

  /** Says that an address of plain HTTP answers in TLS, where a request was cut off or refused as servers of TLS do it. */
  async function findTls(error?: unknown): Promise<Rule | undefined> {
    const url = new URL(address.url);
    if (url.protocol !== 'http:' || (error !== undefined && !isCutOff(error))) return undefined;
    if (!isLoopback(url) && selectProxy(url, { ...options.config.network.proxy }) !== undefined)
      return undefined;
    const { answersInTls } = await import('../../src/remote/transport/answers-in-tls.ts');
    const found = await lookup(url.hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
    const addresses = found.map(
      ({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }) as const,
    );
    const route = { addresses, secureContext: () => createSecureContext(), timeout: requestTimeout };
    if (!(await answersInTls(url, route, signal))) return undefined;
    return rule(['it answers in TLS only; use {url}', fr`elle ne répond qu’en TLS ; utilisez {url}`], {
      url: address.url.replace('http:', 'https:'),
    });
  }

  function read<T>(answer: object, schema: Schema<T>): T {
    const fault = findAnswerFault(answer, schema);
    if (fault !== undefined)
      throw unreachable(rule(['in its answer, {fault}', fr`dans sa réponse, {fault}`], { fault }));
    return answer as T;
  }

  async function ask<P extends string, Q extends Fields, B, A, N extends A = A>(
    operation: Operation<P, Q, B, A>,
    { as, unchecked, findFault, ...sent }: RequestOf<P, Q, B> & Reading<N>,
  ): Promise<N> {
    const answer = await call(operation, sent);
    if (unchecked) return answer as N;
    // without `as`, N is A
    const document = read(answer, (as ?? operation.answer.schema) as Schema<N>);
    const fault = findFault?.(document);
    if (fault !== undefined) throw unreachable(fault);
    return document;
  }

  return {
    url: address.url,
    isSignedIn: token !== undefined,
    ask,
    submitSync: async (prune) => {
      // a user without a choice sees the content that goes before the run
      const answer = await call(startSync, {
        body: prune === undefined ? {} : { prune },
        headers: previewWait,
      });
      const { prunePreview } = answer as { prunePreview?: PruneProjection };
      const { task } = read(answer, TaskAnswer);
      const fault = findTaskFault(task, { type: 'sync' });
      if (fault !== undefined) throw unreachable(fault);
      return { task, ...(isProjection(prunePreview) ? { prunePreview } : {}) };
    },
    getTask: async (id) => {
      const { task } = await ask(getTask, {
        path: { id },
        findFault: ({ task }) => findTaskFault(task, { id }),
      });
      return task;
    },
    [Symbol.asyncDispose]: () => dispatcher.destroy(),
  };
}

/** The path and query of a request. An array is one parameter that is repeated, an undefined one is left out. */
function toTarget({ path }: Operation, params: NonNullable<Sent['path']>, query: object): string {
  const filled = path.replace(/\{([a-z]+)\}/g, (_, name: string) => {
    const parts = name === 'repo' ? params[name]!.split('/') : [params[name]!];
    return parts.map(encodeURIComponent).join('/');
  });
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each): [string, string] => [name, String(each)]),
  );
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`;
}

async function openDispatcher({ address, config, env }: InstanceClientOptions): Promise<Dispatcher> {
  const url = new URL(address.url);
  const { tls: trust, proxy } = config.network;
  const own = address.isDerived && url.protocol === 'https:' ? await readOwnCertificate(config) : undefined;
  const extra = await loadCertificates({ caFiles: trust.caFiles, ca: trust.ca });
  // explicit, so that only the root store of the system and the configuration determine trust
  const roots = trust.exclusiveTrust ? [] : await loadSystemRoots(toEnvironment(env));
  const ca = [...roots, ...extra];
  const tls = { rejectUnauthorized: true, ...(own === undefined ? { ca } : toPinnedTls(own)) };
  const { username = '', password = '' } = proxy;
  const via = isLoopback(url) ? undefined : selectProxy(url, { ...proxy });
  if (via === undefined) return new Agent({ connect: tls });
  const credential = Buffer.from(`${username}:${password}`).toString('base64');
  return new ProxyAgent({
    uri: via.href,
    requestTls: tls,
    proxyTls: { rejectUnauthorized: true, ca },
    ...(username === '' && password === '' ? {} : { token: `Basic ${credential}` }),
  });
}

/**
 * Reads the certificate that the instance of this configuration serves; undefined when the user may not read
 * it.
 */
async function readOwnCertificate({ server, state }: Config): Promise<string | undefined> {
  try {
    if (server.tls.certFile !== undefined)
      return (await readNamed(server.tls.certFile, 1 << 20)).toString('utf8');
    if (state.root === undefined) return undefined;
    const { readKeptCertificate } = await import('../../src/certificate/listener-certificate.ts');
    return await readKeptCertificate(state.root);
  } catch {
    return undefined;
  }
}

/**
 * TLS options that accept exactly this certificate, under any name: the address was derived, not given by the user.
 */
function toPinnedTls(pem: string): Record<string, unknown> {
  const expected = new X509Certificate(pem).fingerprint256;
  return {
    ca: [pem],
    allowPartialTrustChain: true,
    checkServerIdentity: (_host: string, { fingerprint256 }: { fingerprint256: string }) =>
      fingerprint256 === expected
        ? undefined
        : new RuleError(
            rule([
              'not the certificate of the configured instance',
              fr`pas le certificat de l’instance configurée`,
            ]),
          ),
  };
}

async function readText(response: Dispatcher.ResponseData): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > answerLimit)
      throw new RuleError(rule(['the answer is too long', fr`la réponse est trop longue`]));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Whether an answer has the form of a prune preview. The peer may not be an instance. */
function isProjection(value: PruneProjection | undefined): value is PruneProjection {
  if (typeof value !== 'object' || value === null) return false;
  if ('error' in value) return toProblemError(value.error) !== undefined;
  const { items, count, totalBytes } = value;
  const isItem = (item: PruneItem | null) =>
    [item?.repository, item?.tag, item?.recipe].every((text) => typeof text === 'string') &&
    Number.isSafeInteger(item?.sizeBytes);
  return [count, totalBytes].every(Number.isSafeInteger) && Array.isArray(items) && items.every(isItem);
}

function parseJson(text: string): object | undefined {
  try {
    // an instance leaves out absent members
    const value: unknown = JSON.parse(text, (_, each) => {
      if (each === null) throw new SyntaxError('null');
      return each;
    });
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Converts a problem document to its error; undefined when it is none of an instance. A code of a newer version keeps the
 * sentences of the document.
 */
function toProblemError(answer: unknown): SvcError | undefined {
  const problem = (answer ?? {}) as Record<string, unknown>;
  const { code, params, rules, detail, detailRules, class: kind, correlation_id: correlationId } = problem;
  if (typeof code !== 'string' || !/^SVC-[A-Z]{2,8}-[0-9]{3,6}$/.test(code)) return undefined;
  const given = toMessage(problem);
  if (!isKnownCode(code) && given === undefined) return undefined;
  const present = typeof params === 'object' && params !== null ? params : {};
  const error = new SvcError(code as ErrorCode, present as Record<string, ParamValue>, {
    rules: readRules(rules),
    ...(typeof detail === 'string' ? { detail } : {}),
    detailRules: Object.values(readRules(detailRules)),
    ...(typeof kind === 'string' ? { class: kind as ErrorClass } : {}),
  });
  error.given = given;
  if (typeof correlationId === 'string') error.correlationId = correlationId;
  return error;
}

function toMessage({ title, probable_cause: cause, action }: Record<string, unknown>): Message | undefined {
  if (typeof title !== 'string' || typeof cause !== 'string' || typeof action !== 'string') return undefined;
  return { what: title, cause, action };
}

/** Describes why a request failed, in one sentence. The error itself can hold lines of OpenSSL. */
function toReason(error: unknown, url: string): Rule | string {
  if (error instanceof RuleError) return error.rule;
  if (url.startsWith('https:') && isWithoutTls(error))
    return rule(['it does not answer in TLS; use {url}', fr`elle ne répond pas en TLS ; utilisez {url}`], {
      url: url.replace('https:', 'http:'),
    });
  return toDetail(error);
}

/**
 * Puts the paths of a configuration in the place of the names of their settings, which an instance shows to all accounts
 * but administrators. Only for the instance of this configuration, of which the caller has read the document.
 *
 * @param text JSON
 */
function revealPaths(text: string, config: Config): string {
  const paths = new Map<string, Set<string>>();
  for (const { setting, path } of [...listDataFolders(config), ...listConfigFiles(config)])
    paths.set(setting, (paths.get(setting) ?? new Set()).add(path));
  let revealed = text;
  // the name of several paths is ambiguous
  for (const [setting, found] of paths)
    if (found.size === 1)
      revealed = revealed.replaceAll(`<${setting}>`, () => JSON.stringify([...found][0]).slice(1, -1));
  return revealed;
}

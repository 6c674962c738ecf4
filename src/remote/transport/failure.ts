import { toStamp } from '../../base/clock.ts';
import { formatDuration } from '../../base/duration.ts';
import { isSvcError, type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { markTransient } from './transience.ts';

const transientCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

function codesOf(error: unknown): readonly string[] {
  if (error instanceof AggregateError) return error.errors.flatMap(codesOf);
  if (!(error instanceof Error)) return [];
  const code: unknown = (error as NodeJS.ErrnoException).code;
  return [...(typeof code === 'string' ? [code] : []), ...codesOf(error.cause)];
}

function isTransient(error: unknown): boolean {
  const codes = codesOf(error);
  return codes.some((code) => transientCodes.has(code));
}

const untrusted = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const withoutTls = rule([
  'it does not answer in TLS: it may serve plain HTTP',
  fr`il ne répond pas en TLS ; il sert peut-être HTTP simple`,
]);

/** Sentences for codes of the system and of OpenSSL. */
const sentences: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(
    [...untrusted].map((code) => [
      code,
      rule([
        'its certificate was issued by an authority that is not trusted here',
        fr`son certificat vient d’une autorité qui n’est pas reconnue ici`,
      ]),
    ]),
  ),
  CERT_NOT_YET_VALID: rule(['its certificate is not valid yet', fr`son certificat n’est pas encore valable`]),
  CERT_HAS_EXPIRED: rule(['its certificate has expired', fr`son certificat a expiré`]),
  ERR_SSL_WRONG_VERSION_NUMBER: withoutTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: withoutTls,
  ERR_SSL_HTTP_REQUEST: withoutTls,
  ERR_SSL_UNSUPPORTED_PROTOCOL: rule([
    'it offers no version of TLS from 1.2 on',
    fr`il n’offre aucune version de TLS à partir de 1.2`,
  ]),
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: rule([
    'it offers no version of TLS from 1.2 on',
    fr`il n’offre aucune version de TLS à partir de 1.2`,
  ]),
  EPROTO: rule(['TLS failed', fr`échec de TLS`]),
  ENOTFOUND: rule(['its name does not resolve', fr`son nom n’est pas résolu`]),
  EAI_AGAIN: rule(['no resolver answered for its name', fr`aucun résolveur n’a répondu pour son nom`]),
  ECONNREFUSED: rule([
    'nothing listens at its address and port',
    fr`rien n’écoute à son adresse et à son port`,
  ]),
  ECONNRESET: rule(['the connection was cut off', fr`la connexion a été coupée`]),
  ETIMEDOUT: rule(['connecting took too long', fr`la connexion a pris trop de temps`]),
  EHOSTUNREACH: rule(['there is no route to it', fr`il n’y a pas de route vers lui`]),
  ENETUNREACH: rule(['there is no route to it', fr`il n’y a pas de route vers lui`]),
};

/** Kinds of problems with a cause and a remedy of their own. */
const problems: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries([...untrusted].map((code) => [code, 'authority'])),
  CERT_NOT_YET_VALID: 'time',
  CERT_HAS_EXPIRED: 'time',
  ERR_SSL_WRONG_VERSION_NUMBER: 'plain',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'plain',
  ERR_SSL_HTTP_REQUEST: 'plain',
  ENOTFOUND: 'name',
  EAI_AGAIN: 'name',
  ECONNREFUSED: 'refused',
};

/** Whether a peer answered a TLS handshake with something else, as a server of plain HTTP does. */
export function isWithoutTls(error: unknown): boolean {
  return codesOf(error).some((code) => sentences[code] === withoutTls);
}

/** Codes of addresses at which nobody answers: without a name, a route or a listener. */
const nowhere: ReadonlySet<string> = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether nobody answers at the address of a failed request. Trust and protocol of the client are not judged. */
export function isNowhere(error: unknown): boolean {
  return codesOf(isSvcError(error) ? error.cause : error).some((code) => nowhere.has(code));
}

/** Whether a failed TLS handshake shows that the peer takes part in it: its certificate is refused, or it sends an alert. */
export function isOfTls(error: unknown): boolean {
  return codesOf(error).some((code) => /CERT|ALTNAME|_ALERT_/.test(code) || untrusted.has(code));
}

/** Whether a connection was cut off before an answer, as servers of TLS do with plain HTTP. */
export function isCutOff(error: unknown): boolean {
  return codesOf(error).some(
    (code) => code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE',
  );
}

/** Creates the error for a host that was asked in plain HTTP and answers in TLS. */
export function toTlsOnly(host: string): SvcError {
  return svcError('SVC-REG-002', {
    host,
    detail: rule([
      'it answers in TLS, and was asked in plain HTTP',
      fr`il répond en TLS, et a été interrogé en HTTP simple`,
    ]),
    problem: 'tls',
  });
}

/** Creates the error for a host whose answer took too long, in whole or in part. @param time milliseconds */
export function lateAnswer(host: string, time: number): SvcError {
  return svcError('SVC-REG-002', {
    host,
    detail: rule(['its answer took longer than {time}', fr`sa réponse a duré plus de {time}`], {
      time: formatDuration(time),
    }),
    problem: 'slow',
  });
}

/** Describes an error of a connection by its codes and a sentence, else by its message. */
export function toDetail(error: unknown): Rule | string {
  const codes = codesOf(error);
  if (codes.includes('UND_ERR_HEADERS_TIMEOUT') || codes.includes('UND_ERR_BODY_TIMEOUT'))
    return rule(['no byte arrived in time', fr`aucun octet n’est arrivé à temps`]);
  const known = codes.find((code) => Object.hasOwn(sentences, code));
  if (known !== undefined)
    return rule(['{codes}: {reason}', fr`{codes} : {reason}`], {
      codes: [...new Set(codes)].join(': '),
      reason: sentences[known],
    });
  const message = error instanceof Error ? error.message : String(error);
  // lines of OpenSSL: error number, library, function, reason, file and line
  const reason =
    /^[0-9A-F]+:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/.exec(message)?.[1] ?? message.split('\n')[0]!;
  return (
    [...new Set([...codes, reason])].filter((part) => part !== '').join(': ') ||
    rule(['connection failed', fr`échec de la connexion`])
  );
}

/** The cause of a coded error; its message, such as lines of OpenSSL, adds nothing to a sentence. */
function toOptions(error: unknown): { readonly cause: unknown; readonly detail?: string } {
  const isExplained = codesOf(error).some((code) => Object.hasOwn(sentences, code));
  return { cause: error, ...(isExplained ? { detail: '' } : {}) };
}

/** Settings of the environment that would have prevented a failure but are not configured here. */
export interface Unused {
  /** A variable that names a proxy for this URL, when no proxy is configured. */
  readonly proxyVariable?: string | undefined;
  /** `NODE_EXTRA_CA_CERTS`, when it is set. */
  readonly caVariable?: string | undefined;
}

/** Creates the error for a failed connection to a host, or a missing answer. */
export function toUnreachable(error: unknown, host: string, unused: Unused = {}): SvcError {
  if (isSvcError(error)) return error;
  const codes = codesOf(error);
  const isOfCertificate = codes.some((code) => /CERT|ALTNAME/.test(code) || untrusted.has(code));
  const isOfTime = codes.some((code) => code === 'CERT_NOT_YET_VALID' || code === 'CERT_HAS_EXPIRED');
  const coded = svcError(
    'SVC-REG-002',
    {
      host,
      detail: toDetail(error),
      problem: codes.map((code) => problems[code]).find((problem) => problem !== undefined),
      proxyVariable: isOfCertificate ? undefined : unused.proxyVariable,
      caVariable: codes.some((code) => untrusted.has(code)) ? unused.caVariable : undefined,
      clock: isOfTime ? `${toStamp().slice(0, 19)}Z` : undefined,
    },
    toOptions(error),
  );
  return isTransient(error) ? markTransient(coded) : coded;
}

/** Creates the error for a failed connection to the proxy. */
export function toProxyFailure(error: unknown, proxy: URL): SvcError {
  if (isSvcError(error)) return error;
  const coded = svcError('SVC-NET-001', { proxy: proxy.host, detail: toDetail(error) }, toOptions(error));
  return isTransient(error) ? markTransient(coded) : coded;
}

/** Creates the error for a transfer that broke off. */
export function toBrokenTransfer(error: unknown, reference: string): SvcError {
  if (isSvcError(error)) return error;
  return markTransient(svcError('SVC-REG-007', { reference, detail: toDetail(error) }, toOptions(error)));
}

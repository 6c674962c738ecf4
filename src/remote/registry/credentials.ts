import { isJsonObject } from '../../base/json/json-object.ts';
import { parseJson } from '../../base/json/parse-json.ts';
import type { Report } from '../../base/report.ts';
import { findOpenMode, readNamed } from '../../disk/named-file.ts';
import { toUnreadableRule } from '../../disk/named-file-error.ts';
import { canonicalHost, isHost } from '../../oci/reference.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import type { Credential, Credentials } from '../model.ts';

/** Largest file of credentials, in bytes. */
export const credentialsLimit = 1024 * 1024;

/** Thousands of registries. */
const credentialsBounds = { depth: 16, values: 10_000 } as const;

export const noCredentials: Credentials = { lookup: () => undefined };

/** The host of a key in `auths`: a bare host, or the URL of a registry's API root. */
function toHost(key: string): string | undefined {
  const match = /^(?:https?:\/\/)?([^/]+)(?:\/(?:v[12]\/?)?)?$/.exec(key);
  const host = match?.[1]?.toLowerCase();
  return host !== undefined && isHost(host) ? canonicalHost(host) : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function toCredential(entry: Readonly<Record<string, unknown>>): Credential | undefined | 'malformed' {
  const registry = text(entry.registrytoken);
  if (registry !== undefined) return { kind: 'registry', token: registry };
  const identity = text(entry.identitytoken);
  if (identity !== undefined) return { kind: 'identity', token: identity };
  const auth = text(entry.auth);
  if (auth !== undefined) {
    const decoded = Buffer.from(auth, 'base64').toString('utf8').replace(/\0+$/, '');
    const colon = decoded.indexOf(':');
    if (colon <= 0) return 'malformed';
    return { kind: 'basic', username: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
  }
  const username = text(entry.username);
  if (username === undefined) return undefined;
  return { kind: 'basic', username, password: text(entry.password) ?? '' };
}

/**
 * Reads the credentials of a docker `config.json`, as {@link parseCredentials} does.
 *
 * @param path undefined: no credentials
 * @throws SVC-CFG-001 when it cannot be read, SVC-VAL-001 when it is invalid
 */
export async function loadCredentials(path: string | undefined, report: Report): Promise<Credentials> {
  if (path === undefined || path === '') return noCredentials;
  let bytes: Buffer;
  try {
    bytes = await readNamed(path, credentialsLimit);
  } catch (error) {
    throw svcError(
      'SVC-CFG-001',
      {
        setting: 'registries.credentialsFile',
        detail: rule(['names {path}, which {problem}', fr`nomme {path}, qui {problem}`], {
          path,
          problem: toUnreadableRule(error),
        }),
      },
      { cause: error },
    );
  }
  await warnIfOpen(path, report);
  return parseCredentials(bytes, path, report);
}

async function warnIfOpen(path: string, report: Report): Promise<void> {
  const mode = await findOpenMode(path);
  if (mode === undefined) return;
  report.log('warn', 'other users can read or change the file of credentials: chmod 600 protects it', {
    file: path,
    mode: mode.toString(8).padStart(4, '0'),
  });
}

/**
 * Reads the text of a docker `config.json`: `auths` with `auth`, `username` and `password`, `identitytoken` or
 * `registrytoken`. Credential helpers are not run; a warning reports that they are ignored.
 *
 * @param path names the file in errors and warnings
 * @throws SVC-VAL-001 when it is invalid or has more than {@link credentialsLimit} bytes
 */
export function parseCredentials(bytes: Buffer, path: string, report: Report): Credentials {
  const invalid = (where: string, broken: Rule) =>
    svcError('SVC-VAL-001', { file: path, path: where, rule: broken });
  if (bytes.length > credentialsLimit)
    throw invalid(
      '',
      rule(['at most {limit} bytes', fr`au plus {limit} octets`], { limit: credentialsLimit }),
    );
  let document: unknown;
  try {
    document = parseJson(bytes, credentialsBounds);
  } catch {
    // the message of the parser quotes the text, which is secret
    throw invalid('', rule(['must be JSON', fr`doit être du JSON`]));
  }
  if (!isJsonObject(document))
    throw invalid('', rule(['must be a JSON object', fr`doit être un objet JSON`]));
  for (const ignored of ['credHelpers', 'credsStore']) {
    if (document[ignored] !== undefined)
      report.log('warn', 'credential helpers are not supported and ignored', {
        file: path,
        member: ignored,
      });
  }
  if (document.auths !== undefined && !isJsonObject(document.auths))
    throw invalid('auths', rule(['must be an object', fr`doit être un objet`]));

  const byHost = new Map<string, Credential>();
  const bare = new Set<string>();
  for (const [key, entry] of Object.entries(document.auths ?? {})) {
    const where = `auths[${JSON.stringify(key)}]`;
    if (!isJsonObject(entry)) throw invalid(where, rule(['must be an object', fr`doit être un objet`]));
    const host = toHost(key);
    if (host === undefined) {
      report.log('warn', 'a credential is ignored: its key is not a host with an optional port', {
        file: path,
        key,
      });
      continue;
    }
    const credential = toCredential(entry);
    if (credential === 'malformed')
      throw invalid(
        `${where}.auth`,
        rule(['must be base64 of user:password', fr`doit être le base64 de utilisateur:mot-de-passe`]),
      );
    if (credential === undefined) continue;
    if (credential.kind === 'basic' && /[\r\n]$/.test(credential.password))
      throw invalid(
        where,
        rule([
          'has a password that ends with a line break: encode it with printf, not echo',
          fr`a un mot de passe qui finit par un saut de ligne ; encodez-le avec printf, pas avec echo`,
        ]),
      );
    const isBare = !key.includes('/');
    if (byHost.has(host)) {
      report.log('warn', 'several credentials exist for one host; using the entry with the shortest key', {
        file: path,
        host,
      });
      if (bare.has(host) || !isBare) continue;
    }
    if (isBare) bare.add(host);
    byHost.set(host, credential);
  }
  return { lookup: (host) => byHost.get(canonicalHost(host)) };
}

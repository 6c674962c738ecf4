import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalHost } from '../../oci/reference.ts';
import { selectProxy } from './proxy-route.ts';

/** A variable of the environment that names a proxy. */
interface ProxyVariable {
  readonly name: string;
  readonly url: string;
}

/**
 * What the environment of the process says about TLS, proxies and logins. The root store is read as it says; the rest
 * changes nothing and is named in errors that it would have prevented.
 */
export interface Environment {
  /** `SSL_CERT_FILE` and `SSL_CERT_DIR`. */
  readonly certFile?: string | undefined;
  readonly certDir?: string | undefined;
  readonly httpProxy?: ProxyVariable | undefined;
  readonly httpsProxy?: ProxyVariable | undefined;
  readonly noProxy: readonly string[];
  /** `NODE_EXTRA_CA_CERTS`, where it is set. */
  readonly extraCaCerts?: string | undefined;
  /** The configuration that a docker client of this user reads. */
  readonly dockerConfig?: string | undefined;
}

type Variables = Readonly<Record<string, string | undefined>>;

function selectVariable(env: Variables, names: readonly string[]): ProxyVariable | undefined {
  for (const name of names) {
    const url = env[name];
    if (url !== undefined && url !== '') return { name, url };
  }
  return undefined;
}

/** Reads what concerns connections out of the variables of a process. Pure. */
export function toEnvironment(env: Variables): Environment {
  const home = env.HOME;
  const folder = env.DOCKER_CONFIG || (home === undefined || home === '' ? undefined : join(home, '.docker'));
  return {
    certFile: env.SSL_CERT_FILE || undefined,
    certDir: env.SSL_CERT_DIR || undefined,
    httpProxy: selectVariable(env, ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY']),
    httpsProxy: selectVariable(env, ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY']),
    noProxy: (env.no_proxy || env.NO_PROXY || '').split(',').filter((entry) => entry.trim() !== ''),
    extraCaCerts: env.NODE_EXTRA_CA_CERTS || undefined,
    dockerConfig: folder === undefined ? undefined : join(folder, 'config.json'),
  };
}

/** The name of the variable by which a client that follows the environment would reach a URL through a proxy. */
export function selectProxyVariable(url: URL, environment: Environment | undefined): string | undefined {
  if (environment === undefined) return undefined;
  const variable = url.protocol === 'https:' ? environment.httpsProxy : environment.httpProxy;
  if (variable === undefined) return undefined;
  // what such a client takes for a proxy may be written without its scheme
  const via = variable.url.includes('://') ? variable.url : `http://${variable.url}`;
  if (!URL.canParse(via)) return undefined;
  const { noProxy } = environment;
  return selectProxy(url, { url: via, noProxy }) === undefined ? undefined : variable.name;
}

/** The path of the docker configuration, where it has a login for a host or a program that may know one. */
export async function findDockerLogin(
  host: string,
  environment: Environment | undefined,
): Promise<string | undefined> {
  const path = environment?.dockerConfig;
  if (path === undefined) return undefined;
  try {
    const { auths, credHelpers } = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    const keys = [auths, credHelpers].flatMap((member) =>
      typeof member === 'object' && member !== null ? Object.keys(member) : [],
    );
    const hosts = keys.map((key) => canonicalHost(key.replace(/^https?:\/\//, '').split('/')[0]!));
    return hosts.includes(canonicalHost(host)) ? path : undefined;
  } catch {
    return undefined;
  }
}

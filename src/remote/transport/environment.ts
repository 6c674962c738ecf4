import { join } from 'node:path';
import { readNamed } from '../../disk/named-file.ts';
import { canonicalHost } from '../../oci/reference.ts';
import { selectProxy } from './proxy-route.ts';

/** An environment variable that names a proxy. */
interface ProxyVariable {
  readonly name: string;
  readonly url: string;
}

/**
 * Environment variables about TLS, proxies and logins. The root store uses them; otherwise they change no
 * behaviour, and are named in errors that they would have prevented.
 */
export interface Environment {
  /** `SSL_CERT_FILE` and `SSL_CERT_DIR`. */
  readonly certFile?: string | undefined;
  readonly certDir?: string | undefined;
  readonly httpProxy?: ProxyVariable | undefined;
  readonly httpsProxy?: ProxyVariable | undefined;
  readonly noProxy: readonly string[];
  /** Value of `NODE_EXTRA_CA_CERTS`, where it is set. */
  readonly extraCaCerts?: string | undefined;
  /** Path of the configuration that a docker client of this user reads. */
  readonly dockerConfig?: string | undefined;
}

/** Bytes of a configuration of docker. */
const configLimit = 1 << 20;

type Variables = Readonly<Record<string, string | undefined>>;

function selectVariable(env: Variables, names: readonly string[]): ProxyVariable | undefined {
  for (const name of names) {
    const url = env[name];
    if (url !== undefined && url !== '') return { name, url };
  }
  return undefined;
}

/** Selects the variables that concern connections. Pure. */
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

/** Name of the variable by which a client that follows the environment would use a proxy for a URL. */
export function selectProxyVariable(url: URL, environment: Environment | undefined): string | undefined {
  if (environment === undefined) return undefined;
  const variable = url.protocol === 'https:' ? environment.httpsProxy : environment.httpProxy;
  if (variable === undefined) return undefined;
  // such a client also accepts a proxy without a scheme
  const via = variable.url.includes('://') ? variable.url : `http://${variable.url}`;
  if (!URL.canParse(via)) return undefined;
  const { noProxy } = environment;
  return selectProxy(url, { url: via, noProxy }) === undefined ? undefined : variable.name;
}

/** Path of the docker configuration, when it has a login or a credential helper for a host. */
export async function findDockerLogin(
  host: string,
  environment: Environment | undefined,
): Promise<string | undefined> {
  const path = environment?.dockerConfig;
  if (path === undefined) return undefined;
  try {
    const { auths, credHelpers } = JSON.parse(String(await readNamed(path, configLimit))) as Record<
      string,
      unknown
    >;
    const keys = [auths, credHelpers].flatMap((member) =>
      typeof member === 'object' && member !== null ? Object.keys(member) : [],
    );
    const hosts = keys.map((key) => canonicalHost(key.replace(/^https?:\/\//, '').split('/')[0]!));
    return hosts.includes(canonicalHost(host)) ? path : undefined;
  } catch {
    return undefined;
  }
}

import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { isHost, isRepositoryName, parseReference } from '../oci/reference.ts';
import { SvcError } from '../text/error.ts';

/** Rules on one well-formed value. Each returns what must hold, or undefined; none repeats the value, a possible secret. */

export function checkRepositoryPath(value: string): string | undefined {
  return isRepositoryName(value)
    ? undefined
    : 'must be a repository path: lower-case segments joined by /, at most 255 characters';
}

export function checkBareHost(value: string): string | undefined {
  return isHost(value.toLowerCase()) ? undefined : 'must be a bare host[:port], without scheme, user or path';
}

/** Accepts `host:port`, `:port`, `[v6]:port`. */
export function checkListenAddress(value: string): string | undefined {
  const rule = 'must be host:port or :port, such as :8080, 127.0.0.1:8080 or [::1]:8080';
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]*):([0-9]{1,5})$/.exec(value.slice(0, 300));
  if (!match || value.length > 300) return rule;
  const host = match[1]!;
  if (Number(match[2]) > 65535) return 'the port must be between 0 and 65535';
  if (host === '') return undefined;
  if (host.startsWith('[')) return isIP(host.slice(1, -1)) === 6 ? undefined : rule;
  return isHost(host.toLowerCase()) && isUrlHost(host.toLowerCase()) ? undefined : rule;
}

/**
 * Whether a URL has a host as it is written. One that ends in a number is an IPv4 address of four parts, which the URL
 * Standard would otherwise refuse (999.1.1.1) or read as another address (1.2.3).
 */
function isUrlHost(host: string): boolean {
  return URL.parse(`http://${host}`)?.hostname === host;
}

export function checkProxyUrl(value: string): string | undefined {
  const parsed = URL.parse(value);
  if (parsed === null || !/^https?:\/\//i.test(value))
    return 'must be an http:// or https:// URL with a host';
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')
    return 'must be an http:// or https:// URL';
  if (parsed.hostname === '') return 'must name a host';
  if (parsed.username !== '' || parsed.password !== '' || /^[a-z]+:\/\/[^/?#]*@/i.test(value)) {
    return 'must not contain credentials: use network.proxy.username and network.proxy.password';
  }
  if (parsed.pathname !== '/' || parsed.search !== '' || parsed.hash !== '') {
    return 'must be scheme, host and port only';
  }
  return undefined;
}

export function checkRetrieverSource(value: string): string | undefined {
  const rule = 'must be an absolute path, https://<host>/<path> or oci://<registry>/<repository>:<tag>';
  if (/^oci:\/\//i.test(value)) {
    try {
      const reference = parseReference(value.slice('oci://'.length));
      if (reference.tag === undefined) return 'an oci:// reference must name a tag';
      return reference.digest === undefined ? undefined : 'an oci:// reference must name a tag, not a digest';
    } catch (error) {
      return error instanceof SvcError ? `${rule}: ${error.params.rule}` : rule;
    }
  }
  if (/^[a-z][a-z0-9+.-]*:/i.test(value)) return checkHttpsUrl(value) ?? undefined;
  return isAbsolute(value) ? undefined : rule;
}

export function checkHttpsUrl(value: string): string | undefined {
  const parsed = URL.parse(value);
  if (parsed === null || parsed.protocol !== 'https:' || parsed.hostname === '') {
    return 'must be an https:// URL with a host';
  }
  return parsed.username === '' && parsed.password === ''
    ? undefined
    : 'must not contain credentials in the URL';
}

/** Accepts scheme, host and port of an address that clients use. */
export function checkPublicUrl(value: string): string | undefined {
  const [, host = ''] = /^https?:\/\/([^/]*)\/?$/.exec(value) ?? [];
  const name = host.toLowerCase();
  return isHost(name) && isUrlHost(name.replace(/:[0-9]+$/, ''))
    ? undefined
    : 'must be http:// or https:// with a host and no path, such as https://instance.example';
}

/** Accepts a name or an address of the generated certificate. */
export function checkCertificateHost(value: string): string | undefined {
  if (isIP(value) !== 0) return undefined;
  const bare = value.startsWith('*.') ? value.slice(2) : value;
  return isHost(bare.toLowerCase()) && !bare.includes(':')
    ? undefined
    : 'must be a host name or an IP address';
}

/** Accepts an IP address or a CIDR block (RFC 4632, RFC 4291). */
export function checkAddressBlock(value: string): string | undefined {
  const rule = 'must be an IP address or a CIDR block, such as 192.0.2.1 or 10.0.0.0/8';
  const [address = '', bits, ...rest] = value.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return rule;
  if (bits === undefined) return undefined;
  return /^[0-9]{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128) ? undefined : rule;
}

/** Accepts `*`, an address, a CIDR block, `.suffix` or a host with or without port. */
export function checkNoProxy(value: string): string | undefined {
  const rule = 'must be a host, .suffix, CIDR block or *';
  if (value === '*' || isIP(value) !== 0) return undefined;
  if (value.includes('/')) return checkAddressBlock(value) === undefined ? undefined : rule;
  return isHost(value.replace(/^\./, '').toLowerCase()) ? undefined : rule;
}

/** Accepts a glob over `host[:port]`. */
export function checkHostPattern(value: string): string | undefined {
  if (value.includes('/')) return 'must be a host pattern without scheme or path';
  if (value.length > 260) return 'must be at most 260 characters';
  if (/^\[[0-9a-fA-F:.]+\](?::[0-9]{1,5})?$/.test(value) || isIP(value) !== 0) return undefined;
  return isHost(value.toLowerCase().replaceAll('*', 'x'))
    ? undefined
    : 'must be a host pattern: a host[:port] in which * matches part of a label and ** several labels';
}

/** Accepts `host[:port][/path]`. */
export function checkSubstitutionBase(value: string): string | undefined {
  const slash = value.indexOf('/');
  const host = slash < 0 ? value : value.slice(0, slash);
  const rest = slash < 0 ? undefined : value.slice(slash + 1);
  return isHost(host.toLowerCase()) && (rest === undefined || isRepositoryName(rest))
    ? undefined
    : 'must be host[:port] or host[:port]/path, without scheme';
}

/** Accepts a glob over a repository path that starts with its host; refuses one that no path can match. */
export function checkRepositoryGlob(value: string): string | undefined {
  if (value.length > 512) return 'must be at most 512 characters';
  if (value.includes(':')) return 'must be a glob over a path: the : of a port is written _';
  const segments = value.split('/');
  if (segments.includes('')) return 'must be a glob over <host>/<path>: an empty segment matches nothing';
  if (/[A-Z]/.test(value)) return 'must be in lower case: hosts and paths are compared in lower case';
  if (value.includes('..')) return 'must be a glob over <host>/<path>: no name contains ..';
  const clean = segments.every((segment) => /^[a-z0-9._*-]+$/.test(segment) && segment !== '.');
  return clean ? undefined : 'must be a glob over <host>/<path>: segments of letters, digits, . _ - and *';
}

/** Other names of Docker Hub. The nominal path of a recipe never has them. */
const dockerAliases = ['index.docker.io', 'registry-1.docker.io'];

/** Accepts a glob over the nominal path of a recipe, which has a host and a path. */
export function checkScopeGlob(value: string): string | undefined {
  const rule = checkRepositoryGlob(value);
  if (rule !== undefined) return rule;
  if (!value.includes('/') && !value.includes('**'))
    return 'must be a glob over <host>/<path>: a host alone matches nothing, write <host>/**';
  const alias = dockerAliases.find((host) => value.startsWith(`${host}/`));
  return alias && `must name docker.io instead of ${alias}`;
}

/** Accepts an inline public key. */
export function checkPublicKey(value: string): string | undefined {
  if (/PRIVATE KEY/.test(value)) return 'must be a public key; this is a private one: treat it as exposed';
  return /-----BEGIN [A-Z ]*PUBLIC KEY-----/.test(value)
    ? undefined
    : 'must be a PEM public key (-----BEGIN PUBLIC KEY-----)';
}

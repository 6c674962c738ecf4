import { isIP, isIPv6 } from 'node:net';
import { svcError } from '../src/text/error.ts';
import { fr } from '../src/text/language.ts';
import { rule } from '../src/text/rule.ts';

export interface ListenAddress {
  /** Absent: all interfaces. */
  readonly host?: string;
  /** 0: the system chooses a free port. */
  readonly port: number;
}

/**
 * Parses `host:port`, `:port` (all interfaces) or `[IPv6]:port`.
 *
 * @throws SVC-CFG-001 naming `server.addr`
 */
export function parseListenAddress(text: string): ListenAddress {
  const fail = () =>
    svcError('SVC-CFG-001', {
      setting: 'server.addr',
      detail: rule(['is not <host>:<port>: {text}', fr`n’est pas <hôte>:<port> : {text}`], {
        text: text.slice(0, 256),
      }),
    });
  const match = /^(?:\[([^\]]*)\]|([^:[\]]*)):([0-9]{1,5})$/.exec(text);
  if (match === null || Number(match[3]) > 65_535) throw fail();
  const [, literal, name] = match;
  if (literal !== undefined && !isIPv6(literal)) throw fail();
  const host = literal ?? name ?? '';
  if (literal === undefined && host !== '' && isIP(host) === 0 && !/^[A-Za-z0-9_.-]{1,253}$/.test(host)) {
    throw fail();
  }
  return host === '' ? { port: Number(match[3]) } : { host, port: Number(match[3]) };
}

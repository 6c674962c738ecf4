import { isIP } from 'node:net';
import { isHost } from '../oci/reference.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { Rule, rule } from '../text/rule.ts';

export interface ListenAddress {
  /** Without brackets. Absent: all interfaces. */
  readonly host?: string;
  /** 0: the system chooses a free port. */
  readonly port: number;
}

/** Reads `host:port`, `:port` (all interfaces) or `[IPv6]:port`. @returns the rule that any other text breaks */
function read(text: string): ListenAddress | Rule {
  const form = rule([
    'must be host:port or :port, such as :8080, 127.0.0.1:8080 or [::1]:8080',
    fr`doit être hôte:port ou :port, par exemple :8080, 127.0.0.1:8080 ou [::1]:8080`,
  ]);
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]*)):([0-9]{1,5})$/.exec(text.slice(0, 300));
  if (!match || text.length > 300) return form;
  const [, literal, name = ''] = match;
  const port = Number(match[3]);
  if (port > 65_535)
    return rule(['the port must be between 0 and 65535', fr`le port doit être compris entre 0 et 65535`]);
  if (literal !== undefined) return isIP(literal) === 6 ? { host: literal, port } : form;
  if (name === '') return { port };
  const host = name.toLowerCase();
  return isHost(host) ? { host: name, port } : form;
}

/** The rule for a value of `server.addr`. */
export function checkListenAddress(value: string): Rule | undefined {
  const found = read(value);
  return found instanceof Rule ? found : undefined;
}

/** Parses a value of `server.addr`. @throws SVC-CFG-001 */
export function parseListenAddress(text: string): ListenAddress {
  const found = read(text);
  if (!(found instanceof Rule)) return found;
  const detail = rule(['is not <host>:<port>: {text}', fr`n’est pas <hôte>:<port> : {text}`], {
    text: text.slice(0, 256),
  });
  throw svcError('SVC-CFG-001', { setting: 'server.addr', detail });
}

/** The host in the form of URLs, with brackets around IPv6; empty for all interfaces. */
export function toUrlHost({ host = '' }: Pick<ListenAddress, 'host'>): string {
  return host.includes(':') ? `[${host}]` : host;
}

import { parseListenAddress, toUrlHost } from '../../src/config/listen-address.ts';
import type { Config } from '../../src/config/model.ts';
import { isLoopbackHost } from '../../src/oci/reference.ts';
import { svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { type Rule, rule } from '../../src/text/rule.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { toRuleSentence } from '../cli/sentence-error.ts';

export interface InstanceAddress {
  /** URL without a trailing slash; the API is below `/api/v1`. */
  readonly url: string;
  /** Derived from the configured listener of this machine, so that its own certificate is expected. */
  readonly isDerived: boolean;
  /** The variable that names the instance. */
  readonly variable?: 'SVC_INSTANCE_URL';
}

/**
 * Selects the instance to contact: the flag, else `SVC_INSTANCE_URL`, else the configured listener on this
 * machine.
 *
 * @throws CommandLineError for an invalid flag, SVC-CFG-001 for an invalid variable or a listener without a
 *   fixed port
 */
export function selectInstance(
  flag: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  config: Config,
): InstanceAddress {
  if (flag !== undefined) {
    requireInstanceUrl(flag);
    return { url: trim(flag), isDerived: false };
  }
  const variable = env.SVC_INSTANCE_URL;
  if (variable !== undefined && variable !== '') {
    const detail = checkInstanceUrl(variable);
    if (detail !== undefined) throw svcError('SVC-CFG-001', { setting: 'SVC_INSTANCE_URL', detail });
    return { url: trim(variable), isDerived: false, variable: 'SVC_INSTANCE_URL' };
  }
  const url = deriveUrl(config);
  if (url === undefined) {
    const detail = rule([
      'has port 0: name the instance with --instance or SVC_INSTANCE_URL',
      fr`a le port 0 : indiquez l’instance par --instance ou SVC_INSTANCE_URL`,
    ]);
    throw svcError('SVC-CFG-001', { setting: 'server.addr', detail });
  }
  return { url, isDerived: true };
}

/** Checks the value of `--instance`. @throws CommandLineError */
export function requireInstanceUrl(flag: string): void {
  const broken = checkInstanceUrl(flag);
  if (broken !== undefined)
    throw new CommandLineError(
      toRuleSentence(rule(['--instance {broken}', fr`--instance {broken}`], { broken })),
    );
}

/** Whether the host of a URL is a loopback address. */
export function isLoopback(url: URL): boolean {
  return isLoopbackHost(url.hostname);
}

function checkInstanceUrl(text: string): Rule | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    return rule([
      'must be the http:// or https:// URL of an instance',
      fr`doit être l’URL http:// ou https:// d’une instance`,
    ]);
  }
  if (url.username !== '' || url.password !== '') {
    return rule([
      'must not contain credentials: use --token-file or SVC_API_TOKEN',
      fr`ne doit pas contenir d’identifiants : utilisez --token-file ou SVC_API_TOKEN`,
    ]);
  }
  return url.search === '' && url.hash === ''
    ? undefined
    : rule(['must have neither query nor fragment', fr`ne doit avoir ni requête ni fragment`]);
}

function trim(url: string): string {
  return url.replace(/\/+$/, '');
}

/** The URL of the configured listener on this machine; undefined when its port is not fixed. */
export function deriveUrl({ server }: Config): string | undefined {
  const { host, port } = parseListenAddress(server.addr);
  if (port === 0) return undefined;
  const isEverywhere = host === undefined || host === '0.0.0.0' || host === '::';
  const scheme = server.tls.enabled || server.tls.certFile !== undefined ? 'https' : 'http';
  return `${scheme}://${isEverywhere ? 'localhost' : toUrlHost({ host })}:${port}`;
}

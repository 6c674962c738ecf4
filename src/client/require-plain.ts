import { isHost, isLiteralHost, isRepositoryName } from '../oci/reference.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import type { RegistryBase } from './node-mirrors.ts';

/** Things that have a name, for errors. */
export const named = {
  fileset: rule(['FileSet', fr`FileSet`]),
  host: rule(['host', fr`hôte`]),
  instance: rule(['instance', fr`instance`]),
  registry: rule(['registry', fr`registre`]),
  repository: rule(['repository', fr`dépôt`]),
  view: rule(['view', fr`vue`]),
  zone: rule(['zone', fr`zone`]),
} as const;

/** Shortens a text that is no name, for an error. */
const shown = (text: string): string => text.slice(0, 128);

/**
 * Requires that a text is one name without any character that a configuration file, a URL or a shell reads as more than
 * itself. The text comes from a medium, a FileSet or another instance.
 *
 * @param what the thing that the text names, for the error
 * @throws SVC-VAL-001
 */
export function requireName(text: string, what: Rule): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._+~-]{0,127}$/.test(text)) return text;
  throw svcError('SVC-VAL-001', {
    file: what,
    path: shown(text),
    rule: rule([
      'only letters, digits, . _ + ~ and -, starting with a letter or digit',
      fr`seulement lettres, chiffres, . _ + ~ et -, en commençant par une lettre ou un chiffre`,
    ]),
  });
}

/** As {@link requireName}, of names separated by slashes. '' is the folder itself. @throws SVC-VAL-001 */
export function requirePath(text: string, what: Rule): string {
  if (text !== '') for (const name of text.split('/')) requireName(name, what);
  return text;
}

/** @throws SVC-VAL-001 unless it is `host[:port]` */
export function requireHost(text: string, what: Rule = named.host): string {
  if (isHost(text) || isLiteralHost(text)) return text;
  throw svcError('SVC-VAL-001', {
    file: what,
    path: shown(text),
    rule: rule(['must be <host>[:<port>]', fr`doit être <hôte>[:<port>]`]),
  });
}

/** @throws SVC-VAL-001 unless its host is one */
export function requireBase(base: RegistryBase, what: Rule = named.registry): RegistryBase {
  requireHost(base.host, what);
  return base;
}

/** @throws SVC-VAL-001 unless it is the path of a repository */
export function requireRepository(text: string): string {
  if (isRepositoryName(text)) return text;
  throw svcError('SVC-VAL-001', {
    file: named.repository,
    path: shown(text),
    rule: rule(['must be a repository name', fr`doit être un nom de dépôt`]),
  });
}

import { isHost, isLiteralHost, isRepositoryName } from '../oci/reference.ts';
import { svcError } from '../text/error.ts';
import type { RegistryBase } from './node-mirrors.ts';

/** Shortens a text that is no name, for an error. */
const shown = (text: string): string => text.slice(0, 128);

/**
 * Requires that a text is one name without any character that a configuration file, a URL or a shell reads as more than
 * itself. The text comes from a medium, a FileSet or another instance.
 *
 * @param what says in the error what the text names
 * @throws SVC-VAL-001
 */
export function requireName(text: string, what: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._+~-]{0,127}$/.test(text)) return text;
  throw svcError('SVC-VAL-001', {
    file: what,
    path: shown(text),
    rule: 'only letters, digits, . _ + ~ and -, starting with a letter or digit',
  });
}

/** As {@link requireName}, of names separated by slashes. '' is the folder itself. @throws SVC-VAL-001 */
export function requirePath(text: string, what: string): string {
  if (text !== '') for (const name of text.split('/')) requireName(name, what);
  return text;
}

/** @throws SVC-VAL-001 unless it is `host[:port]` */
export function requireHost(text: string, what = 'host'): string {
  if (isHost(text) || isLiteralHost(text)) return text;
  throw svcError('SVC-VAL-001', { file: what, path: shown(text), rule: 'must be <host>[:<port>]' });
}

/** @throws SVC-VAL-001 unless its host is one */
export function requireBase(base: RegistryBase, what = 'registry'): RegistryBase {
  requireHost(base.host, what);
  return base;
}

/** @throws SVC-VAL-001 unless it is the path of a repository */
export function requireRepository(text: string): string {
  if (isRepositoryName(text)) return text;
  throw svcError('SVC-VAL-001', {
    file: 'repository',
    path: shown(text),
    rule: 'must be a repository name',
  });
}

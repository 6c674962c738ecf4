import { canonicalHost, parseRepositoryReference, type RepositoryReference } from './reference.ts';

/**
 * Reads the repository below which charts are pushed, with or without `oci://`.
 *
 * @throws SVC-REG-001
 */
export function toRepositoryBase(text: string): RepositoryReference {
  const { host, repository } = parseRepositoryReference(text.replace(/^oci:\/\//i, '').replace(/\/+$/, ''));
  return { host: canonicalHost(host), repository };
}

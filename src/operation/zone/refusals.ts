import type { TaskItem } from '../../contract/task.ts';
import type { Sparse } from '../../engine/zone/watch-sparse.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { parseReference } from '../../oci/reference.ts';
import { keepRefusedIndex, readRefusedIndex } from '../../zone/refused-index.ts';
import type { Context } from '../context.ts';

/**
 * Remembers for the next receipts that the registry of the zone refused an index of which platforms are absent.
 *
 * @param items of an import
 * @throws SVC-STO-002, SVC-STO-004
 */
export async function keepRefusals(stateRoot: string, items: readonly TaskItem[]): Promise<void> {
  for (const { digest, error } of items) {
    if (error?.code !== 'SVC-DST-002' || digest === undefined) continue;
    const { missing, reference } = error.params;
    if (!Array.isArray(missing) || missing.length === 0 || typeof reference !== 'string') continue;
    const { host, repository } = parseReference(reference);
    await keepRefusedIndex(stateRoot, { registry: host, repository, digest });
    return;
  }
}

/**
 * Whether the registry of the zone takes an index without all of its images. An index that it refused, and still does not
 * have, outweighs what the survey saw: settings of a registry change.
 *
 * @param surveyed as the content of the registry shows it
 * @throws SVC-STO-001, SVC-STO-014, errors of the client
 */
export async function judgeSparse(
  surveyed: Sparse,
  { registry }: Pick<Context, 'registry'>,
  stateRoot: string,
  host: string,
  call: CallOptions,
): Promise<Sparse> {
  const refused = await readRefusedIndex(stateRoot);
  if (refused === undefined || refused.registry !== host) return surveyed;
  const { repository, digest } = refused;
  const place = registry.repository({ host, repository }, { access: 'push', substitute: false });
  return (await place.hasManifest(digest, call)) ? surveyed : 'refused';
}

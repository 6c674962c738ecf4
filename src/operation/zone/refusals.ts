import { listAbsentPlatforms } from '../../engine/copy/top-up.ts';
import type { SparseFinding } from '../../engine/promotion/model.ts';
import type { Sparse } from '../../engine/zone/watch-sparse.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { formatReference } from '../../oci/reference.ts';
import { forgetRefusedIndex, keepRefusedIndex, readRefusedIndex } from '../../zone/refused-index.ts';
import type { Context } from '../context.ts';

/**
 * Remembers for the next receipts whether the registry of the zone takes an index of which platforms are absent. A refused
 * index counts also where all its platforms were pushed then: the next one may lack some.
 *
 * @param found the last one that an import had to push; undefined for none
 * @throws SVC-STO-002, SVC-STO-004
 */
export async function keepSparse(stateRoot: string, found: SparseFinding | undefined): Promise<void> {
  if (found === undefined) return;
  const { place, digest, isTaken } = found;
  if (isTaken) await forgetRefusedIndex(stateRoot);
  else await keepRefusedIndex(stateRoot, { registry: place.host, repository: place.repository, digest });
}

/**
 * Whether the registry of the zone takes an index without all of its images. An index that it refused outweighs the
 * survey, until it has that index without all of its images: settings of a registry change.
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
  const at = { host, repository };
  const place = registry.repository(at, { access: 'push', substitute: false });
  if (!(await place.hasManifest(digest, call))) return 'refused';
  const absent = await listAbsentPlatforms(place, digest, `${formatReference(at)}@${digest}`, call);
  return absent.length > 0 ? surveyed : 'refused';
}

import { digestHex, hashBytes } from '../../base/digest.ts';
import type { Delivery } from './model.ts';

/**
 * Derives the identifier of a delivery from its plan: the same content on the same parts is the same delivery, so that a
 * repeated command continues it.
 */
export function identifyDelivery({
  zone,
  base,
  sync,
  closures,
  content,
  parts,
  program,
}: Omit<Delivery, 'id'>): string {
  const plan = {
    zone,
    base,
    resolvedAt: sync.resolvedAt,
    recipes: closures.map(({ record }) => [record.name, record.version, record.digest]),
    always: [...content.always.keys()].sort(),
    absent: [...content.absent.keys()].sort(),
    parts: parts.map(({ blobs, segments }) => [
      [...blobs.keys()].sort(),
      segments.map(({ digest, offset, size }) => [digest, offset, size]),
    ]),
    program: program?.files.map(({ path, digest }) => [path, digest]),
  };
  return `dlv_${digestHex(hashBytes(JSON.stringify(plan))).slice(0, 12)}`;
}

/** The identifier of the medium of a part. @param part from 1 */
export function toMediumId({ id }: Pick<Delivery, 'id'>, part: number): string {
  return `${id.replace('_', '-')}-${part}`;
}

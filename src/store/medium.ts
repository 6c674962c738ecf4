import { randomUUID } from 'node:crypto';
import { type MediumChange, storeFormat } from '../catalog/content-records.ts';

/** Makes the identifier of a new medium. */
export function newMediumId(): string {
  return randomUUID();
}

/** The first record of each ledger, which names its medium. */
export function toMedium(id: string): MediumChange {
  return { op: 'medium', id, format: storeFormat };
}

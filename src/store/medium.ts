import { randomUUID } from 'node:crypto';
import { type MediumChange, storeFormat } from '../catalog/content-records.ts';

/** Identifies a medium from its creation to its reset. */
export function newMediumId(): string {
  return randomUUID();
}

/** The first record of each ledger: the medium it belongs to. */
export function toMedium(id: string): MediumChange {
  return { op: 'medium', id, format: storeFormat };
}

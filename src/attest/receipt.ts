import { type Digest, hashBytes, isDigest } from '../base/digest.ts';
import { selectKnown } from '../contract/check-value.ts';
import {
  type Receipt,
  type ReceiptFacts,
  receiptFacts,
  receiptLimits,
  receiptPredicate,
} from '../contract/receipt.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { type OwnStatement, readOwnStatement, type StatementSigner, signStatement } from './own-statement.ts';
import { ownPredicates } from './predicate-types.ts';
import type { StatementSubject } from './statement.ts';

/** A receipt as read. Its signature is not verified: `findSigner` does. */
export interface ReadReceipt extends Omit<OwnStatement<Receipt>, 'predicate'> {
  readonly receipt: Receipt;
}

/** A file that a receipt can be checked against. */
export interface SubjectFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The file about which a zone speaks that has imported no medium yet: its name and a line feed. */
export function toZoneFile(zone: string): SubjectFile {
  return { name: 'zone', bytes: Buffer.from(`${zone}\n`) };
}

const inventoryName = 'inventory';

/** The blobs of a registry, sorted, a line each: the second subject of a receipt. */
export function toInventory(blobs: Iterable<Digest>): SubjectFile {
  const lines = [...new Set(blobs)].sort();
  return { name: inventoryName, bytes: Buffer.from(lines.map((line) => `${line}\n`).join('')) };
}

/** Whether a receipt signs an inventory. */
export const signsInventory = ({ subjects }: Pick<ReadReceipt, 'subjects'>): boolean =>
  subjects.some(({ name }) => name === inventoryName);

/**
 * Reads the inventory of a receipt.
 *
 * @returns undefined for bytes that the receipt does not name
 */
export function readInventory(
  { subjects }: Pick<ReadReceipt, 'subjects'>,
  bytes: Buffer,
): ReadonlySet<Digest> | undefined {
  const { name, digest } = toSubject({ name: inventoryName, bytes });
  if (!subjects.some((subject) => subject.name === name && subject.digest === digest)) return undefined;
  const lines = bytes.toString('latin1').split('\n');
  return new Set(lines.filter(isDigest));
}

/** The subject that a file is. */
export function toSubject({ name, bytes }: SubjectFile): StatementSubject {
  return { name, digest: hashBytes(bytes) };
}

/** Counts the recipes of a receipt by their state. */
export function countStates({ recipes }: Pick<Receipt, 'recipes'>): ReceiptFacts['states'] {
  const count = (state: (typeof recipes)[number]['state']): number =>
    recipes.filter((recipe) => recipe.state === state).length;
  return { present: count('present'), incomplete: count('incomplete'), blocked: count('blocked') };
}

/** Whether a zone has a recipe whole, and no other version of it in its tags. */
export const isServed = ({ state, displacedBy }: Receipt['recipes'][number]): boolean =>
  state === 'present' && displacedBy === undefined;

/** What an evidence pack shows of a receipt. @param shown digests of the recipes of the pack */
export function toReceiptFacts(
  { receipt, subjects }: Pick<ReadReceipt, 'receipt' | 'subjects'>,
  shown: ReadonlySet<Digest>,
): ReceiptFacts {
  const inventory = subjects.find(({ name }) => name === inventoryName)?.digest;
  const recipes = receipt.recipes.filter(({ state, digest }) => state !== 'present' || shown.has(digest));
  const facts = { ...receipt, states: countStates(receipt), recipes, ...(inventory && { inventory }) };
  return selectKnown(facts, receiptFacts);
}

/** Removes names and versions: the digests of the recipes remain. */
export function withholdNames(receipt: Receipt): Receipt {
  return { ...receipt, recipes: receipt.recipes.map(({ name: _name, version: _version, ...rest }) => rest) };
}

/**
 * Signs a receipt, as a Sigstore bundle that `cosign verify-blob-attestation` accepts with one of the subjects.
 *
 * @param subjects the medium manifest that was imported last, or `toZoneFile`; then the inventory, if there is one
 */
export function writeReceipt(
  receipt: Receipt,
  subjects: readonly StatementSubject[],
  signer: StatementSigner,
): Buffer {
  const predicate = receipt as unknown as Readonly<Record<string, unknown>>;
  return signStatement({ subjects, predicateType: ownPredicates.receipt, predicate }, signer);
}

/**
 * Reads a receipt. Its size is checked before anything is decoded.
 *
 * @returns the rule that the bytes break, if they are not a receipt
 */
export function readReceipt(bytes: Buffer): ReadReceipt | { readonly flaw: Rule } {
  const { bytes: limit } = receiptLimits;
  if (bytes.length > limit)
    return { flaw: rule(['larger than {limit:size}', fr`plus de {limit:size}`], { limit }) };
  const read = readOwnStatement(bytes, ownPredicates.receipt, receiptPredicate);
  if ('flaw' in read) return read;
  const { predicate: receipt, ...statement } = read;
  if (new Set(receipt.recipes.map(({ digest }) => digest)).size < receipt.recipes.length)
    return { flaw: rule(['it names a recipe twice', fr`il nomme une recette deux fois`]) };
  return { ...statement, receipt };
}

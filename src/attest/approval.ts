import type { Digest } from '../base/digest.ts';
import { type Approval, approvalPredicate } from '../contract/custody.ts';
import { type OwnStatement, readOwnStatement, type StatementSigner, signStatement } from './own-statement.ts';
import { ownPredicates } from './predicate-types.ts';

/**
 * Signs that somebody approves a recipe. The subject is its document, not its manifest: such a statement never counts as the
 * signature of a recipe.
 *
 * @param document digest of the document
 */
export function writeApproval(approval: Approval, document: Digest, signer: StatementSigner): Buffer {
  const predicate = approval as unknown as Readonly<Record<string, unknown>>;
  const subjects = [{ name: `${approval.recipe.name}@${approval.recipe.version}.yaml`, digest: document }];
  return signStatement({ subjects, predicateType: ownPredicates.approval, predicate }, signer);
}

/** Reads an approval of limited size. @returns undefined for bytes that are none; its signature is not verified */
export function readApproval(bytes: Buffer): OwnStatement<Approval> | undefined {
  const read = readOwnStatement(bytes, ownPredicates.approval, approvalPredicate);
  return 'flaw' in read ? undefined : read;
}

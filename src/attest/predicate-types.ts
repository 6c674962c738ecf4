/**
 * Predicate type of the statement that `cosign sign` writes: the subject is approved, without a further
 * statement. The only type that approves a recipe under every trust root.
 */
export const signPredicate = 'https://sigstore.dev/cosign/sign/v1';

/** Whether a predicate type is one of this program (`urn:svc:receipt:v1`), of any version. None of them approves a recipe. */
export const isOwnPredicate = (type: string): boolean => /^urn:svc:/i.test(type);

/** Predicate types of the statements of this program. */
export const ownPredicates = {
  receipt: 'urn:svc:receipt:v1',
  passport: 'urn:svc:passport:v1',
  checkpoint: 'urn:svc:checkpoint:v1',
  approval: 'urn:svc:approval:v1',
} as const;

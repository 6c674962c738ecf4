/** Names of signed statements as the subjects of lines. */
export const statementNames = {
  approval: 'approval.sigstore.json',
  passport: 'passport.sigstore.json',
} as const;

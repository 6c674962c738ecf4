/** Meanings of the members that hold a time, by name. */
export const times = {
  completedAt: 'When the last recipe of the delivery landed',
  createdAt: 'When it was created',
  expiresAt: 'When the session ends; absent without a session',
  finishedAt: 'When it ended',
  foundAt: 'When it was found',
  generatedAt: 'When the plan was made',
  importedAt: 'When the medium was imported',
  lastLoginAt: 'Last sign-in; absent before the first',
  notAfter: 'End of validity',
  notBefore: 'Start of validity',
  recordedAt: 'Resolution time of the medium that was imported last',
  resolvedAt: 'When the versions were resolved at the source',
  revokedAt: 'When the token was revoked; absent while it is valid',
  sampledAt: 'When the size was measured',
  startedAt: 'When it started',
  writtenAt: 'When the manifest of the medium was written',
} as const;

/** Purposes of commands with regard to settings: a command is checked on the settings that it uses only. */
export const scopes = [
  'serve',
  'ask-instance',
  'sync-plan',
  'media-verify',
  'media-import',
  'recipe-push',
  'recipe-read',
  'recipe-sign',
  'receipt',
  'receipt-write',
  'zones',
  'evidence',
  'key',
  'user',
  'history',
  'custody',
  'export',
  'import',
  'fileset-pack',
  'store-check',
  'trust',
  'show-store',
  'media-status',
  'media-prove',
  'media-write',
  'dump',
] as const;
export type Scope = (typeof scopes)[number];

/** Scopes of commands that connect to other hosts. */
export const outboundScopes: readonly Scope[] = [
  'serve',
  'ask-instance',
  'sync-plan',
  'media-import',
  'recipe-push',
  'recipe-read',
  'recipe-sign',
  'receipt-write',
  'zones',
  'evidence',
  'dump',
];
/** Scopes of commands that open the store folder. */
export const storeScopes: readonly Scope[] = [
  'serve',
  'sync-plan',
  'media-verify',
  'media-import',
  'export',
  'import',
  'fileset-pack',
  'store-check',
  'show-store',
  'media-write',
  'dump',
];
/** Scopes of commands that verify signatures. */
export const trustScopes: readonly Scope[] = [
  'serve',
  'sync-plan',
  'media-verify',
  'media-import',
  'export',
  'trust',
  'recipe-read',
  'receipt',
  'receipt-write',
  'zones',
  'evidence',
  'media-write',
  'dump',
];
/** Scopes of commands that use the key of this instance. */
export const signingScopes: readonly Scope[] = [
  'serve',
  'media-import',
  'recipe-sign',
  'receipt-write',
  'evidence',
  'custody',
  'dump',
];
/** Scopes of commands that keep or read the custody ledger. */
export const custodyScopes: readonly Scope[] = [
  'serve',
  'media-verify',
  'media-import',
  'media-prove',
  'media-write',
  'import',
  'receipt',
  'receipt-write',
  'store-check',
  'history',
  'evidence',
  'custody',
  'dump',
];
/** Scopes of commands that open a signing key. */
export const keyScopes: readonly Scope[] = [
  'recipe-push',
  'recipe-sign',
  'receipt-write',
  'media-write',
  'custody',
  'key',
];

/** Purposes of commands with regard to settings: a command is checked on the settings that it uses only. */
export const scopes = [
  'serve',
  'sync-trigger',
  'sync-plan',
  'media-verify',
  'media-import',
  'recipe-push',
  'user',
  'export',
  'import',
  'fileset-pack',
  'store-check',
  'trust',
  'dump',
] as const;
export type Scope = (typeof scopes)[number];

/** Scopes of commands that connect to other hosts. */
export const outboundScopes: readonly Scope[] = [
  'serve',
  'sync-trigger',
  'sync-plan',
  'media-import',
  'recipe-push',
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
  'dump',
];

/** What a command is about to do, as far as settings are concerned: it is judged on the settings it uses, no others. */
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
  'dump',
] as const;
export type Scope = (typeof scopes)[number];

/** Commands that reach out over the network. */
export const outboundScopes: readonly Scope[] = [
  'serve',
  'sync-trigger',
  'sync-plan',
  'media-import',
  'recipe-push',
  'dump',
];
/** Commands that open the store folder. */
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
/** Commands that judge signatures. */
export const trustScopes: readonly Scope[] = [
  'serve',
  'sync-plan',
  'media-verify',
  'media-import',
  'export',
  'dump',
];

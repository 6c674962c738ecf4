export const indexKinds = ['apt', 'rpm'] as const;
/** Package managers whose index can be made. */
export type IndexKind = (typeof indexKinds)[number];

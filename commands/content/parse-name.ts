/** What `svc content show` is asked for: a repository, or one of its versions by tag or digest. */
export interface ContentName {
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
}

/** Splits `<repository>[:<tag>|@<digest>]`. Repositories of a store have no colon. */
export function parseContentName(text: string): ContentName {
  const at = text.indexOf('@');
  if (at >= 0) return { repository: text.slice(0, at).replace(/:[^:/]*$/, ''), digest: text.slice(at + 1) };
  const colon = text.lastIndexOf(':');
  if (colon < 0 || text.indexOf('/', colon) >= 0) return { repository: text.replace(/\/+$/, '') };
  return { repository: text.slice(0, colon), tag: text.slice(colon + 1) };
}

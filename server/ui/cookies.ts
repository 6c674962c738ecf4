/** Names of the cookies that the interface sets. */
export const cookieNames = {
  /** The session; HttpOnly. */
  session: 'svc_session',
  /** The secret of form tokens where there is no session; until the browser closes. */
  form: 'svc_form',
  language: 'svc_lang',
  theme: 'svc_theme',
  /** The height of the rows of all tables. */
  rows: 'svc_rows',
  /** The columns that lists leave out. */
  columns: 'svc_columns',
} as const;

/** Seconds for which language and theme are remembered: one year. */
export const choiceLife = 31_536_000;

/** The first cookie of a name in a `Cookie` header (RFC 6265); an empty one is none. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const equals = part.indexOf('=');
    if (equals > 0 && part.slice(0, equals).trim() === name)
      return part.slice(equals + 1).trim() || undefined;
  }
  return undefined;
}

interface CookieOptions {
  readonly secure: boolean;
  /** Seconds; 0 removes the cookie. Absent: until the browser closes. */
  readonly maxAge?: number;
}

/** A `Set-Cookie` header that no script reads and no other site sends with a post. */
export function toSetCookie(name: string, value: string, { secure, maxAge }: CookieOptions): string {
  const life = maxAge === undefined ? '' : `; Max-Age=${maxAge}`;
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${life}${secure ? '; Secure' : ''}`;
}

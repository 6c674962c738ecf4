export type Role = 'viewer' | 'operator' | 'admin';
export const roles: readonly Role[] = ['viewer', 'operator', 'admin'];

/** Whether `role` includes `floor`: each role includes all lower roles. */
export function hasRole(role: Role, floor: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(floor);
}

/** The authenticated client of a request. */
export interface Identity {
  /** `<account>`, `token:<name>`, `anonymous` (authentication disabled). */
  readonly actor: string;
  readonly role: Role;
  readonly via: 'basic' | 'bearer' | 'session' | 'disabled';
  /** Name of the account; absent for tokens and when authentication is disabled. */
  readonly account?: string;
  /** When the account was created, which tells it from a deleted one of its name; absent where `account` is. */
  readonly since?: string;
}

/**
 * Key of the account or token of an identity, for all that belongs to it. A later account of the same name has another
 * key; the name of a token is never used again.
 */
export function holderOf({ actor, since = '' }: Pick<Identity, 'actor' | 'since'>): string {
  return `${actor}\0${since}`;
}

export interface AccountRecord {
  readonly name: string;
  readonly role: Role;
  readonly createdAt: string;
  readonly lastLoginAt?: string;
}

export interface TokenRecord {
  readonly name: string;
  readonly role: Role;
  readonly createdAt: string;
  readonly revokedAt?: string;
  /** UTC day. */
  readonly lastUsedOn?: string;
}

export type Role = 'viewer' | 'operator' | 'admin';
export const roles: readonly Role[] = ['viewer', 'operator', 'admin'];

/** Whether `role` grants what `floor` asks for: each role grants everything below it. */
export function hasRole(role: Role, floor: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(floor);
}

/** Whoever makes a request. */
export interface Identity {
  /** `<account>`, `token:<name>`, `anonymous` (authentication disabled), `local:<uid>` (CLI). */
  readonly actor: string;
  readonly role: Role;
  readonly via: 'basic' | 'bearer' | 'session' | 'disabled' | 'local';
  /** The account, where there is one: tokens and the disabled mode have none. */
  readonly account?: string;
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
}

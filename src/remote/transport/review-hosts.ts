import type { NeededHost } from '../../contract/access.ts';
import { isAllowedHost } from './allowlist.ts';

/** The use of a host; `requested`: a request for it was made since the start, as for a token service or a redirect. */
export type HostRole =
  | 'retriever'
  | 'cookbook'
  | 'ingredient'
  | 'destination'
  | 'substitution'
  | 'trust-key'
  | 'requested';

/** A host that is contacted, and the host that documents name in its place where a substitution applies. */
export interface HostUse {
  readonly host: string;
  readonly role: HostRole;
  readonly nominal?: string | undefined;
}

export interface HostReview {
  /** The hosts that the allowlist does not name come first, then by name. */
  readonly hosts: readonly NeededHost[];
  /** Entries of the allowlist; absent when none is declared. */
  readonly allowlist?: readonly { readonly pattern: string; readonly needed: boolean }[];
}

/**
 * Compares the hosts that are needed with the allowlist.
 *
 * @param allowlist absent: every host is allowed, empty: none
 */
export function reviewHosts(uses: Iterable<HostUse>, allowlist: readonly string[] | undefined): HostReview {
  const found = new Map<string, { readonly roles: Set<HostRole>; readonly nominal: Set<string> }>();
  for (const { host, role, nominal } of uses) {
    const known = found.get(host) ?? { roles: new Set<HostRole>(), nominal: new Set<string>() };
    found.set(host, known);
    known.roles.add(role);
    if (nominal !== undefined && nominal !== host) known.nominal.add(nominal);
  }
  const hosts = [...found].map(([host, { roles, nominal }]): NeededHost => {
    // `requested` adds nothing beside another role
    const told = [...roles].filter((role) => role !== 'requested' || roles.size === 1);
    return {
      host,
      roles: told,
      ...(nominal.size === 0 ? {} : { nominal: [...nominal].sort() }),
      allowed: isAllowedHost(host, allowlist),
    };
  });
  hosts.sort((a, b) => Number(a.allowed) - Number(b.allowed) || (a.host < b.host ? -1 : 1));
  if (allowlist === undefined) return { hosts };
  return {
    hosts,
    allowlist: allowlist.map((pattern) => ({
      pattern,
      needed: hosts.some(({ host }) => isAllowedHost(host, [pattern])),
    })),
  };
}

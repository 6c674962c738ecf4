import type { Bounds } from './shares.ts';

const MiB = 1 << 20;

/**
 * Limits of all resources of an instance that a caller can hold, each enforced where it is acquired.
 * `docs/operating/limits.md` shows this table. A reserve is for administrators only.
 */
export const resources = {
  /** Fewer where few files may be open. A trusted proxy connects for many clients: it has the share of an administrator. */
  connections: { total: 20_000, reserve: 0, share: { origin: 10_000, account: 0, admin: 20_000 } },
  /** Answers that are made at once; others wait for their turn. Content that is only transferred takes none. */
  answers: { total: 16, reserve: 4, share: { origin: 2, account: 4, admin: 8 }, origins: 6 },
  /** Bytes of finished answers that clients have not read and the buffers of the system do not hold, for callers of any rank. */
  unreadBytes: {
    total: 128 * MiB,
    reserve: 0,
    share: { origin: 16 * MiB, account: 16 * MiB, admin: 16 * MiB },
  },
  sessions: { total: 10_000, reserve: 1000, share: { origin: 0, account: 16, admin: 64 } },
  /** Password hashes that run or wait; each needs 64 MiB while it runs. */
  signIns: { total: 34, reserve: 10, share: { origin: 10, account: 10, admin: 10 } },
  /** Bytes of bodies up to 64 KiB. */
  smallBodies: {
    total: 16 * MiB,
    reserve: 4 * MiB,
    share: { origin: MiB / 2, account: 2 * MiB, admin: 8 * MiB },
    origins: 4 * MiB,
  },
  /** Bytes of larger bodies, counted from their first byte. */
  largeBodies: {
    total: 48 * MiB,
    reserve: 16 * MiB,
    share: { origin: MiB, account: 24 * MiB, admin: 32 * MiB },
    origins: 4 * MiB,
  },
  /** Uploads to the registry that are open; fewer where few files may be open. */
  uploads: { total: 1000, reserve: 100, share: { origin: 0, account: 64, admin: 64 } },
  inspections: { total: 5, reserve: 1, share: { origin: 0, account: 2, admin: 2 } },
  plans: { total: 3, reserve: 1, share: { origin: 0, account: 1, admin: 1 } },
  /** Recipes that are pinned or compared. */
  documents: { total: 9, reserve: 1, share: { origin: 0, account: 3, admin: 3 } },
  /** Evidence packs from their first byte on the disk until they were sent. */
  evidence: { total: 3, reserve: 1, share: { origin: 0, account: 1, admin: 1 } },
  /** Tables and lines of all selected records of the history, until their clients have read or left them. */
  exports: { total: 6, reserve: 2, share: { origin: 0, account: 2, admin: 2 } },
  /** Tasks that wait. */
  tasks: { total: 256, reserve: 32, share: { origin: 0, account: 64, admin: 256 } },
  /** Results that pages keep. */
  results: { total: 64, reserve: 16, share: { origin: 0, account: 8, admin: 8 } },
  /** Bytes of them. */
  resultBytes: {
    total: 64 * MiB,
    reserve: 16 * MiB,
    share: { origin: 0, account: 16 * MiB, admin: 32 * MiB },
  },
  /** Confirmations for the next page. */
  said: { total: 256, reserve: 32, share: { origin: 0, account: 16, admin: 16 } },
  /** Certificates between preview and confirmation. */
  pairs: { total: 8, reserve: 8, share: { origin: 0, account: 0, admin: 4 } },
  /** Secrets of new tokens until they are shown. */
  secrets: { total: 64, reserve: 64, share: { origin: 0, account: 0, admin: 16 } },
  /** Refused requests with a record of their own, in a minute. */
  refusalRecords: { total: 10_000, reserve: 1000, share: { origin: 12, account: 12, admin: 60 } },
  /** Audit records of refused requests and of sign-ins of their own, in a minute. */
  auditRecords: { total: 2000, reserve: 500, share: { origin: 12, account: 12, admin: 12 }, origins: 1000 },
  /** Audit records of changes that were refused or failed, of their own, in a minute. */
  attemptRecords: { total: 600, reserve: 200, share: { origin: 12, account: 30, admin: 30 }, origins: 200 },
} as const satisfies Readonly<Record<string, Bounds>>;

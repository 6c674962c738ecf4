import type { Ledger, LedgerAuthors, LedgerState } from '../../ledger/ledger.ts';
import type { ForeignReason, Standing } from '../model.ts';

/** Facts about the writers of one ledger. */
export interface LedgerFacts {
  readonly state: LedgerState;
  readonly keyed: boolean;
  readonly authors: LedgerAuthors;
  readonly prefix: Ledger<unknown>['prefix'];
  /** The remembered state of this ledger on this medium. */
  readonly remembered: LedgerState | undefined;
}

interface StandingFacts {
  /** Whether this instance has a state root, and with it a key and remembered states. */
  readonly hasStateRoot: boolean;
  readonly zone: string | undefined;
  readonly ledgers: readonly LedgerFacts[];
}

export interface StandingVerdict {
  readonly standing: Standing;
  /** Why a store is foreign. */
  readonly reason?: ForeignReason;
  /**
   * Whether the store is under a key and this instance has no state root: every change is refused, including
   * adoption.
   */
  readonly needsStateRoot: boolean;
}

/**
 * Decides whether this instance wrote the store. It did when all ledgers were written under its key, begin with their
 * remembered part, and are not older. Every other store is foreign. An unkeyed store belongs to an instance that has
 * neither state root nor zone.
 */
export function judgeStanding({ hasStateRoot, zone, ledgers }: StandingFacts): StandingVerdict {
  const keyed = ledgers.some((ledger) => ledger.keyed);
  if (!hasStateRoot) {
    if (keyed) return { standing: 'foreign', reason: 'keyed', needsStateRoot: true };
    if (zone !== undefined) return { standing: 'foreign', reason: 'unkeyed', needsStateRoot: false };
    return { standing: 'ours', needsStateRoot: false };
  }
  const reason = ledgers.map(toReason).find((found) => found !== undefined);
  if (reason === undefined) return { standing: 'ours', needsStateRoot: false };
  return { standing: 'foreign', reason, needsStateRoot: false };
}

function toReason({ state, authors, prefix, remembered }: LedgerFacts): StandingVerdict['reason'] {
  if (authors.foreign > 0) return 'other-key';
  if (authors.unkeyed > 0) return 'unkeyed';
  if (!remembered) return 'not-remembered';
  if (state.sequence < remembered.sequence) return 'older';
  // a ledger without a record has no prefix to compare
  if (state.generation === 0) return remembered.generation === 0 ? undefined : 'older';
  return prefix === 'matches' || prefix === 'superseded' ? undefined : 'altered';
}

/** Collects the facts of an open ledger for `judgeStanding`. */
export function toLedgerFacts(ledger: Ledger<never>, remembered: LedgerState | undefined): LedgerFacts {
  const { keyed, authors, prefix } = ledger;
  return { state: ledger.state(), keyed, authors, prefix, remembered };
}

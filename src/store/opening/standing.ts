import type { Ledger, LedgerAuthors, LedgerState } from '../../ledger/ledger.ts';
import type { ForeignReason, Standing } from '../model.ts';

/** What one ledger says about who wrote it. */
export interface LedgerFacts {
  readonly state: LedgerState;
  readonly keyed: boolean;
  readonly authors: LedgerAuthors;
  readonly prefix: Ledger<unknown>['prefix'];
  /** Of this ledger on this medium. */
  readonly remembered: LedgerState | undefined;
}

interface StandingFacts {
  /** Whether this instance has a state root, which means a key and a memory. */
  readonly hasStateRoot: boolean;
  readonly zone: string | undefined;
  readonly ledgers: readonly LedgerFacts[];
}

export interface StandingVerdict {
  readonly standing: Standing;
  /** Why a store is foreign. */
  readonly reason?: ForeignReason;
  /** The store is under a key and this instance cannot have one: every change is refused, adoption too. */
  readonly needsStateRoot: boolean;
}

/**
 * Decides whether this instance produced what stands in the store. A store is ours when all of its ledgers were
 * written under our key, begin with what is remembered of them, and have not lost anything since; everything else is
 * foreign, whatever it says of itself. An unkeyed store is ours to an instance that has neither state root nor zone.
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
  // a ledger without a record has no beginning to compare
  if (state.generation === 0) return remembered.generation === 0 ? undefined : 'older';
  return prefix === 'matches' || prefix === 'superseded' ? undefined : 'altered';
}

/** What `judgeStanding` wants to know of an open ledger. */
export function toLedgerFacts(ledger: Ledger<never>, remembered: LedgerState | undefined): LedgerFacts {
  const { keyed, authors, prefix } = ledger;
  return { state: ledger.state(), keyed, authors, prefix, remembered };
}

import { isDeepStrictEqual } from 'node:util';
import { hashBytes } from '../../src/base/digest.ts';
import { type AuditEvent, mostToldApart, targets } from '../../src/base/report.ts';

/** An audited event without a record of its own. */
export interface SeenEvent {
  readonly event: AuditEvent;
  /** When it was (RFC 3339). */
  readonly at: string;
}

/** Events of one actor, action and outcome in a period. */
export interface EventSum {
  /** The first event, with the details that all have. */
  readonly event: AuditEvent;
  readonly count: number;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly targets: ReadonlySet<string>;
  readonly addresses: ReadonlySet<string>;
}

/** Most characters of a text that is kept; the set has the digest of a longer one. */
const longest = 64;

function addTo(set: ReadonlySet<string>, text: string): ReadonlySet<string> {
  const kept = text.length > longest ? hashBytes(text) : text;
  return set.size >= mostToldApart || set.has(kept) ? set : new Set([...set, kept]);
}

/** The details that two events have in common. */
function common({ details: one = {} }: AuditEvent, { details: other = {} }: AuditEvent) {
  const same = Object.entries(one).filter(([name, value]) =>
    isDeepStrictEqual(value, other[name as keyof typeof other]),
  );
  return Object.fromEntries(same) as AuditEvent['details'];
}

/** Adds an event to the sum of its actor, action and outcome. */
export function addEvent(sum: EventSum | undefined, { event, at }: SeenEvent): EventSum {
  const none: ReadonlySet<string> = new Set();
  return {
    event: sum === undefined ? event : { ...sum.event, details: common(sum.event, event) },
    count: (sum?.count ?? 0) + 1,
    firstAt: sum?.firstAt ?? at,
    lastAt: at,
    targets: addTo(sum?.targets ?? none, event.target),
    addresses: addTo(sum?.addresses ?? none, event.origin ?? ''),
  };
}

/** The record of a sum: the address and the target where all have one, else their numbers. */
export function toSumRecord({
  event,
  count,
  firstAt,
  lastAt,
  targets: named,
  addresses,
}: EventSum): AuditEvent {
  const isOne = named.size === 1;
  const details = {
    ...event.details,
    further: count,
    ...(isOne ? {} : { targets: named.size }),
    ...(addresses.size === 1 ? {} : { addresses: addresses.size }),
    firstAt,
    lastAt,
  };
  const { origin } = event;
  const target = isOne ? event.target : targets.several;
  return { ...event, target, origin: addresses.size === 1 ? origin : undefined, details };
}

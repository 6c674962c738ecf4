import { isDeepStrictEqual } from 'node:util';
import type { HistoryRecord } from '../../../../src/contract/history.ts';
import type { NamedRecord } from '../../../../src/view/history.ts';

/** A record of the history, with the lines of the custody ledger that tell the same event. */
export interface HistoryEvent extends NamedRecord {
  /** Absent where the record stands alone. */
  readonly lines?: readonly NamedRecord[];
}

type Details = HistoryRecord['details'];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Whether a line names a digest, or a thing by its name and digest. */
const names = ({ subjects }: Details, text: string): boolean =>
  text !== '' &&
  listOf(subjects).some((one) => textOf(one).split(' sha256:')[0] === text || textOf(one).endsWith(text));

/** The action of an audit record, that of the line about the same event, and their common details. */
const partners: Readonly<
  Record<
    string,
    { readonly line: string; readonly isSame: (record: HistoryRecord, line: HistoryRecord) => boolean }
  >
> = {
  'media.write': {
    line: 'custody.written',
    isSame: ({ details }, { target }) => details.delivery === target,
  },
  'media.prove': {
    line: 'custody.proved',
    isSame: ({ target = '' }, { details }) => target.split(', ').includes(textOf(details.folder)),
  },
  'media.import': {
    line: 'custody.imported',
    isSame: ({ runId, details }, line) => runId !== undefined && runId === line.runId && 'landed' in details,
  },
  'media.verify': {
    line: 'custody.verified',
    isSame: ({ target, details }, line) =>
      target === line.details.folder && details.mediaId === line.details.medium,
  },
  'receipt.write': {
    line: 'custody.receipt-issued',
    isSame: ({ target, details }, line) =>
      target === line.details.zone && details.sequence === line.details.sequence,
  },
  'receipt.accept': {
    line: 'custody.receipt-accepted',
    isSame: ({ target = '' }, { details }) => names(details, target),
  },
  'custody.note': {
    line: 'custody.handed-over',
    isSame: ({ details }, line) => details.line !== undefined && details.line === line.details.line,
  },
};

/** Actions of which one record is about several lines: a proof of several disks. */
const several: ReadonlySet<string> = new Set(['media.prove']);

/** Milliseconds between an audit record and the line about the same event, at most. */
const mostApart = 2000;

/**
 * Joins each audit record of a list with the lines of the ledger about the same event. Where more than one could be meant, all
 * stay as they are.
 *
 * @param found audit records have identifiers that begin with `a`, lines of the ledger those that begin with `c`
 */
export function toEvents(found: readonly NamedRecord[]): readonly HistoryEvent[] {
  const lines = Map.groupBy(
    found.filter(({ id }) => id?.startsWith('c')),
    ({ record }) => record.action,
  );
  /** The audit records that a line may be about. */
  const meant = new Map<NamedRecord, NamedRecord[]>();
  for (const one of found) {
    const { record, id } = one;
    const partner = id?.startsWith('a') ? partners[record.action] : undefined;
    if (partner === undefined) continue;
    for (const line of lines.get(partner.line) ?? []) {
      const { actor, outcome, ts } = line.record;
      const isNear = Math.abs(Date.parse(ts) - Date.parse(record.ts)) <= mostApart;
      const isAlike = actor === record.actor && (outcome === record.outcome || several.has(record.action));
      if (isNear && isAlike && partner.isSame(record, line.record))
        meant.set(line, [...(meant.get(line) ?? []), one]);
    }
  }
  const joined = new Map<NamedRecord, NamedRecord[]>();
  for (const [line, [first, ...others]] of meant)
    if (first !== undefined && others.length === 0) joined.set(first, [...(joined.get(first) ?? []), line]);
  const own = new Map(
    [...joined].filter(([{ record }, all]) => all.length === 1 || several.has(record.action)),
  );
  const taken = new Set([...own.values()].flat());
  return found.flatMap((one) => {
    if (taken.has(one)) return [];
    const of = own.get(one);
    return of === undefined ? [one] : [{ ...one, lines: of }];
  });
}

/** The delivery of a medium, by the name of the medium. */
const toDelivery = (medium: unknown): string | undefined => {
  const [, id] = /^dlv-([0-9a-f]{12})-[0-9]+$/.exec(textOf(medium)) ?? [];
  return id === undefined ? undefined : `dlv_${id}`;
};

/** Members of a line that its page alone has, or that the audit record says. */
const ofLines: ReadonlySet<string> = new Set(['line', 'intentLine', 'site', 'medium']);

function join(details: Details, lines: readonly NamedRecord[]): Details {
  const all: Record<string, unknown> = { ...details };
  for (const { record } of lines)
    for (const [name, value] of Object.entries(record.details)) {
      const before = all[name];
      if (ofLines.has(name) || isDeepStrictEqual(before, value)) continue;
      if (before === undefined) all[name] = value;
      else if (lines.length > 1) all[name] = [...new Set([before, value].flat() as readonly unknown[])];
    }
  return all;
}

/**
 * The record of an event as people read it: an import, a proof and a written medium are about their delivery, with the details of
 * the line beside their own.
 */
export function toShown({ record, lines = [] }: HistoryEvent): HistoryRecord {
  const { action, target = '', details: own } = record;
  if (!/^(?:media\.(?:write|prove|import)|custody\.imported)$/.test(action)) {
    return lines.length === 0 ? record : { ...record, details: join(own, lines) };
  }
  const details = join(own, lines);
  const ofLine = lines.map((one) => one.record.target).find((name) => name?.startsWith('dlv_'));
  const delivery = ofLine ?? (textOf(own.delivery) || toDelivery(own.mediaId ?? own.medium));
  // the medium that a proof alone names is the store of the instance
  if (delivery === undefined || (action === 'media.prove' && ofLine === undefined))
    return { ...record, details };
  const { delivery: _, ...others } = details;
  const place = target.startsWith('/') && details.folder === undefined ? { folder: target.split(', ') } : {};
  const zone = action === 'media.write' && !target.startsWith('POST ') ? { zone: target } : {};
  return { ...record, target: delivery, details: { ...zone, ...place, ...others } };
}

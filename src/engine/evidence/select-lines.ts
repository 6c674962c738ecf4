import type { Digest } from '../../base/digest.ts';
import type { CustodyLine } from '../../contract/custody.ts';
import { type EvidenceLine, type EvidenceScope, evidenceLimits } from '../../contract/evidence.ts';
import { checkLedger, type LedgerCheck } from '../../custody/check-ledger.ts';
import { EndedIntents, stepOf } from '../../custody/ended-intents.ts';
import { beginning, type CustodyHead } from '../../custody/line.ts';
import { toTooLarge } from './too-large.ts';

/** Chooses the lines of a ledger that belong to a scope, in two rounds over all lines in their order. */
export interface LineSelection {
  /** First round: learns the digests that the scope is about. */
  learn(line: CustodyLine): void;
  /** Second round. */
  isSelected(line: CustodyLine): boolean;
}

/** The delivery that a line names, also by one of its media; or a medium of no delivery. */
export function listPlaces({
  details: { delivery, medium },
}: Pick<EvidenceLine, 'details'>): readonly string[] {
  const named = [delivery, medium].filter((one) => typeof one === 'string');
  return named.map((one) => one.replace(/^dlv-([0-9a-f]{12})-[0-9]+$/, 'dlv_$1'));
}

/** The medium that a line is about without its delivery, as before the medium was read. */
function findBareMedium({ details: { delivery, medium } }: CustodyLine): string | undefined {
  return typeof medium === 'string' && typeof delivery !== 'string' ? medium : undefined;
}

/**
 * The lines of a pack that say which recipes its scope has: for a delivery, those that name it or one of its media, with their
 * intents and outcomes. Others are in the pack for one of these recipes, and may name any recipe beside it.
 *
 * @param lines of one ledger, selected by the same scope
 */
export function selectNaming(
  lines: readonly EvidenceLine[],
  { kind, value }: EvidenceScope,
): readonly EvidenceLine[] {
  if (kind !== 'delivery') return lines;
  const media = new Set(
    lines.flatMap(({ details: { delivery, medium } }) =>
      delivery === value && typeof medium === 'string' ? [medium] : [],
    ),
  );
  const isAtPlace = ({ details }: EvidenceLine): boolean =>
    listPlaces({ details }).includes(value) ||
    (typeof details.delivery !== 'string' && media.has(String(details.medium)));
  const placed = lines.filter(isAtPlace);
  const numbers = new Set(placed.flatMap(({ seq, of }) => (of === undefined ? [seq] : [seq, of])));
  return lines.filter(({ seq, of }) => numbers.has(seq) || (of !== undefined && numbers.has(of)));
}

/**
 * A delivery selects every line about it, about its media, and about its recipes, so that the approval of a recipe before it,
 * and a waived guard of a medium, are among them: a medium is of it where any line names both. Lines about another delivery are
 * not. A recipe selects every line about it,
 * and about the deliveries and media that brought it. An intent and its outcome are selected together.
 *
 * @param scope `value` of `since`: RFC 3339, UTC
 */
export function selectLines({ kind, value }: EvidenceScope): LineSelection {
  const digests = new Set<Digest>();
  const places = new Set<string>(kind === 'delivery' ? [value] : []);
  /** Site and number of the lines that name the scope, of their intents, and of selected lines. */
  const selected = new Set<string>();
  const toKey = ({ site }: CustodyLine, seq: number): string => `${seq} ${site}`;
  const isRecipe = (name: string): boolean => name === value || name.startsWith(`${value}@`);
  const isAtPlace = (line: CustodyLine): boolean => listPlaces(line).some((place) => places.has(place));
  const isNamed = (line: CustodyLine): boolean =>
    kind === 'delivery' ? isAtPlace(line) : line.subjects.some(({ name }) => isRecipe(name));
  /** The media that lines name beside each delivery. */
  const bound = new Map<string, Set<string>>();
  /** What lines are about that name a medium alone, also where their intent does. */
  const bare = new Map<string, Set<Digest>>();
  const intents = new Map<string, string>();
  const learnMedia = (line: CustodyLine): void => {
    const { delivery, medium } = line.details;
    if (typeof delivery === 'string' && typeof medium === 'string')
      bound.set(delivery, (bound.get(delivery) ?? new Set()).add(medium));
    const of = line.of === undefined ? undefined : toKey(line, line.of);
    const about = findBareMedium(line) ?? (of === undefined ? undefined : intents.get(of));
    if (of !== undefined) intents.delete(of);
    if (about === undefined) return;
    if (line.step === 'intent') intents.set(toKey(line, line.seq), about);
    const digests = bare.get(about) ?? new Set();
    bare.set(about, digests);
    for (const { name, digest } of line.subjects) {
      if (kind === 'delivery') digests.add(digest);
      else if (isRecipe(name)) places.add(about);
    }
  };
  /** Another delivery can name the same medium. */
  const isOfPlace = (line: CustodyLine): boolean => {
    const medium = findBareMedium(line);
    const isOther = kind === 'delivery' && medium === undefined && typeof line.details.delivery === 'string';
    const named = listPlaces(line);
    return isOther ? named.includes(value) : [...named, medium ?? ''].some((place) => places.has(place));
  };
  let isSettled = false;
  /** Adds the media of the deliveries, once all lines are known. */
  const settle = (): void => {
    if (isSettled) return;
    isSettled = true;
    for (const [delivery, media] of bound) {
      if (!places.has(delivery)) continue;
      for (const medium of media) {
        places.add(medium);
        for (const digest of bare.get(medium) ?? []) digests.add(digest);
      }
    }
  };

  if (kind === 'since') return { learn: () => {}, isSelected: ({ ts }) => ts >= value };
  return {
    learn: (line) => {
      learnMedia(line);
      if (!isNamed(line) && !(line.of !== undefined && selected.has(toKey(line, line.of)))) return;
      selected.add(toKey(line, line.seq));
      if (line.of !== undefined) selected.add(toKey(line, line.of));
      for (const { name, digest } of line.subjects)
        if (kind === 'delivery' || isRecipe(name)) digests.add(digest);
      if (kind === 'recipe') for (const place of listPlaces(line)) places.add(place);
    },
    isSelected: (line) => {
      settle();
      const isOfOther = kind === 'delivery' && listPlaces(line).length > 0;
      const isIn =
        (line.of !== undefined && selected.has(toKey(line, line.of))) ||
        selected.has(toKey(line, line.seq)) ||
        isOfPlace(line) ||
        (!isOfOther && line.subjects.some(({ digest }) => digests.has(digest)));
      if (isIn) selected.add(toKey(line, line.seq));
      return isIn;
    },
  };
}

/** A line as a pack shows it. */
export function toShown({ prev: _prev, sum: _sum, torn: _torn, ...shown }: CustodyLine): EvidenceLine {
  return shown;
}

/** A ledger that was read, with the lines of a scope. */
export interface SelectedLedger {
  readonly check: LedgerCheck;
  /** The site of its last line; undefined without a line. */
  readonly site: string | undefined;
  /** The digest that its first line names. */
  readonly first: Digest;
  readonly lines: readonly EvidenceLine[];
}

/**
 * Reads a ledger twice, and selects the lines of a scope. An intent whose outcome it does not have is marked.
 *
 * @param paths its files, oldest first; they are untrusted
 * @throws SVC-CUS-004 for too many lines, SVC-STO-001, SVC-STO-014
 */
export async function selectFromLedger(
  paths: readonly string[],
  scope: EvidenceScope,
  {
    visit,
    ...options
  }: {
    readonly visit?: (line: CustodyLine, head: CustodyHead) => void;
    readonly signal?: AbortSignal | undefined;
  } = {},
): Promise<SelectedLedger> {
  const selection = selectLines(scope);
  let first: Digest | undefined;
  let site: string | undefined;
  const check = await checkLedger(paths, {
    ...options,
    visit: (line, head) => {
      first ??= line.prev;
      site = line.site;
      visit?.(line, head);
      selection.learn(line);
    },
  });
  const lines: EvidenceLine[] = [];
  const ended = new EndedIntents();
  const begun = new Map<number, ReturnType<typeof stepOf>>();
  let bytes = 0;
  await checkLedger(paths, {
    ...options,
    visit: (line) => {
      const step = stepOf(line);
      ended.add(step);
      if (!selection.isSelected(line)) return;
      if (line.step === 'intent') begun.set(line.seq, step);
      const shown = toShown(line);
      bytes += Buffer.byteLength(JSON.stringify(shown));
      if (lines.length === evidenceLimits.lines || bytes > evidenceLimits.lineBytes)
        throw toTooLarge('lines', 'lineBytes');
      lines.push(shown);
    },
  });
  const isOpen = ({ seq }: EvidenceLine): boolean => {
    const intent = begun.get(seq);
    return intent !== undefined && !ended.has(intent);
  };
  return {
    check,
    site,
    first: first ?? beginning.digest,
    lines: lines.map((line) => (isOpen(line) ? { ...line, open: true } : line)),
  };
}

import type { Config } from '../../config/model.ts';
import type { CustodyLine } from '../../contract/custody.ts';
import { toCustodyFolder } from '../../custody/ledger-files.ts';
import { readLine } from '../../custody/line.ts';
import { scanLedgerBytes } from '../../custody/read-page.ts';
import { listPlaces } from '../../engine/evidence/select-lines.ts';

/** The actor and the time (RFC 3339) of a step of a delivery. */
export interface DeliveryStep {
  readonly at: string;
  readonly by: string;
}

/** A step that can fail. */
export interface JudgedStep extends DeliveryStep {
  readonly isGood: boolean;
  /** Codes of the findings. */
  readonly codes: readonly string[];
}

/** A receipt that names a delivery. */
export interface NamingReceipt {
  readonly zone: string;
  readonly sequence: number;
  readonly at: string;
}

/** A delivery that the custody ledger names, with the latest line about each step. */
export interface LedgerDelivery {
  readonly id: string;
  /** Absent where none of its lines names it. */
  readonly zone?: string;
  /** Time of its newest line (RFC 3339). */
  readonly at: string;
  readonly parts?: number;
  readonly written?: DeliveryStep & { readonly isProved: boolean | undefined };
  /** The last writing, where it has not ended, or not well. */
  readonly unended?: DeliveryStep & {
    readonly how: 'open' | 'interrupted' | 'failed';
    readonly code?: string;
  };
  /** Folders of its disks, as they were written. */
  readonly folders?: readonly string[];
  readonly proved?: JudgedStep;
  readonly handedOver?: DeliveryStep & { readonly text: string };
  readonly received?: DeliveryStep;
  /** The last verification of a disk of it here; good where every recipe of the disk passed. */
  readonly verified?: JudgedStep;
  readonly imported?: JudgedStep;
  readonly receipt?: NamingReceipt;
  /** The recipes that were to be written, or that a disk of it was verified to have: `name@version` and digest. */
  readonly recipes: CustodyLine['subjects'];
}

/** Most deliveries that are read: the latest. */
export const mostDeliveries = 1000;
/** Bytes of the ledger that are searched for them. */
const mostBytes = 16 << 20;

type Known = { -readonly [Name in keyof LedgerDelivery]: LedgerDelivery[Name] };

const texts = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : []).filter((one) => typeof one === 'string');

const judged = ({ ts: at, actor: by, result, details }: CustodyLine): JudgedStep => ({
  at,
  by,
  isGood: result === 'success',
  codes: [
    details.code,
    ...texts(details.findings),
    ...texts(details.blocks),
    ...texts(details.refused),
  ].flatMap((one) => (typeof one === 'string' ? (/^SVC-[A-Z]+-\d{3}/.exec(one) ?? []) : [])),
});

/** The end of a writing that did not succeed, or its beginning where there is no end; undefined of one that did. */
function toUnended({ ts: at, actor: by, step, result, details }: CustodyLine): LedgerDelivery['unended'] {
  if (step === 'intent') return { at, by, how: 'open' };
  if (result === undefined || result === 'success') return undefined;
  const { interrupted, code } = details;
  return {
    ...{ at, by, how: interrupted === true ? 'interrupted' : 'failed' },
    ...(typeof code === 'string' ? { code } : {}),
  };
}

/** Adds the statements of a line. The lines come newest first: a known value stays. */
function learn(known: Known, line: CustodyLine): void {
  const { type, step, ts: at, actor: by, details, subjects } = line;
  const { zone, parts } = details;
  if (typeof zone === 'string') known.zone ??= zone;
  if (typeof parts === 'number') known.parts ??= parts;
  const recipes = subjects.filter(({ name }) => name.includes('@'));
  if ((type === 'written' || type === 'verified') && known.recipes.length === 0) known.recipes = recipes;
  if (type === 'written') {
    if (texts(details.folders).length > 0) known.folders ??= texts(details.folders);
    if (known.written === undefined) known.unended ??= toUnended(line);
  }
  if (step === 'intent') return;
  const isDone = line.result === undefined || line.result === 'success';
  if (type === 'proved') known.proved ??= judged(line);
  // a disk of which some recipes are refused is verified with success
  if (type === 'verified') {
    const step = judged(line);
    known.verified ??= { ...step, isGood: step.isGood && step.codes.length === 0 };
  }
  if (type === 'imported') known.imported ??= judged(line);
  if (type === 'received') known.received ??= { at, by };
  if (type === 'handed-over') known.handedOver ??= { at, by, text: String(details.text ?? '') };
  if (type === 'written' && isDone) {
    const isProved = typeof details.proved === 'boolean' ? details.proved : undefined;
    known.written ??= { at, by, isProved };
  }
  const isReceipt = type === 'receipt-accepted' || type === 'receipt-issued';
  // one that names a medium of somebody else under the identifier says nothing of this delivery
  const isOther = texts(details.contradictions).includes('SVC-RCP-006');
  if (isReceipt && isDone && !isOther && typeof zone === 'string' && typeof details.sequence === 'number')
    known.receipt ??= { zone, sequence: details.sequence, at };
}

interface Reading {
  /** End of the newest line. */
  readonly end: string | undefined;
  readonly found: readonly LedgerDelivery[];
}

/** An instance, or what a command has in its place. */
interface Source {
  readonly context: { readonly config: Pick<Config, 'state'> };
}

const lastRead = new WeakMap<Source, Reading>();

/** The end of the newest line; undefined without one. */
async function findEnd(folder: string): Promise<string | undefined> {
  let last: string | undefined;
  await scanLedgerBytes(folder, undefined, (_bytes, _at, end) => {
    last = end;
    return false;
  });
  return last;
}

/**
 * Lists the deliveries that the custody ledger names, the latest first: evidence can be packed of each. The same list until a line
 * is added.
 *
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function listLedgerDeliveries({
  instance,
}: {
  readonly instance: Source;
}): Promise<readonly LedgerDelivery[]> {
  const { root } = instance.context.config.state;
  if (root === undefined) return [];
  const folder = toCustodyFolder(root);
  const end = await findEnd(folder);
  const before = lastRead.get(instance);
  if (end !== undefined && before?.end === end) return before.found;
  const found = new Map<string, Known>();
  let seen = 0;
  await scanLedgerBytes(folder, undefined, (bytes) => {
    seen += bytes.length;
    // most lines name none, and need not be parsed
    const read = bytes.includes('"dlv') ? readLine(bytes) : undefined;
    if (read !== undefined && 'line' in read)
      for (const id of listPlaces(read.line)) {
        if (!/^dlv_[0-9a-f]{12}$/.test(id)) continue;
        const known = found.get(id) ?? { id, at: read.line.ts, recipes: [] };
        found.set(id, known);
        learn(known, read.line);
      }
    return found.size < mostDeliveries && seen < mostBytes;
  });
  const all = [...found.values()];
  lastRead.set(instance, { end, found: all });
  return all;
}

import type { MediumReport, RecipeVerdict } from '../../../../src/contract/medium.ts';
import type { MediumDelivery } from '../../../../src/contract/status.ts';
import { toMediumId } from '../../../../src/engine/delivery/identify.ts';
import type { ErrorRecord } from '../../../../src/text/error.ts';
import { inZone } from '../../../../src/text/words/delivering/in-zone.ts';
import { media } from '../../../../src/text/words/media.ts';
import type { Sentence } from '../../../../src/text/words/words.ts';
import type { Run } from '../../../../src/view/runs.ts';
import { compareWithZone } from '../../../../src/view/zone/compare.ts';
import type { Waits } from '../../../../src/view/zone/waits.ts';
import { findVerification } from '../../../views/media.ts';
import { listRuns } from '../../../views/runs.ts';
import { type MediumImports, readImports } from '../../../views/zone/imports.ts';
import { type Html, html } from '../../html.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';
import { awaitedParts } from './verdict.ts';

/** The imports for this zone, with the tasks that made them. */
export interface Imported extends MediumImports {
  readonly runs: readonly Run[];
}

/** Reads the imports for this zone, and that of the medium that is here. */
export async function readImported(call: PageCall): Promise<Imported> {
  const report = findVerification(call)?.report ?? {};
  return { ...(await readImports(call, report)), runs: await listRuns(call, call.identity) };
}

type Import = NonNullable<MediumImports['last']>;

const runOf = ({ runs }: Imported, { runId }: Import): Run | undefined =>
  runId === undefined ? undefined : runs.find(({ task }) => task.runId === runId);

/** Whether everything that a medium carries landed, as far as that is known. */
const isWhole = (imported: Imported, one: Import): boolean =>
  one.whole === true || runOf(imported, one)?.task.status === 'done';

/** The last import, and where that one brought only a part the last complete one. */
export function importRows(
  { words: { say, format } }: PageCall,
  imported: Imported,
): readonly (readonly [string, Html])[] {
  const { last, complete } = imported;
  const lineOf = ({ importedAt, mediaId }: Import, part = ''): Html =>
    html`${format.time(importedAt)}${part} <span class="muted">${untrusted(mediaId)}</span>`;
  const none = html`<span class="muted">${say(media.noImport)}</span>`;
  if (last === undefined) return [[say(media.lastImport), none]];
  if (isWhole(imported, last)) return [[say(media.lastImport), lineOf(last)]];
  const run = runOf(imported, last);
  const done = run?.recipes.filter(({ status }) => status === 'done').length;
  const part = run === undefined ? '' : `, ${say(inZone.inPart, { done, total: run.recipes.length })}`;
  return [
    [say(inZone.lastImport), lineOf(last, part)],
    [say(media.lastImport), complete === undefined ? none : lineOf(complete)],
  ];
}

/** Changes that an import of the medium would make in the zone, by the records of imports. */
interface Brings {
  /** Recipes that passed. */
  readonly passed: number;
  /** Of these, recipes that are in the zone. */
  readonly same: number;
  /** Of these, recipes that another import of an imported disk does not bring: they wait for other disks. */
  readonly waiting: number;
  /** The parts for which they wait. */
  readonly parts: readonly number[];
  /** Of those that passed, recipes that another import of this medium would hold back again. */
  readonly held: number;
}

/** Recipes that passed and that the last import of a medium held back, with the reason. */
export type HeldBack = ReadonlyMap<RecipeVerdict, ErrorRecord>;

/**
 * Finds the recipes that the last import held back (SVC-MED-040), where it was one of this delivery: the registry lacks content that
 * the medium leaves out.
 */
export function findHeldBack(
  { recipes, medium }: Pick<MediumReport, 'recipes' | 'medium'>,
  { runs }: Pick<Imported, 'runs'>,
): HeldBack {
  const run = runs.find(({ task }) => task.type === 'media-import');
  const held = new Map<RecipeVerdict, ErrorRecord>();
  if (run?.delivery === undefined || run.delivery.id !== medium?.delivery?.id) return held;
  for (const recipe of recipes) {
    const { name, version, pushable } = recipe;
    const { error } = run.recipes.find((one) => one.name === name && one.version === version) ?? {};
    if (pushable && error?.code === 'SVC-MED-040') held.set(recipe, error);
  }
  return held;
}

/**
 * Counts the recipes that an import would bring; undefined where the recipes of the zone are not known. All sentences and buttons of the page
 * follow from this.
 */
export function toBrings(
  { recipes }: Pick<MediumReport, 'recipes'>,
  {
    waits,
    delivery,
    held = new Map(),
  }: {
    readonly waits: Waits | undefined;
    readonly delivery: MediumDelivery | undefined;
    readonly held?: HeldBack | undefined;
  },
): Brings | undefined {
  if (waits === undefined) return undefined;
  const passed = recipes.filter(({ pushable }) => pushable);
  const lacking = passed.filter((each) => compareWithZone(each, waits).standing !== 'same');
  const others = lacking.filter((each) => !held.has(each));
  const waiting = delivery?.imported === true ? others.filter((each) => awaitedParts([each]).length > 0) : [];
  return {
    passed: passed.length,
    same: passed.length - lacking.length,
    waiting: waiting.length,
    parts: awaitedParts(waiting),
    held: lacking.length - others.length,
  };
}

/** Whether an import of the medium would bring nothing. */
export const bringsNothing = (brings: Brings | undefined): boolean =>
  brings !== undefined && brings.passed > 0 && brings.passed === brings.same + brings.waiting + brings.held;

/** Says which recipes an import would bring, or which disks to mount instead; empty where nothing is known of it. */
export function bringsLine(
  { words: { say, format } }: PageCall,
  { medium }: Pick<MediumReport, 'medium'>,
  brings: Brings | undefined,
): string {
  if (brings === undefined) return '';
  const { passed, same, waiting, parts, held } = brings;
  if (bringsNothing(brings) && waiting > 0) {
    const { mediaId = '', delivery } = medium ?? {};
    const own = delivery && toMediumId(delivery, delivery.part);
    // of a medium with another name, the parts are named above
    if (delivery === undefined || own !== mediaId) return '';
    const disks = parts.map((part) => toMediumId(delivery, part));
    return say(inZone.nothingMore, { count: parts.length, disks: format.list(disks) });
  }
  const others = passed - same - waiting - held;
  if (held > 0) return say(inZone.bringsHeld, { count: held, others: others || undefined });
  if (same === 0) return '';
  return same === passed
    ? say(inZone.bringsNothing, { count: passed })
    : say(inZone.bringsSome, { count: same, others });
}

/** The head of a medium that was imported, alone or in part; undefined before, and of a part of a delivery. */
export function importedHead(
  call: PageCall,
  { recipes, freshness }: Pick<MediumReport, 'recipes' | 'freshness'>,
  { imported, delivery }: { readonly imported: Imported; readonly delivery: MediumDelivery | undefined },
):
  | {
      readonly mark: Sentence;
      readonly isInPart: boolean;
      readonly what: string;
      readonly lines: readonly Html[];
    }
  | undefined {
  const { own, receipt } = imported;
  if (own === undefined || (delivery?.imported === true && !delivery.complete)) return undefined;
  const { words } = call;
  const { say, format } = words;
  const run = runOf(imported, own);
  const isInPart = freshness?.importedAt === undefined && !isWhole(imported, own);
  const task = run?.task;
  const brought = run?.recipes.filter(({ status }) => status === 'done').length;
  const refused = recipes.filter(({ pushable }) => !pushable).length;
  const time = format.time(own.importedAt);
  const what = say(inZone.imported, {
    count: brought ?? recipes.length - refused,
    time,
    refused: refused || undefined,
  });
  const isCarried = receipt !== undefined && Date.parse(receipt.issuedAt) >= Date.parse(own.importedAt);
  const home = isCarried ? say(inZone.carryHome, { ...receipt }) : say(inZone.takeOut);
  const link =
    task === undefined
      ? ''
      : html` <a href="${toPath('/tasks/{id}', { id: task.id })}">${say(inZone.openTask)}</a>`;
  const nothing = task?.progress.bytesDone === 0 ? say(inZone.sentNothing) : '';
  return {
    mark: isInPart ? inZone.stampInPart : inZone.stampImported,
    isInPart,
    what,
    lines: [untrusted(home), html`${nothing}${link}`],
  };
}

import type { MediumReport } from '../../../../src/contract/medium.ts';
import type { MediumDelivery } from '../../../../src/contract/status.ts';
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

/** How many recipes that passed are in the zone already, and how many are not. */
interface Brings {
  readonly passed: number;
  readonly same: number;
}

const countSame = ({ recipes }: Pick<MediumReport, 'recipes'>, waits: Waits): Brings => {
  const passed = recipes.filter(({ pushable }) => pushable);
  const same = passed.filter((each) => compareWithZone(each, waits).standing === 'same');
  return { passed: passed.length, same: same.length };
};

/** Whether an import of the medium would bring nothing, by the records of imports. */
export function bringsNothing(report: Pick<MediumReport, 'recipes'>, waits: Waits | undefined): boolean {
  if (waits === undefined) return false;
  const { passed, same } = countSame(report, waits);
  return passed > 0 && passed === same;
}

/** The recipes that an import would bring; empty where they are not known, and where none passed. */
export function bringsLine(
  { words: { say } }: PageCall,
  report: Pick<MediumReport, 'recipes'>,
  waits: Waits | undefined,
): string {
  if (waits === undefined) return '';
  const { passed, same } = countSame(report, waits);
  if (passed === 0 || same === 0) return '';
  return same === passed
    ? say(inZone.bringsNothing, { count: passed })
    : say(inZone.bringsSome, { count: same, others: passed - same });
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
  const home = isCarried ? say(inZone.carryHome, { sequence: receipt.sequence }) : say(inZone.takeOut);
  const link =
    task === undefined
      ? ''
      : html` <a href="${toPath('/tasks/{id}', { id: task.id })}">${say(inZone.openTask)}</a>`;
  const nothing = task?.progress.bytesDone === 0 ? say(inZone.sentNothing) : '';
  return {
    mark: isInPart ? inZone.stampInPart : inZone.stampImported,
    isInPart,
    what,
    lines: [html`${home}`, html`${nothing}${link}`],
  };
}

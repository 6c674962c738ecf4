import { formatByteSize } from '../../src/text/size.ts';
import { dossier } from '../../src/text/words/delivering/dossier.ts';
import { steps } from '../../src/text/words/delivering/next-steps.ts';
import { receipts } from '../../src/text/words/delivering/receipts.ts';
import { words } from '../../src/text/words/words.ts';
import { foldersOf, type KnownDelivery } from '../../src/view/delivered/known-deliveries.ts';
import { namesOf, sayStanding } from '../../src/view/delivered/list-deliveries.ts';
import { nextStepOf } from '../../src/view/delivered/next-step.ts';
import { codesOf, standingOf } from '../../src/view/delivered/standing.ts';
import { renderTable } from '../cli/print.ts';
import { type Fact, renderFacts } from './facts.ts';
import type { RenderOptions } from './options.ts';
import { toTime } from './time.ts';

interface Options extends RenderOptions {
  /** Whether a ledger would have a line of the handing over. */
  readonly keepsLedger: boolean;
}

/** The state with the codes of its errors. */
function toState(delivery: KnownDelivery, { language }: Options): string {
  const codes = [...new Set(codesOf(delivery))];
  const state = words[language].say(dossier.states[standingOf(delivery)], {
    names: namesOf(words[language], delivery),
  });
  return [state, ...(codes.length === 0 ? [] : [`(${codes.join(', ')})`])].join(' ');
}

/** The next step in a few words. */
function toStep(delivery: KnownDelivery, { language, keepsLedger }: Options): string {
  const step = nextStepOf(delivery, keepsLedger);
  return step === undefined ? '–' : words[language].say(steps.brief[step]);
}

/** The disks, with those that are written or imported so far. */
function toParts({ parts, sent, arrival }: KnownDelivery, { language }: Options): string {
  const { say, format } = words[language];
  if (parts === undefined) return '–';
  const count = arrival?.landed.length ?? sent?.written.length ?? parts;
  if (count === parts) return format.number(parts);
  return say(arrival === undefined ? dossier.partsWritten : dossier.partsHere, { count, total: parts });
}

/** Deliveries, a line each. */
export function renderDeliveries(all: readonly KnownDelivery[], options: Options): string {
  const { language, width } = options;
  const { say } = words[language];
  const headings = [
    ...[
      dossier.delivery,
      dossier.state,
      dossier.zone,
      steps.next,
      dossier.begun,
      dossier.parts,
      dossier.bytes,
    ],
  ].map((one) => say(one).toUpperCase());
  const rows = all.map((one) => [
    one.id,
    toState(one, options),
    one.zone ?? '–',
    toStep(one, options),
    one.sent === undefined ? '–' : toTime(one.sent.startedAt, language),
    toParts(one, options),
    one.sent?.bytes === undefined ? '–' : formatByteSize(one.sent.bytes, language),
  ]);
  return renderTable(headings, rows, width);
}

/** One delivery with its recipes. */
export function renderDelivery(delivery: KnownDelivery, options: Options): string {
  const { language, width } = options;
  const { say } = words[language];
  const { id, zone, sent, ledger, receipt, recipes, arrival } = delivery;
  const label = (sentence: Parameters<typeof say>[0]): string => say(sentence).toLowerCase();
  const some = (name: Parameters<typeof say>[0], value: string | readonly string[] | undefined) =>
    value === undefined || value.length === 0 ? [] : [[label(name), value] as const];
  const at = (time: string | undefined): string | undefined => time && toTime(time, language);
  const facts: readonly Fact[] = [
    [label(dossier.delivery), id],
    [label(dossier.state), [toState(delivery, options), `${sayStanding(words[language], delivery)}.`]],
    [label(steps.next), toStep(delivery, options)],
    ...some(dossier.zone, zone),
    ...some(dossier.begun, at(sent?.startedAt)),
    ...some(dossier.written, at(ledger?.written?.at)),
    [label(dossier.parts), toParts(delivery, options)],
    ...some(dossier.bytes, sent?.bytes === undefined ? undefined : formatByteSize(sent.bytes, language)),
    ...some(dossier.folders, foldersOf(delivery)),
    ...some(dossier.lastProof, at(ledger?.proved?.at)),
    ...some(dossier.handedOver, at(ledger?.handedOver?.at)),
    ...some(dossier.received, at(ledger?.received?.at)),
    ...some(dossier.imported, at(ledger?.imported?.at)),
    ...some(
      dossier.receipt,
      receipt && `${say(dossier.receiptOf, { sequence: receipt.sequence })}, ${toTime(receipt.at, language)}`,
    ),
  ];
  const rows = recipes.map(({ digest, name, version = '', confirmed, arrived }) => [
    name === undefined ? digest : `${name} ${version}`.trimEnd(),
    arrived !== undefined && arrival !== undefined
      ? say(dossier.states[arrived.state === 'landed' ? 'complete' : 'incomplete'])
      : confirmed === undefined
        ? '–'
        : [
            say(receipts.states[confirmed.state]),
            ...(confirmed.code === undefined ? [] : [`(${confirmed.code})`]),
          ].join(' '),
  ]);
  const headings = [dossier.recipe, dossier.inZone].map((one) => say(one).toUpperCase());
  return `${renderFacts(facts, width)}${rows.length === 0 ? '' : `\n${renderTable(headings, rows, width)}`}`;
}

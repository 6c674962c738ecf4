import type { MediumClaims, MediumReport, VerificationState } from '../../../../src/contract/medium.ts';
import type { NoMember } from '../../../../src/contract/operation.ts';
import { deliveries } from '../../../../src/text/words/delivering/deliveries.ts';
import { media } from '../../../../src/text/words/media.ts';
import { type Html, html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { copyable } from '../../parts/copy.ts';
import { factColumns } from '../../parts/table.ts';
import { untrusted } from '../../parts/text.ts';
import { freshnessPicture } from '../../pictures/freshness.ts';
import type { PageCall } from '../../ui-route.ts';
import { type Imported, importRows } from './imported.ts';
import { isWaived } from './verdict.ts';

/**
 * The delivery of which a medium is a part, and the content that it leaves out. A new claim does not compile until it is
 * named here.
 */
function partFacts({ words: { say } }: PageCall, medium: MediumClaims): readonly (readonly [string, Html])[] {
  const { delivery, base, ...others } = medium;
  const { mediaId, zone, mediaFormat, storeFormat, producedBy, resolvedAt, writtenAt, ...totals } = others;
  const { files, bytes, program, ...unnamed } = totals;
  unnamed satisfies NoMember;
  return [
    ...(delivery === undefined
      ? []
      : [[say(deliveries.delivery), untrusted(say(deliveries.partOf, { ...delivery }))] as const]),
    ...(base === undefined
      ? []
      : [
          [
            say(deliveries.base),
            untrusted(say(deliveries.baseLine, { ...base, sequence: base.sequence || undefined })),
          ] as const,
        ]),
    ...(program === undefined
      ? []
      : [[say(deliveries.program), untrusted(say(deliveries.programLine, { ...program }))] as const]),
  ];
}

function passportFact(
  { words: { say, format } }: PageCall,
  { signer, expiresAt, ahead: date }: NonNullable<MediumReport['passport']>,
): readonly [string, Html] {
  const time = expiresAt && format.time(expiresAt);
  const ahead = date && format.time(date);
  return [say(deliveries.passport), untrusted(say(deliveries.passportLine, { signer, time, ahead }))];
}

/** The identity of the medium: its identifier, the gate, its zone, its delivery, and its age. */
export function identityOf(call: PageCall, state: VerificationState, imported: Imported): Html {
  const { words } = call;
  const { say } = words;
  const { guarded, serving, mediaId, report, replaced } = state;
  const isElsewhere = call.gate.refusal()?.awaits !== undefined;
  const closed =
    replaced === true
      ? media.replaced
      : isElsewhere
        ? media.elsewhere
        : report === undefined
          ? media.closed
          : media.closedJudged;
  const passed = report?.recipes.filter(({ pushable }) => pushable).length ?? 0;
  const blocked = (report?.recipes.length ?? 0) - passed;
  const gate = !guarded
    ? html`${badge('plain', say(media.own))}<p class="hint">${say(media.ownHint)}</p>`
    : serving === 'open'
      ? blocked === 0
        ? badge('ok', say(media.open))
        : badge('warn', say(media.openPart, { passed, blocked }))
      : badge('warn', say(closed));
  const found = report?.zone.found;
  return factColumns([
    ...(mediaId === undefined
      ? []
      : [[say(media.medium), copyable(words, mediaId, say(media.medium))] as const]),
    [say(media.state), gate],
    ...(report === undefined || found === undefined
      ? []
      : [
          [
            say(media.zone),
            html`${untrusted(found)} ${badge(report.zone.match ? 'ok' : isWaived(report) ? 'warn' : 'bad', report.zone.match ? say(media.zoneMatch) : say(media.zoneOther, { zone: report.zone.expected }))}`,
          ] as const,
        ]),
    ...(report?.medium === undefined ? [] : partFacts(call, report.medium)),
    ...(report?.passport === undefined ? [] : [passportFact(call, report.passport)]),
    ...(report?.freshness === undefined
      ? []
      : [
          [say(media.freshness), freshnessPicture(words, report.freshness, report.passport?.signer)] as const,
        ]),
    ...importRows(call, imported),
  ]);
}

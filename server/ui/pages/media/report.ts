import type { MediumReport, RecipeVerdict } from '../../../../src/contract/medium.ts';
import type { MediumDelivery } from '../../../../src/contract/status.ts';
import { content } from '../../../../src/text/words/content.ts';
import { deliveries } from '../../../../src/text/words/delivering/deliveries.ts';
import { inZone } from '../../../../src/text/words/delivering/in-zone.ts';
import { media } from '../../../../src/text/words/media.ts';
import { overview } from '../../../../src/text/words/overview.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { splitBlocked } from '../../../../src/view/zone/blocked.ts';
import type { Waits } from '../../../../src/view/zone/waits.ts';
import { showMediumDelivery } from '../../../views/media.ts';
import { listWaitsNow } from '../../../views/zone/waits.ts';
import { type Html, html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { instanceUrl } from '../../parts/curl.ts';
import { facts } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { code, untrusted } from '../../parts/text.ts';
import type { Page, PageCall } from '../../ui-route.ts';
import { needsList } from './deliveries.ts';
import { consequences, findingLines } from './finding-lines.ts';
import { type FoldedFindings, foldFindings } from './fold-findings.ts';
import { type ReportFile, toReportFile } from './report-file.ts';
import {
  blocksTitle,
  type Finding,
  isHeldBack,
  noRecipesLine,
  recipeBadge,
  sentencesOf,
  signerOf,
  sortVerdicts,
  verdictBadge,
  verdictLine,
  withoutMetNeed,
  withoutMetNeeds,
} from './verdict.ts';

/** @param now the report without needs that other disks have met */
function factsOf(call: PageCall, { report, sha256 }: ReportFile, now: MediumReport): Html {
  const { say, format } = call.words;
  const { medium, zone, freshness, checked, startedAt, finishedAt, blocks } = report;
  const waived = blocks.filter((block) => block.waived).map((block) => block.code);
  return facts([
    [
      say(media.verdict),
      html`<span class="verdict-line">${verdictBadge(call, now)} ${verdictLine(call, report)}</span>`,
    ],
    [say(media.walked), html`${format.time(startedAt)} – ${format.time(finishedAt)}`],
    [say(media.extent), say(media.checked, { files: checked.files, bytes: checked.bytes })],
    [say(media.took), format.duration(Date.parse(finishedAt) - Date.parse(startedAt))],
    ...(medium === undefined
      ? []
      : ([
          [say(media.medium), code(medium.mediaId)],
          [say(media.written), format.time(medium.writtenAt)],
          [
            say(media.producer),
            untrusted(
              say(media.producerLine, { version: medium.producedBy.version, run: medium.producedBy.runId }),
            ),
          ],
        ] as const)),
    ...(zone.found === undefined
      ? []
      : [
          [
            say(media.zone),
            html`${untrusted(zone.found)}, ${zone.match ? say(media.zoneMatch) : say(media.zoneOther, { zone: zone.expected })}`,
          ] as const,
        ]),
    ...(freshness === undefined
      ? []
      : ([
          [say(media.resolved), format.time(freshness.resolvedAt)],
          [
            say(media.freshest),
            freshness.recordedAt === undefined
              ? untrusted(say(media.first, { peer: report.passport?.signer }))
              : html`${format.time(freshness.recordedAt)} ${untrusted(freshness.recordedMediaId ?? '')}`,
          ],
        ] as const)),
    [say(media.waivers), waived.length === 0 ? say(media.noWaivers) : code(waived.join(', '))],
    [say(media.sha256), html`${code(sha256)}<p class="hint">${say(media.sha256Hint)}</p>`],
  ]);
}

function blockList(call: PageCall, report: MediumReport): Html {
  const { say } = call.words;
  return html`<h2>${say(blocksTitle(report.blocks))}</h2><ul>${report.blocks.map(
    (block) =>
      html`<li class="keep"><strong>${block.code}</strong> ${sentencesOf(call, block).what}${block.waived ? html` ${badge('warn', say(media.waived))}` : ''}</li>`,
  )}</ul>`;
}

function recipeRecord(
  call: PageCall,
  recipe: RecipeVerdict,
  {
    findings,
    isHeld,
    isCopy,
    now,
  }: {
    readonly findings: readonly Finding[];
    readonly isHeld: boolean;
    readonly isCopy: boolean;
    readonly now: RecipeVerdict;
  },
): Html {
  const { say } = call.words;
  const { name, version, repository, digest, reason, files, bytes } = recipe;
  const state = isCopy ? badge('warn', say(overview.damagedCopy)) : recipeBadge(call, now, isHeld);
  return html`<li class="planned record"><div class="planned-head"><div class="verdict-line"><h3>${untrusted(name)} ${untrusted(version)}</h3>${state}</div> <span>${say(reason === undefined ? media.contents : media.checkedBefore, { files, bytes })}</span></div>
${reason === undefined ? '' : html`<p class="error-what">${sentencesOf(call, reason).what}</p>`}${needsList(call, recipe, deliveries.notOnMedium)}
${facts([
  ...reasonRows(call, recipe, { findings, isCopy }),
  [say(content.repository), code(repository)],
  [say(media.digest), code(digest)],
  [say(media.signedBy), signerOf(call, recipe)],
])}</li>`;
}

/** Cause, consequence and remedy of a blocked recipe. */
function reasonRows(
  call: PageCall,
  recipe: RecipeVerdict,
  { findings, isCopy }: { readonly findings: readonly Finding[]; readonly isCopy: boolean },
): readonly (readonly [string, Html | string])[] {
  const { say } = call.words;
  const { reason } = recipe;
  if (reason === undefined) return [];
  const { cause, action } = sentencesOf(call, reason);
  const others = consequences(call, recipe, findings);
  return [
    [say(parts.errorCause), cause],
    [
      say(media.consequence),
      html`<p>${say(isCopy ? inZone.copyStaysOut : media.recipeStaysOut)}</p>${others}`,
    ],
    [say(parts.errorAction), action],
    ['Code', reason.code],
  ];
}

/**
 * Verdicts on recipes with everything in full, for records. The needs of a recipe are a fact of the disk and stay.
 *
 * @param options.delivery the parts of the medium's delivery that the zone has by now
 */
export function verdictRecord(
  call: PageCall,
  report: Pick<MediumReport, 'blocks' | 'recipes'>,
  {
    findings = new Map(),
    waits,
    delivery,
  }: {
    readonly findings?: FoldedFindings['ofRecipe'];
    readonly waits?: Waits | undefined;
    readonly delivery?: MediumDelivery | undefined;
  } = {},
): Html {
  const { recipes } = report;
  const copies = new Set(splitBlocked(recipes, waits).copies);
  if (recipes.length === 0) return html`<div class="empty"><p>${noRecipesLine(call, report)}</p></div>`;
  return html`<ul class="plan">${sortVerdicts(recipes).map((recipe) => recipeRecord(call, recipe, { findings: findings.get(recipe) ?? [], isHeld: isHeldBack(report), isCopy: copies.has(recipe), now: withoutMetNeed(recipe, delivery) }))}</ul>`;
}

function findingList(call: PageCall, findings: MediumReport['findings']): Html {
  const { say } = call.words;
  if (findings.length === 0) return html`<p>${say(media.noFindings)}</p>`;
  return html`<h2>${say(media.findings, { count: findings.length })}</h2>${findingLines(call, findings)}`;
}

/** The page `/media/report`: the verdict for paper, with everything in full. @throws SVC-CFG-001 without a zone */
export async function showReport(call: PageCall): Promise<Page> {
  const { say } = call.words;
  const crumbs = call.can('operator') ? ([[say(media.title), '/media']] as const) : [];
  const file = toReportFile(call);
  if (file === undefined)
    return {
      title: say(media.print),
      crumbs,
      sections: [
        {
          id: 'report',
          html: html`<div class="empty"><p>${say(media.reportNone)}</p>${call.can('operator') ? html`<p><a href="/media">${say(media.toMedium)}</a></p>` : ''}</div>`,
        },
      ],
    };
  const { report } = file;
  const folded = foldFindings(call.store.index, report);
  const waits = await listWaitsNow(call, call.identity);
  const delivery = await showMediumDelivery(call);
  const name = report.medium?.mediaId ?? report.zone.expected;
  return {
    title: say(media.reportTitle, { medium: name }),
    lead: html`<span class="screen-only">${say(media.reportLead)} <a href="/media/report.json" download>${say(media.json)}</a></span>`,
    crumbs,
    layout: 'paper',
    paper: [],
    sections: [
      {
        id: 'facts',
        html: factsOf(call, file, withoutMetNeeds(report, delivery)),
      },
      ...(report.blocks.length === 0 ? [] : [{ id: 'blocks', html: blockList(call, report) }]),
      {
        id: 'recipes',
        html: html`<h2>${say(media.recipes)}</h2>${verdictRecord(call, report, { findings: folded.ofRecipe, waits, delivery })}`,
      },
      { id: 'findings', html: findingList(call, folded.others) },
      {
        id: 'terminal',
        html: terminal(call.words, [
          `curl -H "Authorization: Bearer $SVC_API_TOKEN" \\\n  '${instanceUrl(call)}/media/report.json' | sha256sum`,
        ]),
      },
    ],
  };
}

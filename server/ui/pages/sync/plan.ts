import { fromErrorRecord } from '../../../../src/base/error.ts';
import { translateRule } from '../../../../src/base/rules/translate-rule.ts';
import { sync } from '../../../../src/base/words/sync.ts';
import type { Sentence } from '../../../../src/base/words/words.ts';
import type { Plan, VolumeCheck } from '../../../../src/engine/sync/model.ts';
import { type Html, html } from '../../html.ts';
import { type BadgeKind, badge } from '../../parts/badge.ts';
import { hatchPattern } from '../../parts/bar.ts';
import { errorBlock } from '../../parts/error.ts';
import { code, untrusted } from '../../parts/text.ts';
import { volumeBar } from '../../pictures/plan-bars.ts';
import type { PageCall, Section } from '../../ui-route.ts';
import { pruneBlock } from './prune.ts';
import { plannedRecipes } from './recipes.ts';

/** Problems that a page words in full. */
const shownProblems = 10;

const outcomes: Readonly<Record<Plan['outcome'], readonly [kind: BadgeKind, text: Sentence]>> = {
  'up-to-date': ['ok', sync.upToDate],
  'changes-planned': ['running', sync.changes],
  'policy-refused': ['bad', sync.refused],
  'verification-failed': ['bad', sync.unverified],
  failed: ['bad', sync.failed],
};
const volumes: Readonly<Record<VolumeCheck['target'], Sentence>> = {
  store: sync.volumeStore,
  state: sync.volumeState,
  output: sync.volumeOutput,
};

function totalsBlock({ words: { say, format } }: PageCall, { totals, outcome, generatedAt }: Plan): Html {
  const [kind, text] = outcomes[outcome];
  const line = [
    say(sync.totalRecipes, { count: totals.recipes }),
    say(sync.totalIngredients, { count: totals.ingredients }),
    say(sync.toTransfer, { bytes: totals.transferBytes }),
    ...(totals.largestFileBytes > 0 ? [say(sync.largest, { bytes: totals.largestFileBytes })] : []),
    say(sync.store, { before: totals.storeBytes, after: totals.projectedStoreBytes }),
  ];
  return html`<h2>${say(sync.planTitle)}</h2><p class="verdict-line">${badge(kind, say(text))}</p>
<p class="progress-line">${line.map((part, index) => html`${index === 0 ? '' : html` <span class="muted">·</span> `}${part}`)}</p>
<p class="muted">${say(sync.made, { time: format.time(generatedAt) })}</p>`;
}

function problemBlock({ words, exchange }: PageCall, { problems }: Plan): Html | string {
  if (problems.length === 0) return '';
  const rest = problems.length - shownProblems;
  return html`<h2>${words.say(sync.problems)}</h2>${problems.slice(0, shownProblems).map((problem) =>
    errorBlock({
      words,
      error: fromErrorRecord(problem),
      hasHelp: true,
      correlationId: exchange.correlationId,
      ...(problem.subject === undefined ? {} : { heading: html`<h3>${untrusted(problem.subject)}</h3>` }),
    }),
  )}${rest > 0 ? html`<p class="muted">${words.say(sync.problemsMore, { count: rest })}</p>` : ''}`;
}

function volumeRow({ words: { say, language } }: PageCall, check: VolumeCheck): Html {
  const { target, path, freeBytes, usableBytes, projectedBytes, marginPercent, shortfallBytes, refusalCode } =
    check;
  const spare = Math.max(0, usableBytes - Math.max(0, projectedBytes));
  const state =
    shortfallBytes > 0
      ? badge('bad', say(sync.short, { bytes: shortfallBytes }))
      : refusalCode === undefined
        ? badge('ok', say(sync.fits, { spare }))
        : badge('bad', say(sync.volumeRefused));
  return html`<li class="planned"><div class="planned-head"><h3>${say(volumes[target])} <span class="muted">${code(path)}</span></h3>${state}</div>
${volumeBar(check)}<p class="muted planned-bytes">${say(sync.volumeLine, { needed: Math.max(0, projectedBytes), free: freeBytes, margin: marginPercent })}${refusalCode === undefined ? '' : html` <a href="/help#${refusalCode}">${refusalCode}</a>`}</p>
${check.warnings.map((warning) => html`<p class="item-warning">${untrusted(language === 'fr' ? translateRule(warning) : warning)}</p>`)}</li>`;
}

function hostList({ words: { say } }: PageCall, { policy }: Plan): Html | string {
  const refused = policy.hosts.filter(({ allowed }) => !allowed);
  if (refused.length === 0) return '';
  return html`<h2>${say(sync.hosts)}</h2><ul>${refused.map(({ host }) => html`<li>${code(host)}</li>`)}</ul>`;
}

/** The sections of a page that show a plan. */
export function planSections(call: PageCall, plan: Plan): readonly Section[] {
  const { say, language } = call.words;
  const { checks, prune } = plan;
  const reason = language === 'fr' ? translateRule(prune.reason ?? '') : (prune.reason ?? '');
  return [
    {
      id: 'plan',
      html: html`${hatchPattern()}${totalsBlock(call, plan)}${problemBlock(call, plan)}${hostList(call, plan)}${plannedRecipes(call, plan.recipes, plan.problems.slice(0, shownProblems))}`,
    },
    ...(checks.length === 0
      ? []
      : [
          {
            id: 'volumes',
            html: html`<h2>${say(sync.volumes)}</h2><ul class="plan">${checks.map((check) => volumeRow(call, check))}</ul>`,
          },
        ]),
    {
      id: 'prune',
      html: html`<h2>${say(sync.prune)}</h2>${prune.evaluated ? pruneBlock(call, prune) : html`<p>${say(sync.pruneOff, { reason })}</p>`}`,
    },
  ];
}

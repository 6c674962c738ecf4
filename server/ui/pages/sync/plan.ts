import type { Plan, PlanProblem, VolumeCheck } from '../../../../src/contract/plan.ts';
import { forecastLink } from '../../../../src/link/show-link.ts';
import type { HostReview, HostRole } from '../../../../src/remote/transport/review-hosts.ts';
import type { NoPrune } from '../../../../src/task/prune-order.ts';
import { fromErrorRecord } from '../../../../src/text/error.ts';
import { type StoredRule, sayRule } from '../../../../src/text/rule.ts';
import { sync } from '../../../../src/text/words/sync.ts';
import type { Sentence } from '../../../../src/text/words/words.ts';
import { toLinkParts, toPromotionParts } from '../../../../src/view/link-words.ts';
import { type Html, html } from '../../html.ts';
import { type BadgeKind, badge } from '../../parts/badge.ts';
import { hatchPattern } from '../../parts/bar.ts';
import { errorBlock } from '../../parts/error.ts';
import { hostRoles } from '../../parts/host-words.ts';
import { code, untrusted } from '../../parts/text.ts';
import { volumeBar } from '../../pictures/plan-bars.ts';
import type { PageCall, Section } from '../../ui-route.ts';
import { type Headline, problemsOf, toHeadline } from './headline.ts';
import { pruneBlock } from './prune.ts';
import { plannedRecipes } from './recipes.ts';

/** Problems that a page words in full. */
const shownProblems = 10;
/** Entries of the allowlist that a page lists. */
const shownEntries = 50;

const looks: Readonly<Record<Headline['kind'], BadgeKind>> = {
  none: 'bad',
  'no-room': 'bad',
  blocked: 'bad',
  partly: 'warn',
  changes: 'running',
  current: 'ok',
};
const volumes: Readonly<Record<VolumeCheck['target'], Sentence>> = {
  store: sync.volumeStore,
  state: sync.volumeState,
  output: sync.volumeOutput,
};

/** The plan in one line: `4 recipes: 2 to transfer, 1 up to date, 1 blocked`. */
function headlineText(
  { words: { say } }: PageCall,
  { kind, total, changed, current, blocked }: Headline,
): string {
  if (kind === 'none') return say(sync.noPlan);
  if (total === 0) return say(sync.noRecipes);
  const parts = [
    ...(changed > 0 ? [say(sync.countChanged, { count: changed })] : []),
    ...(current > 0 ? [say(sync.countCurrent, { count: current })] : []),
    ...(blocked.length > 0 ? [say(sync.countBlocked, { count: blocked.length })] : []),
  ].join(', ');
  const line = say(sync.headline, { recipes: say(sync.totalRecipes, { count: total }), parts });
  return kind === 'no-room' ? `${say(sync.noRoom)} ${line}` : line;
}

/** The blocked recipes, each with its codes, and the consequence for the others. */
function blockedLine({ words }: PageCall, { kind, blocked }: Headline): Html | string {
  if (blocked.length === 0) return '';
  const { say } = words;
  const rest = blocked.length - shownProblems;
  const names = blocked
    .slice(0, shownProblems)
    .map(
      ({ name, version, codes }) =>
        html`<li>${untrusted(`${name} ${version}`)} ${codes.map((each) => html` <a href="/help#${each}">${each}</a>`)}</li>`,
    );
  return html`<p>${say(sync.blockedAre)}</p><ul class="inline-list">${names}</ul>
${rest > 0 ? html`<p class="muted">${say(sync.blockedMore, { count: rest })}</p>` : ''}
${kind === 'partly' ? html`<p>${say(sync.othersGo)}</p>` : ''}`;
}

function totalsBlock(call: PageCall, plan: Plan): Html {
  const { say } = call.words;
  const { totals } = plan;
  const headline = toHeadline(plan);
  const line = [
    say(sync.totalIngredients, { count: totals.ingredients }),
    say(sync.toTransfer, { bytes: totals.transferBytes }),
    ...toPromotionParts(call.words, plan.promotion),
    ...(totals.largestFileBytes > 0 ? [say(sync.largest, { bytes: totals.largestFileBytes })] : []),
    say(sync.store, { before: totals.storeBytes, after: totals.projectedStoreBytes }),
  ];
  return html`<h2>${say(sync.planTitle)}</h2><p class="verdict-line"><strong>${badge(looks[headline.kind], headlineText(call, headline))}</strong></p>
${blockedLine(call, headline)}
${
  headline.kind === 'none'
    ? ''
    : html`<p class="progress-line">${line.map((part, index) => html`${index === 0 ? '' : html` <span class="muted">·</span> `}${part}`)}</p>`
}`;
}

const toKey = ({ code, params, subject }: PlanProblem): string => JSON.stringify([code, params, subject]);

/** The heading of a problem: the recipe that it blocks, and the reference where that is another one. */
function problemHeading(problem: PlanProblem, recipes: readonly string[]): Html | undefined {
  const { subject } = problem;
  if (recipes.length === 0) return subject === undefined ? undefined : html`<h3>${untrusted(subject)}</h3>`;
  return html`<h3>${untrusted(recipes.join(', '))}</h3>${subject === undefined || recipes.includes(subject) ? '' : html`<p class="muted">${code(subject)}</p>`}`;
}

function problemBlock({ words, exchange }: PageCall, { problems, recipes }: Plan): Html | string {
  if (problems.length === 0) return '';
  const rest = problems.length - shownProblems;
  const names = new Map<string, Set<string>>();
  for (const recipe of recipes)
    for (const problem of problemsOf(recipe)) {
      const known = names.get(toKey(problem)) ?? new Set();
      names.set(toKey(problem), known.add(recipe.name));
    }
  return html`<h2>${words.say(sync.problems)}</h2>${problems.slice(0, shownProblems).map((problem) => {
    const heading = problemHeading(problem, [...(names.get(toKey(problem)) ?? [])].slice(0, shownProblems));
    return errorBlock({
      words,
      error: fromErrorRecord(problem),
      hasHelp: true,
      correlationId: exchange.correlationId,
      heading,
    });
  })}${rest > 0 ? html`<p class="muted">${words.say(sync.problemsMore, { count: rest })}</p>` : ''}`;
}

function volumeRow({ words: { say, language } }: PageCall, check: VolumeCheck): Html {
  const { target, path, freeBytes, usableBytes, projectedBytes, marginPercent, shortfallBytes, refusalCode } =
    check;
  const { warnings, warningRules = [] } = check;
  const warn = (text: string, stored: StoredRule | undefined): Html =>
    html`<p class="item-warning">${untrusted(stored === undefined ? text : sayRule(stored, language))}</p>`;
  const spare = Math.max(0, usableBytes - Math.max(0, projectedBytes));
  const state =
    shortfallBytes > 0
      ? badge('bad', say(sync.short, { bytes: shortfallBytes }))
      : refusalCode === undefined
        ? badge('ok', say(sync.fits, { spare }))
        : badge('bad', say(sync.volumeRefused));
  return html`<li class="planned"><div class="planned-head"><h3>${say(volumes[target])} <span class="muted">${code(path)}</span></h3>${state}</div>
${volumeBar(check)}<p class="muted planned-bytes">${say(sync.volumeLine, { needed: Math.max(0, projectedBytes), free: freeBytes, margin: marginPercent })}${refusalCode === undefined ? '' : html` <a href="/help#${refusalCode}">${refusalCode}</a>`}</p>
${warnings.map((warning, i) => warn(warning, warningRules[i]))}</li>`;
}

/** The hosts that the plan needs and the allowlist does not name, and its entries that nothing needs. */
function hostList({ words }: PageCall, { policy }: Plan, review: HostReview | undefined): Html | string {
  const { say } = words;
  const roles = new Map<string, HostRole[]>();
  for (const { host, role, allowed } of policy.hosts)
    if (!allowed) roles.set(host, [...(roles.get(host) ?? []), role as HostRole]);
  const unused = (review?.allowlist ?? []).filter(({ needed }) => !needed);
  const refused =
    roles.size === 0
      ? ''
      : html`<h2>${say(sync.hosts)}</h2><p>${say(sync.hostsNext)}</p><ul>${[...roles].map(([host, each]) => html`<li>${code(host)} <span class="muted">${hostRoles(words, each)}</span></li>`)}</ul>`;
  if (review === undefined) return refused;
  return html`${refused}${unused.length === 0 ? '' : html`<h2>${say(sync.unusedEntries)}</h2><ul>${unused.slice(0, shownEntries).map(({ pattern }) => html`<li>${code(pattern)}</li>`)}</ul>`}
${refused === '' && unused.length === 0 ? '' : html`<p><a href="/admin/network#hosts">${say(sync.allHosts)}</a></p>`}`;
}

/** Why no list of a prune was made. */
const pruneReasons: Readonly<Record<NoPrune, Sentence>> = {
  'not-asked': sync.pruneNotAsked,
  'recipe-failed': sync.pruneBlocked,
  unseen: sync.pruneUnseen,
  'no-retriever': sync.pruneNoList,
};

/** How long the transfer takes under the cap, and when it may run. */
function linkLine({ words, link }: PageCall, plan: Plan): Html | string {
  const forecast = forecastLink(link.record, plan);
  return forecast === undefined ? '' : html`<p>${toLinkParts(words, forecast).join(' · ')}</p>`;
}

/**
 * The sections of a page that show a plan.
 *
 * @param review of the hosts; undefined for readers without access to the configuration
 */
export function planSections(call: PageCall, plan: Plan, review: HostReview | undefined): readonly Section[] {
  const { say } = call.words;
  const { checks, prune } = plan;
  return [
    {
      id: 'plan',
      html: html`${hatchPattern()}${totalsBlock(call, plan)}${linkLine(call, plan)}${problemBlock(call, plan)}${hostList(call, plan, review)}${plannedRecipes(call, plan.recipes, plan.problems.slice(0, shownProblems))}`,
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
      html: html`<h2>${say(sync.prune)}</h2>${prune.evaluated ? pruneBlock(call, prune) : html`<p>${prune.reason === undefined ? '' : say(pruneReasons[prune.reason])}</p>`}`,
    },
  ];
}

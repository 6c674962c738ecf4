import type { Plan, PlanProblem, VolumeCheck } from '../../../../src/contract/plan.ts';
import { toVolumeRefusal } from '../../../../src/engine/sync/preflight/judge-volume.ts';
import { forecastLink } from '../../../../src/link/show-link.ts';
import type { HostReview, HostRole } from '../../../../src/remote/transport/review-hosts.ts';
import type { NoPrune } from '../../../../src/task/prune-order.ts';
import { fromErrorRecord } from '../../../../src/text/error.ts';
import { type StoredRule, sayRule } from '../../../../src/text/rule.ts';
import { sync } from '../../../../src/text/words/sync.ts';
import type { Sentence } from '../../../../src/text/words/words.ts';
import { toLinkParts, toPromotionParts } from '../../../../src/view/link-words.ts';
import { type Html, html } from '../../html.ts';
import { answer, type BadgeKind, badge } from '../../parts/badge.ts';
import { hatchPattern } from '../../parts/bar.ts';
import { errorBlock } from '../../parts/error.ts';
import { submit } from '../../parts/form.ts';
import { hostRoles } from '../../parts/host-words.ts';
import { code, untrusted } from '../../parts/text.ts';
import { volumeBar } from '../../pictures/plan-bars.ts';
import type { PageCall, Section } from '../../ui-route.ts';
import { type Headline, problemsOf, toHeadline } from './headline.ts';
import { previewForm, pruneBlock } from './prune.ts';
import { plannedRecipes, reasonLines } from './recipes.ts';

/** Problems that a page words in full. */
const shownProblems = 10;
/** Blocked recipes that the head of the page names. */
const shownBlocked = 3;
/** Entries of the allowlist that a page lists. */
const shownEntries = 50;

const looks: Readonly<Record<Headline['kind'], readonly [kind: BadgeKind, stamp: Sentence]>> = {
  none: ['bad', sync.stampNone],
  'no-room': ['bad', sync.stampFull],
  blocked: ['bad', sync.stampBlocked],
  partly: ['warn', sync.stampPartly],
  changes: ['plain', sync.stampReady],
  current: ['ok', sync.upToDate],
};
/** The form whose button stands at the head of a plan. */
export const startFormId = 'start-form';

const shorts: Readonly<Record<VolumeCheck['target'], Sentence>> = {
  store: sync.shortStore,
  state: sync.shortState,
  output: sync.shortOutput,
};
const volumes: Readonly<Record<VolumeCheck['target'], Sentence>> = {
  store: sync.volumeStore,
  state: sync.volumeState,
  output: sync.volumeOutput,
};

/** The plan in one line: `4 recipes: 2 to transfer, 1 up to date, 1 blocked`. */
function headlineText({ words: { say } }: PageCall, { total, changed, current, blocked }: Headline): string {
  if (total === 0) return say(sync.noRecipes);
  const parts = [
    ...(changed > 0 ? [say(sync.countChanged, { count: changed })] : []),
    ...(current > 0 ? [say(sync.countCurrent, { count: current })] : []),
    ...(blocked.length > 0 ? [say(sync.countBlocked, { count: blocked.length })] : []),
  ].join(', ');
  return say(sync.headline, { recipes: say(sync.totalRecipes, { count: total }), parts });
}

/** The volumes that are too small, in the words of the head of the page. */
function shortVolumes({ words: { say } }: PageCall, { checks }: Plan): readonly string[] {
  return checks
    .filter(({ shortfallBytes, refusalCode }) => shortfallBytes > 0 || refusalCode !== undefined)
    .map(({ target, shortfallBytes: bytes }) =>
      bytes > 0 ? say(shorts[target], { bytes }) : say(volumes[target]),
    );
}

/** Why a run by this plan would be refused; undefined where it may start. */
function refusalOf({ words: { say } }: PageCall, { checks }: Plan): Html | undefined {
  const refused = checks.find(({ refusalCode }) => refusalCode !== undefined);
  if (refused === undefined) return undefined;
  const code = refused.refusalCode!;
  return html`${say(sync.freeFirst)} <a href="/help#${code}">${code}</a>`;
}

/** The first blocked recipes, each with its first reason. */
function blockedLines(call: PageCall, { recipes }: Plan): readonly Html[] {
  return recipes
    .flatMap((recipe) => {
      const [reason] = reasonLines(call, recipe);
      const { name, resolved, requested } = recipe;
      return reason === undefined
        ? []
        : [html`<strong>${untrusted(`${name} ${resolved ?? requested}`)}</strong> ${reason}`];
    })
    .slice(0, shownBlocked);
}

/**
 * The answer of a plan: whether a run may start and whether it fits.
 *
 * @param why no run may start; undefined where one may
 */
function answerOf(call: PageCall, plan: Plan, why: Html | undefined): Html {
  const { say, format } = call.words;
  const { totals, checks } = plan;
  const short = shortVolumes(call, plan);
  const line = toHeadline(plan);
  const headline =
    short.length === 0 || line.kind === 'none' ? line : ({ ...line, kind: 'no-room' } as const);
  const [kind, mark] = looks[headline.kind];
  const bytes = totals.transferBytes;
  const what =
    headline.kind === 'none'
      ? say(sync.noPlan)
      : short.length > 0
        ? say(sync.fitsNot, { bytes, volumes: format.list(short) })
        : bytes === 0
          ? say(sync.nothingToTransfer)
          : say(checks.length === 0 ? sync.toTransfer : sync.fitsAll, { bytes });
  const facts = [
    say(sync.totalIngredients, { count: totals.ingredients }),
    ...toPromotionParts(call.words, plan.promotion),
    ...(totals.largestFileBytes > 0 ? [say(sync.largest, { bytes: totals.largestFileBytes })] : []),
    say(sync.store, { before: totals.storeBytes, after: totals.projectedStoreBytes }),
  ].join(' · ');
  return answer({
    kind,
    mark: say(mark),
    what,
    lines:
      headline.kind === 'none'
        ? []
        : [
            headlineText(call, line),
            ...blockedLines(call, plan),
            headline.kind === 'partly' ? say(sync.othersGo) : '',
          ],
    notes: headline.kind === 'none' ? [] : [facts],
    step:
      why === undefined
        ? submit(say(sync.start), { working: say(sync.starting), form: startFormId })
        : html`<p class="answer-why">${why}</p>`,
  });
}

/** The volumes that the plan does not fit, with the cause and the remedy of each that is not among the problems. */
function refusedVolumes({ words, exchange }: PageCall, { checks, problems }: Plan): readonly Html[] {
  return checks.flatMap((check) => {
    const error = toVolumeRefusal(check);
    const isTold = problems.some(({ code }) => code === check.refusalCode);
    if (error === undefined || error.code !== check.refusalCode || isTold) return [];
    const heading = html`<h3>${words.say(volumes[check.target])}</h3>`;
    const { correlationId } = exchange;
    return [errorBlock({ words, error, hasHelp: true, correlationId, heading })];
  });
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
${refused === '' && unused.length === 0 ? '' : html`<p class="way"><a href="/admin/network#hosts">${say(sync.allHosts)}</a></p>`}`;
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
 * @param options `review` of the hosts, undefined for readers without access to the configuration; `running`, why no run
 *   starts now; `start`, the form that its button at the head sends
 */
export function planSections(
  call: PageCall,
  plan: Plan,
  {
    review,
    running,
    start,
  }: {
    readonly review: HostReview | undefined;
    readonly running: Html | undefined;
    readonly start: (mayStart: boolean) => Section;
  },
): readonly Section[] {
  const { say } = call.words;
  const { checks, prune } = plan;
  const why = running ?? refusalOf(call, plan);
  return [
    {
      id: 'plan',
      html: html`${answerOf(call, plan, why)}${refusedVolumes(call, plan)}${linkLine(call, plan)}${hatchPattern()}`,
    },
    start(why === undefined),
    {
      id: 'recipes',
      html: html`${problemBlock(call, plan)}${hostList(call, plan, review)}${plannedRecipes(call, plan.recipes)}`,
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
      html: html`<h2>${say(sync.prune)}</h2>${prune.evaluated ? pruneBlock(call, prune) : html`<p>${prune.reason === undefined ? '' : say(pruneReasons[prune.reason])}</p>${previewForm(call)}`}`,
    },
  ];
}

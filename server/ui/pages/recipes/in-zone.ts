import { fromErrorRecord } from '../../../../src/text/error.ts';
import { startSentence } from '../../../../src/text/start-sentence.ts';
import { inZone } from '../../../../src/text/words/delivering/in-zone.ts';
import { overview } from '../../../../src/text/words/overview.ts';
import { recipeWords } from '../../../../src/text/words/recipes.ts';
import type { Sentence } from '../../../../src/text/words/words.ts';
import { listRecipes } from '../../../../src/view/recipes.ts';
import { findSigner, type Run, type WantedRecipe, wantedState } from '../../../../src/view/runs.ts';
import { listBlocked } from '../../../views/blocked.ts';
import { listRuns } from '../../../views/runs.ts';
import { listWaitsNow } from '../../../views/zone/waits.ts';
import { type Html, html } from '../../html.ts';
import { answer, type BadgeKind } from '../../parts/badge.ts';
import { copyable } from '../../parts/copy.ts';
import { curlCommand } from '../../parts/curl.ts';
import { errorBlock } from '../../parts/error.ts';
import { historyLink, mediumPage } from '../../parts/history-link.ts';
import { remedyButton } from '../../parts/remedies.ts';
import { table } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { dayOf, noValue, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall, Section } from '../../ui-route.ts';
import { recipeVerdicts } from '../media/recipe-list.ts';
import { missingPlace, sayDisks } from '../overview/missing-place.ts';
import { byName, readWanted } from '../overview/wanted.ts';

/** A recipe of the list that the store does not serve, with the runs that may have brought it. */
interface Listed {
  readonly wish: WantedRecipe;
  /** The version that the page is about: this one, or another one that the zone has. */
  readonly shown: WantedRecipe;
  readonly run: Run | undefined;
  readonly runs: readonly Run[];
}

/** The recipe of the list of all recipes with a name; undefined where the list has none, or not in that version. */
export async function findListed(
  call: PageCall,
  { name, version }: { readonly name: string; readonly version?: string | undefined },
): Promise<Listed | undefined> {
  const { wanted, run } = await readWanted(call, await listRecipes(call));
  const wish = byName(wanted).get(name);
  if (wish === undefined) return undefined;
  const { others = [] } = wish;
  const all = [wish, ...wanted.filter((each) => each.name === name && each !== wish), ...others];
  const shown = version === undefined ? wish : all.find((each) => each.version === version);
  return shown && { wish, shown, run, runs: await listRuns(call, call.identity) };
}

/** The stamp and the sentence of a recipe that is in the zone, or is wanted there. */
function headOf(shown: WantedRecipe): readonly [BadgeKind, mark: Sentence, what: Sentence] {
  const { isCopyDamaged, owed } = shown;
  if (isCopyDamaged) return ['warn', inZone.stampDamaged, inZone.saysDamaged];
  const state = wantedState(shown);
  if (state === 'present') return ['ok', inZone.stampHere, inZone.saysHere];
  if (state === 'blocked') return ['bad', inZone.stampBlocked, inZone.saysBlocked];
  if (state === 'gone') return ['bad', inZone.stampMissing, inZone.saysGone];
  return owed?.delivery?.needed.length
    ? ['warn', inZone.stampWaits, inZone.saysWaits]
    : ['bad', inZone.stampMissing, inZone.saysMissing];
}

/** The state of a recipe that the store does not serve, and the way to the delivery or the run that brings it. */
function answerOf(call: PageCall, { wish, shown, run }: Listed): Html {
  const { words } = call;
  const { say, format } = words;
  const { name, version, standing, arrival, owed, error } = shown;
  const [kind, mark, what] = headOf(shown);
  const day = arrival?.landedAt && format.day(arrival.landedAt);
  const parts = owed?.delivery?.needed;
  const awaited = sayDisks(words, overview.awaitsDelivery, shown);
  const place = missingPlace(call, shown, run);
  const way = place.startsWith('/tasks') ? overview.openRun : overview.openDelivery;
  const isHere = standing === 'here';
  return answer({
    kind,
    mark: say(mark),
    what: untrusted(say(what, { name, version, day, parts })),
    lines: [
      arrival === undefined ? '' : untrusted(say(inZone.by, { id: arrival.delivery })),
      isHere && !shown.isCopyDamaged
        ? say(call.gate.guarded ? inZone.notOnDisk : inZone.notInStore)
        : awaited === undefined
          ? ''
          : untrusted(startSentence(awaited)),
      wish === shown || !isHere ? '' : untrusted(say(inZone.newer, { version: wish.version })),
    ],
    step: place.startsWith('/recipes')
      ? ''
      : html`<p class="buttons">${error === undefined ? '' : remedyButton(words, error)}<a class="button button-plain" href="${place}">${say(way)}</a></p>`,
  });
}

/** The versions of a recipe that deliveries brought into the zone: when, which, and signed by which key. */
export function zoneVersions(
  call: PageCall,
  all: readonly WantedRecipe[],
  { runs, title }: { readonly runs: readonly Run[]; readonly title: Sentence },
): readonly Section[] {
  const { words, instance } = call;
  const { say } = words;
  const rows = all.flatMap(({ arrival }) => (arrival === undefined ? [] : [arrival]));
  if (rows.length === 0) return [];
  const { roots } = instance.context.policy;
  const signerOf = (arrival: (typeof rows)[number]): Html => {
    const key = findSigner(runs, arrival)?.keyFingerprint;
    if (key === undefined) return noValue;
    const root = roots.find(({ fingerprint }) => fingerprint === key);
    return html`${untrusted(root?.name ?? '')} ${copyable(words, key, say(recipeWords.key))}`;
  };
  const list = table<(typeof rows)[number]>({
    caption: say(title),
    hideCaption: true,
    empty: '',
    rows,
    columns: [
      {
        label: say(inZone.version),
        isHeader: true,
        cell: ({ name, version }) =>
          html`<a href="${toPath('/recipes/-/{name}', { name }, { version })}">${untrusted(version)}</a>`,
      },
      {
        label: say(inZone.since),
        cell: ({ landedAt }) => (landedAt === undefined ? noValue : dayOf(words, landedAt)),
      },
      { label: say(inZone.signedBy), cell: signerOf },
      {
        label: say(inZone.delivery),
        cell: ({ delivery }) =>
          call.can('operator')
            ? html`<a href="${toPath('/deliveries/{delivery}', { delivery })}">${untrusted(delivery)}</a>`
            : untrusted(delivery),
      },
    ],
  });
  return [{ id: 'zone', html: html`<h2>${say(title)}</h2>${list}` }];
}

/** The page `/recipes/-/{name}` of a recipe that the list of recipes has and the store does not serve. */
export async function showListed(call: PageCall, listed: Listed): Promise<Page> {
  const { words } = call;
  const { say } = words;
  const { wish, shown, runs } = listed;
  const { name, version, error, isCopyDamaged } = shown;
  const blocked = isCopyDamaged
    ? listBlocked(call).filter((each) => each.name === name && each.version === version)
    : [];
  return {
    title: shown === wish ? name : `${name} ${version}`,
    heading: html`${untrusted(name)} <span class="muted">${untrusted(version)}</span>`,
    crumbs: [[say(recipeWords.title), '/recipes']],
    paper: [],
    sections: [
      { id: 'verdict', html: answerOf(call, listed) },
      ...(error === undefined || blocked.length > 0
        ? []
        : [
            {
              id: 'refused',
              html: errorBlock({
                words,
                error: fromErrorRecord(error),
                hasHelp: true,
                mediumPage: mediumPage(call),
                heading: html`<h2>${untrusted(say(recipeWords.notBrought, { version }))}</h2>`,
              }),
            },
          ]),
      ...(blocked.length === 0
        ? []
        : [
            {
              id: 'blocked',
              html: html`<h2>${say(inZone.onMedium)}</h2>${recipeVerdicts(call, blocked, { waits: await listWaitsNow(call, call.identity) })}`,
            },
          ]),
      ...zoneVersions(call, [wish, ...(wish.others ?? [])], { runs, title: inZone.versions }),
      { id: 'record', html: html`${historyLink(call, name)}` },
      { id: 'terminal', html: terminal(words, [curlCommand(call, 'GET', '/recipes')]) },
    ],
  };
}

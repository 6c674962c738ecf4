import type { QueryOf } from '../../../../src/contract/operation.ts';
import { text } from '../../../../src/contract/schema.ts';
import type { Task } from '../../../../src/contract/task.ts';
import type { ListedRecipe } from '../../../../src/operation/list-recipes.ts';
import { compareVersions } from '../../../../src/recipe/constraint.ts';
import type { TaskHead } from '../../../../src/task/storage.ts';
import { type ErrorRecord, fromErrorRecord, isSvcError, SvcError } from '../../../../src/text/error.ts';
import { inZone } from '../../../../src/text/words/delivering/in-zone.ts';
import { media } from '../../../../src/text/words/media.ts';
import { recipeWords } from '../../../../src/text/words/recipes.ts';
import { showHistory } from '../../../../src/view/history.ts';
import { listRecipes } from '../../../../src/view/recipes.ts';
import { isRefused, type Run, type WantedRecipe, wantedState } from '../../../../src/view/runs.ts';
import { listBlocked } from '../../../views/blocked.ts';
import { planMending } from '../../../views/damage.ts';
import { findVerification } from '../../../views/media.ts';
import { findPush } from '../../../views/pushes.ts';
import { takesPushesOnly } from '../../../views/retriever.ts';
import { listRuns } from '../../../views/runs.ts';
import { landedAt, type RecipeView, showRecipe } from '../../../views/show-recipe.ts';
import { listTaskSummaries, showTask } from '../../../views/tasks.ts';
import { type Html, html } from '../../html.ts';
import { answer } from '../../parts/badge.ts';
import { copyable } from '../../parts/copy.ts';
import { curlCommand, instanceUrl, quoteUrl } from '../../parts/curl.ts';
import { errorBlock } from '../../parts/error.ts';
import { hasHistory, historyLink, mediumPage } from '../../parts/history-link.ts';
import { remedyButton } from '../../parts/remedies.ts';
import { facts } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { moment, showActor, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall, Section } from '../../ui-route.ts';
import { damageAnswer } from '../damage.ts';
import { foldFindings } from '../media/fold-findings.ts';
import { recipeVerdicts } from '../media/recipe-list.ts';
import { byName, readWanted } from '../overview/wanted.ts';
import { typeWords } from '../tasks/task-words.ts';
import { inZones } from '../zones/of-recipe.ts';
import { findListed, showListed, zoneVersions } from './in-zone.ts';
import {
  compositionHead,
  fewest,
  ingredientFilters,
  ingredientForm,
  ingredientTable,
} from './ingredients.ts';
import { sharedVersions, timeline, versionPath } from './timeline.ts';

/** The page of the document of one version. */
function documentPath({ name, version, cookbook }: ListedRecipe): string {
  return toPath('/recipes/-/{name}/document', { name }, { version, cookbook });
}

/** The key that approved a recipe: the name of its trust root, and the fingerprint. */
function signerFact({ words: spoken, instance }: PageCall, fingerprint: string): Html {
  const { say } = spoken;
  const root = instance.context.policy.roots.find((each) => each.fingerprint === fingerprint);
  const name =
    root === undefined ? html`<span class="muted">${say(recipeWords.rootGone)}</span>` : untrusted(root.name);
  return html`${name} ${copyable(spoken, fingerprint, say(recipeWords.key))}`;
}

/**
 * The run that brought a recipe, and the actor who started it: from its task while that is kept, else, for administrators,
 * from the kept audit records of the run.
 */
async function runFacts(
  call: PageCall,
  runId: string,
): Promise<readonly (readonly [term: string, value: Html])[]> {
  const { words } = call;
  const { say } = words;
  const { tasks } = listTaskSummaries(call, call.identity, { q: runId, pageSize: 1 });
  const task = tasks.find((each) => each.runId === runId);
  const copied = copyable(words, runId, say(recipeWords.run));
  const run =
    task === undefined
      ? copied
      : html`${copied} <a href="${toPath('/tasks/{id}', { id: task.id })}">${say(recipeWords.runTask)}</a>`;
  const actor = task?.actor ?? (await findActor(call, runId));
  return [
    ...(actor === undefined ? [] : [[say(recipeWords.broughtBy), showActor(call.words, actor)] as const]),
    [say(recipeWords.run), run],
  ];
}

/** The actor and the time of the push of a version, for readers of the kept audit records. */
async function pushedBy(call: PageCall, { digest }: ListedRecipe): Promise<Html | undefined> {
  if (!hasHistory(call)) return undefined;
  const push = await findPush(call, digest);
  return push && html`${showActor(call.words, push.actor)}, ${moment(call.words, push.at)}`;
}

async function findActor(call: PageCall, runId: string): Promise<string | undefined> {
  if (!hasHistory(call)) return undefined;
  const { records } = await showHistory(call.instance.context.config, { subject: runId, pageSize: 1 });
  return records.find((record) => record.runId === runId)?.actor;
}

/** A version that the last run wanted and did not bring. */
interface Refused {
  readonly version: string;
  readonly error: ErrorRecord;
  readonly task: TaskHead;
}

/** What a verdict calls a version that did not come: a check refused it, or it could not be brought. */
const isBlocked = (error: ErrorRecord): boolean => wantedState({ standing: 'missing', error }) === 'blocked';
const refusedMark = ({ error }: Refused) =>
  isBlocked(error) ? recipeWords.stampBlocked : recipeWords.stampMissing;

/**
 * Whether a trusted key approved the version, whose key it is, and when it landed; then the way to the nodes. A wanted version
 * that did not come is said first.
 *
 * @param facts.elsewhere versions in the zone that the store does not have
 * @param facts.wish the recipe in the list of the zone: when imports brought it. A medium has the day of its source alone
 */
async function answerOf(
  call: PageCall,
  view: RecipeView,
  {
    refused,
    elsewhere,
    wish,
  }: {
    readonly refused: Refused | undefined;
    readonly elsewhere: readonly WantedRecipe[];
    readonly wish: WantedRecipe | undefined;
  },
): Promise<Html> {
  const { words: spoken, instance } = call;
  const { selected: recipe, versions, hasDocument } = view;
  const { say } = spoken;
  const { roots } = instance.context.policy;
  const at = landedAt(recipe);
  const { verified, keyFingerprint, name, version } = recipe;
  const root = roots.find(({ fingerprint }) => fingerprint === keyFingerprint);
  const isWithdrawn = verified && keyFingerprint !== undefined && root === undefined;
  // where nothing is verified, this is no warning
  const isPushed = !verified && takesPushesOnly(call);
  const what = !verified
    ? say(isPushed ? recipeWords.saysPushed : recipeWords.saysUnverified, { name, version })
    : isWithdrawn
      ? say(recipeWords.saysWithdrawn, { name, version })
      : say(recipeWords.saysVerified, { name, version, signer: root?.name });
  const arrived = [wish, ...(wish?.others ?? [])].find((each) => each?.version === version)?.arrival
    ?.landedAt;
  const landed =
    at === undefined
      ? say(recipeWords.publishedHere)
      : arrived === undefined && call.gate.guarded
        ? html`${say(recipeWords.recorded)} ${moment(spoken, at)}`
        : html`${say(recipeWords.landed)} ${moment(spoken, arrived ?? at)}`;
  const [newest] = versions;
  const here = elsewhere.filter(({ standing }) => standing === 'here');
  const isHigher = (each: WantedRecipe): boolean => compareVersions(each.version, version) > 0;
  const higher = here.find(isHigher);
  const awaited = elsewhere.find(isHigher);
  const toVersion = (each: WantedRecipe): Html =>
    html`<a href="${toPath('/recipes/-/{name}', { name }, { version: each.version })}">${untrusted(each.version)}</a>`;
  const place =
    higher !== undefined
      ? html`${say(recipeWords.newerHere)} ${toVersion(higher)}`
      : newest !== undefined && newest !== recipe
        ? html`${say(recipeWords.newerHere)} <a href="${versionPath(newest, sharedVersions(view))}">${untrusted(newest.version)}</a>`
        : awaited !== undefined
          ? html`${say(recipeWords.newerWanted)} ${toVersion(awaited)}, ${say(wantedState(awaited) === 'blocked' ? recipeWords.stampBlocked : recipeWords.stampMissing)}`
          : say(recipeWords.newestOf, { count: versions.length + here.length });
  const head =
    refused === undefined
      ? ({
          kind: isPushed ? 'plain' : verified && !isWithdrawn ? 'ok' : 'warn',
          mark: say(
            isWithdrawn
              ? recipeWords.stampWithdrawn
              : verified
                ? recipeWords.verified
                : isPushed
                  ? recipeWords.stampHere
                  : recipeWords.stampUnverified,
          ),
          what: untrusted(what),
        } as const)
      : ({
          kind: 'bad',
          mark: say(refusedMark(refused)),
          what: untrusted(
            say(recipeWords.saysRefused, {
              name,
              wanted: refused.version,
              version,
              verified: verified && !isWithdrawn ? 'yes' : undefined,
              blocked: isBlocked(refused.error) ? 'yes' : undefined,
            }),
          ),
        } as const);
  const toTask =
    refused === undefined
      ? ''
      : html`${remedyButton(spoken, refused.error)}<a class="button button-plain" href="${toPath('/tasks/{id}', { id: refused.task.id })}">${say(recipeWords.openTask)}</a>`;
  const notes = [html`${landed} · ${place}`];
  const lines = [
    isPushed ? say(recipeWords.notVerifiedHere) : '',
    wish?.isUnchanged ? say(recipeWords.notCompared) : '',
  ];
  const others = html`<a class="button button-plain" href="${toPath('/recipes/-/{name}/mapping', { name })}">${say(recipeWords.mappingLink)}</a>${hasDocument ? html`<a class="button button-plain" href="${documentPath(recipe)}">${say(recipeWords.document)}</a>` : ''}`;
  if (refused === undefined && recipe.damaged) {
    const what = untrusted(say(recipeWords.saysDamaged, { name, version }));
    return damageAnswer(call, { what, mending: await planMending(call, [recipe]), notes, beside: others });
  }
  return answer({ ...head, lines, notes, step: html`<p class="buttons">${toTask}${others}</p>` });
}

/** A task that verified or pushed, by its type. */
const taskLink = ({ words: { say } }: PageCall, { id, type }: Pick<TaskHead, 'id' | 'type'>): Html =>
  html`<a href="${toPath('/tasks/{id}', { id })}">${say(typeWords[type])} ${untrusted(id)}</a>`;

/** When a version was verified, by the verification of the medium or by the run that brought it. */
function verifiedFact(call: PageCall, recipe: ListedRecipe, task: TaskHead | undefined): Html | undefined {
  const { say, format } = call.words;
  const report = call.gate.guarded ? findVerification(call)?.report : undefined;
  const isInReport = report?.recipes.some(({ digest, pushable }) => pushable && digest === recipe.digest);
  if (report !== undefined && isInReport) {
    const medium = untrusted(report.medium?.mediaId ?? call.store.mediaId);
    const named = call.can('operator') ? html`<a href="/media">${medium}</a>` : medium;
    return html`${format.time(report.finishedAt)}, ${say(recipeWords.onMedium)} ${named}`;
  }
  const at = landedAt(recipe);
  if (!recipe.verified || at === undefined) return undefined;
  return html`${format.time(at)}${task === undefined ? '' : html`, ${taskLink(call, task)}`}`;
}

/** When a version landed at the destination, by the task whose item names it. */
async function destinationFact(
  call: PageCall,
  { name, version }: ListedRecipe,
  task: TaskHead | undefined,
): Promise<Html | undefined> {
  const { format } = call.words;
  const { registry } = call.instance.context.config.destination;
  if (registry === undefined) return undefined;
  const whole = task === undefined ? undefined : await findTask(call, task.id);
  const item = whole?.items.find(
    (each) => each.name.endsWith(`${name}@${version}`) && each.status === 'done',
  );
  if (whole === undefined || item === undefined) return undefined;
  return html`${format.time(item.finishedAt ?? whole.finishedAt ?? whole.createdAt)}, ${taskLink(call, whole)}`;
}

async function findTask(call: PageCall, id: string): Promise<Task | undefined> {
  try {
    return await showTask(call, call.identity, id);
  } catch (error) {
    // removed meanwhile by the limit of finished tasks
    if (isSvcError(error, 'SVC-TSK-001') || isSvcError(error, 'SVC-STO-001')) return undefined;
    throw error;
  }
}

/** The last task that brought the version: the run of its record, or the last import of its medium. */
function findBringer(call: PageCall, recipe: ListedRecipe): TaskHead | undefined {
  if (!('runId' in recipe)) return undefined;
  const { runId } = recipe;
  const { tasks } = listTaskSummaries(call, call.identity, { q: runId, pageSize: 1 });
  const own = tasks.find((each) => each.runId === runId);
  if (own !== undefined || !call.gate.guarded) return own;
  const { mediaId } = call.store;
  const imports = listTaskSummaries(call, call.identity, { q: mediaId, type: 'media-import', pageSize: 1 });
  return imports.tasks[0];
}

async function factsOf(call: PageCall, { selected: recipe, hasDocument }: RecipeView): Promise<Html> {
  const { words: spoken } = call;
  const { say, format } = spoken;
  const { cookbook, repository, tag, digest, documentDigest, keyFingerprint, trustScope } = recipe;
  const task = findBringer(call, recipe);
  const pushed = 'resolvedAt' in recipe ? undefined : await pushedBy(call, recipe);
  const verified = verifiedFact(call, recipe, task);
  const landed = await destinationFact(call, recipe, task);
  const version = html`<a href="${toPath('/content/{repo}/-/tags/{tag}', { repo: repository, tag })}">${untrusted(`${repository}:${tag}`)}</a>`;
  return facts([
    ...(trustScope === undefined ? [] : [[say(recipeWords.scope), untrusted(trustScope)] as const]),
    ...(keyFingerprint === undefined
      ? []
      : [[say(recipeWords.key), signerFact(call, keyFingerprint)] as const]),
    ...(verified === undefined ? [] : [[say(recipeWords.verifiedOn), verified] as const]),
    ...(landed === undefined ? [] : [[say(recipeWords.atDestination), landed] as const]),
    [say(recipeWords.cookbook), untrusted(cookbook)],
    [say(recipeWords.reference), version],
    [say(recipeWords.digest), copyable(spoken, digest, say(recipeWords.digest))],
    [
      say(recipeWords.document),
      html`${copyable(spoken, documentDigest, say(recipeWords.documentDigest))}${hasDocument ? html` <a href="${documentPath(recipe)}">${say(recipeWords.openDocument)}</a>` : ''}`,
    ],
    ...('resolvedAt' in recipe
      ? [
          [
            say(recipeWords.resolved),
            html`${format.time(recipe.resolvedAt)} <span class="muted">(${moment(spoken, recipe.resolvedAt, true)})</span>`,
          ] as const,
          ...(await runFacts(call, recipe.runId)),
          [say(recipeWords.zone), untrusted(recipe.zone)] as const,
        ]
      : [
          [say(recipeWords.landed), say(recipeWords.publishedHere)] as const,
          ...(pushed === undefined ? [] : [[say(recipeWords.pushedBy), pushed] as const]),
        ]),
  ]);
}

/** The version of a recipe that the last run wanted and did not bring; undefined where one is here that it wanted. */
function findRefused(
  { versions }: Pick<RecipeView, 'versions'>,
  wish: WantedRecipe | undefined,
  run: Pick<Run, 'task'> | undefined,
): Refused | undefined {
  if (wish?.error === undefined || run === undefined || wish.standing === 'here' || wish.isAside)
    return undefined;
  const { version, error } = wish;
  if (!isRefused(wish) || versions.some((each) => each.version === version)) return undefined;
  return { version, error, task: run.task };
}

/** The reason for which a version did not come, with the remedy. */
function refusalSection(call: PageCall, { version, error, task }: Refused): Section {
  const { words } = call;
  const block = errorBlock({
    words,
    error: fromErrorRecord(error),
    hasHelp: true,
    mediumPage: mediumPage(call),
    correlationId: task.runId,
    heading: html`<h2>${untrusted(words.say(recipeWords.notBrought, { version }))}</h2>`,
  });
  return { id: 'refused', html: block };
}

const versionText = text({ maxLength: 512 });
export const versionParameters = { version: { schema: versionText }, cookbook: { schema: versionText } };
/** Parameters of the page of a recipe: a version, and the ingredients that are listed. */
export const recipeParameters = { ...versionParameters, ...ingredientFilters };
/** The call of a page of one version of a recipe. */
export type VersionCall = PageCall<QueryOf<typeof versionParameters>, { readonly name: string }>;

/** The reason for which a recipe is withheld, before its consequences. @throws the error where the verification names no reason */
function showBlocked(
  call: PageCall<QueryOf<typeof recipeParameters>, { readonly name: string }>,
  error: SvcError,
): Page {
  const { words, path, exchange } = call;
  const verdicts = listBlocked(call).filter(({ name }) => name === path.name);
  if (verdicts.length === 0) throw error;
  const { correlationId } = exchange;
  const { report } = findVerification(call) ?? {};
  const findings = report && foldFindings(call.store.index, report).ofRecipe;
  return {
    status: 403,
    title: path.name,
    heading: untrusted(path.name),
    crumbs: [[words.say(recipeWords.title), '/recipes']],
    sections: [
      {
        id: 'blocked',
        html: html`<h2>${words.say(media.verdict)}</h2>${recipeVerdicts(call, verdicts, { ...(findings && { findings }) })}`,
      },
      {
        id: 'error',
        html: errorBlock({ words, error, hasHelp: true, mediumPage: mediumPage(call), correlationId }),
      },
    ],
  };
}

/** The versions in the zone that the store does not have. */
const otherVersions = ({ versions }: RecipeView, wish: WantedRecipe | undefined) =>
  wish === undefined
    ? []
    : [wish, ...(wish.others ?? [])].filter((each) =>
        versions.every(({ version }) => version !== each.version),
      );

/** Whether other disks of an open delivery are to bring a recipe, and nothing is wrong with it. */
const isOnTheWay = ({ owed, isWithheld }: WantedRecipe): boolean =>
  owed?.delivery !== undefined && owed.state !== 'blocked' && isWithheld !== true;

/** The page `/recipes/-/{name}`. */
export async function showOneRecipe(
  call: PageCall<QueryOf<typeof recipeParameters>, { readonly name: string }>,
): Promise<Page> {
  const { say } = call.words;
  const { version } = call.query;
  const { cookbook } = call.query;
  const view = await showRecipe(call, { ...call.path, version, cookbook }).catch((error: unknown) => {
    if (isSvcError(error, 'SVC-MED-032') || isSvcError(error, 'SVC-REG-005')) return error;
    throw error;
  });
  const listed = await findListed(call, { ...call.path, version });
  if (view instanceof SvcError) {
    // of one that the medium withholds and the zone lacks, the verdict on the medium says most
    const isHeld =
      view.code === 'SVC-MED-032' &&
      listed?.shown.standing !== 'here' &&
      (listed === undefined || !isOnTheWay(listed.shown));
    if (listed !== undefined && cookbook === undefined && !isHeld) return showListed(call, listed);
    if (view.code === 'SVC-MED-032') return showBlocked(call, view);
    throw view;
  }
  const { name, selected } = view;
  const runs = await listRuns(call, call.identity);
  const { wanted, run } = await readWanted(call, await listRecipes(call));
  const refused = findRefused(view, byName(wanted).get(name), run);
  const others = otherVersions(view, listed?.wish);
  const zones = await inZones(call, name);
  const { repository, documentDigest } = selected;
  const blob = toPath('/v2/{repo}/blobs/{digest}', { repo: repository, digest: documentDigest });
  const document = `curl -u NAME ${quoteUrl(`${instanceUrl(call)}${blob}`)}`;
  return {
    title: version === undefined ? name : `${name} ${selected.version}`,
    heading: html`${untrusted(name)} <span class="muted">${untrusted(selected.version)}</span>`,
    crumbs: [[say(recipeWords.title), '/recipes']],
    paper: [],
    sections: [
      {
        id: 'verdict',
        // an address of one version asks about that version
        html: await answerOf(call, view, {
          refused: version === undefined ? refused : undefined,
          elsewhere: others,
          wish: listed?.wish,
        }),
      },
      ...(refused === undefined ? [] : [refusalSection(call, refused)]),
      ...timeline(call, view, runs),
      ...zoneVersions(call, others, { runs, title: inZone.others }),
      ...(zones === undefined ? [] : [{ id: 'zones', html: zones }]),
      { id: 'composition', column: 1, html: compositionHead(call, view) },
      ...(view.ingredients.length < fewest
        ? []
        : [{ id: 'filters', column: 1 as const, html: ingredientForm(call, view) }]),
      { id: 'ingredients', column: 1, html: ingredientTable(call, view) },
      {
        id: 'record',
        column: 2,
        html: html`<h2>${say(recipeWords.record)}</h2>${await factsOf(call, view)}${historyLink(call, name)}`,
      },
      {
        id: 'terminal',
        html: terminal(call.words, [curlCommand(call, 'GET', '/recipes'), document]),
      },
    ],
  };
}

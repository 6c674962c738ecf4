import { forEachBounded } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import { Once } from '../../base/once.ts';
import { within } from '../../base/within.ts';
import type { Pin, PinChange, PinProblem } from '../../contract/authoring.ts';
import { formatPlatform, type Platform } from '../../oci/platform.ts';
import { formatReference } from '../../oci/reference.ts';
import { isConstraint } from '../../recipe/constraint.ts';
import { requireCooked } from '../../recipe/document.ts';
import { recipeVersionRule } from '../../recipe/metadata.ts';
import type { Ingredient, Recipe } from '../../recipe/model.ts';
import { type DocumentCaller, findDocumentLines } from '../../recipe/read-document.ts';
import { lateAnswer } from '../../remote/transport/failure.ts';
import { type ErrorRecord, isSvcError, type SvcError, svcError, toErrorRecord } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import type { ChartImage } from '../chart/find-images.ts';
import { compareTag } from '../lint/compare-tag.ts';
import { locateFindings } from '../lint/lint-document.ts';
import { type Finding, ingredientPath } from '../lint/model.ts';
import { selectAbsent } from './chart-images.ts';
import type { DocumentEdit } from './edit-document.ts';
import { findNewerTag } from './newer-tag.ts';
import { openDraft } from './open-draft.ts';
import { type FoundIngredient, findIngredient, type PinSources } from './pin-ingredient.ts';
import { ChartVendor, readMissing, readUpstream, type VendorAccess } from './vendor-ingredient.ts';

/** A change, and the work that precedes it. */
interface DueChange extends PinChange {
  readonly push?: () => Promise<void>;
  /** Reads the images of the dependencies that a chart gets. */
  readonly readImages?: () => Promise<readonly ChartImage[]>;
}

export interface PinReport {
  readonly name: string;
  /** Version of the recipe in the result. */
  readonly version: string;
  /** `failed`: nothing is to be written. */
  readonly outcome: 'unchanged' | 'changed' | 'failed';
  /** Number of ingredients. */
  readonly ingredients: number;
  readonly changes: readonly PinChange[];
  readonly problems: readonly PinProblem[];
  /**
   * Tags that do not name the kept digest, tags that are gone, and missing images of added dependencies. None of them
   * is an error.
   */
  readonly findings: readonly Finding[];
}

export interface PinResult extends PinReport {
  /** The document with its pins; absent when an ingredient could not be pinned. */
  readonly document?: Buffer;
}

export interface PinChoices {
  /** Platforms of the container images that name none. Empty: these stay without. */
  readonly platforms: readonly Platform[];
  /** Pinned ingredients whose tag is resolved again. */
  readonly update: 'none' | 'all' | readonly string[];
  /** New version of the recipe. */
  readonly version?: string | undefined;
  /** Time of pinning, RFC 3339. */
  readonly cookedAt: string;
}

interface PinInput extends PinChoices {
  readonly document: Uint8Array;
  /** Name of the document in errors. */
  readonly file: string;
  /** The caller; callers take turns when documents are read. */
  readonly actor?: string | undefined;
}

/** Ingredients that are resolved at once; each has one manifest in memory. */
const atOnce = 8;
/** Milliseconds for the registry of one ingredient; a chart that is vendored is fetched after that. */
const ingredientTime = 120_000;

interface RunSources extends PinSources {
  /** Ingredients that ask for the same have one answer. */
  readonly pins: Once<string, Resolution>;
  /** Absent: a chart is not vendored. */
  readonly vendor: ChartVendor | undefined;
  /** Hosts that took too long for one ingredient. They are not asked for the others, which would take as long each. */
  readonly slow: Map<string, SvcError>;
  /** Milliseconds for the registry of one ingredient. */
  readonly time: number;
}

interface Resolution extends Pick<DueChange, 'to' | 'vendored' | 'upstreamDigest' | 'push' | 'readImages'> {
  /** The content in the registry of the ingredient. */
  readonly found: Pin & Pick<FoundIngredient, 'reference' | 'tagged'>;
  /** Whether the chart is to have its dependencies, and there is no repository for it with them. */
  readonly lacksDependencies?: boolean;
}

export interface PinOptions extends Omit<PinSources, 'tagLists'> {
  /** Where charts with `vendorDependencies` are completed and pushed. */
  readonly vendoring?: VendorAccess | undefined;
  /** Milliseconds for the registry of one ingredient; default 120 000. */
  readonly time?: number | undefined;
}

/** Work on one ingredient. */
interface Task {
  readonly ingredient: Ingredient;
  readonly position: number;
  /** Digest that stays. */
  readonly kept: Digest | undefined;
  /** Digest that the constraint of the ingredient must lead to. */
  readonly demanded: Digest | undefined;
  /** Platforms to be written. */
  readonly added: readonly Platform[];
  /** Whether it is a chart that is to have its dependencies, and that was not completed before. */
  readonly isVendored: boolean;
  /** Whether it is to be resolved again. */
  readonly isAsked: boolean;
}

/**
 * Pins a recipe: resolves constraints and tags, checks platforms, and sets the values in the document, whose other
 * bytes stay as they are. An ingredient with an exact tag and a digest stays unless it is to be updated, or is a chart
 * still to be completed. Its registry must have the digest and the platforms. Charts are pushed with their dependencies
 * when every ingredient could be resolved; nothing else is written.
 *
 * @returns all problems when an ingredient cannot be pinned; then there is no document
 * @throws SVC-VAL-001, SVC-VAL-002 for the draft, the name of an update or the version; the reason of the signal
 */
export async function pinRecipe(input: PinInput, options: PinOptions): Promise<PinResult> {
  const { document, file, version, actor } = input;
  const caller = { actor, signal: options.signal };
  const opened = await openDraft(document, file, caller);
  const { recipe } = opened;
  requireNamed(recipe, input);
  const broken = version === undefined ? undefined : recipeVersionRule(version);
  if (broken !== undefined) throw svcError('SVC-VAL-001', { file, path: 'metadata.version', rule: broken });
  const { vendoring, time = ingredientTime, ...sources } = options;
  const changes: PositionedChange[] = [];
  const differences: Finding[] = [];
  const failures: { readonly task: Task; readonly error: ErrorRecord }[] = [];
  const vendor = vendoring && new ChartVendor(vendoring, file, sources.signal);
  const all: RunSources = {
    ...sources,
    tagLists: new Once(),
    pins: new Once(),
    vendor,
    slow: new Map(),
    time,
  };
  const attempt = async (task: Task, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      sources.signal?.throwIfAborted();
      failures.push({ task, error: toErrorRecord(error) });
    }
  };
  await forEachBounded(listTasks(recipe, input), atOnce, (task) =>
    attempt(task, async () => {
      const { change, difference } = await pinIngredient(task, file, all);
      if (difference !== undefined) differences.push(difference);
      if (change !== undefined) changes.push({ ...change, task });
      const newer = await findNewerTag(task, change?.to.version, all);
      if (newer !== undefined) differences.push(newer);
    }),
  );
  const report = {
    name: recipe.metadata.name,
    version: version ?? recipe.metadata.version,
    ingredients: recipe.ingredients.length,
  };
  const fail = async (): Promise<PinResult> => ({
    ...report,
    outcome: 'failed',
    changes: [],
    problems: await toProblems(document, failures, caller),
    findings: await locateFindings(document, differences, caller),
  });
  if (failures.length > 0) return fail();
  changes.sort((a, b) => a.task.position - b.task.position);
  const edits = toEdits(recipe, changes, input);
  const result = edits.length === 0 ? { document: Buffer.from(document), recipe } : await opened.edit(edits);
  // a publisher will read these bytes
  requireCooked(result.recipe, file);
  for (const { task, readImages } of changes)
    if (readImages !== undefined)
      differences.push(...(await compareImages(task, readImages, result.recipe.ingredients)));
  for (const { task, push } of changes) if (push !== undefined) await attempt(task, push);
  if (failures.length > 0) return fail();
  return {
    ...report,
    outcome: edits.length === 0 ? 'unchanged' : 'changed',
    changes: changes.map(({ task: _, push: _done, readImages: _read, ...change }) => change),
    problems: [],
    findings: await locateFindings(document, differences, caller),
    document: result.document,
  };
}

/** Finds images of added dependencies that the recipe lacks. A chart that cannot be read for its images is a warning, too. */
async function compareImages(
  { ingredient: { name }, position }: Task,
  readImages: () => Promise<readonly ChartImage[]>,
  ingredients: readonly Ingredient[],
): Promise<readonly Finding[]> {
  const path = ingredientPath(position);
  try {
    const absent = selectAbsent(await readImages(), ingredients);
    return absent.map((image) => ({
      rule: 'chart-image',
      severity: 'warning',
      path,
      params: { name, ...image },
    }));
  } catch (error) {
    if (!isSvcError(error)) throw error;
    return [
      { rule: 'not-checked', severity: 'warning', path, params: { name }, error: toErrorRecord(error) },
    ];
  }
}

type PositionedChange = DueChange & { readonly task: Task };

/** @throws SVC-VAL-001 for an ingredient that is to be updated and is not in the recipe */
function requireNamed({ ingredients }: Recipe, { update, file }: PinInput): void {
  if (typeof update === 'string') return;
  const known = new Set(ingredients.map(({ name }) => name));
  const unknown = update.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw svcError('SVC-VAL-001', {
      file,
      rule: rule(['has no ingredient named {unknown}', fr`n’a pas d’ingrédient nommé {unknown}`], {
        unknown: unknown.slice(0, 64),
      }),
      problem: 'name',
    });
}

function* listTasks({ ingredients, metadata }: Recipe, { update, platforms }: PinInput): Generator<Task> {
  for (const [position, ingredient] of ingredients.entries()) {
    const { name, kind, version, digest, vendorDependencies } = ingredient;
    const isAsked = update === 'all' || (update !== 'none' && update.includes(name));
    const written = isAsked ? undefined : digest;
    const [kept, demanded] = isConstraint(version) ? [undefined, written] : [written, undefined];
    const added = kind === 'ContainerImage' && ingredient.platforms.length === 0 ? platforms : [];
    // a digest alone does not tell whether the chart has its dependencies; the annotation does
    const isCompleted = kept !== undefined && metadata.annotations[upstreamDigestKey(name)] !== undefined;
    const isVendored = vendorDependencies && !isCompleted;
    yield { ingredient, position, kept, demanded, added, isVendored, isAsked };
  }
}

/** Key of the requests to the registries for an ingredient. */
function toKey(
  { ingredient: { ref, version, kind, artifactType }, kept, isVendored }: Task,
  platforms: readonly Platform[],
): string {
  return JSON.stringify([formatReference(ref), version, kind, artifactType, isVendored, kept, platforms]);
}

interface PinnedIngredient {
  readonly change?: DueChange;
  /** How the tag differs from the digest that stays. */
  readonly difference?: Finding | undefined;
}

/** @throws SVC-VAL-001 when the constraint leads to another digest than the written one; errors of `findIngredient` */
async function pinIngredient(task: Task, file: string, sources: RunSources): Promise<PinnedIngredient> {
  const { ingredient, position, kept, demanded, added, isVendored } = task;
  const { name, kind, ref, version, digest } = ingredient;
  const isUnplaced = isVendored && sources.vendor === undefined;
  const toUnplaced = (): SvcError =>
    svcError('SVC-VAL-001', {
      file,
      path: `spec.ingredients[${position}].vendorDependencies`,
      rule: rule([
        'needs a repository for the chart with its dependencies: give svc recipe pin the flag --vendor-to <registry>/<path>',
        fr`exige un dépôt pour le chart avec ses dépendances : donnez à svc recipe pin l’option --vendor-to <registre>/<chemin>`,
      ]),
    });
  if (isUnplaced && kept === undefined) throw toUnplaced();
  const platforms = added.length > 0 ? added : ingredient.platforms;
  const { found, to, lacksDependencies, ...more } = await sources.pins.run(toKey(task, platforms), () =>
    resolve(task, { pinned: kept, platforms }, sources),
  );
  if (isUnplaced && lacksDependencies) throw toUnplaced();
  if (demanded !== undefined && demanded !== found.digest)
    throw svcError('SVC-VAL-001', {
      file,
      path: `spec.ingredients[${position}].digest`,
      rule: rule(
        [
          'is not the digest of {version}, which the constraint selects: remove it, or update the ingredient',
          fr`n’est pas l’empreinte de {version}, que la contrainte sélectionne ; retirez-la, ou mettez l’ingrédient à jour`,
        ],
        { version: found.version },
      ),
    });
  const isSame = to.version === version && to.digest === digest && more.vendored === undefined;
  const today = { reference: found.reference, digest: found.tagged };
  const difference = kept === undefined ? undefined : compareTag(ingredient, position, today);
  if (isSame && added.length === 0) return { difference };
  const change = {
    name,
    kind,
    ref: formatReference(ref),
    from: { version, digest },
    to,
    ...(added.length === 0 ? {} : { platforms: added.map(formatPlatform) }),
    ...more,
  };
  return { change, difference };
}

/**
 * Asks the registry of an ingredient, for a limited time.
 *
 * @throws SVC-REG-002 when its host takes too long or did so before, errors of `findIngredient`
 */
async function find(
  ingredient: Ingredient,
  asked: Parameters<typeof findIngredient>[2],
  sources: RunSources,
): Promise<FoundIngredient> {
  const { registry, slow, time, signal: left } = sources;
  const { host } = registry.effective(ingredient.ref);
  const known = slow.get(host);
  if (known !== undefined) throw known;
  const toLate = (): SvcError => {
    const error = lateAnswer(host, time);
    slow.set(host, error);
    return error;
  };
  return within(time, left, toLate, (signal) => findIngredient({ ...sources, signal }, ingredient, asked));
}

/** @throws errors of `find` and of `ChartVendor` */
async function resolve(
  { ingredient, isVendored }: Pick<Task, 'ingredient' | 'isVendored'>,
  asked: Parameters<typeof findIngredient>[2],
  sources: RunSources,
): Promise<Resolution> {
  const all = await find(ingredient, asked, sources);
  const { version, digest: resolved, reference, tagged } = all;
  const to = { version, digest: resolved };
  const found = { ...to, reference, tagged };
  if (!isVendored) return { found, to };
  const { vendor, signal } = sources;
  if (vendor === undefined)
    return { found, to, lacksDependencies: (await readMissing(all, signal)).length > 0 };
  const chart = await vendor.vendor(all);
  if (chart === undefined) {
    const upstream = readUpstream(all);
    return { found, to, upstreamDigest: upstream };
  }
  const { place, digest, upstream, dependencies, push, readImages } = chart;
  const { host, repository } = place;
  return {
    found,
    to: { version: place.tag, digest },
    vendored: {
      ref: formatReference({ host, repository }),
      dependencies: dependencies.map(({ name, version }) => `${name} ${version}`),
    },
    upstreamDigest: upstream,
    push,
    readImages,
  };
}

async function toProblems(
  document: Uint8Array,
  failures: readonly { readonly task: Task; readonly error: ErrorRecord }[],
  caller: DocumentCaller,
): Promise<readonly PinProblem[]> {
  const sorted = [...failures].sort((a, b) => a.task.position - b.task.position);
  const paths = sorted.map(({ task }) => `spec.ingredients[${task.position}]`);
  const lines = await findDocumentLines(document, paths, caller);
  return sorted.map(({ task, error }, i) => ({
    name: task.ingredient.name,
    path: paths[i]!,
    ...(lines[i] === undefined ? {} : { line: lines[i] }),
    error,
  }));
}

const cookedAtKey = 'recipe.tobby.dev/cooked-at';
const upstreamDigestKey = (ingredient: string): string => `recipe.tobby.dev/upstream-digest.${ingredient}`;

/** The edits of the document; none when nothing but the time would change. */
function toEdits(
  { metadata }: Recipe,
  changes: readonly PositionedChange[],
  { version, cookedAt }: PinChoices,
): readonly DocumentEdit[] {
  const edits = changes.flatMap(({ task, from, to, platforms, vendored }): DocumentEdit[] => {
    const at = ['spec', 'ingredients', task.position];
    return [
      ...(vendored === undefined ? [] : [{ path: [...at, 'ref'], value: vendored.ref }]),
      ...(to.version === from.version ? [] : [{ path: [...at, 'version'], value: to.version }]),
      ...(to.digest === from.digest ? [] : [{ path: [...at, 'digest'], value: to.digest, after: 'version' }]),
      ...(platforms === undefined
        ? []
        : [
            {
              path: [...at, 'platforms'],
              value: platforms,
              after: from.digest === undefined ? 'version' : 'digest',
            },
          ]),
    ];
  });
  if (version !== undefined && version !== metadata.version)
    edits.push({ path: ['metadata', 'version'], value: version });
  if (edits.length === 0) return edits;
  const { annotations } = metadata;
  const upstream = changes.flatMap(({ name, upstreamDigest }) =>
    upstreamDigest === undefined ? [] : [[upstreamDigestKey(name), upstreamDigest]],
  );
  const added = { [cookedAtKey]: cookedAt, ...Object.fromEntries(upstream) };
  return [...edits, ...toAnnotationEdit(added, annotations)];
}

/** Sets annotations, in the map that is there or in a new one. */
function toAnnotationEdit(
  added: Readonly<Record<string, string>>,
  present: Readonly<Record<string, string>>,
): readonly DocumentEdit[] {
  const path = ['metadata', 'annotations'];
  // an empty map may also be no map at all
  if (Object.keys(present).length === 0) return [{ path, value: added }];
  return Object.entries(added).map(([key, value]) => ({ path: [...path, key], value }));
}

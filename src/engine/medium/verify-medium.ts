import type { Digest } from '../../base/digest.ts';
import { Pacer } from '../../base/pacer.ts';
import type { Report } from '../../base/report.ts';
import type {
  LeftBehind,
  MediumAge,
  MediumBlock,
  MediumReport,
  VerificationProgress,
} from '../../contract/medium.ts';
import type { HashOutcome } from '../../disk/threads/hash-file.ts';
import type { Store } from '../../store/model.ts';
import { openRepository } from '../../store/open-repository.ts';
import type { MediumHeader } from '../../store/rest/media-manifest.ts';
import { isSvcError, type SvcError, svcError } from '../../text/error.ts';
import type { TrustPolicy } from '../../trust/model.ts';
import { selectIdleScopes } from '../../trust/scope.ts';
import type { Arrivals } from '../../zone/arrivals.ts';
import { selectDelivery } from '../../zone/delivery-record.ts';
import { compareTags } from './compare-tags.ts';
import { findUnlisted } from './find-unlisted.ts';
import {
  type FreshnessRecord,
  isFromTheFuture,
  selectFreshest,
  selectHighest,
  selectNewer,
  selectWrongClock,
  toAge,
} from './freshness.ts';
import { requireUnchanged, statFile } from './hash-medium.ts';
import type { MediumFiles } from './judge-file.ts';
import { judgeLedgers } from './judge-ledgers.ts';
import { judgePassport, type PassportGuard } from './judge-passport.ts';
import {
  type ClearedRecipe,
  type JudgeRecipeOptions,
  judgeIngredients,
  judgeSignature,
  type RecipeCase,
  toClaimedPath,
  toVerdict,
} from './judge-recipe.ts';
import type { Landings } from './landed/landings.ts';
import { listFindings, listNeedless } from './list-findings.ts';
import { listLeftBehind } from './list-left-behind.ts';
import type { NamedMedium } from './parts/name-disk.ts';
import { readAway } from './parts/read-away.ts';
import { type Inventory, type MediumReading, startReading } from './read-medium.ts';
import { describeMedium, judgeMedium, maxBlocks, maxFindings, toBlock, toFinding } from './report.ts';

interface VerifyMediumOptions {
  /** The store of the medium, opened for reading. Its index is used only to find content. */
  readonly store: Store;
  readonly zone: string;
  readonly policy: TrustPolicy;
  readonly freshness: FreshnessRecord | undefined;
  /** What landed in the zone, also of media that are not complete. Default: nothing did. */
  readonly landings?: Landings | undefined;
  /** Deliveries of which parts arrived. Default: none. */
  readonly arrivals?: Pick<Arrivals, 'find'> | undefined;
  readonly waive: { readonly zoneMismatch: boolean; readonly stale: boolean };
  /** Whose passports are believed. Default: a passport is not looked at. */
  readonly passports?: PassportGuard | undefined;
  /** The peer whose passport will vouch for it: its date counts as the zone will count it. Default: that of its passport. */
  readonly sender?: string | undefined;
  readonly report: Report;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: VerificationProgress) => void) | undefined;
  /** Whether the caller prints the verdicts: a blocked recipe is then no warning in the log. */
  readonly isReported?: boolean | undefined;
  /** Whether this is a proof at the sender, and no import in the zone. */
  readonly isProof?: boolean | undefined;
  /** Current time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Limit of `media.jsonl` in bytes; default 256 MiB. */
  readonly maxManifestBytes?: number;
  /** A reading of the store's folder that was already started; it ends with the verification. */
  readonly reading?: MediumReading | undefined;
}

export interface MediumVerification {
  readonly report: MediumReport;
  /** Recipes that may be pushed and served; none when the medium is blocked. */
  readonly cleared: readonly ClearedRecipe[];
  /** Recipes that passed, also when the medium is blocked. */
  readonly passed: readonly ClearedRecipe[];
  /** The parts that the medium names for the blobs of a blocked recipe whose documents could be read, by its digest. */
  readonly partsOfBlocked?: ReadonlyMap<Digest, ReadonlySet<number>>;
  readonly header: MediumHeader | undefined;
  /** Digest of `media.jsonl`; absent without a header. */
  readonly manifest?: Digest | undefined;
}

/**
 * Verifies a medium: its manifest, every listed byte, every signature of a recipe under the roots of this instance, and
 * the pinned digest of every ingredient. Writes nothing.
 *
 * @throws instead of a verdict: SVC-STO-007 when the medium changes meanwhile, SVC-STO-001 when its folders
 *   cannot be read, the signal's reason
 */
export async function verifyMedium(options: VerifyMediumOptions): Promise<MediumVerification> {
  return new Verification(options).run();
}

class Verification {
  readonly #options: VerifyMediumOptions;
  readonly #startedAt: string;
  readonly #blocks: MediumBlock[] = [];
  readonly #findings: SvcError[] = [];
  #unnamed = 0;
  #medium: NamedMedium;
  #passport: MediumReport['passport'];
  #age: MediumAge | undefined;
  #cases: readonly RecipeCase[] = [];
  #progress: VerificationProgress;

  constructor(options: VerifyMediumOptions) {
    this.#options = options;
    this.#medium = { mediaId: options.store.mediaId };
    this.#startedAt = new Date(options.now()).toISOString();
    this.#progress = { startedAt: this.#startedAt, stage: 'inventory', files: 0, bytes: 0, recipes: [] };
  }

  async run(): Promise<MediumVerification> {
    const { store, signal, maxManifestBytes } = this.#options;
    const reading = this.#options.reading ?? startReading(store.root, { maxManifestBytes });
    const stop = (): void => void reading.stop(signal?.reason);
    signal?.addEventListener('abort', stop);
    try {
      return await this.#judge(reading);
    } catch (error) {
      await reading.stop(error);
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  async #judge(reading: MediumReading): Promise<MediumVerification> {
    const { store, signal } = this.#options;
    const { head, root } = store;
    this.#enter({ stage: 'inventory' });
    const inventory = await this.#takeInventory(reading);
    if (!inventory) return this.#conclude(undefined);
    const { header, entries, listing } = inventory;
    this.#medium = { ...this.#medium, delivery: header.delivery };
    const stampFlaw = await this.#judgeStamp(header, inventory.digest);
    await this.#judgeGuards(header, inventory.digest);
    if (stampFlaw) this.#block(stampFlaw, this.#options.waive.stale);
    this.#enter({ stage: 'manifest' });
    reading.watch((progress) => this.#update(progress));
    const outcomes = await reading.outcomes;
    const files = await this.#takeAway(toFiles(root, inventory, outcomes), inventory);
    const { blocks, findings } = judgeLedgers(store, header, entries, files);
    for (const block of blocks) this.#block(block);
    for (const finding of findings) this.#find(finding);
    await this.#judgeRecipes(files, header);
    const ledger = store.ledgers.content;
    if (!findings.some(({ code, params }) => code === 'SVC-MED-022' && params.path === ledger))
      for (const finding of compareTags(this.#cleared(), store.index, ledger)) this.#find(finding);
    this.#enter({ stage: 'extraneous' });
    const reached = this.#reached();
    const pacer = new Pacer();
    for (const finding of listFindings(entries, listing, files, reached)) {
      if (finding !== undefined) this.#find(finding);
      if (!pacer.isDue()) continue;
      await pacer.rest();
      signal?.throwIfAborted();
    }
    // the blobs of a blocked recipe are unknown
    if (this.#cases.every(({ failure }) => failure === undefined))
      for (const finding of listNeedless(files, reached)) this.#find(finding);
    const leftBehind = listLeftBehind(store.index, entries, reached);
    await requireUnchanged(root, outcomes, signal);
    const isSame = reading.manifest?.ctimeNs === statFile(root, 'media.jsonl')?.ctimeNs;
    if (store.head !== head || !isSame) throw svcError('SVC-STO-007', { path: root, problem: 'changed' });
    return { ...this.#conclude(header, leftBehind), manifest: inventory.digest };
  }

  #update(change: Partial<VerificationProgress>): void {
    this.#progress = { ...this.#progress, ...change };
    this.#options.onProgress?.(this.#progress);
  }

  #enter({ stage, recipe }: Pick<VerificationProgress, 'stage' | 'recipe'>): void {
    this.#options.signal?.throwIfAborted();
    const { recipe: _, ...progress } = this.#progress;
    this.#progress = progress;
    this.#update({ stage, ...(recipe === undefined ? {} : { recipe }) });
  }

  /** Adds the verdict on one recipe to the progress. */
  #settle(judged: RecipeCase): void {
    this.#update({ recipes: [...this.#progress.recipes, toVerdict(judged, this.#medium)] });
  }

  #block(error: SvcError, waived = false): void {
    if (this.#blocks.length < maxBlocks) this.#blocks.push(toBlock(error, this.#medium, waived));
  }

  #find(finding: SvcError): void {
    if (this.#findings.length < maxFindings) this.#findings.push(finding);
    else this.#unnamed += 1;
  }

  /** @returns undefined when the manifest is missing or unusable, which blocks the medium */
  async #takeInventory({ inventory }: MediumReading): Promise<Inventory | undefined> {
    try {
      return await inventory;
    } catch (error) {
      if (!isSvcError(error) || !error.code.startsWith('SVC-MED-')) throw error;
      this.#block(error);
      return undefined;
    }
  }

  /** Adds the blobs that are not whole on the medium. An unusable list of them blocks the medium. */
  async #takeAway(files: MediumFiles, { header, entries }: Inventory): Promise<MediumFiles> {
    try {
      return { ...files, away: await readAway(files, header, entries) };
    } catch (error) {
      if (!isSvcError(error) || !error.code.startsWith('SVC-MED-')) throw error;
      this.#block(error);
      return { ...files, listFlaw: error };
    }
  }

  /**
   * Checks zone and freshness: guards against mistakes only, since their values are not signed. An older medium
   * of which everything landed is no mistake: its import again gives no tag back to older content.
   */
  async #judgeGuards(header: MediumHeader, manifest: Digest): Promise<void> {
    const { zone: found, resolvedAt } = header;
    const { store, zone, freshness, arrivals, waive, now, sender, isProof } = this.#options;
    const records = header.delivery && (await arrivals?.find(header.delivery.id));
    const peer = this.#passport?.signer ?? sender;
    const delivery = records && selectDelivery(records, peer).own;
    const age = toAge(header, freshness, { manifest, delivery, peer });
    const freshest = selectFreshest(freshness, peer);
    this.#age = age;
    if (found !== zone) {
      const proof = isProof === true ? 'yes' : undefined;
      this.#block(
        svcError('SVC-MED-006', { expected: zone, found, folder: store.root, proof }),
        waive.zoneMismatch,
      );
    }
    if (freshest && age.stale && age.importedAt === undefined) {
      const { resolvedAt: recordedAt, mediaId: recordedMediaId } = freshest;
      const open = delivery?.complete === false ? delivery.id : undefined;
      const params = {
        zone,
        folder: store.root,
        resolvedAt,
        recordedAt,
        recordedMediaId,
        ...selectWrongClock(freshest),
        delivery: open,
      };
      this.#block(svcError('SVC-MED-007', params), waive.stale);
    }
    if (isFromTheFuture(resolvedAt, now()))
      this.#find(svcError('SVC-MED-024', { resolvedAt, now: this.#startedAt }));
  }

  /** Checks the passport. @returns its fault; one that expired is waived as an older medium is */
  async #judgeStamp(header: MediumHeader, manifest: Digest): Promise<SvcError | undefined> {
    const { store, passports, now } = this.#options;
    if (passports === undefined) return undefined;
    const judged = await judgePassport(store.root, { header, manifest }, passports, now());
    if (isSvcError(judged)) return judged;
    this.#passport = judged;
    return undefined;
  }

  /** Checks all signatures before all bytes, so that an untrusted signer is reported early. */
  async #judgeRecipes(files: MediumFiles, header: MediumHeader): Promise<void> {
    const { store, policy, signal } = this.#options;
    const options: JudgeRecipeOptions = {
      files,
      openSource: (repository) => openRepository(store, repository, { owner: { provenance: 'recipe' } }),
      policy,
      signal,
    };
    const opened: RecipeCase[] = [];
    const records = store.index.recipes();
    this.#enter({ stage: 'recipes' });
    this.#update({ totalRecipes: records.length });
    for (const record of records) {
      // the medium is blocked already: an endless ledger is not read to its end
      if (this.#blocks.length >= maxBlocks) break;
      this.#enter({ stage: 'recipes', recipe: `${record.name}@${record.version}` });
      const known = await judgeSignature(record, options);
      if (known.difference) this.#block(svcError('SVC-MED-005', known.difference));
      opened.push(known);
      if (known.failure) this.#settle(known);
    }
    this.#judgeVersions(opened);
    await this.#judgeLists(header, options);
    const cases: RecipeCase[] = [];
    this.#enter({ stage: 'ingredients' });
    for (const known of opened) {
      this.#enter({ stage: 'ingredients', recipe: `${known.record.name}@${known.record.version}` });
      const judged = await judgeIngredients(known, options);
      this.#log(judged);
      cases.push(judged);
      if (!known.failure) this.#settle(judged);
    }
    this.#cases = cases;
  }

  /** Finds unlisted signed recipes, unless the lists are known to be altered, and an empty medium. */
  async #judgeLists(header: MediumHeader, options: JudgeRecipeOptions): Promise<void> {
    const { store } = this.#options;
    if (this.#blocks.some(({ code }) => code === 'SVC-MED-005')) return;
    for await (const difference of findUnlisted(store, header, options)) {
      if (this.#blocks.length >= maxBlocks) return;
      this.#block(svcError('SVC-MED-005', difference));
    }
    if (store.index.recipes().length === 0 && this.#blocks.every(({ waived }) => waived))
      this.#block(svcError('SVC-MED-025', {}));
  }

  /**
   * Reports recipes whose highest signed version is below the imported one, as findings: the signer may intend it. Those of a
   * medium that was imported before are known.
   */
  #judgeVersions(cases: readonly RecipeCase[]): void {
    if (this.#age?.stale && this.#age.importedAt !== undefined) return;
    const signed = cases.flatMap(({ recipe }) => (recipe ? [recipe.metadata] : []));
    for (const [name, version] of selectHighest(signed)) {
      const { freshness, landings } = this.#options;
      const imported = selectNewer(name, version, freshness, landings);
      if (imported !== undefined) this.#find(svcError('SVC-MED-023', { recipe: name, version, imported }));
    }
  }

  #log({ record, failure }: RecipeCase): void {
    const { store, report } = this.#options;
    report.log(failure && !this.#options.isReported ? 'warn' : 'info', 'Recipe on the medium verified', {
      mediaId: store.mediaId,
      recipe: `${record.name}@${record.version}`,
      digest: record.digest,
      pushable: failure === undefined,
      ...(failure ? { code: failure.code, path: failure.params.path, detail: failure.detail } : {}),
    });
  }

  #cleared(): ClearedRecipe[] {
    return this.#cases.flatMap(({ record, recipe, reached, away, failure }) =>
      recipe && !failure ? [{ record, recipe, files: reached, away }] : [],
    );
  }

  #reached(): ReadonlySet<Digest> {
    return new Set(this.#cleared().flatMap(({ files, away }) => [...files.keys(), ...away.keys()]));
  }

  #conclude(header: MediumHeader | undefined, leftBehind?: LeftBehind): MediumVerification {
    const { zone, now, report: log, store } = this.#options;
    const { mediaId } = store;
    const recipes = this.#cases.map((known) => toVerdict(known, this.#medium));
    const verdict = judgeMedium(this.#blocks, recipes);
    if (this.#unnamed > 0) {
      log.log('warn', 'The medium has more findings than the report lists', {
        mediaId,
        named: this.#findings.length,
        unnamed: this.#unnamed,
      });
    }
    const report: MediumReport = {
      verdict,
      blocks: this.#blocks,
      ...describeMedium(header, zone, this.#age),
      ...(this.#passport === undefined ? {} : { passport: this.#passport }),
      recipes,
      findings: this.#findings.map((finding) => toFinding(finding, this.#medium)),
      ...(leftBehind === undefined ? {} : { leftBehind }),
      checked: { files: this.#progress.files, bytes: this.#progress.bytes },
      startedAt: this.#startedAt,
      finishedAt: new Date(now()).toISOString(),
    };
    const paths = this.#cases.map(({ record }) => toClaimedPath(record));
    for (const trustScope of selectIdleScopes(this.#options.policy, paths))
      log.log('warn', 'A trust scope matches no recipe of the medium', { mediaId, trustScope });
    const isBlocked = this.#blocks.some((block) => !block.waived);
    const passed = this.#cleared();
    const partsOfBlocked = new Map(
      this.#cases.flatMap(({ record, parts }) => (parts ? [[record.digest, parts] as const] : [])),
    );
    return { report, cleared: isBlocked ? [] : passed, passed, partsOfBlocked, header };
  }
}

function toFiles(
  root: string,
  { entries, listing }: Inventory,
  outcomes: ReadonlyMap<string, HashOutcome>,
): MediumFiles {
  const { files, special, extraneous } = listing;
  return {
    root,
    listed: (path) => entries.get(path),
    outcome: (path) => outcomes.get(path),
    has: (path) => files.has(path) || special.has(path) || extraneous.has(path),
  };
}

import { constants } from 'node:fs';
import { type Digest, digestAlgorithm } from '../../base/digest.ts';
import { isSvcError, type SvcError, svcError } from '../../base/error.ts';
import type { Report } from '../../base/report.ts';
import { openGuarded } from '../../disk/guarded-open.ts';
import type { HashJob, HashOutcome } from '../../disk/hash-file.ts';
import { hashFiles } from '../../disk/hash-pool.ts';
import type { MediumEntry, MediumHeader } from '../../store/media-manifest.ts';
import { readMediumManifest } from '../../store/media-manifest.ts';
import type { Store } from '../../store/model.ts';
import type { TrustPolicy } from '../../trust/model.ts';
import type { MediumBlock, MediumReport, RecipeVerdict, VerificationProgress } from '../model.ts';
import { compareHeader } from './compare-graph.ts';
import { type FreshnessRecord, isFromTheFuture, isStale } from './freshness.ts';
import { type Listing, listMedium, toBlobDigest } from './inventory.ts';
import { type MediumFiles, toFileProblem } from './judge-file.ts';
import { type ClearedRecipe, judgeRecipe } from './judge-recipe.ts';
import { judgeMedium, maxFindings, toBlock } from './report.ts';

export interface VerifyMediumOptions {
  /** Opened for reading; its index only tells where to look. */
  readonly store: Store;
  readonly zone: string;
  readonly policy: TrustPolicy;
  readonly freshness: FreshnessRecord | undefined;
  readonly waive: { readonly zoneMismatch: boolean; readonly stale: boolean };
  readonly report: Report;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: VerificationProgress) => void) | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly maxManifestBytes?: number;
}

export interface MediumVerification {
  readonly report: MediumReport;
  /** Recipes that may be pushed and served; none when the medium is blocked. */
  readonly cleared: readonly ClearedRecipe[];
  readonly header: MediumHeader | undefined;
}

type Finding = MediumReport['findings'][number];

/**
 * Verifies a medium: what it says it holds, every byte of it, every recipe's signature under this instance's own
 * roots, and every ingredient against the digest that the signed document pins. Writes nothing.
 *
 * @throws SVC-STO-007 when the medium changes meanwhile; the signal's reason. No verdict is given then
 */
export async function verifyMedium(options: VerifyMediumOptions): Promise<MediumVerification> {
  return new Verification(options).run();
}

class Verification {
  readonly #options: VerifyMediumOptions;
  readonly #startedAt: string;
  readonly #blocks: MediumBlock[] = [];
  readonly #findings: Finding[] = [];
  readonly #recipes: RecipeVerdict[] = [];
  #progress: VerificationProgress;
  #header: MediumHeader | undefined;
  #entries: ReadonlyMap<string, MediumEntry> = new Map();

  constructor(options: VerifyMediumOptions) {
    this.#options = options;
    this.#startedAt = new Date(options.now()).toISOString();
    this.#progress = { startedAt: this.#startedAt, stage: 'inventory', files: 0, bytes: 0 };
  }

  async run(): Promise<MediumVerification> {
    const { store } = this.#options;
    const head = store.head;
    this.#enter({ stage: 'inventory' });
    const listing = await listMedium(store.root);
    try {
      const manifest = await readMediumManifest(store.root);
      this.#header = manifest.header;
      this.#entries = manifest.entries;
    } catch (error) {
      if (!isSvcError(error) || !error.code.startsWith('SVC-MED-')) throw error;
      this.#block(error);
      return this.#conclude([]);
    }
    this.#judgeGuards(this.#header);
    const outcomes = await this.#hashAll(listing);
    const files: MediumFiles = {
      listed: (path) => this.#entries.get(path),
      outcome: (path) => outcomes.get(path),
      read: (path, limit) => readGuarded(store.root, path, limit),
    };
    this.#judgeLedgers(files);
    const cleared = await this.#judgeRecipes(files, this.#header);
    this.#enter({ stage: 'extraneous' });
    this.#reportRest(listing, files, cleared);
    if (store.head !== head) throw svcError('SVC-STO-007', { path: store.root });
    return this.#conclude(cleared);
  }

  #enter(change: Partial<VerificationProgress>): void {
    this.#progress = { ...this.#progress, ...change };
    this.#options.onProgress?.(this.#progress);
    this.#options.signal?.throwIfAborted();
  }

  #block(error: SvcError, waived = false): void {
    this.#blocks.push(toBlock(error, waived));
  }

  #find(code: Finding['code'], path: string, params: Finding['params']): void {
    if (this.#findings.length < maxFindings) this.#findings.push({ code, path, params });
  }

  /** Zone and freshness: guards against mistakes, since nobody signed what they look at. */
  #judgeGuards(header: MediumHeader): void {
    const { zone, freshness, waive, now } = this.#options;
    if (header.zone !== zone) {
      this.#block(svcError('SVC-MED-006', { expected: zone, found: header.zone }), waive.zoneMismatch);
    }
    if (isStale(header.resolvedAt, freshness)) {
      const { resolvedAt: recordedAt, mediaId: recordedMediaId } = freshness!;
      const error = svcError('SVC-MED-007', {
        zone,
        resolvedAt: header.resolvedAt,
        recordedAt,
        recordedMediaId,
      });
      this.#block(error, waive.stale);
    }
    if (isFromTheFuture(header.resolvedAt, now())) {
      const { resolvedAt } = header;
      this.#find('SVC-MED-024', 'media.jsonl', { resolvedAt, now: this.#startedAt });
    }
  }

  /** Reads every listed file once, on all processors. */
  async #hashAll(listing: Listing): Promise<Map<string, HashOutcome>> {
    const outcomes = new Map<string, HashOutcome>();
    const jobs: HashJob[] = [];
    for (const [path, entry] of this.#entries) {
      const blob = toBlobDigest(path);
      if (listing.files.has(path))
        jobs.push({ path, algorithm: digestAlgorithm(blob ?? entry.digest), size: entry.size });
    }
    // what is there without being listed is read too: a recipe that needs it says "not in the inventory"
    for (const path of listing.files) {
      const blob = toBlobDigest(path);
      if (blob && !this.#entries.has(path)) jobs.push({ path, algorithm: digestAlgorithm(blob) });
    }
    const totalBytes = jobs.reduce((sum, job) => sum + (job.size ?? 0), 0);
    this.#enter({ stage: 'manifest', totalFiles: jobs.length, totalBytes });
    await hashFiles(this.#options.store.root, jobs, {
      signal: this.#options.signal,
      onBytes: (bytes) => this.#enter({ bytes, files: outcomes.size }),
      onOutcome: (job, outcome) => {
        if ('problem' in outcome && outcome.problem === 'changed')
          throw svcError('SVC-STO-007', { path: job.path });
        outcomes.set(job.path, outcome);
      },
    });
    this.#enter({ files: outcomes.size });
    return outcomes;
  }

  /** The ledgers are no content: an altered recipe ledger blocks the medium, an altered content ledger is reported. */
  #judgeLedgers(files: MediumFiles): void {
    for (const [path, entry] of this.#entries) {
      if (!path.startsWith('ledger/')) continue;
      const problem = toFileProblem(files, path, entry.digest, entry.size);
      if (!problem) continue;
      const detail = String(problem.params.actual ?? problem.params.detail ?? problem.code);
      if (path.startsWith('ledger/recipes')) {
        this.#block(svcError('SVC-MED-005', { path, expected: entry.digest, actual: detail }));
      } else this.#find('SVC-MED-022', path, { path, detail });
    }
    for (const { ledger, path, detail } of this.#options.store.damage) {
      if (ledger === 'recipes') this.#block(svcError('SVC-MED-005', { path, actual: detail }));
      else this.#find('SVC-MED-022', path, { path, detail });
    }
  }

  async #judgeRecipes(files: MediumFiles, header: MediumHeader): Promise<ClearedRecipe[]> {
    const { store, policy, freshness, report } = this.#options;
    const records = store.index.recipes();
    const difference = compareHeader(header.recipes, records);
    if (difference) this.#block(svcError('SVC-MED-005', difference));
    const cleared: ClearedRecipe[] = [];
    for (const stage of ['recipes', 'ingredients'] as const) this.#enter({ stage });
    for (const record of records) {
      this.#enter({ stage: 'recipes', recipe: `${record.name}@${record.version}` });
      const judged = await judgeRecipe({
        record,
        files,
        openSource: (repository) => store.repository(repository, { owner: { provenance: 'recipe' } }),
        policy,
        signal: this.#options.signal,
        onIngredients: () => this.#enter({ stage: 'ingredients' }),
      });
      if (judged.difference) this.#block(svcError('SVC-MED-005', judged.difference));
      this.#recipes.push(judged.verdict);
      if (judged.cleared) cleared.push(judged.cleared);
      const imported = freshness?.recipes[record.name];
      if (judged.isOlderThan(imported)) {
        const params = { recipe: record.name, version: record.version, imported: imported! };
        this.#find('SVC-MED-023', `recipes/${record.name}`, params);
      }
      report.log(judged.verdict.pushable ? 'info' : 'warn', 'Recipe on the medium judged', {
        mediaId: header.mediaId,
        recipe: `${record.name}@${record.version}`,
        digest: record.digest,
        pushable: judged.verdict.pushable,
        ...(judged.verdict.reason
          ? { code: judged.verdict.reason.code, path: judged.verdict.reason.path }
          : {}),
      });
    }
    return cleared;
  }

  /** What no cleared recipe accounts for: reported, never served, never pushed. */
  #reportRest(listing: Listing, files: MediumFiles, cleared: readonly ClearedRecipe[]): void {
    const reached = new Set<Digest>();
    for (const recipe of cleared) for (const digest of recipe.files.keys()) reached.add(digest);
    for (const path of listing.strangers) this.#find('SVC-MED-020', path, { path });
    for (const path of listing.files) {
      if (path !== 'media.jsonl' && !this.#entries.has(path)) this.#find('SVC-MED-020', path, { path });
    }
    for (const [path, entry] of this.#entries) {
      if (path.startsWith('ledger/')) continue;
      const digest = toBlobDigest(path);
      if (!digest && path !== 'oci-layout' && path !== 'index.json') {
        this.#find('SVC-MED-015', path, { path });
        continue;
      }
      const problem = toFileProblem(files, path, digest ?? entry.digest, entry.size);
      if (problem) this.#find(problem.code, path, problem.params);
      else if (digest && !reached.has(digest)) this.#find('SVC-MED-021', path, { path });
    }
  }

  #conclude(cleared: readonly ClearedRecipe[]): MediumVerification {
    const { zone, freshness, now } = this.#options;
    const header = this.#header;
    const mediaId = header?.mediaId ?? this.#options.store.mediaId;
    const withId = <T extends { readonly params: Finding['params'] }>(item: T): T => ({
      ...item,
      params: { ...item.params, mediaId },
    });
    const blocks = this.#blocks.map(withId);
    const recipes = this.#recipes;
    const verdict = judgeMedium(blocks, recipes);
    const report: MediumReport = {
      verdict,
      blocks,
      ...(header ? { medium: toIdentity(header) } : {}),
      zone: { expected: zone, ...(header ? { found: header.zone } : {}), match: header?.zone === zone },
      ...(header ? { freshness: toFreshness(header, freshness) } : {}),
      recipes,
      findings: this.#findings.map(withId),
      checked: { files: this.#progress.files, bytes: this.#progress.bytes },
      startedAt: this.#startedAt,
      finishedAt: new Date(now()).toISOString(),
    };
    return { report, cleared: blocks.some((block) => !block.waived) ? [] : cleared, header };
  }
}

/**
 * The verdict on a folder that cannot be opened as a store: blocked whole, for what is wrong with its manifest, or else
 * with its ledgers.
 */
export async function toUnopened(root: string, zone: string, error: SvcError): Promise<MediumVerification> {
  const startedAt = new Date().toISOString();
  const conclude = (obstacle: SvcError, header?: MediumHeader): MediumVerification => ({
    cleared: [],
    header,
    report: {
      verdict: 'blocked',
      blocks: [toBlock(obstacle)],
      ...(header ? { medium: toIdentity(header) } : {}),
      zone: { expected: zone, ...(header ? { found: header.zone } : {}), match: header?.zone === zone },
      recipes: [],
      findings: [],
      checked: { files: 0, bytes: 0 },
      startedAt,
      finishedAt: new Date().toISOString(),
    },
  });
  try {
    const { header } = await readMediumManifest(root);
    const { mediaId } = header;
    if (error.code === 'SVC-STO-008' && typeof error.params.found === 'number') {
      const { found, supported } = error.params;
      return conclude(svcError('SVC-MED-004', { found, supported: supported!, mediaId }), header);
    }
    return conclude(
      svcError('SVC-MED-005', { path: 'ledger', actual: error.detail ?? 'no ledger', mediaId }),
      header,
    );
  } catch (problem) {
    if (!isSvcError(problem) || !problem.code.startsWith('SVC-MED-')) throw problem;
    return conclude(problem);
  }
}

function toIdentity(header: MediumHeader): NonNullable<MediumReport['medium']> {
  const { mediaId, zone, mediaFormat, storeFormat, producedBy, resolvedAt, writtenAt, totals } = header;
  return { mediaId, zone, mediaFormat, storeFormat, producedBy, resolvedAt, writtenAt, ...totals };
}

function toFreshness(
  header: MediumHeader,
  record: FreshnessRecord | undefined,
): NonNullable<MediumReport['freshness']> {
  const stale = isStale(header.resolvedAt, record);
  return record
    ? { resolvedAt: header.resolvedAt, recordedAt: record.resolvedAt, recordedMediaId: record.mediaId, stale }
    : { resolvedAt: header.resolvedAt, stale };
}

/** A small file whole, opened where its name says. @throws SVC-STO-001 */
async function readGuarded(root: string, path: string, limit: number): Promise<Buffer> {
  const file = await openGuarded(root, path, constants.O_RDONLY);
  try {
    const { size } = await file.stat();
    if (size > limit) throw svcError('SVC-STO-001', { path, detail: `larger than ${limit} bytes` });
    return await file.readFile();
  } finally {
    await file.close();
  }
}

import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { requireDestination } from '../archive/destination.ts';
import { nameAnnotation } from '../archive/entry-name.ts';
import { listFormerEntries } from '../archive/former-entries.ts';
import { openLayoutWriter } from '../archive/open-writer.ts';
import { planArchive } from '../archive/plan-archive.ts';
import type { Details } from '../base/details.ts';
import { digestAlgorithm } from '../base/digest.ts';
import type { Report } from '../base/report.ts';
import type { Config } from '../config/model.ts';
import type { LayoutPlan } from '../contract/layout.ts';
import { requireWritable } from '../disk/place/require-writable.ts';
import { inspectVolume, type Volume } from '../disk/volume.ts';
import { exportLayout as write } from '../engine/layout/export-layout.ts';
import { type ExportPlan, planExport } from '../engine/layout/plan-export.ts';
import {
  asksForAll,
  type ExportGate,
  type LayoutSelection,
  toEntryReference,
} from '../engine/layout/select-entries.ts';
import { judgeVolume } from '../engine/sync/preflight/judge-volume.ts';
import { passPreflight } from '../engine/sync/preflight/pass-preflight.ts';
import { blobPath, layoutText } from '../oci/layout.ts';
import { holdContent } from '../store/keep-content.ts';
import type { Store } from '../store/model.ts';
import type { TaskJournal } from '../task/model.ts';
import {
  isSvcError,
  type SvcError,
  selectPrincipal,
  svcError,
  toErrorRecord,
  toSvcError,
} from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { judgeNamed } from './delivery/find-damage.ts';
import type { BlockedRecipe } from './delivery/select-closures.ts';
import { selectWhole } from './delivery/select-whole.ts';
import { type Configured, resolveLayoutPath } from './layout-paths.ts';

export type LayoutFormat = 'tar' | 'directory';

export interface LayoutExport extends LayoutPlan {
  readonly output: string;
  readonly bytes: number;
}

interface PlanLayoutInput {
  readonly store: Store;
  readonly format: LayoutFormat;
  readonly selection: LayoutSelection;
  /** Decides which content of a foreign store may be exported. */
  readonly gate?: ExportGate | undefined;
  /** Reason why a part of the selection may not be exported. */
  readonly blocked?: SvcError | undefined;
}

interface ExportLayoutInput extends PlanLayoutInput {
  readonly output: string;
  readonly overwrite: boolean;
  readonly actor: string;
  /** Journal of the task, if the export is one. */
  readonly journal?: TaskJournal;
  readonly onBytes?: (done: number, total: number) => void;
  readonly signal?: AbortSignal | undefined;
}

interface Collaborators extends Configured {
  readonly report: Report;
}

interface Decision {
  readonly plan: ExportPlan;
  /** Recipes that are left out, because the store has lost content of them. */
  readonly lost: readonly BlockedRecipe[];
  readonly document: LayoutPlan;
}

async function decide({ store, format, selection, gate, ...input }: PlanLayoutInput): Promise<Decision> {
  const selected = await selectWhole(store, selection, gate);
  // a complete export reports no error of content that was not requested
  const isLess = asksForAll(selection) || selected.missing.length > 0;
  const errors = [isLess ? input.blocked : undefined, selected.error];
  const blocked = selectPrincipal(errors.filter((error) => error !== undefined));
  const plan = await planExport(store, selected, gate);
  const { contents, index, manifests, blobs, missing } = plan;
  const sum = contents.reduce((total, { size }) => total + size, index.length + layoutText.length);
  const archive = format === 'tar' ? planArchive(plan).size : undefined;
  return {
    plan,
    lost: selected.blocked,
    document: {
      format,
      references: plan.entries.map(toEntryReference),
      manifests,
      blobs,
      totalBytes: archive ?? sum,
      largestFileBytes: archive ?? contents.reduce((most, { size }) => Math.max(most, size), index.length),
      missing,
      ...(blocked ? { blocked: toErrorRecord(blocked) } : {}),
    },
  };
}

/** Plans at most, while deletions take planned content. */
const plansAtMost = 20;

/** Plans an export and holds its content, so that it includes content deleted after its begin. */
async function decideAndHold(
  input: PlanLayoutInput,
): Promise<{ readonly decision: Decision; readonly held: AsyncDisposable }> {
  const { store } = input;
  for (let plans = 1; ; plans += 1) {
    const { head } = store;
    try {
      const decision = await decide(input);
      const held = holdContent(store, decision.plan.contents);
      if (held !== undefined) return { decision, held };
      if (plans < plansAtMost && store.head !== head) continue;
      throw svcError('SVC-STO-001', {
        path: store.root,
        detail: rule(['planned content was deleted', fr`un contenu prévu a été supprimé`]),
      });
    } catch (error) {
      const isLost = isSvcError(error, 'SVC-STO-001') && store.head !== head;
      if (!isLost || plans >= plansAtMost) throw error;
    }
  }
}

/**
 * Plans an export. With an output path, also checks whether it can be written. Writes nothing and reads no
 * layer.
 *
 * @throws SVC-REG-005 for content that is not in the store, SVC-MED-032 for content that may not be exported;
 *   with an output SVC-FIL-003, SVC-LAY-003, SVC-STO-002 for a read-only place, SVC-STO-004, SVC-STO-005
 */
export async function planLayout(
  { config, configPath, report }: Collaborators,
  input: PlanLayoutInput & { readonly output?: string | undefined; readonly overwrite?: boolean },
): Promise<LayoutPlan> {
  const decision = await decide(input);
  if (input.output !== undefined) {
    const path = await resolveLayoutPath({ config, configPath }, input.output, 'output');
    await requireDestination(path, input.format, input.overwrite === true);
    // an archive is written beside its name
    await requireWritable(input.format === 'tar' ? dirname(path) : path);
    await passVolume(decision, path, config, report);
    return { ...decision.document, ...(await findRemoved(decision, path, input.overwrite)) };
  }
  return decision.document;
}

/** The entries that a layout to be replaced has, and the new one has not. */
async function findRemoved(
  { plan }: Decision,
  path: string,
  overwrite: boolean | undefined,
): Promise<Pick<LayoutPlan, 'removed'>> {
  if (overwrite !== true) return {};
  const own = new Set(plan.entries.map(({ descriptor }) => descriptor.annotations?.[nameAnnotation]));
  const removed = (await listFormerEntries(path)).filter((name) => !own.has(name));
  return removed.length === 0 ? {} : { removed };
}

/** @throws SVC-STO-004, SVC-STO-005 unless the pre-flight gate is disabled */
async function passVolume(
  { plan, document }: Decision,
  path: string,
  config: Config,
  report: Report,
): Promise<Volume> {
  const volume = await inspectVolume(dirname(path));
  const isFolder = document.format === 'directory';
  const perFolder = { sha256: 0, sha512: 0 };
  for (const { digest } of plan.contents) perFolder[digestAlgorithm(digest)] += 1;
  const judged = judgeVolume(
    {
      target: 'output',
      path,
      volume,
      neededBytes: document.totalBytes - (isFolder ? await countHeld(plan, path) : 0),
      largestFileBytes: document.largestFileBytes,
      folderEntries: isFolder ? Math.max(...Object.values(perFolder)) : 0,
    },
    config.preflight.safetyMarginPercent,
  );
  passPreflight([judged], config.preflight.disabled, report);
  return volume;
}

/** Counts the bytes that an earlier export has left in the same folder. */
async function countHeld({ contents }: ExportPlan, root: string): Promise<number> {
  const isThere = await readdir(join(root, 'blobs')).catch(() => undefined);
  if (isThere === undefined) return 0;
  let held = 0;
  for (const { digest, size } of contents) {
    const info = await lstat(join(root, blobPath(digest))).catch(() => undefined);
    if (info?.isFile() && info.size === size) held += size;
  }
  return held;
}

/**
 * Exports a store, or a part, as an OCI image layout. The same content always gives the same bytes. An interrupted
 * export leaves no archive; an interrupted export to a folder is resumed by the next one.
 *
 * @throws the errors of {@link planLayout}; SVC-SIG-002 and SVC-STO-001 for damaged or missing content;
 *   SVC-STO-002; the reason of the signal
 */
export async function exportLayout(
  { config, configPath, report }: Collaborators,
  input: ExportLayoutInput,
): Promise<LayoutExport> {
  const { store, format, output, overwrite, actor, journal, signal } = input;
  const audit = (outcome: 'success' | 'failure', details: Details): void =>
    report.audit({
      actor,
      action: 'layout.export',
      target: output,
      outcome,
      details: { format, ...details },
    });
  let reported = 0;
  const writeOnce = async (): Promise<LayoutExport> => {
    const path = await resolveLayoutPath({ config, configPath }, output, 'output');
    const { decision, held } = await decideAndHold(input);
    await using _held = held;
    const { plan, document } = decision;
    await requireDestination(path, format, overwrite);
    const volume = await passVolume(decision, path, config, report);
    const removed = await findRemoved(decision, path, overwrite);
    const { totalBytes } = document;
    const items = plan.entries.map((entry) => ({
      name: toEntryReference(entry),
      digest: entry.digest,
      status: 'pending' as const,
      transferredBytes: 0,
    }));
    journal?.setItems(items);
    journal?.setTotalBytes(totalBytes);
    for (const { repository, tag, digest, reason } of document.missing)
      journal?.line(`${toEntryReference({ repository, digest, ...(tag ? { tag } : {}) })}: ${reason}`);
    for (const name of removed.removed ?? []) journal?.line(`${name}: no longer in the layout`);
    await using writer = await openLayoutWriter(plan, format, { path, overwrite, volume }, signal);
    const bytes = await write({
      store,
      plan,
      writer,
      onBytes: (done) => {
        journal?.addBytes(Math.max(0, done - reported));
        reported = Math.max(reported, done);
        input.onBytes?.(done, totalBytes);
      },
      signal,
    });
    // small content causes no progress event
    journal?.addBytes(Math.max(0, totalBytes - reported));
    await journal?.settleItems([
      ...items.map((item) => ({ ...item, status: 'done' as const })),
      ...decision.lost.map(({ record: { name, version, digest }, error }) => ({
        name: `${name}@${version}`,
        digest,
        status: 'failed' as const,
        transferredBytes: 0,
        error: toErrorRecord(error),
      })),
    ]);
    const { blocked, manifests, blobs, missing } = document;
    journal?.setLayout({ manifests, blobs, bytes, missing, ...(blocked ? { blocked } : {}) });
    audit(blocked ? 'failure' : 'success', {
      references: document.references.length,
      bytes,
      ...(blocked ? { code: blocked.code } : {}),
    });
    return { ...document, ...removed, output: path, bytes };
  };
  for (let writes = 1; ; writes += 1)
    try {
      return await writeOnce();
    } catch (thrown) {
      const error = await store.place.explain(thrown);
      // content that proves damaged while it is copied is left out of the next plan
      const isLost =
        !signal?.aborted && writes < plansAtMost && (await judgeNamed({ store, report, actor }, error));
      if (isLost) continue;
      const coded = selectPrincipal([toSvcError(error), ...(input.blocked ? [input.blocked] : [])])!;
      audit('failure', signal?.aborted ? { interrupted: true } : { code: coded.code });
      throw error;
    }
}

import { openLayout } from '../archive/open-layout.ts';
import type { Details } from '../base/details.ts';
import { type Digest, requireUnchanged } from '../base/digest.ts';
import type { Report } from '../base/report.ts';
import type { Config } from '../config/model.ts';
import type { LayoutImport, LayoutImportPlan } from '../contract/layout.ts';
import type { OpenIntent } from '../custody/model.ts';
import { createRetagAudit } from '../engine/copy/retag-audit.ts';
import { importLayout as bring } from '../engine/layout/import-layout.ts';
import { measureNew } from '../engine/layout/measure-new.ts';
import { planImport, planLost } from '../engine/layout/plan-import.ts';
import { fingerprintImport, previewImport } from '../engine/layout/preview-import.ts';
import { readLinks } from '../engine/layout/read-links.ts';
import { countErrors } from '../engine/sync/count-errors.ts';
import { parseImportTarget } from '../oci/import-target.ts';
import type { Store } from '../store/model.ts';
import type { TaskJournal } from '../task/model.ts';
import { type SvcError, svcError, toErrorRecord, toSvcError } from '../text/error.ts';
import { openCustody } from './custody/open-custody.ts';
import { type Configured, resolveLayoutPath } from './layout-paths.ts';

interface ImportLayoutInput {
  /** Opens the store for writing. Called after the layout was recognized. */
  readonly openStore: () => Promise<Store>;
  readonly input: string;
  /** Target `<repository>[:<tag>]` of entries that have only a tag, or no reference. */
  readonly repository?: string | undefined;
  /** Of the plan that was confirmed: anything else is not imported. */
  readonly fingerprint?: string | undefined;
  readonly actor: string;
  /** Journal of the task, if the import is one. */
  readonly journal?: TaskJournal;
  readonly onBytes?: (done: number, total: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Refuses to change a foreign medium on an instance with a zone. @throws SVC-MED-030 */
export function requireOwn(
  { standing, mediaId }: Pick<Store, 'standing' | 'mediaId'>,
  { zone }: Config,
): void {
  if (zone !== undefined && standing === 'foreign') throw svcError('SVC-MED-030', { mediaId });
}

/**
 * Imports an OCI image layout into the store, digests unchanged. Entries are independent: a failed one is
 * reported, the others are imported. A repeated import writes nothing.
 *
 * @throws SVC-LAY-001, SVC-LAY-002 when the layout is refused, SVC-FIL-003, SVC-REG-001, SVC-MED-030, the
 *   reason of the signal
 */
export async function importLayout(
  { config, configPath, report }: Configured & { readonly report: Report },
  request: ImportLayoutInput,
): Promise<LayoutImport> {
  const { actor, journal, signal } = request;
  let opened: Store | undefined;
  let intent: OpenIntent | undefined;
  const audit = (outcome: 'success' | 'failure', details: Details): void =>
    report.audit({
      actor,
      action: 'layout.import',
      target: request.input,
      outcome,
      details: { ...(opened === undefined ? {} : { mediaId: opened.mediaId }), ...details },
    });
  try {
    const target = parseImportTarget(request.repository);
    const input = await resolveLayoutPath({ config, configPath }, request.input, 'input');
    await using layout = await openLayout(input);
    const store = await request.openStore();
    opened = store;
    requireOwn(store, config);
    let movedBytes = 0;
    let reported = 0;
    const tell = (
      {
        reference,
        digest,
        error,
      }: { reference: string; digest?: Digest | undefined; error?: SvcError | undefined },
      moved: number,
    ): void => {
      if (error) report.log('error', 'An entry of the layout was skipped', { reference, digest, error });
      journal?.line(`${reference}: ${error ? error.code : `imported, ${moved} bytes`}`);
    };
    const { entries, manifests, blobs, bytes } = await bring({
      layout,
      store,
      target,
      isConfirmed: request.fingerprint !== undefined,
      onPlan: async (planned, newBytes, lost) => {
        intent = await openCustody(config).begin({
          type: 'fetched',
          actor,
          subjects: planned.map(({ reference, descriptor: { digest } }) => ({ name: reference, digest })),
          details: { layout: input },
        });
        const present = () => fingerprintImport(previewImport(planned, lost, store.index));
        requireUnchanged(request.fingerprint, present, request.input);
        journal?.setTotalBytes(newBytes);
        journal?.setItems([
          ...lost.map(({ reference, digest, error }) => ({
            name: reference,
            ...(digest === undefined ? {} : { digest }),
            status: 'failed' as const,
            transferredBytes: 0,
            error: toErrorRecord(error),
          })),
          ...planned.map(({ reference, descriptor }) => ({
            name: reference,
            digest: descriptor.digest,
            status: 'pending' as const,
            transferredBytes: 0,
          })),
        ]);
        for (const entry of lost) tell(entry, 0);
      },
      onEntry: async ({ reference, digest, movedBytes: moved, error }) => {
        movedBytes += moved;
        tell({ reference, digest, error }, moved);
        await journal?.updateItem(reference, {
          status: error ? 'failed' : 'done',
          transferredBytes: moved,
          ...(error ? { error: toErrorRecord(error) } : {}),
        });
      },
      onRePointed: createRetagAudit(report, actor, { mediaId: store.mediaId, source: input }),
      onBytes: (done) => {
        journal?.addBytes(done - reported);
        reported = done;
        request.onBytes?.(done, 0);
      },
      signal,
    });
    // small content causes no progress event
    journal?.addBytes(Math.max(0, movedBytes - reported));
    journal?.setTotalBytes(Math.max(movedBytes, reported));
    journal?.setLayout({ manifests, blobs, bytes, movedBytes });
    const failures = entries.flatMap(({ error }) => error ?? []);
    const failed = failures.length;
    countErrors(failures, report);
    await intent?.end({
      subjects: entries.flatMap(({ reference, digest, error }) =>
        digest === undefined || error ? [] : [{ name: reference, digest }],
      ),
      details: { failed, bytes: movedBytes },
      result: failed === 0 ? 'success' : 'failure',
    });
    audit(failed === 0 ? 'success' : 'failure', { entries: entries.length, failed, bytes: movedBytes });
    return {
      input,
      manifests,
      blobs,
      bytes,
      movedBytes,
      entries: entries.map(({ reference, digest, error }) => ({
        reference,
        ...(digest === undefined ? {} : { digest }),
        ...(error ? { error: toErrorRecord(error) } : {}),
      })),
      failed,
    };
  } catch (thrown) {
    const error = opened === undefined ? thrown : await opened.place.explain(thrown);
    const coded = toSvcError(error);
    await intent?.fail(error, signal);
    if (!signal?.aborted) countErrors([coded], report);
    audit('failure', signal?.aborted ? { interrupted: true } : { code: coded.code });
    throw error;
  }
}

/**
 * Previews {@link importLayout}, entry by entry. Changes nothing and verifies no content.
 *
 * @throws SVC-LAY-001, SVC-LAY-002, SVC-FIL-003, SVC-REG-001, SVC-MED-030
 */
export async function planLayoutImport(
  { config, configPath }: Configured,
  request: { readonly store: Store; readonly input: string; readonly repository?: string | undefined },
): Promise<LayoutImportPlan> {
  const { store } = request;
  const target = parseImportTarget(request.repository);
  requireOwn(store, config);
  const input = await resolveLayoutPath({ config, configPath }, request.input, 'input');
  await using layout = await openLayout(input);
  const planned = planImport(layout.entries, target, await readLinks(layout), layout.lost);
  const newBytes = await measureNew(layout, store.index);
  const entries = previewImport(planned, planLost(layout.lost), store.index);
  return {
    input: request.input,
    format: layout.format,
    entries,
    newBytes,
    fingerprint: fingerprintImport(entries),
  };
}

import type { Report } from '../base/report.ts';
import type { ConfigWith } from '../config/requirements.ts';
import type { MediumReport, VerificationProgress } from '../contract/medium.ts';
import type { LayoutSelection } from '../engine/layout/select-entries.ts';
import { openFreshness } from '../engine/medium/freshness.ts';
import { selectObstacles } from '../engine/medium/report.ts';
import type { Store } from '../store/model.ts';
import { openStore, peekStore } from '../store/opening/open-store.ts';
import { selectPrincipal, svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { loadPassportGuard, loadPolicy } from './load-policy.ts';
import { type ExportPermit, freePermit, toPermit } from './run-layout-task.ts';
import { toStoreOptions } from './to-store-options.ts';
import { createMediumVerifier } from './verify-medium.ts';

interface OpenExportOptions {
  readonly report: Report;
  readonly version: string;
  readonly actor: string;
  /** Takes no lock, to run beside an instance. */
  readonly peek: boolean;
  readonly onProgress?: (progress: VerificationProgress) => void;
  /** Called after the verification of a foreign store, before anything is refused. */
  readonly onVerified?: (report: MediumReport) => void;
  readonly signal?: AbortSignal;
}

/** A store opened for an export by a command. */
interface OpenedExport extends AsyncDisposable {
  readonly store: Store;
  /** Selects the part of a selection that may be exported. */
  permitOf(selection: LayoutSelection): ExportPermit;
}

/**
 * Opens the store of a configuration for reading. On an instance with a zone, a foreign store is verified
 * first, and only passed recipes may be exported.
 *
 * @throws SVC-STO-001 when there is no store, SVC-STO-007 while another process writes to it, and the error that blocks
 *   a foreign store as a whole
 */
export async function openExport(
  config: ConfigWith<'storage.root'>,
  options: OpenExportOptions,
): Promise<OpenedExport> {
  const { report, version, actor, peek, signal } = options;
  const opening = toStoreOptions(config, version, report);
  const { root, stateRoot, zone } = opening;
  const store = await (peek ? peekStore(opening) : openStore({ ...opening, access: 'read' }));
  if (!store)
    throw svcError('SVC-STO-001', {
      path: root,
      detail: rule(['there is no store', fr`il n’y a pas de stockage`]),
      problem: 'unmade',
    });
  try {
    for (const notice of store.notices) report.log('warn', String(notice), { mediaId: store.mediaId });
    const close = async (): Promise<void> => store[Symbol.asyncDispose]();
    if (zone === undefined || store.standing === 'ours')
      return { store, permitOf: () => freePermit, [Symbol.asyncDispose]: close };
    const policy = await loadPolicy(config, report);
    const verifier = createMediumVerifier({
      store,
      zone,
      policy,
      passports: await loadPassportGuard(config, policy),
      freshness: stateRoot === undefined ? undefined : openFreshness(stateRoot),
      report,
      ...(options.onProgress ? { onProgress: options.onProgress } : {}),
    });
    const { report: verified, cleared } = await verifier.verify({}, actor, signal);
    options.onVerified?.(verified);
    const blocked = selectPrincipal(selectObstacles(verified));
    if (cleared.length === 0 && blocked) throw blocked;
    return {
      store,
      permitOf: (selection) => toPermit(verifier.clearance, verified, store, selection),
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
}

import { catalogue } from '../base/catalogue.ts';
import { fromErrorRecord, type SvcError, selectPrincipal, svcError } from '../base/error.ts';
import type { Report } from '../base/report.ts';
import type { Config } from '../config/model.ts';
import type { ExportGate } from '../engine/layout/select-entries.ts';
import { openFreshness } from '../engine/medium/freshness.ts';
import { selectObstacles } from '../engine/medium/report.ts';
import type { MediumReport, VerificationProgress } from '../engine/model.ts';
import type { Store } from '../store/model.ts';
import { openStore, peekStore } from '../store/open-store.ts';
import { loadPolicy } from './load-policy.ts';
import { toStoreOptions } from './to-store-options.ts';
import { createMediumDesk } from './verify-medium.ts';

export interface OpenExportOptions {
  readonly report: Report;
  readonly version: string;
  readonly actor: string;
  /** Takes no lock, so that it works beside a running instance. */
  readonly peek: boolean;
  readonly onProgress?: (progress: VerificationProgress) => void;
  readonly signal?: AbortSignal;
}

/** A store that a layout is made of by a command. */
export interface OpenedExport extends AsyncDisposable {
  readonly store: Store;
  /** What may leave; absent where everything may. */
  readonly gate: ExportGate | undefined;
  /** Why a part of a carried store may not leave. */
  readonly blocked: SvcError | undefined;
}

/**
 * Opens the store of a configuration for reading. In a zone a store that was made elsewhere is verified first, and what
 * is cleared may leave.
 *
 * @throws SVC-STO-001 when there is no store, SVC-STO-007 while it is being written, and what blocks a carried store
 *   whole
 */
export async function openExport(config: Config, options: OpenExportOptions): Promise<OpenedExport> {
  const { report, version, actor, peek, signal } = options;
  const opening = toStoreOptions(config, version, report);
  const { root, stateRoot, zone } = opening;
  const store = await (peek ? peekStore(opening) : openStore({ ...opening, access: 'read' }));
  if (!store) throw svcError('SVC-STO-001', { path: root, detail: 'there is no store' });
  try {
    for (const notice of store.notices) report.log('warn', notice, { mediaId: store.mediaId });
    const close = async (): Promise<void> => store[Symbol.asyncDispose]();
    if (zone === undefined || store.standing === 'ours')
      return { store, gate: undefined, blocked: undefined, [Symbol.asyncDispose]: close };
    const desk = createMediumDesk({
      store,
      zone,
      policy: await loadPolicy(config, report),
      freshness: stateRoot === undefined ? undefined : openFreshness(stateRoot),
      report,
      ...(options.onProgress ? { onProgress: options.onProgress } : {}),
    });
    const { report: verified, cleared } = await desk.verify({}, actor, signal);
    const blocked = toPrincipal(verified);
    if (cleared.length === 0 && blocked) throw blocked;
    return { store, gate: desk.clearance, blocked, [Symbol.asyncDispose]: close };
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
}

function toPrincipal(report: MediumReport): SvcError | undefined {
  const principal = selectPrincipal(selectObstacles(report));
  if (!principal) return undefined;
  const { code } = principal;
  const { params } = principal as { readonly params?: SvcError['params'] };
  return fromErrorRecord({ code, class: catalogue[code].class, params: params ?? {} });
}

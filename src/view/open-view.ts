import type { Report } from '../base/report.ts';
import type { ConfigWith } from '../config/requirements.ts';
import type { VerificationProgress } from '../contract/medium.ts';
import { openFreshness } from '../engine/medium/freshness.ts';
import { loadPassportGuard, loadPolicy } from '../operation/load-policy.ts';
import { toStoreOptions } from '../operation/to-store-options.ts';
import { createMediumVerifier } from '../operation/verify-medium.ts';
import type { Store } from '../store/model.ts';
import { peekStore, toNoStore } from '../store/opening/open-store.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import type { TrustRoot } from '../trust/model.ts';
import type { ViewGate, ViewParts } from './parts.ts';

/** A store that was opened to be shown. */
export interface OpenedView extends ViewParts, AsyncDisposable {
  /** Loads the trusted keys, which are none before. @throws SVC-CFG-001 for an unusable key */
  loadRoots(): Promise<void>;
}

/**
 * The gate for a store that no instance serves. In a zone, the store of another instance is untrusted before its
 * verification: only its names are shown.
 */
function toGate(
  { standing, mediaId }: Pick<Store, 'standing' | 'mediaId'>,
  zone: string | undefined,
): ViewGate {
  const isClosed = zone !== undefined && standing === 'foreign';
  return {
    guarded: isClosed,
    refusal: () => (isClosed ? { code: 'SVC-MED-030', mediaId } : undefined),
    allowsRepository: () => !isClosed,
    allowsTag: () => !isClosed,
    allowsManifest: () => !isClosed,
  };
}

/** Verifies a medium, as an instance does at its start. @returns the gate that admits the passing content */
async function verifyStore(
  config: ConfigWith<'storage.root'>,
  store: Store,
  report: Report,
  { actor, signal, onProgress }: NonNullable<OpenViewOptions['verify']>,
): Promise<ViewGate> {
  const stateRoot = config.state.root;
  const policy = await loadPolicy(config, report);
  const verifier = createMediumVerifier({
    store,
    zone: config.zone,
    policy,
    passports: await loadPassportGuard(config, policy),
    freshness: stateRoot === undefined ? undefined : openFreshness(stateRoot),
    report,
    onProgress,
  });
  await verifier.verify({}, actor, signal);
  return verifier.clearance;
}

interface OpenViewOptions {
  readonly report: Report;
  /** Version of the program. */
  readonly version: string;
  /**
   * Verifies a medium of another instance first, and shows the passing content; absent: only names of such a medium are
   * shown.
   */
  readonly verify?: {
    readonly actor: string;
    readonly signal: AbortSignal;
    readonly onProgress: (progress: VerificationProgress) => void;
  };
}

/**
 * Opens the store of a configuration to show it. Takes no lock and changes nothing, so that it works beside an instance.
 *
 * @throws SVC-STO-001 when there is no store, SVC-STO-020 where this configuration creates none, SVC-STO-008 for another format; with `verify`, the errors of a verification
 *   that cannot be made
 */
export async function openView(
  config: ConfigWith<'storage.root'>,
  { report, version, verify }: OpenViewOptions,
): Promise<OpenedView> {
  const store = await peekStore(toStoreOptions(config, version, report));
  if (store === undefined && config.storage.create === false) throw await toNoStore(config.storage.root);
  if (store === undefined)
    throw svcError('SVC-STO-001', {
      path: config.storage.root,
      detail: rule(['there is no store', fr`il n’y a pas de stockage`]),
      problem: 'unmade',
    });
  let roots: readonly TrustRoot[] = [];
  const gate = toGate(store, config.zone);
  return {
    store,
    gate: verify !== undefined && gate.guarded ? await verifyStore(config, store, report, verify) : gate,
    instance: {
      context: {
        config,
        policy: {
          get roots() {
            return roots;
          },
        },
      },
    },
    loadRoots: async () => {
      ({ roots } = await loadPolicy(config, report));
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

import { access, constants } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Accounts } from '../src/account/accounts.ts';
import type { Authenticator } from '../src/account/authenticate.ts';
import { actors, type Report } from '../src/base/report.ts';
import type { ListenerCertificate } from '../src/certificate/listener-certificate.ts';
import type { LoadedConfig } from '../src/config/load-config.ts';
import type { ConfigFor } from '../src/config/requirements.ts';
import { makeStateFolder } from '../src/disk/make-folder.ts';
import { readNamed } from '../src/disk/named-file.ts';
import { toUnreadableRule } from '../src/disk/named-file-error.ts';
import { toWriteError } from '../src/disk/write-error.ts';
import type { MediumVerifier } from '../src/operation/verify-medium.ts';
import type { Store } from '../src/store/model.ts';
import { occupancyOf } from '../src/store/occupancy.ts';
import type { ServedStore } from '../src/store/opening/served-store.ts';
import type { Tasks } from '../src/task/queue.ts';
import { isSvcError, svcError, toSvcError } from '../src/text/error.ts';
import { fr } from '../src/text/language.ts';
import { rule } from '../src/text/rule.ts';
import { toShellWord } from '../src/text/shell-word.ts';
import { getBuildInfo } from './build-info.ts';

/** Bytes that a style sheet of the operator may have. */
const largestTheme = 262_144;

/** The style sheet of the operator, where there is one. @throws SVC-CFG-001 when it cannot be read or is too large */
export async function readThemeOverride(config: ConfigFor<'serve'>): Promise<Buffer | undefined> {
  const path = config.ui.themeOverride;
  if (path === undefined) return undefined;
  const setting = 'ui.themeOverride';
  try {
    return await readNamed(path, largestTheme);
  } catch (error) {
    const detail = rule(['names {path}, which {broken}', fr`nomme {path}, qui {broken}`], {
      path,
      broken: toUnreadableRule(error),
    });
    throw svcError('SVC-CFG-001', { setting, detail }, { cause: error });
  }
}

/** Locks the state: queue, schedule and downloads belong to one process. @throws SVC-STO-007 */
export async function lockState(stateRoot: string, cleanup: AsyncDisposableStack): Promise<void> {
  const { acquireLock } = await import('../src/disk/lock.ts');
  await makeStateFolder(stateRoot);
  cleanup.use(await acquireLock(join(stateRoot, 'lock'), 'exclusive', { holder: 'svc serve' }));
}

/** Returns the flags by which another command finds the state of a configuration, wherever it is run. */
export function toStateFlags({ config, path, origins, originOf }: LoadedConfig): string {
  const hasDocument = [...origins.values()].some(({ layer }) => layer === 'file');
  const isNamed = originOf('state.root').layer === 'file';
  return [
    ...(hasDocument ? ['--config', toShellWord(resolve(path))] : []),
    ...(isNamed ? [] : ['--state-root', toShellWord(config.state.root ?? '')]),
  ].join(' ');
}

/**
 * @param at the flags by which a command finds the same accounts
 * @throws SVC-AUTH-001 when there is no account, so that no one could sign in
 */
export async function openAccess(
  config: ConfigFor<'serve'>,
  report: Report,
  cleanup: AsyncDisposableStack,
  at: string,
): Promise<{
  readonly accounts: Accounts | undefined;
  /** Undefined: authentication is disabled. */
  readonly openAuthenticator: ((report: Report) => Authenticator) | undefined;
}> {
  const stateRoot = config.state.root;
  if (stateRoot === undefined) return { accounts: undefined, openAuthenticator: undefined };
  const { openAccounts } = await import('../src/account/accounts.ts');
  const { createAuthenticator } = await import('../src/account/authenticate.ts');
  const { Sessions } = await import('../src/account/sessions.ts');
  const { Throttle } = await import('../src/account/throttle.ts');
  const accounts = cleanup.use(
    openAccounts({ stateRoot, report, passwordMinLength: config.auth.passwordMinLength }),
  );
  if (config.auth.disabled) return { accounts, openAuthenticator: undefined };
  if (await accounts.isEmpty()) {
    throw svcError('SVC-AUTH-001', {
      detail: rule(['no account in {path}', fr`aucun compte dans {path}`], { path: stateRoot }),
      at,
    });
  }
  if (!(await accounts.list()).some(({ role }) => role === 'admin'))
    report.log('warn', 'No account has the role admin; make one with: svc user role NAME admin', {
      path: stateRoot,
    });
  await accounts.keepReserve();
  const now = () => performance.now();
  const openAuthenticator = (counted: Report): Authenticator =>
    createAuthenticator({
      accounts,
      sessions: new Sessions({ ttl: config.auth.sessionTTL, now }),
      throttle: new Throttle({ now }),
      report: counted,
      now,
    });
  return { accounts, openAuthenticator };
}

/**
 * @param isBusy whether tasks wait or run
 * @throws the errors of opening the store; SVC-STO-002 when a store of this instance cannot be written
 */
export async function openServedStore(
  config: ConfigFor<'serve'>,
  report: Report,
  cleanup: AsyncDisposableStack,
  isBusy: () => boolean,
): Promise<ServedStore> {
  const { openServedStore: open } = await import('../src/store/opening/served-store.ts');
  const { toStoreOptions } = await import('../src/operation/to-store-options.ts');
  const store = cleanup.use(
    await open({
      ...toStoreOptions(config, getBuildInfo().version, report),
      access: 'serve',
      holder: 'svc serve',
      isBusy,
      onReopened: async (reopened) => announceStore(config, report, reopened),
    }),
  );
  await announceStore(config, report, store);
  return store;
}

/** Logs the findings of opening the store. @throws SVC-STO-002 when a store of this instance cannot be written */
async function announceStore(config: ConfigFor<'serve'>, report: Report, store: Store): Promise<void> {
  const { root } = store;
  for (const notice of store.notices) report.log('warn', String(notice), { mediaId: store.mediaId });
  const refusal = await access(root, constants.W_OK).catch((error: unknown) => error);
  if (refusal !== undefined && store.standing === 'ours') {
    throw toWriteError(refusal, root);
  }
  if (refusal !== undefined || store.readOnly !== undefined) {
    report.log('warn', 'the store is read-only: changes are refused', {
      mediaId: store.mediaId,
      reason: String(store.readOnly ?? 'the folder is not writable'),
    });
  }
  if (store.standing === 'foreign' && config.zone === undefined) {
    report.log('warn', 'the store was made by another instance and is served unverified: no zone is set', {
      mediaId: store.mediaId,
    });
  }
  report.log('info', 'store opened', {
    mediaId: store.mediaId,
    root: store.root,
    standing: store.standing,
    bytes: occupancyOf(store).bytes,
  });
}

/**
 * Verifies a medium of another instance at the start, and again after it was replaced or changed.
 *
 * @returns stops looking at the disk
 */
export async function watchStore(
  store: ServedStore,
  parts: {
    readonly verifier: MediumVerifier;
    readonly tasks: Pick<Tasks, 'requireIdle'>;
    /** Called after each verdict; `isAgain`: on a medium that was replaced or changed. */
    readonly review: (isAgain: boolean) => void;
    readonly report: Report;
    readonly signal: AbortSignal;
  },
): Promise<() => Promise<void>> {
  const { verifier, tasks, review, report, signal } = parts;
  const { clearance } = verifier;
  const { watchMedium } = await import('../src/engine/medium/watch-medium.ts');
  const isUsed = (): boolean => {
    try {
      tasks.requireIdle();
      return false;
    } catch {
      return true;
    }
  };
  const verify = async (isAgain: boolean): Promise<void> => {
    await verifier.verify({}, actors.system, signal);
    review(isAgain);
  };
  if (clearance.guarded) {
    const { mediaId } = store;
    report.log(
      'warn',
      'the store is a medium of another instance: no content is served until it is verified',
      { mediaId },
    );
    verify(false).catch((error: unknown) => {
      if (signal.aborted) return;
      const { code, params } = toSvcError(error);
      report.log('error', 'the medium could not be verified', { mediaId, code, params });
    });
  }
  const watch = watchMedium({
    clearance,
    root: () => store.root,
    isChanged: () => store.isChanged(),
    isVerifying: () => verifier.isBusy,
    endVerification: () => verifier.endOutdated(),
    isUsed,
    release: () => store.release(),
    verify: () => verify(true),
    report,
  });
  watch.start();
  return () => watch.stop();
}

/** Milliseconds between two looks for the disk of a store. */
const diskInterval = 2000;

/**
 * Opens the store. Where there is no store and the configuration creates none, another listener answers "not ready" until
 * a disk with the store is mounted.
 *
 * @returns undefined when a signal ended the wait
 */
export async function waitForStore<S extends Store>(
  open: () => Promise<S>,
  parts: {
    readonly openStandby: () => Promise<{ readonly url: string; close(): Promise<void> }>;
    readonly root: string;
    readonly report: Report;
    readonly ended: Promise<unknown>;
  },
): Promise<S | undefined> {
  const { openStandby, root, report, ended } = parts;
  await using standby = new AsyncDisposableStack();
  const stop = new AbortController();
  void ended.then(() => stop.abort());
  for (let looks = 0; ; looks += 1) {
    try {
      return await open();
    } catch (error) {
      if (!isSvcError(error, 'SVC-STO-020')) throw error;
      if (looks === 0) {
        const listener = await openStandby();
        standby.defer(() => listener.close());
        report.log('warn', 'waiting for the disk of the store', { root, url: listener.url });
      }
    }
    await wait(diskInterval, undefined, { signal: stop.signal }).catch(() => {});
    if (stop.signal.aborted) return undefined;
  }
}

/** In mirror mode, operations are also logged on the medium, for its receivers. */
export async function openOperationReport(
  config: ConfigFor<'serve'>,
  store: Store,
  report: Report,
  cleanup: AsyncDisposableStack,
): Promise<Report> {
  const isMedium = config.mode === 'mirror' || (config.zone !== undefined && store.standing === 'foreign');
  if (!isMedium) return report;
  const { openMediumLog } = await import('../src/log/medium-log.ts');
  const { teeReport } = await import('../src/log/tee-report.ts');
  const log = cleanup.use(
    openMediumLog({ root: store.root, place: store.place, ...config.logging.media, report }),
  );
  return teeReport(report, log.sink);
}

/** Absent when the listener serves plain HTTP. @throws SVC-NET-003 */
export async function openCertificate(
  config: ConfigFor<'serve'>,
  host: string | undefined,
  report: Report,
): Promise<ListenerCertificate | undefined> {
  const { enabled, certFile, keyFile, hosts } = config.server.tls;
  if (!enabled && certFile === undefined) return undefined;
  const { openListenerCertificate } = await import('../src/certificate/listener-certificate.ts');
  const isNamed = host !== undefined && host !== '0.0.0.0' && host !== '::';
  const certificate = await openListenerCertificate({
    certFile,
    keyFile,
    stateRoot: config.state.root,
    hosts: isNamed ? [...hosts, host] : hosts,
    report,
  });
  const { fingerprintSha256, source, notAfter } = certificate.description;
  report.log('info', 'listener certificate', { fingerprint: fingerprintSha256, origin: source, notAfter });
  return certificate;
}

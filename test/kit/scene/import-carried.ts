import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { AuditEvent } from '../../../src/base/report.ts';
import type { Config } from '../../../src/config/model.ts';
import type { Task, TaskItem } from '../../../src/contract/task.ts';
import { type FreshnessRecord, openFreshness } from '../../../src/engine/medium/freshness.ts';
import type { ImportedMedium } from '../../../src/engine/medium/import-medium.ts';
import { toUnopened } from '../../../src/engine/medium/unopened.ts';
import { type MediumVerification, verifyMedium } from '../../../src/engine/medium/verify-medium.ts';
import { openMediumLog } from '../../../src/log/medium-log.ts';
import { teeReport } from '../../../src/log/tee-report.ts';
import { openContext } from '../../../src/operation/context.ts';
import { importMedium } from '../../../src/operation/import-medium.ts';
import type { Store } from '../../../src/store/model.ts';
import { isSvcError, type SvcError, toErrorRecord, toSvcError } from '../../../src/text/error.ts';
import type { Signer } from '../content/signer.ts';
import { createMemoryJournal } from '../instance/memory-journal.ts';
import { openStoreAt } from '../instance/open-store-at.ts';
import { createRecordingReport } from '../instance/recording-report.ts';
import { openTempFolder } from '../instance/temp-folder.ts';
import type { RegistryDouble } from '../result/registry-double.ts';
import { readHere, type verifyCarried } from './verify-carried.ts';

/** All results of one import, and all its messages. */
export interface CarriedImport {
  /** Absent when the verification threw. */
  readonly verification: MediumVerification | undefined;
  readonly imported: ImportedMedium | undefined;
  /** The error that ended the import. */
  readonly error: SvcError | undefined;
  readonly items: readonly TaskItem[];
  /** The task as it ended. */
  readonly task: Task;
  readonly audits: readonly AuditEvent[];
  /** The mark of the zone afterwards. */
  readonly freshness: FreshnessRecord | undefined;
  /** Report, task, log lines and errors, as text. */
  readonly said: string;
}

/** The settings of a zone with a registry, as far as an import and a survey read them. */
export function toZoneConfig(zone: {
  readonly zone: string;
  readonly state: string;
  /** Host of the registry, over plain HTTP. */
  readonly host: string;
  /** Other hosts that are asked over plain HTTP. */
  readonly insecure?: readonly string[] | undefined;
  readonly signers: readonly Signer[];
  readonly signing?: Config['signing'] | undefined;
  /** Retries of a request. Default 0, so that each failure of a peer is seen. */
  readonly retries?: number | undefined;
  readonly peers?: Config['peers'] | undefined;
}): Config {
  return {
    zone: zone.zone,
    state: { root: zone.state },
    network: { proxy: { noProxy: [] }, tls: { caFiles: [], exclusiveTrust: false } },
    registries: { insecure: [zone.host, ...(zone.insecure ?? [])], substitutions: {} },
    destination: { registry: zone.host, cookbook: 'cookbook' },
    retriever: {},
    sync: { parallelism: 3, retries: zone.retries ?? 0 },
    peers: zone.peers ?? [],
    custody: { enabled: false },
    transfer: { resumeThreshold: 0 },
    trust: {
      roots: zone.signers.map(({ publicKeyPem }, i) => ({ name: `root-${i}`, key: publicKeyPem })),
      scopes: [],
    },
    signing: zone.signing ?? {},
  } as unknown as Config;
}

/**
 * Imports a carried medium in this process as `svc media import` does. The medium is opened shared as a foreign store and
 * verified. The cleared recipes are pushed, and the operation log is written on the medium.
 *
 * @param between called when the verdict is given and nothing has been pushed
 */
export async function importCarried(
  root: string,
  signers: readonly Signer[],
  double: Pick<RegistryDouble, 'host'>,
  options: NonNullable<Parameters<typeof verifyCarried>[2]> & {
    readonly state: string;
    /** Other hosts that are asked over plain HTTP. */
    readonly insecure?: readonly string[];
    readonly between?: () => Promise<unknown>;
    /** Key with which the zone signs a receipt, and its password. */
    readonly signing?: Config['signing'];
    readonly retries?: number;
  },
): Promise<CarriedImport> {
  const { zone = 'zone-b', waive = { zoneMismatch: false, stale: false }, now = Date.now, state } = options;
  await mkdir(state, { recursive: true });
  const own = createRecordingReport();
  const log = openMediumLog({
    root,
    file: '_svc/logs/operations.log',
    maxSize: 1 << 20,
    keep: 1,
    report: own,
  });
  const report = teeReport(own, log.sink);
  const { journal, task, lines } = createMemoryJournal();
  await using keys = await openTempFolder();
  const peers = await Promise.all(
    (options.passports?.keys ?? []).map(async ({ name, key }) => {
      const keyFile = join(keys.path, `${name}.pem`);
      await writeFile(keyFile, key.export({ type: 'spki', format: 'pem' }));
      return { name, keyFile, for: ['passport' as const] };
    }),
  );
  const config = toZoneConfig({
    zone,
    state,
    peers,
    host: double.host,
    insecure: options.insecure,
    signers,
    signing: options.signing,
    retries: options.retries,
  });
  const freshness = openFreshness(state);
  if (options.freshness) await freshness.update(zone, () => options.freshness!);
  let verification: MediumVerification | undefined;
  let imported: ImportedMedium | undefined;
  let error: unknown;
  try {
    await using context = await openContext(config, { report, version: '0.0.0-test' });
    let unopened: SvcError | undefined;
    const opened: Store | undefined = await openStoreAt(
      { root, stateRoot: state },
      { zone, access: 'read', report },
    ).catch((failure: unknown) => {
      if (!isSvcError(failure)) throw failure;
      unopened = failure;
      return undefined;
    });
    await using store = opened;
    imported = await importMedium(context, {
      root,
      store,
      verify: async () => {
        verification =
          store === undefined
            ? await toUnopened(root, zone, unopened!)
            : await verifyMedium({
                store,
                zone,
                policy: context.policy,
                freshness: await freshness.get(zone),
                landings: await freshness.landings.get(zone),
                waive,
                report,
                now,
                signal: options.signal,
                passports: options.passports,
                reading: readHere(store.root, options.maxManifestBytes),
              });
        await options.between?.();
        return verification;
      },
      waivers: { allowZoneMismatch: waive.zoneMismatch, allowStale: waive.stale },
      actor: 'test',
      task,
      journal,
      now,
      ...(options.signal ? { signal: options.signal } : {}),
    });
  } catch (failure) {
    error = failure;
  } finally {
    await log[Symbol.asyncDispose]();
  }
  const everything = [own.records, own.audits, journal.task, lines, verification?.report, error];
  return {
    verification,
    imported,
    error: error === undefined ? undefined : toSvcError(error),
    items: journal.task.items,
    task: journal.toEnded(new Date(), error === undefined ? undefined : toErrorRecord(error)).task,
    audits: own.audits,
    freshness: await freshness.get(zone),
    said: inspect(everything, { depth: 12, maxArrayLength: null, maxStringLength: null }),
  };
}

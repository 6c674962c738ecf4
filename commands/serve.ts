import { setFlagsFromString } from 'node:v8';
import { actors, type Report } from '../src/base/report.ts';
import type { LoadedConfig } from '../src/config/load-config.ts';
import type { ConfigFor } from '../src/config/requirements.ts';
import type { Instance } from '../src/operation/instance/instance.ts';
import { isOver } from '../src/task/model.ts';
import { svcError } from '../src/text/error.ts';
import { fr } from '../src/text/language.ts';
import { getBuildInfo } from './build-info.ts';
import { BaseCommand } from './cli/base-command.ts';
import type { CommandHelp } from './cli/command-definition.ts';
import type { OutputFormat } from './cli/print.ts';

/**
 * Per cent by which the heap may grow over its live part at its last collection, in a process that holds the index. By
 * itself, the runtime keeps as much garbage as content.
 */
const heapGrowth = 20;

/**
 * Collect the young generation of the heap on one thread. Little of it lives on: help of other threads would cost more
 * than the work, and a request waits until they get a processor.
 */
const youngCollection = '--no-parallel-scavenge';

export class ServeCommand extends BaseCommand {
  static override formats: readonly OutputFormat[] = ['text'];
  static override help: CommandHelp = {
    details: [
      [
        'Serves the registry, the API, the probes and the metrics from one listener, and runs synchronizations. Writes its log to stderr. Requires a writable store and, unless authentication is disabled, a state folder with at least one account. With storage.create: false and no store, it waits for the disk: /readyz answers 503 with this reason, every other path 503.',
        fr`Sert le registre, l’API, les sondes et les métriques sur une seule écoute, et exécute les synchronisations. Écrit son journal sur la sortie d’erreur. Exige un stockage accessible en écriture et, sauf si l’authentification est désactivée, un dossier d’état avec au moins un compte. Avec storage.create: false et sans stockage, attend le disque : /readyz répond 503 avec cette raison, tout autre chemin 503.`,
      ],
      [
        'On SIGTERM or SIGINT, the readiness probe answers 503, open requests and the running task have the grace period to finish, and the process exits with 0.',
        fr`À la réception de SIGTERM ou SIGINT, la sonde de disponibilité répond 503, les requêtes et la tâche en cours disposent du délai de grâce pour finir, et le processus se termine avec le code 0.`,
      ],
      [
        'Exit code: 0 stopped by a signal, 1 failure, 3 no account or no state folder.',
        fr`Code de sortie : 0 arrêtée par un signal, 1 échec, 3 aucun compte ou pas de dossier d’état.`,
      ],
    ],
    examples: [
      [
        ['Run with a configuration', fr`Exécuter avec une configuration`],
        'svc serve --config /etc/svc/config.yaml',
      ],
    ],
  };

  async run(): Promise<number> {
    setFlagsFromString(`--heap-growing-percent=${heapGrowth}`);
    const loaded = await this.loadConfig('serve');
    const signal = this.#takeSignals();
    let report: Report;
    {
      await using cleanup = new AsyncDisposableStack();
      report = await this.#serve(loaded, signal, cleanup);
    }
    // logged last: connections to other hosts are closed, and nothing keeps the process alive
    report.log('info', 'stopped');
    return 0;
  }

  /** Handles signals: the first one stops the instance, a second one terminates the process. */
  #takeSignals(): Promise<NodeJS.Signals> {
    this.context.ownSignals();
    return new Promise((resolve) => {
      for (const name of ['SIGTERM', 'SIGINT'] as const) {
        process.once(name, () => {
          process.once(name, () => process.kill(process.pid, name));
          resolve(name);
        });
      }
    });
  }

  async #serve(
    loaded: LoadedConfig & { readonly config: ConfigFor<'serve'> },
    ended: Promise<NodeJS.Signals>,
    cleanup: AsyncDisposableStack,
  ): Promise<Report> {
    const { config, path: configPath } = loaded;
    const parts = await import('./serve-parts.ts');
    const { createMetrics } = await import('../server/probe/metrics.ts');
    const { createReport } = await import('../src/log/create-report.ts');
    const { openAuditTrail } = await import('../src/log/audit-trail.ts');
    const { selectAnnouncements } = await import('../server/announcements.ts');
    const build = getBuildInfo();
    const metrics = createMetrics(build);
    const { stderr, env } = this.context;
    const { password } = config.network.proxy;
    const stateRoot = config.state.root;
    // written until everything else has ended
    const trail =
      stateRoot === undefined
        ? undefined
        : cleanup.use(
            openAuditTrail({ root: stateRoot, keep: config.audit.keep, report: () => own, level: 'warn' }),
          );
    const own: Report = createReport({
      level: config.logging.level,
      stream: stderr,
      ...this.recordForm,
      meter: metrics.meter,
      keep: trail?.take,
      redact: password === undefined || password === '' ? [] : [password],
    });
    const { actor } = this;
    own.log('info', 'starting', {
      version: build.version,
      commit: build.commit,
      runtime: process.version,
    });

    const themeOverride = await parts.readThemeOverride(config);
    if (stateRoot !== undefined) await parts.lockState(stateRoot, cleanup);
    const { accounts, openAuthenticator } = await parts.openAccess(
      config,
      own,
      cleanup,
      parts.toStateFlags(loaded),
    );
    for (const { level, message, fields } of selectAnnouncements(config)) own.log(level, message, fields);
    if (config.auth.disabled) {
      own.audit({ actor, action: 'auth.override_active', target: 'auth.disabled', outcome: 'success' });
    }

    const { parseListenAddress } = await import('../src/config/listen-address.ts');
    const { requireFreeAddress } = await import('../server/bind-error.ts');
    const address = parseListenAddress(config.server.addr);
    // before a store is created
    await requireFreeAddress(address);
    // set when the tasks are opened, which happens after the store
    let isBusy = (): boolean => false;
    let requireUnused = (): void => {};
    const openStore = () => parts.openServedStore(config, own, cleanup, () => isBusy());
    const openStandby = async () => {
      const standby = await import('../server/standby.ts');
      const certificate = await parts.openCertificate(config, address.host, own);
      return standby.openStandby(address, certificate?.pair);
    };
    const { root } = config.storage;
    const store = await parts.waitForStore(openStore, { openStandby, root, report: own, ended });
    if (store === undefined) return own;
    const { createMediumReport } = await import('../src/log/medium-report.ts');
    const nameMedium = (given: Report): Report => createMediumReport(given, () => store.mediaId);
    const report = nameMedium(own);
    const operationReport = nameMedium(await parts.openOperationReport(config, store, own, cleanup));
    const { openLink } = await import('../src/link/link.ts');
    const link = await openLink({
      stateRoot,
      configured: { rateLimit: config.network.rateLimit, ...config.sync },
      report,
    });
    cleanup.defer(() => link.stop());
    const { openContext } = await import('../src/operation/context.ts');
    const { Waits } = await import('../src/base/link/waits.ts');
    const waits = new Waits();
    void ended.then(() => waits.end(svcError('SVC-SRV-006', { reason: 'stopping' })));
    const context = cleanup.use(
      await openContext(config, {
        configPath,
        report: operationReport,
        version: build.version,
        env,
        fetchKeys: true,
        spool: true,
        limiter: link.limiter,
        gate: link.gate,
        waits,
      }),
    );
    const { openFreshness } = await import('../src/engine/medium/freshness.ts');
    const { createMediumVerifier } = await import('../src/operation/verify-medium.ts');
    const { loadPassportGuard } = await import('../src/operation/load-policy.ts');
    const { openCustody } = await import('../src/operation/custody/open-custody.ts');
    const custody = openCustody(config, context.policy);
    await custody.open().catch((error: unknown) => {
      own.log('error', 'The custody ledger cannot be continued: deliveries and imports are refused', {
        error,
      });
    });
    const { removeAbandonedPacks } = await import('../src/operation/custody/pack-for-client.ts');
    if (stateRoot !== undefined) await removeAbandonedPacks(stateRoot);
    const freshness = stateRoot === undefined ? undefined : openFreshness(stateRoot);
    const verifier = createMediumVerifier({
      store,
      zone: config.zone,
      policy: context.policy,
      freshness,
      passports: await loadPassportGuard(config, context.policy),
      report: operationReport,
      custody,
      served: store,
      requireUnused: () => requireUnused(),
    });

    const { openTasks } = await import('../src/task/queue.ts');
    const { createTaskRunner, holdTask } = await import('../src/operation/run-task.ts');
    const { ShownPlan } = await import('../src/operation/shown-plan.ts');
    const shown = cleanup.use(new ShownPlan());
    const tasks = cleanup.use(
      await openTasks({
        stateRoot,
        keepFinished: config.tasks.keepFinished,
        report,
        holds: (type) => holdTask(link, type),
        waits: context.transfers.waits,
        explain: (error) => store.place.explain(error),
        isGone: openAuthenticator === undefined ? undefined : (actor) => accounts?.isGone(actor) ?? false,
        run: createTaskRunner({ context, store, verifier, shown }),
      }),
    );
    requireUnused = () => tasks.requireIdle();
    isBusy = () => tasks.running !== undefined || tasks.pending() > 0;
    // Downloads that a waiting task resumes are known only after it has resolved its versions. A run removes
    // the downloads that it does not resume when it ends.
    if (tasks.pending() === 0) await context.spool?.removeAbandoned(new Set());

    const { createScrub } = await import('../src/operation/scrub-store.ts');
    let countRequests = (): number => 0;
    const scrub = createScrub({
      store,
      stateRoot,
      report,
      // a task that waits for a window reads nothing
      isBusy: () =>
        (tasks.running !== undefined && tasks.running.waiting === undefined) ||
        verifier.isBusy ||
        countRequests() > 0,
    });
    const stopping = new AbortController();
    const { openPlaces } = await import('../src/base/shares/places.ts');
    const { Serial } = await import('../src/base/concurrency.ts');
    const { ProofRecord } = await import('../src/operation/instance/proof-record.ts');
    const { operations } = await import('../server/operations.ts');
    const { createServedFilesets } = await import('../src/operation/filesets.ts');
    const filesets = cleanup.use(
      createServedFilesets({ config, store, gate: verifier.clearance, report, signal: stopping.signal }),
    );
    const { createChartViews } = await import('../src/engine/fileset/chart-views.ts');
    const views = cleanup.use(createChartViews({ config, store, gate: verifier.clearance, report }));
    cleanup.defer(
      tasks.onChange((task) => {
        const now = task();
        if (!isOver(now)) return;
        filesets.review(now.actor);
        views.review();
      }),
    );
    const instance: Instance = {
      context,
      store,
      verifier,
      tasks,
      shown,
      filesets,
      views,
      freshness,
      scrub,
      places: openPlaces(),
      proofs: new ProofRecord(),
      packs: new Serial(),
      signal: stopping.signal,
    };
    const { createSchedule } = await import('../src/task/schedule.ts');
    const schedule =
      config.mode === 'passthrough'
        ? await createSchedule({
            stateRoot,
            configured: config.sync.interval,
            report,
            isPending: () => tasks.pending('sync') > 0,
            toOpen: link.toOpen,
            trigger: () => operations.submitSync(instance, { actor: actors.schedule }),
          })
        : undefined;
    cleanup.defer(() => schedule?.stop());
    cleanup.defer(
      link.onChange(() => {
        const { running } = tasks;
        tasks.review(running !== undefined && link.waiting > 0 ? holdTask(link, running.type) : undefined);
        schedule?.review();
      }),
    );
    const { rateLimit, windows } = link.record;
    for (const [setting, { effective, configured, overridden }] of Object.entries({
      'network.rateLimit': rateLimit,
      'sync.windows': windows,
    })) {
      if (!overridden) continue;
      report.log('info', 'a setting of the link is overridden', {
        setting,
        effective: String(effective),
        configured: String(configured),
      });
    }
    if (schedule?.interval.overridden) {
      report.log('info', 'the synchronization interval is overridden', {
        effective: schedule.interval.effective,
        configured: schedule.interval.configured,
      });
    }

    const { readOpenFileLimit } = await import('./cli/read-open-file-limit.ts');
    const { startInstance } = await import('../server/instance.ts');
    const { toRegistryBase } = await import('../src/client/node-mirrors.ts');
    const { publicURL } = config.server;
    const { watchOccupancy } = await import('../server/probe/state.ts');
    const { restoreSync } = await import('../server/probe/restore-sync.ts');
    const { openVolumeLook } = await import('../server/probe/volume-look.ts');
    const { openStoreLook } = await import('../server/probe/store-look.ts');
    const { toReserve } = await import('../server/registry/upload-room.ts');
    const { inspectVolume } = await import('../src/disk/volume.ts');
    const reserve = toReserve((await inspectVolume(store.root)).totalBytes);
    const certificate = await parts.openCertificate(config, address.host, report);
    const { certFile, keyFile, hosts } = config.server.tls;
    await restoreSync(metrics.meter, tasks);
    const unwatch = watchOccupancy(instance, report);
    cleanup.defer(unwatch);
    const { listPrivatePaths } = await import('../server/conceal.ts');
    const running = await startInstance({
      privatePaths: listPrivatePaths(context, store),
      version: build.version,
      gate: verifier.clearance,
      instance,
      operations,
      schedule,
      link,
      accounts,
      openAuthenticator,
      certificate,
      certificateFiles: certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile },
      report,
      address,
      hosts,
      publicBase: publicURL === undefined ? undefined : toRegistryBase(publicURL),
      openFiles: readOpenFileLimit(),
      trustedProxies: config.server.trustedProxies,
      metrics,
      ui: {
        secureCookies: config.server.secureCookies,
        showUpcoming: config.ui.showUpcoming,
        themeOverride,
        accent: config.ui.accent,
        pattern: config.ui.pattern,
        build,
      },
      reserve,
      freeBytes: async () => (await inspectVolume(store.root)).freeBytes,
      volumes: {
        store: await openStoreLook(store),
        state: stateRoot === undefined ? undefined : await openVolumeLook(stateRoot),
      },
      withdrawn: () => verifier.clearance.withdrawals.length,
    });
    // from now on: while a store is opened, most objects live on
    setFlagsFromString(youngCollection);
    report.log('info', 'listening', { url: running.url, address: config.server.addr });
    report.audit({ actor, action: 'instance.start', target: running.url, outcome: 'success' });

    countRequests = () => running.app.active;
    tasks.start();
    schedule?.start();
    scrub.start();
    if (!verifier.clearance.guarded) {
      void filesets.prepare();
      void views.prepare();
    }
    const unwatchStore = await parts.watchStore(store, {
      verifier,
      tasks,
      review: (isAgain) => {
        if (isAgain) filesets.review(actors.system);
        filesets.assess();
        views.review();
      },
      report,
      signal: stopping.signal,
    });

    const name = await ended;
    const grace = config.shutdown.gracePeriod;
    report.log('info', 'draining', { signal: name, graceMilliseconds: grace });
    const until = performance.now() + grace;
    // probes are answered until the tasks have ended too
    running.app.drain();
    stopping.abort(new Error('the instance stops'));
    await Promise.all([schedule?.stop(), scrub.stop(), unwatchStore(), tasks.drain(grace), verifier.idle()]);
    await running.stop(Math.max(0, until - performance.now()));
    report.audit({ actor, action: 'instance.stop', target: running.url, outcome: 'success' });
    return report;
  }
}

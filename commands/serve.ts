import { Command, type Usage } from 'clipanion';
import { toSvcError } from '../src/base/error.ts';
import type { Config } from '../src/config/model.ts';
import { BaseCommand } from './base-command.ts';
import { getBuildInfo } from './build-info.ts';
import type { OutputFormat } from './print.ts';

export class ServeCommand extends BaseCommand {
  static override paths: string[][] = [['serve']];
  static override formats: readonly OutputFormat[] = ['text'];
  static override usage: Usage = Command.Usage({
    description: 'Run the instance',
    details: `
      Serves the registry, the API, the probes and the metrics from one listener, and runs synchronizations. Its output
      is the log on stderr. It starts only when everything it needs is there: a writable store, and, unless
      authentication is disabled, a state folder with at least one account.

      SIGTERM and SIGINT: readiness turns 503, requests and the running task get the grace period, then it ends with 0.

      Exit code: 0 ended as asked, 1 failure, 3 no account, or no state folder to keep accounts in.
    `,
    examples: [['Run with a configuration', 'svc serve --config /etc/svc/config.yaml']],
  });

  async run(): Promise<number> {
    const { config } = await this.loadConfig('serve');
    const signal = this.#takeSignals();
    await using cleanup = new AsyncDisposableStack();
    await this.#serve(config, signal, cleanup);
    return 0;
  }

  /** The first signal ends the serving, a second one the process. */
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

  async #serve(config: Config, ended: Promise<NodeJS.Signals>, cleanup: AsyncDisposableStack): Promise<void> {
    const parts = await import('./serve-parts.ts');
    const { createMetrics } = await import('../server/probe/metrics.ts');
    const { createReport } = await import('../src/log/create-report.ts');
    const { selectAnnouncements } = await import('../server/announcements.ts');
    const build = getBuildInfo();
    let sample: (() => void) | undefined;
    const metrics = createMetrics(build, () => sample?.());
    const { stderr, env } = this.context;
    const isTerminal = stderr.isTTY === true;
    const { password } = config.network.proxy;
    const report = createReport({
      level: config.logging.level,
      stream: stderr,
      pretty: isTerminal,
      colours: isTerminal && !env.NO_COLOR,
      meter: metrics.meter,
      redact: password === undefined || password === '' ? [] : [password],
    });
    const { actor } = this;
    report.log('info', 'starting', {
      version: build.version,
      commit: build.commit,
      runtime: process.version,
    });

    const stateRoot = config.state.root;
    if (stateRoot !== undefined) await parts.lockState(stateRoot, cleanup);
    const { accounts, authenticator } = await parts.openAccess(config, report, cleanup);
    for (const { level, message, fields } of selectAnnouncements(config)) report.log(level, message, fields);
    if (config.auth.disabled) {
      report.audit({ actor, action: 'auth.override_active', target: 'auth.disabled', outcome: 'success' });
    }

    // of the tasks, which are opened later than the store that they change
    let isBusy = (): boolean => false;
    const store = await parts.openServedStore(config, report, cleanup, () => isBusy());
    const operationReport = await parts.openOperationReport(config, store, report, cleanup);
    const { openContext } = await import('../src/operation/context.ts');
    const context = cleanup.use(
      await openContext(config, {
        report: operationReport,
        version: build.version,
        fetchKeys: true,
        spool: true,
      }),
    );
    const { openFreshness } = await import('../src/engine/medium/freshness.ts');
    const { createMediumDesk } = await import('../src/operation/verify-medium.ts');
    const freshness = stateRoot === undefined ? undefined : openFreshness(stateRoot);
    const desk = createMediumDesk({
      store,
      zone: config.zone,
      policy: context.policy,
      freshness,
      report: operationReport,
    });

    const { openTasks } = await import('../src/task/queue.ts');
    const { createTaskRunner } = await import('../src/operation/run-task.ts');
    const tasks = cleanup.use(
      await openTasks({
        stateRoot,
        keepFinished: config.tasks.keepFinished,
        report,
        run: createTaskRunner({ context, store, desk }),
      }),
    );
    isBusy = () => tasks.running !== undefined || tasks.pending() > 0;
    // Which downloads a waiting task goes on with shows only when it has resolved its versions again; a run that ends
    // removes by itself what it does not go on with next time.
    if (tasks.pending() === 0) await context.spool?.removeAbandoned(new Set());

    const { createScrub } = await import('../src/operation/scrub-store.ts');
    let countRequests = (): number => 0;
    const scrub = createScrub({
      store,
      stateRoot,
      report,
      isBusy: () => tasks.counts().running > 0 || desk.isBusy || countRequests() > 0,
    });
    const stopping = new AbortController();
    const { createOperations } = await import('../server/instance-operations.ts');
    const { createFilesetDesk } = await import('../src/operation/filesets.ts');
    const filesets = cleanup.use(
      createFilesetDesk({ config, store, gate: desk.clearance, report, signal: stopping.signal }),
    );
    const operations = createOperations({
      context,
      store,
      desk,
      tasks,
      filesets,
      freshness,
      scrub,
      signal: stopping.signal,
    });
    const { createSchedule } = await import('../src/task/schedule.ts');
    const schedule =
      config.mode === 'passthrough'
        ? await createSchedule({
            stateRoot,
            configured: config.sync.interval,
            report,
            isPending: () => tasks.pending('sync') > 0,
            trigger: () => operations.submitSync({ actor: 'schedule' }),
          })
        : undefined;
    if (schedule?.interval.overridden) {
      report.log('info', 'the synchronization interval is overridden', {
        effective: schedule.interval.effective,
        configured: schedule.interval.configured,
      });
    }

    const { parseListenAddress } = await import('../server/listen-address.ts');
    const { startInstance } = await import('../server/instance.ts');
    const { sampleState, selectReasons, watchOccupancy } = await import('../server/probe/state.ts');
    const { inspectVolume } = await import('../src/disk/volume.ts');
    const address = parseListenAddress(config.server.addr);
    const certificate = await parts.openCertificate(config, address.host, report);
    const { certFile, keyFile, hosts } = config.server.tls;
    sample = () => sampleState(metrics.meter, operations.occupancy(), tasks.counts());
    const unwatch = watchOccupancy(() => operations.occupancy(), report);
    cleanup.defer(unwatch);
    const instance = await startInstance({
      version: build.version,
      store,
      gate: desk.clearance,
      filesets,
      operations,
      tasks,
      schedule,
      accounts,
      authenticator,
      certificate,
      certificateFiles: certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile },
      report,
      address,
      hosts,
      metrics,
      freeBytes: async () => (await inspectVolume(store.root)).freeBytes,
      reasons: () => selectReasons({ refusal: desk.clearance.refusal(), store, zone: config.zone }),
      onChange: () => {},
    });
    report.log('info', 'listening', { url: instance.url });
    report.audit({ actor, action: 'instance.start', target: instance.url, outcome: 'success' });

    countRequests = () => instance.app.active;
    tasks.start();
    schedule?.start();
    scrub.start();
    if (!desk.clearance.guarded) void filesets.prepare();
    else {
      report.log('warn', 'the store is a medium made elsewhere: nothing is served until it is verified', {
        mediaId: store.mediaId,
      });
      desk.verify({}, 'system', stopping.signal).catch((error: unknown) => {
        if (stopping.signal.aborted) return;
        const { code, params } = toSvcError(error);
        report.log('error', 'the medium could not be verified', { mediaId: store.mediaId, code, params });
      });
    }

    const name = await ended;
    const grace = config.shutdown.gracePeriod;
    report.log('info', 'draining', { signal: name, graceMilliseconds: grace });
    const stopped = instance.stop(grace);
    stopping.abort(new Error('the instance stops'));
    await Promise.all([stopped, schedule?.stop(), scrub.stop(), tasks.drain(grace), desk.idle()]);
    report.audit({ actor, action: 'instance.stop', target: instance.url, outcome: 'success' });
    report.log('info', 'stopped');
  }
}

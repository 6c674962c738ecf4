import { Command } from 'clipanion';
import { selectLanguage } from '../../src/base/message.ts';
import { toMediumExitCode } from '../../src/engine/medium/report.ts';
import type { MediumReport } from '../../src/engine/model.ts';
import { getBuildInfo } from '../build-info.ts';
import { printDocument } from '../print.ts';
import { renderFailures, renderLanded, renderTask } from '../render-task.ts';
import { showVerification } from '../show-verification.ts';
import { selectTaskError, toTaskExitCode } from '../wait-for-task.ts';
import { MediaCommand } from './media-command.ts';

export class MediaImportCommand extends MediaCommand {
  static override paths = [['media', 'import']];
  static override usage = Command.Usage({
    description: 'Verify a carried store and push what is cleared into the zone',
    details: `
      Verifies as svc media verify does, then pushes every cleared recipe with its ingredients and signatures into
      destination.registry. Every byte is hashed again in the read that sends it, and only what is missing moves. An
      interrupted import can be repeated.

      Exit code: 0 everything is in the zone, 1 a push failed, 3 refused by policy or by the zone or freshness guard only,
      4 a recipe or the medium did not pass its verification (cleared neighbours have crossed all the same).
    `,
    examples: [['Import the medium mounted at /mnt', 'svc media import --storage-root /mnt --zone zone-b']],
  });

  async run(): Promise<number> {
    const { config } = await this.loadConfig('media-import');
    const { openMedium } = await import('../../src/operation/open-medium.ts');
    const { openMediumLog } = await import('../../src/log/medium-log.ts');
    const { teeReport } = await import('../../src/log/tee-report.ts');
    const { openProgress } = await import('../progress.ts');
    const { version } = getBuildInfo();
    using progress = openProgress({ stderr: this.context.stderr });
    const own = await this.openReport(config.logging.level, progress);
    const root = config.storage.root!;
    await using log = openMediumLog({ root, ...config.logging.media, report: own });
    const report = teeReport(own, log.sink);
    const onProgress = showVerification(progress);
    await using medium = await openMedium(config, { report, version, onProgress });
    // what is needed to push is loaded while the medium is read
    const { openContext } = await import('../../src/operation/context.ts');
    const { importMediumAlone } = await import('../../src/operation/import-medium.ts');
    await using context = await openContext(config, { report, version });
    const { signal } = this.context;
    let verdict: MediumReport | undefined;
    const task = await importMediumAlone(context, {
      root,
      store: medium.store,
      verify: async (...given) => {
        const verification = await medium.verify(...given);
        verdict = verification.report;
        return verification;
      },
      waivers: this.waivers,
      actor: this.actor,
      signal,
      onChange: ({ counts, progress: { bytesDone, bytesTotal } }) => {
        const settled = counts.done + counts.failed + counts.skipped;
        if (counts.total > 0) {
          progress.update({ label: 'pushing', bytesDone, bytesTotal, items: `${settled}/${counts.total}` });
        }
      },
    });
    progress.stop();
    if (signal.aborted) this.tell('svc: interrupted; run it again to go on: what has crossed stays');
    signal.throwIfAborted();
    const { stdout, stderr, env } = this.context;
    if (this.format === 'json') await printDocument(stdout, { task }, 'json');
    else stdout.write(renderTask(task) + renderLanded(task));
    stderr.write(renderFailures(task, selectLanguage(env)));
    const error = selectTaskError(task);
    if (error) await this.fail(error);
    // what the verification held back counts as that, whatever class its reason has elsewhere
    return (verdict && toMediumExitCode(verdict)) || toTaskExitCode(task);
  }
}

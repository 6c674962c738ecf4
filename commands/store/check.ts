import { Command, Option, type Usage } from 'clipanion';
import { exitCodes } from '../../src/base/error.ts';
import { BaseCommand } from '../base-command.ts';
import { getBuildInfo } from '../build-info.ts';
import { printDocument } from '../print.ts';

export class StoreCheckCommand extends BaseCommand {
  static override paths: string[][] = [['store', 'check']];
  static override usage: Usage = Command.Usage({
    description: 'Check a whole store from its bytes',
    details: `
      Hashes every blob on all processors, verifies the ledgers, compares index, manifests and blobs with each other, and
      names what is damaged or missing with the tags and recipes that need it. Changes nothing unless asked to, and works
      beside other readers; beside an instance that writes, ask that instance, which checks its store by itself.

      With --quarantine, damaged content is moved to _svc/quarantine and counts as absent: it is never served, and the
      next synchronization or push brings it anew. Nothing is deleted.

      With --repair, damaged or lost ledgers are written anew from every batch that verifies and from the manifests on the
      disk; what was lost is named. With --adopt, a store that another instance made becomes this one's: every byte is
      read, and in a zone its tags are held until a verified recipe reaches them. All three need the instance stopped.

      Exit code: 0 clean, 4 content or records are damaged or missing, 1 the check itself failed.
    `,
    examples: [
      ['Check a stopped instance', 'svc store check --config /etc/svc/config.yaml'],
      ['Mend damaged ledgers', 'svc store check --repair --config /etc/svc/config.yaml'],
      [
        'Take what is damaged out of service',
        'svc store check --quarantine --storage-root store --state-root state',
      ],
    ],
  });

  quarantine: boolean = Option.Boolean('--quarantine', false, {
    description: 'take damaged content out of service (audited)',
  });

  repair: boolean = Option.Boolean('--repair', false, {
    description: 'write damaged ledgers anew from all that verifies (audited)',
  });
  adopt: boolean = Option.Boolean('--adopt', false, {
    description: "make the store of another maker this instance's own (audited)",
  });

  async run(): Promise<number> {
    const { config } = await this.loadConfig('store-check');
    const { checkStore } = await import('../../src/operation/check-store.ts');
    const { openProgress } = await import('../progress.ts');
    const { signal, stdout, stderr, env } = this.context;
    using progress = openProgress({ stderr });
    const checked = await checkStore(config, {
      report: await this.openReport(config.logging.level, progress),
      version: getBuildInfo().version,
      actor: this.actor,
      quarantine: this.quarantine,
      repair: this.repair,
      adopt: this.adopt,
      signal,
      onProgress: ({ files, totalFiles, bytes, totalBytes }) =>
        progress.update({
          label: 'checking',
          bytesDone: bytes,
          bytesTotal: totalBytes,
          items: `${files}/${totalFiles} blobs`,
        }),
    });
    progress.stop();
    if (this.format === 'json') await printDocument(stdout, checked, 'json');
    else {
      const { selectLanguage } = await import('../../src/base/message.ts');
      const { renderCheck } = await import('./render-check.ts');
      stdout.write(renderCheck(checked, selectLanguage(env)));
    }
    return checked.verdict === 'clean' ? exitCodes.ok : exitCodes.verification;
  }
}

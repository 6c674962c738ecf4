import { Command, type Usage } from 'clipanion';
import { exitCodes } from '../src/text/error.ts';
import type { StatusFacts } from '../src/view/zone-status.ts';
import { getBuildInfo } from './build-info.ts';
import { PlaceCommand } from './client/place-command.ts';
import { getWidth } from './render/width.ts';

export class StatusCommand extends PlaceCommand {
  static override paths: string[][] = [['status']];
  static override usage: Usage = Command.Usage({
    description: 'Show whether an instance or a store has what is wanted, on one screen',
    details: `
      Shows the kind of the instance or medium; the recipes that are wanted, present, missing, blocked or not imported yet; the
      running task, the last run and the next one; the limits of transfers with other hosts; and the free space. Asks the
      instance of --instance or SVC_INSTANCE_URL; without one, reads the store and the state of the configuration, also
      while an instance uses them.

      Wanted is what the last synchronization asked for; of a medium, its recipes. A medium whose recipes were all
      imported, and which was not written again since, has what is wanted; its content is not verified again.

      Exit code: 0 everything that is wanted is here; 5 something is missing, blocked, withheld or not imported yet,
      or a FileSet that is configured cannot be served; 1 failure.
    `,
    examples: [
      ['A running instance', 'svc status --instance https://svc.example --token-file /etc/svc/token'],
      ['The store of this machine', 'svc status --config /etc/svc/config.yaml'],
      [
        'What is missing, for a script',
        'svc status --output json | jq \'.wanted[] | select(.state != "present")\'',
      ],
    ],
  });

  async run(): Promise<number> {
    const { isUnmet, toVerdict, toZoneStatus } = await import('../src/view/zone-status.ts');
    const facts = await this.#read();
    const status = toZoneStatus(facts);
    const exitCode = isUnmet(status) ? exitCodes['changes-planned'] : exitCodes.ok;
    if (this.format === 'json') await this.printDocument({ ...status, exit_code: exitCode });
    else {
      const { renderStatus } = await import('./render/status.ts');
      const options = { language: this.language, width: getWidth(this.context) };
      this.context.stdout.write(renderStatus(status, toVerdict(facts), options));
      if (status.verdict === 'closed' && status.store !== undefined) await this.suggestVerification();
    }
    return exitCode;
  }

  async #read(): Promise<StatusFacts> {
    if (this.asksInstance) {
      const { readInstanceFacts } = await import('./client/read-instance-facts.ts');
      await using client = await this.connect();
      return await readInstanceFacts(client);
    }
    const { readStoreFacts } = await import('../src/view/store-status.ts');
    const { config } = await this.loadConfig('show-store');
    const report = await this.openReport();
    return await readStoreFacts(config, { report, version: getBuildInfo().version });
  }
}

import { Command, type Usage } from 'clipanion';
import { BaseCommand } from './cli/base-command.ts';
import { getVersionDocument, renderVersion } from './version-document.ts';

export class VersionCommand extends BaseCommand {
  static override paths: string[][] = [['version']];
  static override usage: Usage = Command.Usage({
    description: 'Show version, commit, build date and runtime',
    details: 'With --output json, also prints the major version of the API and the list of exit codes.',
    examples: [['For a script', 'svc version --output json']],
  });

  async run(): Promise<number> {
    const document = getVersionDocument();
    if (this.format === 'text') this.context.stdout.write(renderVersion(document));
    else await this.printDocument(document);
    return 0;
  }
}

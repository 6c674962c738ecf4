import { Command, Option, type Usage } from 'clipanion';
import { BaseCommand } from './cli/base-command.ts';
import { getVersionDocument, renderVersion } from './version-document.ts';

export class VersionCommand extends BaseCommand {
  static override paths: string[][] = [['version']];
  static override usage: Usage = Command.Usage({
    description: 'Show version, commit, build date and runtime',
    details: `
      With --output json, also prints the major version of the API and the list of exit codes. With --schema, prints
      instead the JSON Schema of the documents that commands print with --output json: one definition per command,
      the same that an instance serves at /api/v1/cli-output.schema.json.
    `,
    examples: [
      ['For a script', 'svc version --output json'],
      ['Check a document', 'svc version --schema > svc-output.schema.json'],
    ],
  });

  schema: boolean = Option.Boolean('--schema', false, {
    description: 'print the JSON Schema of the documents of --output json',
  });

  async run(): Promise<number> {
    if (this.schema) {
      const { renderCliSchema } = await import('../server/api/cli-output.ts');
      this.context.stdout.write(renderCliSchema());
      return 0;
    }
    const document = getVersionDocument();
    if (this.format === 'text') this.context.stdout.write(renderVersion(document));
    else await this.printDocument(document);
    return 0;
  }
}

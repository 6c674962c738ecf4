import { Command, type Usage } from 'clipanion';
import { toConfigFileSchema } from '../../src/config/config-json-schema.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { OutputFormat } from '../cli/print.ts';

export class ConfigSchemaCommand extends BaseCommand {
  static override paths: string[][] = [['config', 'schema']];
  static override formats: readonly OutputFormat[] = ['json'];
  static override usage: Usage = Command.Usage({
    description: 'Print the JSON Schema of the configuration file',
    details: `
      For editors that complete and check YAML, and for pipelines. The schema has names, types and defaults; svc
      config dump also checks the rules between settings.
    `,
    examples: [
      ['For an editor', 'svc config schema > svc.schema.json'],
      ['Settings of a section', "svc config schema | jq -r '.properties.server.properties | keys[]'"],
    ],
  });

  async run(): Promise<number> {
    await this.printDocument(toConfigFileSchema());
    return 0;
  }
}

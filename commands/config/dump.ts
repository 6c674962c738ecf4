import { Command, type Usage } from 'clipanion';
import { BaseCommand } from '../cli/base-command.ts';
import type { OutputFormat } from '../cli/print.ts';

export class ConfigDumpCommand extends BaseCommand {
  static override paths: string[][] = [['config', 'dump']];
  static override formats: readonly OutputFormat[] = ['yaml', 'json'];
  static override usage: Usage = Command.Usage({
    description: 'Show the merged configuration, secrets redacted',
    details: `
      Prints the configuration merged from flags, environment, configuration file and defaults. No setting is
      required. Errors are printed to stderr, and the exit code is then 1.
    `,
    examples: [
      ['Show the effective configuration', 'svc config dump --config /etc/svc/config.yaml'],
      ['One setting for a script', 'svc config dump --output json | jq -r .storage.root'],
    ],
  });

  async run(): Promise<number> {
    const { loaded, violations } = await this.readConfig('dump');
    if (violations.some(({ usage }) => usage)) await this.refuse(violations);
    const { dumpConfig } = await import('../../src/config/dump-config.ts');
    await this.printDocument(dumpConfig(loaded.config));
    await this.refuse(violations);
    return 0;
  }
}

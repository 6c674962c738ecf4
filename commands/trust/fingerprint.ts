import { Command, Option, type Usage } from 'clipanion';
import { BaseCommand, type FlagValues } from '../cli/base-command.ts';
import { readKey, type ShownKey } from './read-key.ts';

export class TrustFingerprintCommand extends BaseCommand {
  static override paths: string[][] = [['trust', 'fingerprint']];
  static override values: Readonly<Record<string, FlagValues>> = { '': 'file' };
  static override usage: Usage = Command.Usage({
    description: 'Show the fingerprint of a public key',
    details: `
      Prints the SHA-256 of the public key (DER, SubjectPublicKeyInfo) of each PEM file, as pages, logs and
      verdicts name it. A key that cannot be a trust root is refused, with the reason. No configuration is read.
    `,
    examples: [['A key', 'svc trust fingerprint release-2026.pub']],
  });

  files: string[] = Option.Rest({ name: 'file', required: 1 });

  async run(): Promise<number> {
    const keys: ShownKey[] = [];
    for (const file of this.files) keys.push(await readKey(file));
    if (this.format === 'json') await this.printDocument({ keys });
    else for (const { fingerprint, file } of keys) this.context.stdout.write(`${fingerprint}  ${file}\n`);
    return 0;
  }
}

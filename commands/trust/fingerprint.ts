import { Command, Option, type Usage } from 'clipanion';
import { svcError } from '../../src/base/error.ts';
import { describeKey, KeyError, keyLimit, parsePublicKey, toFingerprint } from '../../src/trust/key.ts';
import { BaseCommand, type FlagValues } from '../cli/base-command.ts';
import { readBounded } from '../cli/read-bounded.ts';

interface ShownKey {
  readonly file: string;
  readonly type: string;
  readonly fingerprint: string;
}

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

/** @throws SVC-VAL-001 for a file that is no accepted key, SVC-VAL-002, and the errors of `readBounded` */
async function readKey(file: string): Promise<ShownKey> {
  const pem = await readBounded(file, keyLimit);
  try {
    const key = parsePublicKey(pem);
    return { file, type: describeKey(key), fingerprint: toFingerprint(key) };
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    throw svcError('SVC-VAL-001', { file, rule: error.rule }, { cause: error });
  }
}

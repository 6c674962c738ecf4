import type { KeyObject } from 'node:crypto';
import { Command, Option, type Usage } from 'clipanion';
import { describeKey, hasPrivateKey, keyLimit, toFingerprint } from '../../src/attest/public-key.ts';
import type { FlagValues } from '../cli/base-command.ts';
import { readBounded } from '../cli/read-bounded.ts';
import { toPublicKey } from '../trust/read-key.ts';
import { KeyCommand } from './key-command.ts';

export class KeyShowCommand extends KeyCommand {
  static override paths: string[][] = [['key', 'show']];
  static override values: Readonly<Record<string, FlagValues>> = { ...KeyCommand.values, '': 'file' };
  static override usage: Usage = Command.Usage({
    description: 'Show type, fingerprint and public key of a key',
    details: `
      Reads a public key, or a private one (PKCS #8, plain or encrypted, or a key of cosign), and prints its type,
      its fingerprint and its public key in PEM. The fingerprint is the SHA-256 of the public key, as pages, logs
      and verdicts name it. A key that svc cannot use is refused, with the reason.
    `,
    examples: [
      ['A public key', 'svc key show release.pub'],
      [
        'The public key of a private one',
        'svc key show release.key --key-password-file release.password > release.pub',
      ],
    ],
  });

  file: string = Option.String({ name: 'file', required: true });

  /** The configuration only says where the store is, in which no key may be. */
  protected override get readsConfig(): boolean {
    return false;
  }

  async run(): Promise<number> {
    const { file } = this;
    const { config } = await this.loadConfig('key');
    const shown = await readPublic(file);
    const key = shown ?? (await this.openSigner(file, config)).publicKey;
    const type = describeKey(key);
    const fingerprint = toFingerprint(key);
    const pem = key.export({ type: 'spki', format: 'pem' }) as string;
    const isPrivate = shown === undefined;
    if (this.format === 'json')
      await this.printDocument({ file, type, fingerprint, private: isPrivate, publicKey: pem });
    else this.context.stdout.write(`${type}\n${fingerprint}\n${pem}`);
    return 0;
  }
}

/** Reads a file as a public key; undefined when it has a private key. @throws SVC-VAL-001 for neither */
async function readPublic(file: string): Promise<KeyObject | undefined> {
  const pem = await readBounded(file, keyLimit);
  return hasPrivateKey(pem.toString('latin1')) ? undefined : toPublicKey(pem, file);
}

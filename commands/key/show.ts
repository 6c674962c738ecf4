import type { KeyObject } from 'node:crypto';
import { describeKey, hasPrivateKey, keyLimit, toFingerprint } from '../../src/attest/public-key.ts';
import { readBounded } from '../../src/disk/named-file.ts';
import { fr } from '../../src/text/language.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { argument } from '../cli/inputs.ts';
import { toPublicKey } from '../trust/read-key.ts';
import { KeyCommand } from './key-command.ts';

export class KeyShowCommand extends KeyCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Reads a public key, or a private one (PKCS #8, plain or encrypted, or a key of cosign), and prints its type, its fingerprint and its public key in PEM. The fingerprint is the SHA-256 of the public key, as pages, logs and verdicts name it. A key that svc cannot use is refused, with the reason.',
        fr`Lit une clé publique, ou une clé privée (PKCS #8, en clair ou chiffrée, ou une clé de cosign), et affiche son type, son empreinte et sa clé publique en PEM. L’empreinte est le SHA-256 de la clé publique, telle que les pages, les journaux et les verdicts la nomment. Une clé que svc ne peut pas utiliser est refusée, avec la raison.`,
      ],
    ],
    examples: [
      [['A public key', fr`Une clé publique`], 'svc key show release.pub'],
      [
        ['The public key of a private one', fr`La clé publique d’une clé privée`],
        'svc key show release.key --key-password-file release.password > release.pub',
      ],
    ],
  };

  file: string = argument.text(['file', fr`fichier`], 'file');

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

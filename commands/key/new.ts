import { Command, Option, type Usage } from 'clipanion';
import { leastPasswordLength } from '../../src/base/least-password-length.ts';
import { fr } from '../../src/text/language.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { toShellWord } from '../render/shell-word.ts';
import { KeyCommand, requireOutsideStore } from './key-command.ts';

export class KeyNewCommand extends KeyCommand {
  static override paths: string[][] = [['key', 'new']];
  static override usage: Usage = Command.Usage({
    description: 'Create a key pair for signing',
    details: `
      Writes NAME.key, the private key, readable only by you, and NAME.pub, the public key to be given to others.
      The key is ECDSA P-256, encrypted (PKCS #8, as openssl reads it) with the password of --key-password-file,
      of --password-stdin or of SVC_SIGNING_PASSWORD, at least 12 characters; without a password, no key is made.
      The command never asks for one, and never replaces a file.

      Keep a copy of NAME.key and its password where the computer is not. A person who has both can sign as you.
    `,
    examples: [
      ['A key for releases', 'svc key new release --key-password-file release.password'],
      [
        'With a password made at the same time',
        'openssl rand -base64 24 | tee release.password | svc key new release --password-stdin',
      ],
    ],
  });

  name: string = Option.String({ name: 'name', required: true });

  /** The configuration only says where the store is, in which no key may be. */
  protected override get readsConfig(): boolean {
    return false;
  }

  async run(): Promise<number> {
    const { name } = this;
    if (/\.(?:key|pub)$/.test(name) || /(?:^|\/)\.{0,2}$/.test(name))
      throw new CommandLineError([
        `'${name}' must be a name without .key and .pub: two files of this name are made`,
        fr`« ${name} » doit être un nom sans .key ni .pub : deux fichiers de ce nom sont créés`,
      ]);
    const { config } = await this.loadConfig('key');
    await requireOutsideStore(`${name}.key`, config);
    const password = await this.readKeyPassword(config);
    if (password === undefined)
      throw new CommandLineError([
        'no password for the new key: use --key-password-file, --password-stdin or SVC_SIGNING_PASSWORD',
        fr`pas de mot de passe pour la nouvelle clé : utilisez --key-password-file, --password-stdin ou SVC_SIGNING_PASSWORD`,
      ]);
    if (password.length < leastPasswordLength)
      throw new CommandLineError([
        `the password of a new key has at least ${leastPasswordLength} characters: whoever copies the file can try passwords without limit`,
        fr`le mot de passe d’une nouvelle clé a au moins ${leastPasswordLength} caractères : une copie du fichier permet d’essayer des mots de passe sans limite`,
      ]);
    const { makeKeyPair } = await import('../../src/signing/make-key-pair.ts');
    const { describeKey, toFingerprint } = await import('../../src/attest/public-key.ts');
    const { keyFile, publicFile, publicKey } = await makeKeyPair(name, password);
    const fingerprint = toFingerprint(publicKey);
    const type = describeKey(publicKey);
    if (this.format === 'json') await this.printDocument({ keyFile, publicFile, type, fingerprint });
    else this.context.stdout.write(`${keyFile}\n${publicFile}\n${type} ${fingerprint}\n`);
    await this.suggestNext(
      [
        'give the public key to those who will trust it, and compare the fingerprint with them:',
        fr`donnez la clé publique à ceux qui lui feront confiance, et comparez l’empreinte avec eux :`,
      ],
      `svc key show ${toShellWord(publicFile)}`,
    );
    return 0;
  }
}

import { leastPasswordLength } from '../../src/base/least-password-length.ts';
import { fr } from '../../src/text/language.ts';
import { toShellWord } from '../../src/text/shell-word.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { argument } from '../cli/inputs.ts';
import { KeyCommand, requireOutsideStore } from './key-command.ts';

export class KeyNewCommand extends KeyCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Writes NAME.key, the private key, readable only by you, and NAME.pub, the public key to be given to others. The key is ECDSA P-256, encrypted (PKCS #8, as openssl reads it) with the password of --key-password-file, of --password-stdin or of SVC_SIGNING_PASSWORD, at least 12 characters; without a password, no key is made. The command never asks for one, and never replaces a file.',
        fr`Écrit NOM.key, la clé privée, lisible par vous seul, et NOM.pub, la clé publique à donner aux autres. La clé est ECDSA P-256, chiffrée (PKCS #8, tel qu’openssl le lit) avec le mot de passe de --key-password-file, de --password-stdin ou de SVC_SIGNING_PASSWORD, de 12 caractères au moins ; sans mot de passe, aucune clé n’est créée. La commande ne demande jamais de mot de passe, et ne remplace jamais un fichier.`,
      ],
      [
        'Keep a copy of NAME.key and its password where the computer is not. A person who has both can sign as you.',
        fr`Gardez une copie de NOM.key et son mot de passe ailleurs que sur l’ordinateur. Qui a les deux peut signer à votre place.`,
      ],
    ],
    examples: [
      [
        ['A key for releases', fr`Une clé pour les livraisons`],
        'svc key new release --key-password-file release.password',
      ],
      [
        ['With a password made at the same time', fr`Avec un mot de passe créé au même moment`],
        'openssl rand -base64 24 | tee release.password | svc key new release --password-stdin',
      ],
    ],
  };

  name: string = argument.text(['name', fr`nom`]);

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
        `the password of a new key has at least ${leastPasswordLength} characters: a thief of the file can try passwords without limit`,
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
        'give the public key to the zones that will trust it, and compare the fingerprint with them:',
        fr`donnez la clé publique à ceux qui lui feront confiance, et comparez l’empreinte avec eux :`,
      ],
      `svc key show ${toShellWord(publicFile)}`,
    );
    return 0;
  }
}

import { fr } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { argument } from '../cli/inputs.ts';
import { readKey, type ShownKey } from './read-key.ts';

export class TrustFingerprintCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Prints the SHA-256 of the public key (DER, SubjectPublicKeyInfo) of each PEM file, as pages, logs and verdicts name it. A key that cannot be a trust root is refused, with the reason. No configuration is read.',
        fr`Affiche le SHA-256 de la clé publique (DER, SubjectPublicKeyInfo) de chaque fichier PEM, comme les pages, les journaux et les verdicts la nomment. Une clé qui ne peut pas être racine de confiance est refusée, avec la raison. Aucune configuration n’est lue.`,
      ],
    ],
    examples: [[['A key', fr`Une clé`], 'svc trust fingerprint release-2026.pub']],
  };

  files: string[] = argument.each(['file', fr`fichier`], 'file');

  async run(): Promise<number> {
    const keys: ShownKey[] = [];
    for (const file of this.files) keys.push(await readKey(file));
    if (this.format === 'json') await this.printDocument({ keys });
    else for (const { fingerprint, file } of keys) this.context.stdout.write(`${fingerprint}  ${file}\n`);
    return 0;
  }
}

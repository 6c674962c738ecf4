import { fr } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import type { OutputFormat } from '../cli/print.ts';

export class ConfigDumpCommand extends BaseCommand {
  static override formats: readonly OutputFormat[] = ['yaml', 'json'];
  static override help: CommandHelp = {
    details: [
      [
        'Prints the configuration merged from flags, environment, configuration file and defaults. No setting is required. Errors are printed to stderr, and the exit code is then 1.',
        fr`Affiche la configuration issue des options, de l’environnement, du fichier de configuration et des valeurs par défaut. Aucun réglage n’est obligatoire. Les erreurs sont affichées sur la sortie d’erreur, et le code de sortie est alors 1.`,
      ],
    ],
    examples: [
      [
        ['Show the effective configuration', fr`Afficher la configuration effective`],
        'svc config dump --config /etc/svc/config.yaml',
      ],
      [
        ['One setting for a script', fr`Un réglage pour un script`],
        'svc config dump --output json | jq -r .storage.root',
      ],
    ],
  };

  async run(): Promise<number> {
    const { loaded, violations } = await this.readConfig('dump');
    if (violations.some(({ usage }) => usage)) await this.refuse(violations);
    const { dumpConfig } = await import('../../src/config/dump-config.ts');
    await this.printDocument(dumpConfig(loaded.config));
    await this.refuse(violations);
    return 0;
  }
}

import { fr } from '../src/text/language.ts';
import { BaseCommand } from './cli/base-command.ts';
import type { CommandHelp } from './cli/command-definition.ts';
import { flag } from './cli/inputs.ts';
import { getVersionDocument, renderVersion } from './version-document.ts';

export class VersionCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'With --output json, also prints the major version of the API and the list of exit codes. With --schema, prints instead the JSON Schema of the documents that commands print with --output json: one definition per command, the same that an instance serves at /api/v1/cli-output.schema.json.',
        fr`Avec --output json, affiche aussi la version majeure de l’API et la liste des codes de sortie. Avec --schema, affiche à la place le schéma JSON des documents que les commandes affichent avec --output json : une définition par commande, le même que sert une instance sous /api/v1/cli-output.schema.json.`,
      ],
    ],
    examples: [
      [['For a script', fr`Pour un script`], 'svc version --output json'],
      [['Check a document', fr`Contrôler un document`], 'svc version --schema > svc-output.schema.json'],
    ],
  };

  schema: boolean = flag.present('--schema', [
    'print the JSON Schema of the documents of --output json',
    fr`affiche le schéma JSON des documents de --output json`,
  ]);

  async run(): Promise<number> {
    if (this.schema) {
      const { renderCliSchema } = await import('../server/api/cli-output.ts');
      this.context.stdout.write(renderCliSchema());
      return 0;
    }
    const document = getVersionDocument();
    if (this.format === 'text') this.context.stdout.write(renderVersion(document));
    else await this.printDocument(document);
    return 0;
  }
}

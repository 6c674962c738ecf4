import { toConfigFileSchema } from '../../src/config/config-json-schema.ts';
import { fr } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import type { OutputFormat } from '../cli/print.ts';

export class ConfigSchemaCommand extends BaseCommand {
  static override formats: readonly OutputFormat[] = ['json'];
  static override help: CommandHelp = {
    details: [
      [
        'For editors that complete and check YAML, and for pipelines. The schema has names, types and defaults; svc config dump also checks the rules between settings. An editor with a language server for YAML reads it where the first line of the file names it in a comment: yaml-language-server: $schema=svc.schema.json',
        fr`Pour les éditeurs qui complètent et contrôlent le YAML, et pour les chaînes de traitement. Le schéma donne noms, types et valeurs par défaut ; svc config dump contrôle aussi les règles entre réglages. Un éditeur muni d’un serveur de langage YAML le lit si la première ligne du fichier le nomme dans un commentaire : yaml-language-server: $schema=svc.schema.json`,
      ],
    ],
    examples: [
      [['For an editor', fr`Pour un éditeur`], 'svc config schema > svc.schema.json'],
      [
        ['Settings of a section', fr`Réglages d’une section`],
        "svc config schema | jq -r '.properties.server.properties | keys[]'",
      ],
    ],
  };

  async run(): Promise<number> {
    await this.printDocument(toConfigFileSchema());
    return 0;
  }
}

import { fr } from '../../src/base/language.ts';
import type { UsageWords } from '../render/usage.ts';

const placeholders: Readonly<Record<string, string>> = {
  '<path>': '<chemin>',
  '<dir>': '<dossier>',
  '<directory>': '<dossier>',
  '<file>': '<fichier>',
  '<host:port>': '<hôte:port>',
  '<duration>': '<durée>',
  '<name>': '<nom>',
  '<name:version>': '<nom:version>',
  '<name[@version]>': '<nom[@version]>',
  '<repository>': '<dépôt>',
  '<reference>': '<référence>',
  '<value>': '<valeur>',
};

/** French texts of the help page of a command. */
export const usageFr: UsageWords = {
  usage: fr`usage : `,
  synopsisFlags: '[options]',
  flags: fr`Options :`,
  commonFlags: fr`Options communes :`,
  examples: fr`Exemples :`,
  colon: fr` :`,
  helpFlag: 'affiche cette aide',
  placeholder: (english) => placeholders[english] ?? english,
  more: (command) => fr`Voir « ${command} --help » pour les options et des exemples.`,
};

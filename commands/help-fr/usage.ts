import { fr, setFrenchSpaces } from '../../src/text/language.ts';
import type { UsageWords } from '../render/usage.ts';
import { commonFlagsFr } from './common.ts';

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
  '<text>': '<texte>',
  '<host>': '<hôte>',
  '<task>': '<tâche>',
  '<number>': '<nombre>',
  '<repository[:tag|@digest]>': '<dépôt[:étiquette|@empreinte]>',
};

/** French texts of the help page of a command. */
export const usageFr: UsageWords = {
  usage: fr`usage : `,
  synopsisFlags: '[options]',
  flags: fr`Options :`,
  commonFlags: fr`Options communes :`,
  commonHint: 'décrites dans svc(1)',
  common: Object.fromEntries(
    Object.entries(commonFlagsFr).map(([name, text]) => [name, setFrenchSpaces(text)]),
  ),
  examples: fr`Exemples :`,
  colon: fr` :`,
  helpFlag: 'affiche cette aide',
  placeholder: (english) => placeholders[english] ?? english,
  more: (command) => fr`Voir « ${command} --help » pour les options et des exemples.`,
};

import { fr, type Language } from '../../text/language.ts';
import { rule, sayRule } from '../../text/rule.ts';
import type { Delivery } from './model.ts';

/** Text for people at the root of a written medium. */
export const readmePath = 'README.txt';

/**
 * Says in words what a medium is and how to check it, in both languages: nobody knows who finds the disk.
 *
 * @param part from 1
 */
export function toReadme({ id, zone, base, closures, parts }: Delivery, part: number): string {
  const recipes = closures.map(({ record }) => `  ${record.name}@${record.version}\n`).join('');
  const say = (language: Language): string =>
    [
      rule(
        [
          'This is part {part} of {parts} of delivery {id} for the zone {zone}.',
          fr`Ceci est la partie {part} sur {parts} de la livraison {id} pour la zone {zone}.`,
        ],
        { part, parts: parts.length, id, zone },
      ),
      parts.length === 1
        ? undefined
        : rule([
            'Import the parts in any order. Each is checked by itself, and none needs to be copied.',
            fr`Importez les parties dans n’importe quel ordre. Chacune est vérifiée seule, et aucune n’a besoin d’être copiée.`,
          ]),
      base === undefined
        ? undefined
        : rule([
            'It brings only what the registry of the zone did not have. Without that content, the import says what is missing.',
            fr`Elle n’apporte que ce que le registre de la zone n’avait pas. Sans ce contenu, l’import dit ce qui manque.`,
          ]),
      rule([
        'With this disk at FOLDER, and the configuration of the zone: svc media verify --storage-root FOLDER checks it, svc media import FOLDER brings it into the zone, and svc media status lists the parts that are still needed. They change nothing on the disk but its log.',
        fr`Ce disque étant dans DOSSIER, avec la configuration de la zone : svc media verify --storage-root DOSSIER le vérifie, svc media import DOSSIER l’apporte dans la zone, et svc media status liste les parties encore nécessaires. Ils ne changent sur le disque que son journal.`,
      ]),
      rule([
        'The file media.jsonl lists every other file with its SHA-256.',
        fr`Le fichier media.jsonl liste chaque autre fichier avec son SHA-256.`,
      ]),
      rule(['Recipes of the whole delivery:', fr`Recettes de toute la livraison :`]),
    ]
      .flatMap((line) => (line === undefined ? [] : [`${sayRule(line, language)}\n`]))
      .join('');
  return `${say('en')}${recipes}\n${say('fr')}${recipes}`;
}

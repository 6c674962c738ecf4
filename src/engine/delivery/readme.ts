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
        'To check it: svc media verify. To bring it into the zone: svc media import. Both read it and change nothing on it but its log.',
        fr`Pour la vérifier : svc media verify. Pour l’apporter dans la zone : svc media import. Les deux la lisent et n’y changent que son journal.`,
      ]),
      rule([
        'The file media.jsonl lists every other file with its SHA-256.',
        fr`Le fichier media.jsonl liste chaque autre fichier avec son SHA-256.`,
      ]),
      rule(['Recipes:', fr`Recettes :`]),
    ]
      .flatMap((line) => (line === undefined ? [] : [`${sayRule(line, language)}\n`]))
      .join('');
  return `${say('en')}${recipes}\n${say('fr')}${recipes}`;
}

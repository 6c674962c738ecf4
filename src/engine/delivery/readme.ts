import { fr, type Language } from '../../text/language.ts';
import { type Rule, rule, sayRule } from '../../text/rule.ts';
import type { Delivery } from './model.ts';
import type { CarriedProgram } from './program/read-program.ts';

/** Text for people at the root of a written medium. */
export const readmePath = 'README.txt';

/**
 * Says in words what a medium is and how to check it, in both languages: nobody knows who finds the disk.
 *
 * @param part from 1
 */
export function toReadme({ id, zone, base, closures, parts, program }: Delivery, part: number): string {
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
            'It brings only content that the registry of the zone did not have. Without that content, the import names the missing files.',
            fr`Elle n’apporte que ce que le registre de la zone n’avait pas. Sans ce contenu, l’import dit ce qui manque.`,
          ]),
      rule([
        'This disk is at FOLDER, and the configuration of the zone in FILE. svc media verify --config FILE --storage-root FOLDER checks the disk. svc media import --config FILE FOLDER brings it into the zone, and svc media status --config FILE lists the parts that are still needed. Without a configuration, svc quickstart --for medium writes one. These commands write on the disk only into the folder _svc: a log, and the receipt of the zone for the way back.',
        fr`Ce disque est dans DOSSIER, et la configuration de la zone dans FICHIER. svc media verify --config FICHIER --storage-root DOSSIER vérifie le disque. svc media import --config FICHIER DOSSIER l’apporte dans la zone, et svc media status --config FICHIER liste les parties encore nécessaires. Sans configuration, svc quickstart --for medium en écrit une. Ces commandes n’écrivent sur le disque que dans le dossier _svc : un journal, et le reçu de la zone pour le retour.`,
      ]),
      rule([
        'The recipes are signed with a key of their own, and not with that of the program. Its public key must have arrived by another way than this disk. svc quickstart takes its file as --trust-key, and svc key show prints the fingerprint to compare with the sender.',
        fr`Les recettes sont signées avec leur propre clé, et non avec celle du programme. Sa clé publique doit être arrivée par un autre chemin que ce disque. svc quickstart prend son fichier par --trust-key, et svc key show affiche l’empreinte à comparer avec celle de l’expéditeur.`,
      ]),
      rule([
        'The file media.jsonl lists every other file with its SHA-256, except those in _svc.',
        fr`Le fichier media.jsonl liste chaque autre fichier avec son SHA-256, sauf ceux de _svc.`,
      ]),
      ...(program === undefined ? [] : sayProgram(program, language)),
      rule(['Recipes of the whole delivery:', fr`Recettes de toute la livraison :`]),
    ]
      .flatMap((line) =>
        line === undefined ? [] : [`${typeof line === 'string' ? line : sayRule(line, language)}\n`],
      )
      .join('');
  return `${say('en')}${recipes}\n${say('fr')}${recipes}`;
}

/** Tells a zone without svc how to verify and install the program of its disk, with openssl and sha256sum alone. */
function sayProgram({ version, programs }: CarriedProgram, language: Language): readonly (Rule | string)[] {
  const folder = sayRule(rule(['FOLDER', fr`DOSSIER`]), language);
  return [
    rule(
      [
        'A zone without svc installs version {version} of it from this disk. The public key of the release must have arrived by another way, and lies in the home folder as svc-release.pub. These commands copy the program and verify the copy, and install it only then. Type them in a folder of your own, as an administrator:',
        fr`Une zone sans svc en installe la version {version} depuis ce disque. La clé publique de la version doit être arrivée par un autre chemin, et se trouve dans le dossier personnel sous le nom svc-release.pub. Ces commandes copient le programme, vérifient la copie, et ne l’installent qu’ensuite. Tapez-les dans un dossier à vous, comme administrateur :`,
      ],
      { version },
    ),
    `  mkdir program && cp -RPT ${folder}/program program && ! find program ! -type d ! -type f | grep . && cd program
  file=${programs.at(-1)}
  openssl dgst -sha256 -verify ~/svc-release.pub -signature SHA256SUMS.sig SHA256SUMS \\
    && grep -Fx "$(sha256sum -- "$file")" SHA256SUMS \\
    || { echo "$file is not what the signed list names" >&2; false; } && install -m 0755 "$file" /usr/bin/svc`,
    ...(programs.length < 2
      ? []
      : [
          rule(
            [
              'For another processor, name another file: {programs}.',
              fr`Pour un autre processeur, nommez un autre fichier : {programs}.`,
            ],
            { programs: programs.slice(0, -1).join(', ') },
          ),
        ]),
  ];
}

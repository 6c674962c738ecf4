import { fr } from '../../language.ts';

/** Deliveries that arrived, on the pages of the medium and of its import, and in reports of commands. */
export const deliveries = {
  delivery: ['Delivery', fr`Livraison`],
  partOf: ['{id}, part {part} of {parts}', fr`{id}, partie {part} sur {parts}`],
  base: ['Leaves out', fr`N’apporte pas`],
  baseLine: [
    'the content of receipt {sequence} of zone {zone}',
    fr`le contenu du reçu {sequence} de la zone {zone}`,
  ],
  passport: ['Passport', fr`Passeport`],
  passportLine: [
    'valid, signed by {signer}[, until {time}]',
    fr`valable, signé par {signer}[, jusqu’au {time}]`,
  ],
  program: ['Program', fr`Programme`],
  programLine: [
    'svc {version}: {files:file/files}, {bytes:size}',
    fr`svc {version} : {files:fichier/fichiers}, {bytes:size}`,
  ],
  needs: ['Needs', fr`Nécessite`],
  fromBase: [
    '{files:file/files}, {bytes:size} from the registry of the zone',
    fr`{files:fichier/fichiers}, {bytes:size} du registre de la zone`,
  ],
  fromPart: [
    '{files:file/files}, {bytes:size} from part {part}',
    fr`{files:fichier/fichiers}, {bytes:size} de la partie {part}`,
  ],
  title: ['Deliveries', fr`Livraisons`],
  complete: ['complete', fr`complète`],
  incomplete: ['incomplete', fr`incomplète`],
  arrived: ['Parts', fr`Parties`],
  arrivedLine: {
    one: [
      '{parts:part …/parts …} of {total} imported, on {time}',
      fr`{parts:partie …/parties …} sur {total} importée, le {time}`,
    ],
    other: [
      '{parts:part …/parts …} of {total} imported, the last on {time}',
      fr`{parts:partie …/parties …} sur {total} importées, la dernière le {time}`,
    ],
  },
  none: ['none of {total:part/parts} imported whole', fr`aucune partie sur {total} importée entière`],
  needed: ['Parts still needed', fr`Parties encore nécessaires`],
  recipe: ['Recipe', fr`Recette`],
  state: ['State', fr`État`],
  landed: ['in the zone', fr`dans la zone`],
  waiting: ['waits[ for {parts:part …/parts …}]', fr`attend[ {parts:la partie …/les parties …}]`],
  held: ['needs content that the registry no longer has', fr`nécessite un contenu que le registre n’a plus`],
  failed: [
    'failed in the last import[ ({parts:part …/parts …})]',
    fr`a échoué au dernier import[ ({parts:partie …/parties …})]`,
  ],
  recipesMore: [
    'The first {shown} of {count} recipes are listed; the API has all of them.',
    fr`Les {shown} premières recettes sur {count} sont listées ; l’API les contient toutes.`,
  ],
  more: [
    'The first {shown} of {count} deliveries are listed; the API has all of them.',
    fr`Les {shown} premières livraisons sur {count} sont listées ; l’API les contient toutes.`,
  ],
  forget: ['Forget the delivery', fr`Oublier la livraison`],
  forgetNamed: ['Forget the delivery {id}', fr`Oublier la livraison {id}`],
  forgetGoes: [
    'Its record is removed: nothing waits for its missing disks any more. A disk of the delivery that comes later is imported as the first one.',
    fr`Son enregistrement est supprimé : plus rien n’attend ses disques manquants. Un disque de la livraison qui arrive plus tard est importé comme le premier.`,
  ],
  forgetStays: [
    'Content that is in the registry stays there, with the tag svc-holding-ID of repositories that wait.',
    fr`Le contenu présent dans le registre y reste, avec le tag svc-holding-ID des dépôts en attente.`,
  ],
  keep: ['Cancel', fr`Annuler`],
  lastTask: ['The task of the last import', fr`La tâche du dernier import`],
} as const;

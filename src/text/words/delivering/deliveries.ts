import { fr } from '../../language.ts';

/** The states of deliveries by which the page of the medium lists them. */
export const deliveryStates = {
  arrived: ['Deliveries that arrived', fr`Livraisons arrivées`],
  'on-the-way': ['Deliveries on the way', fr`Livraisons en route`],
  lost: [
    'Lost deliveries: newer media came first',
    fr`Livraisons perdues : des supports plus récents sont arrivés avant`,
  ],
  refused: ['Deliveries with refused recipes', fr`Livraisons dont des recettes sont refusées`],
} as const;

/** Deliveries that arrived, on the pages of the medium and of its import, and in reports of commands. */
export const deliveries = {
  delivery: ['Delivery', fr`Livraison`],
  partOf: ['{id}, part {part} of {parts}', fr`{id}, partie {part} sur {parts}`],
  base: ['Leaves out', fr`N’apporte pas`],
  peer: ['Passports of', fr`Passeports de`],
  baseLine: [
    '[the content of receipt {sequence} of zone {zone}|the content that was sent before]',
    fr`[le contenu du reçu {sequence} de la zone {zone}|le contenu déjà envoyé]`,
  ],
  passport: ['Passport', fr`Passeport`],
  passportLine: [
    'valid, signed by {signer}[, until {time}][; dated {ahead}, more than a day ahead: a clock is wrong]',
    fr`valable, signé par {signer}[, jusqu’au {time}][ ; daté du {ahead}, plus d’un jour en avance : une horloge est fausse]`,
  ],
  program: ['Program', fr`Programme`],
  programLine: [
    'svc {version}: {files:file/files}, {bytes:size}',
    fr`svc {version} : {files:fichier/fichiers}, {bytes:size}`,
  ],
  standsVerified: [
    'The medium is verified, and its recipes need [{parts:part …/parts …} of the delivery|content of the registry of the zone]',
    fr`Le support est vérifié, et ses recettes nécessitent [{parts:la partie …/les parties …} de la livraison|du contenu du registre de la zone]`,
  ],
  standsLast: [
    'The medium is verified, and the other parts that its recipes need are in the zone',
    fr`Le support est vérifié, et les autres parties que ses recettes nécessitent sont dans la zone`,
  ],
  standsImported: [
    'The medium is imported, and its recipes wait for [{parts:part …/parts …} of the delivery|content that the registry of the zone lacks]',
    fr`Le support est importé, et ses recettes attendent [{parts:la partie …/les parties …} de la livraison|du contenu qui manque au registre de la zone]`,
  ],
  standsOvertaken: [
    'The delivery {id} is overtaken: the newer medium {medium} was imported since',
    fr`La livraison {id} est dépassée : le support {medium}, plus récent, a été importé depuis`,
  ],
  standsComplete: {
    one: [
      'The delivery {id} is complete: {count} recipe is in the zone',
      fr`La livraison {id} est complète : {count} recette est dans la zone`,
    ],
    other: [
      'The delivery {id} is complete: {count} recipes are in the zone',
      fr`La livraison {id} est complète : {count} recettes sont dans la zone`,
    ],
  },
  needs: ['Needs', fr`Nécessite`],
  notOnMedium: ['Not on this medium', fr`Absent de ce support`],
  fromBase: [
    '{files:file/files}, {bytes:size} from the registry of the zone',
    fr`{files:fichier/fichiers}, {bytes:size} du registre de la zone`,
  ],
  fromPart: [
    '{files:file/files}, {bytes:size} from {parts:part …/parts …}',
    fr`{files:fichier/fichiers}, {bytes:size} {parts:de la partie …/des parties …}`,
  ],
  title: ['Deliveries', fr`Livraisons`],
  noneInState: ['No delivery is in this state.', fr`Aucune livraison n’est dans cet état.`],
  own: ['Delivery of this medium', fr`Livraison de ce support`],
  waitingTitle: ['Deliveries that wait for disks', fr`Livraisons qui attendent des disques`],
  othersTitle: ['Other deliveries', fr`Autres livraisons`],
  others: {
    one: [
      '{count} delivery of other media[, {open} incomplete]',
      fr`{count} livraison d’autres supports[, {open:incomplète/incomplètes}]`,
    ],
    other: [
      '{count} deliveries of other media[, {open} incomplete]',
      fr`{count} livraisons d’autres supports[, {open:incomplète/incomplètes}]`,
    ],
  },
  toCome: [
    'Part {part} of {parts}[; {others:part …/parts …} to come]',
    fr`Partie {part} sur {parts}[ ; {others:la partie …/les parties …} à venir]`,
  ],
  byOthers: ['its recipes came with other media', fr`ses recettes sont venues avec d’autres supports`],
  notLanded: ['not in the zone', fr`absente de la zone`],
  complete: ['complete', fr`complète`],
  incomplete: ['incomplete', fr`incomplète`],
  overtaken: ['overtaken', fr`dépassée`],
  overtakenLine: [
    'The newer medium {medium} was imported since, and the import refuses older disks. Where no disk of this delivery is wanted any more, forget it: svc media forget {id}',
    fr`Le support {medium}, plus récent, a été importé depuis, et l’import refuse les disques antérieurs. Si plus aucun disque de cette livraison n’est attendu, oubliez-la : svc media forget {id}`,
  ],
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
  none: [
    '[none of {total:part/parts}|its disk was not] imported whole',
    fr`[aucune partie sur {total} importée entière|son disque n’a pas été importé entier]`,
  ],
  inPart: [
    'imported in part[, none of {total:part/parts} whole]: {done} of {recipes:recipe/recipes} in the zone',
    fr`importée en partie[, aucune partie sur {total} entière] : {done:recette/recettes} sur {recipes} dans la zone`,
  ],
  needed: ['Parts still needed', fr`Parties encore nécessaires`],
  neededFor: [
    'part {part}[{again=yes} once more][, for {recipes}][ and {more:other recipe/other recipes}]',
    fr`partie {part}[{again=yes} une nouvelle fois][, pour {recipes}][ et {more:autre recette/autres recettes}]`,
  ],
  refused: ['Refused', fr`Refusées`],
  unsure: [
    'Every recipe that the disks list is in the zone. Without a passport of a peer, only all disks show that the lists are whole.',
    fr`Toutes les recettes que les disques annoncent sont dans la zone. Sans passeport d’un pair, seuls tous les disques montrent que les listes sont entières.`,
  ],
  recipe: ['Recipe', fr`Recette`],
  state: ['State', fr`État`],
  landed: ['in the zone', fr`dans la zone`],
  waiting: ['waits[ for {parts:part …/parts …}]', fr`attend[ {parts:la partie …/les parties …}]`],
  held: [
    'needs content that the registry lacks: import [{delivery}|the earlier deliveries], or have the recipe written with --base none',
    fr`nécessite un contenu qui manque au registre : importez [{delivery}|les livraisons antérieures], ou faites écrire la recette avec --base none`,
  ],
  failed: [
    'failed in the last import[ ({parts:part …/parts …})]',
    fr`a échoué au dernier import[ ({parts:partie …/parties …})]`,
  ],
  leftHolding: [
    'the registry does not remove {tag}; nothing needs it any more',
    fr`le registre ne supprime pas {tag} ; plus rien n’en a besoin`,
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
    fr`Le contenu présent dans le registre y reste, avec l’étiquette svc-holding-ID des dépôts en attente.`,
  ],
  keep: ['Cancel', fr`Annuler`],
  lastTask: ['The task of the last import', fr`La tâche du dernier import`],
} as const;

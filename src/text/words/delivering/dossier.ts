import { fr } from '../../language.ts';

/** The pages `/deliveries` and `/deliveries/{delivery}`. */
export const dossier = {
  title: ['Deliveries', fr`Livraisons`],
  delivery: ['Delivery', fr`Livraison`],
  lead: [
    'Each delivery that this instance wrote or received, from its writing to the receipt that confirms it.',
    fr`Chaque livraison que cette instance a écrite ou reçue, de son écriture au reçu qui la confirme.`,
  ],
  none: [
    'No delivery was written here, and none arrived.',
    fr`Aucune livraison n’a été écrite ici, et aucune n’est arrivée.`,
  ],
  unknown: [
    'No record of this instance names this delivery: the identifier is misspelt, or its records are no longer kept.',
    fr`Aucun enregistrement de cette instance ne nomme cette livraison : l’identifiant est mal écrit, ou ses enregistrements ne sont plus conservés.`,
  ],
  search: ['Part of the identifier', fr`Partie de l’identifiant`],
  zone: ['Zone', fr`Zone`],
  state: ['State', fr`État`],
  written: ['Written', fr`Écrite`],
  received: ['Received', fr`Reçue`],
  parts: ['Parts', fr`Parties`],
  bytes: ['Size', fr`Taille`],
  partsHere: ['{count} of {total} imported whole', fr`{count} sur {total} importées entières`],
  partsWritten: ['{count} of {total} written', fr`{count} sur {total} écrites`],
  proved: ['Proved', fr`Prouvée`],
  isProved: ['proved', fr`prouvée`],
  notProved: ['not proved', fr`non prouvée`],
  doubted: [
    'proved when written; last proof not proved',
    fr`prouvée à l’écriture ; dernière preuve non réussie`,
  ],
  lastProof: ['Last proof', fr`Dernière preuve`],
  handedOver: ['Handed over', fr`Remise`],
  imported: ['Import tried', fr`Import tenté`],
  importedWhole: ['imported', fr`importée`],
  importedInPart: ['in part, or not at all', fr`en partie, ou pas du tout`],
  receipt: ['Confirmed by', fr`Confirmée par`],
  receiptOf: ['receipt {sequence}', fr`reçu {sequence}`],
  base: ['Rests on', fr`S’appuie sur`],
  peer: ['Passports of', fr`Passeports de`],
  folders: ['Written to', fr`Écrite dans`],
  by: ['by', fr`par`],
  recipes: ['Recipes', fr`Recettes`],
  recipe: ['Recipe', fr`Recette`],
  inZone: ['In the zone[, by receipt {sequence}]', fr`Dans la zone[, selon le reçu {sequence}]`],
  noRecipes: ['No record lists its recipes.', fr`Aucun enregistrement ne donne ses recettes.`],
  records: ['Records', fr`Enregistrements`],
  noRecords: ['The history has no record about it.', fr`L’historique n’a aucun enregistrement à son sujet.`],
  allRecords: ['All records in the history', fr`Tous les enregistrements de l’historique`],
  states: {
    unfinished: ['not written whole', fr`écriture inachevée`],
    writing: ['being written', fr`en cours d’écriture`],
    replaced: ['replaced by a later one', fr`remplacée par une plus récente`],
    unproved: ['not proved', fr`non prouvée`],
    overdue: ['overdue', fr`en retard`],
    refused: ['in part[: {names} refused]', fr`en partie[ : refus de {names}]`],
    inside: ['its recipes are in the zone', fr`ses recettes sont dans la zone`],
    incomplete: ['waits for disks', fr`en attente de disques`],
    overtaken: ['overtaken', fr`dépassée`],
    partial: ['confirmed in part', fr`confirmée en partie`],
    way: ['on the way', fr`en route`],
    failed: ['not imported', fr`non importée`],
    named: ['named in records', fr`nommée dans des enregistrements`],
    confirmed: ['confirmed', fr`confirmée`],
    complete: ['in the zone', fr`dans la zone`],
  },
  says: {
    unfinished: [
      'The delivery[ for {zone}] is not written whole: {done} of {parts:part/parts}',
      fr`La livraison[ pour {zone}] n’est pas écrite entièrement : {done} sur {parts:partie/parties}`,
    ],
    unproved: [
      'The delivery[ for {zone}] was written, and no proof of its disks succeeded',
      fr`La livraison[ pour {zone}] a été écrite, et aucune preuve de ses disques n’a réussi`,
    ],
    writing: [
      'The delivery[ for {zone}] is being written: {done} of {parts:part/parts}',
      fr`La livraison[ pour {zone}] est en cours d’écriture : {done} sur {parts:partie/parties}`,
    ],
    replaced: [
      'The delivery[ for {zone}] was not finished, and a later one was written and proved',
      fr`La livraison[ pour {zone}] n’a pas été terminée, et une plus récente a été écrite et prouvée`,
    ],
    overdue: [
      'The delivery for {zone} is written, and no receipt confirmed it by {due}',
      fr`La livraison pour {zone} est écrite, et aucun reçu ne l’a confirmée avant le {due}`,
    ],
    refused: [
      'The disks of the delivery came, and the zone refused {names}',
      fr`Les disques de la livraison sont arrivés, et la zone a refusé {names}`,
    ],
    inside: [
      'The recipes of the delivery are in the zone[ by receipt {inside}, which does not name the delivery][{inside!}, brought by other disks]',
      fr`Les recettes de la livraison sont dans la zone[ selon le reçu {inside}, qui ne nomme pas la livraison][{inside!}, apportées par d’autres disques]`,
    ],
    incomplete: [
      'The delivery waits for [{needed:part …/parts …} of {parts}][{needed!}content that the registry lacks]',
      fr`La livraison attend [{needed:la partie …/les parties …} sur {parts}][{needed!}un contenu qui manque au registre]`,
    ],
    overtaken: [
      'The delivery is overtaken: a newer medium was imported before its last disks',
      fr`La livraison est dépassée : un support plus récent a été importé avant ses derniers disques`,
    ],
    partial: [
      'By receipt {sequence}[ of {zone}], the zone has {present} of {recipes:recipe/recipes} of the delivery',
      fr`Selon le reçu {sequence}[ de {zone}], la zone a {present} sur {recipes:recette/recettes} de la livraison`,
    ],
    way: [
      'The delivery[ for {zone}] is written, and no receipt confirms it yet',
      fr`La livraison[ pour {zone}] est écrite, et aucun reçu ne la confirme encore`,
    ],
    failed: [
      'The last import of a disk of the delivery failed, and none of its disks is recorded as arrived',
      fr`Le dernier import d’un disque de la livraison a échoué, et aucun de ses disques n’est enregistré comme arrivé`,
    ],
    named: [
      'The custody ledger names the delivery, and no other record is kept',
      fr`Le journal de garde nomme la livraison, et aucun autre enregistrement n’est conservé`,
    ],
    confirmed: [
      'Receipt {sequence}[ of {zone}] confirms the delivery',
      fr`Le reçu {sequence}[ de {zone}] confirme la livraison`,
    ],
    complete: [
      'The delivery is complete, with {recipes:recipe/recipes} in the zone',
      fr`La livraison est complète, avec {recipes:recette/recettes} dans la zone`,
    ],
  },
  count: {
    one: ['{count} delivery: {states}', fr`{count} livraison : {states}`],
    other: ['{count} deliveries: {states}', fr`{count} livraisons : {states}`],
  },
  stateCount: ['{state} ({n})', fr`{state} ({n})`],
  stampLook: ['To look at', fr`À examiner`],
  stampGood: ['In order', fr`En ordre`],
} as const;

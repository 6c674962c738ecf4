import { fr } from '../../language.ts';

/** The pages `/zones` and `/zones/{zone}`, and the command `svc zones`. */
export const zones = {
  title: ['Zones', fr`Zones`],
  lead: [
    'The recipes of each zone by its Retriever and its last receipt, and the deliveries on their way. Every figure is as old as its receipt.',
    fr`Ce que chaque zone doit avoir, ce qu’elle a déclaré en dernier, et ce qui est en route. Chaque chiffre a l’âge de son reçu.`,
  ],
  search: ['Part of the name', fr`Partie du nom`],
  zone: ['Zone', fr`Zone`],
  receipt: ['Receipt', fr`Reçu`],
  recipe: ['Recipe', fr`Recette`],
  recipes: ['Recipes', fr`Recettes`],
  wanted: ['Wanted', fr`Demandée`],
  present: ['In the zone', fr`Dans la zone`],
  state: ['State', fr`État`],
  asOf: ['As of', fr`État au`],
  blocked: ['blocked', fr`bloquée`],
  refusals: {
    signature: [
      'The zone accepts no signature of it. Carrying it again helps only once it trusts the key.',
      fr`La zone n’accepte aucune de ses signatures. La transporter de nouveau ne sert qu’une fois la clé reconnue.`,
    ],
    damage: [
      'It arrived damaged or not whole. Carrying it again helps.',
      fr`Elle est arrivée endommagée ou incomplète. La transporter de nouveau suffit.`,
    ],
    rule: [
      'A rule or the registry of the zone refuses it. Carrying it again does not help.',
      fr`Une règle ou le registre de la zone la refuse. La transporter de nouveau ne sert à rien.`,
    ],
    other: [
      'The zone refused it. Carrying it again may help.',
      fr`La zone l’a refusée. La transporter de nouveau peut suffire.`,
    ],
  },
  missing: ['missing', fr`manquante`],
  behind: ['another version', fr`autre version`],
  'in-transit': ['in transit', fr`en route`],
  unknown: ['unknown', fr`inconnue`],
  current: ['current', fr`à jour`],
  allCurrent: ['all current', fr`toutes à jour`],
  stateCounts: {
    blocked: ['{count} blocked', fr`{count:bloquée/bloquées}`],
    missing: ['{count} missing', fr`{count:manquante/manquantes}`],
    behind: ['{count} with another version', fr`{count} dans une autre version`],
    'in-transit': ['{count} in transit', fr`{count} en route`],
    unknown: ['{count} unknown', fr`{count:inconnue/inconnues}`],
    current: ['{count} current', fr`{count} à jour`],
  },
  receiptLine: ['{sequence}, of {time}[, through {via}]', fr`{sequence}, du {time}[, par {via}]`],
  via: ['through {via}', fr`par {via}`],
  receiptNumber: ['No. {sequence}', fr`n° {sequence}`],
  noReceipt: ['none', fr`aucun`],
  overdue: ['overdue', fr`en retard`],
  forked: [
    'two receipts have the number {sequence} (SVC-RCP-003): no state is known',
    fr`deux reçus portent le numéro {sequence} (SVC-RCP-003) : aucun état n’est connu`,
  ],
  otherMedium: [
    'it names a medium as part {part} of delivery {delivery} that this source did not write (SVC-RCP-006)',
    fr`il nomme comme partie {part} de la livraison {delivery} un support que cette source n’a pas écrit (SVC-RCP-006)`,
  ],
  otherMediumShort: ['another medium', fr`un autre support`],
  forkedShort: ['two receipts of one number', fr`deux reçus d’un même numéro`],
  unbelievedShort: ['not believed', fr`non reconnu`],
  unbelieved: [
    '{sequence}, of {time}, which no configured key verifies (SVC-RCP-001)',
    fr`{sequence}, du {time}, qu’aucune clé configurée ne vérifie (SVC-RCP-001)`,
  ],
  unreadableShort: ['unreadable', fr`illisible`],
  partialShort: ['read in part', fr`lu en partie`],
  readingShort: ['being read', fr`en cours de lecture`],
  unresolvedShort: ['not resolved', fr`non résolu`],
  unreadable: ['its receipt cannot be read ({code})', fr`son reçu ne peut pas être lu ({code})`],
  resolved: ['Retriever', fr`Retriever`],
  resolvedLine: ['resolved on {time}', fr`résolu le {time}`],
  partial: ['resolved in part on {time}', fr`résolu en partie le {time}`],
  unresolved: ['not resolved on {time}[ ({code})]', fr`non résolu le {time}[ ({code})]`],
  unprovedCount: {
    one: ['{count} delivery written but not proved', fr`{count} livraison écrite, mais sans preuve`],
    other: ['{count} deliveries written but not proved', fr`{count} livraisons écrites, mais sans preuve`],
  },
  unprovedWhy: [
    'The proof failed or was not made: such a disk does not count, and its passport is withdrawn.',
    fr`La preuve a échoué ou n’a pas été faite : un tel disque ne compte pas, et son passeport est retiré.`,
  ],
  unprovedEffect: [
    'Such a disk does not count, and its passport is withdrawn.',
    fr`Un tel disque ne compte pas, et son passeport est retiré.`,
  ],
  unfinishedCount: {
    one: ['{count} delivery not written whole', fr`{count} livraison dont l’écriture est inachevée`],
    other: ['{count} deliveries not written whole', fr`{count} livraisons dont l’écriture est inachevée`],
  },
  unfinishedWhy: [
    'The writing broke off or was cancelled: write the delivery again.',
    fr`L’écriture s’est interrompue ou a été annulée : écrivez de nouveau la livraison.`,
  ],
  lostWhy: [
    'The store lost content during the writing: synchronize, then write the delivery again.',
    fr`Le stockage a perdu un contenu pendant l’écriture : synchronisez, puis écrivez de nouveau la livraison.`,
  ],
  unfinishedLine: ['{line}, not written whole', fr`{line}, écriture inachevée`],
  unprovedRecipe: ['written, but not proved:', fr`écrite, mais sans preuve :`],
  unprovedLine: ['{line}, not proved', fr`{line}, sans preuve`],
  unsigned: [
    'It carries no signature: a zone that demands one refuses it.',
    fr`Elle n’a pas de signature : une zone qui en exige une la refuse.`,
  ],
  unsignedNames: ['{names} unsigned', fr`{names} sans signature`],
  toTrust: [
    '[Signed by {root}; ]{zone} must add its key to trust.roots',
    fr`[Signée par {root} ; ]{zone} doit ajouter sa clé à trust.roots`,
  ],
  signerKey: ['Fingerprint of the key', fr`Empreinte de la clé`],
  namesUnresolved: {
    one: [
      '{count} of {total:wanted name/wanted names} cannot be resolved: {names}',
      fr`{count} nom demandé sur {total} ne peut pas être résolu : {names}`,
    ],
    other: [
      '{count} of {total:wanted name/wanted names} cannot be resolved: {names}',
      fr`{count} noms demandés sur {total} ne peuvent pas être résolus : {names}`,
    ],
  },
  delivery: ['Delivery', fr`Livraison`],
  deliveries: ['Deliveries on their way', fr`Livraisons en route`],
  deliveryLine: [
    '[{id}, ]{parts:disk/disks}, since {time}',
    fr`[{id}, ]{parts:disque/disques}, depuis le {time}`,
  ],
  deliveryParts: ['{parts:disk/disks}', fr`{parts:disque/disques}`],
  none: [
    'No zone is configured. Name each zone under zones in the configuration, with its Retriever, and restart the instance. Then plan its first delivery on the page Deliver.',
    fr`Aucune zone n’est configurée. Nommez chaque zone sous zones, dans la configuration, avec son Retriever, et redémarrez l’instance. Planifiez ensuite sa première livraison sur la page Livrer.`,
  ],
  lacks: [
    '{files:file/files}, {bytes:size} missing',
    fr`{files:fichier manquant/fichiers manquants}, {bytes:size}`,
  ],
  zoneLacks: {
    one: ['{zone} lacks {count} recipe: {which}', fr`Il manque {count} recette à {zone} : {which}`],
    other: ['{zone} lacks {count} recipes: {which}', fr`Il manque {count} recettes à {zone} : {which}`],
  },
  zoneAwaits: {
    one: ['{zone} awaits {count} recipe', fr`{count} recette est en route vers {zone}`],
    other: ['{zone} awaits {count} recipes', fr`{count} recettes sont en route vers {zone}`],
  },
  zoneHas: {
    one: [
      '{zone} has the recipe it should have[, by its receipt of {time}]',
      fr`{zone} a la recette qu’elle doit avoir[, d’après son reçu du {time}]`,
    ],
    other: [
      '{zone} has the {count} recipes it should have[, by its receipt of {time}]',
      fr`{zone} a les {count} recettes qu’elle doit avoir[, d’après son reçu du {time}]`,
    ],
  },
  inAnother: ['in another version', fr`dans une autre version`],
  noVersion: ['without a known version', fr`sans version connue`],
  comma: [',', fr`,`],
  stateNames: ['{names} {state}', fr`{names} {state}`],
  saysUnconfirmed: [
    '{zone} has not confirmed the delivery of {time}',
    fr`{zone} n’a pas confirmé la livraison du {time}`,
  ],
  saysInPart: [
    '{zone} has confirmed the delivery of {time} in part[: {awaited:disk … has/disks … have} not arrived][ ({names})]',
    fr`{zone} a confirmé en partie la livraison du {time}[ : il manque {awaited:le disque …/les disques …}][ ({names})]`,
  ],
  inPartLine: [
    'confirmed in part[: {awaited:disk … has/disks … have} not arrived]',
    fr`confirmée en partie[ : il manque {awaited:le disque …/les disques …}]`,
  ],
  saysUnreadable: [
    'The last receipt of {zone} cannot be read',
    fr`Le dernier reçu de {zone} ne peut pas être lu`,
  ],
  saysForked: [
    'Two different receipts of {zone} have the number {sequence}',
    fr`Deux reçus différents de {zone} portent le numéro {sequence}`,
  ],
  saysUnresolved: ['The Retriever of {zone} cannot be read', fr`Le Retriever de {zone} ne peut pas être lu`],
  saysUnanswered: [
    'The Retriever of {zone} has not answered yet',
    fr`Le Retriever de {zone} n’a pas encore répondu`,
  ],
  saysReading: ['The Retriever of {zone} is being read', fr`Le Retriever de {zone} est en cours de lecture`],
  saysNoReceipt: ['{zone} has sent no receipt yet', fr`{zone} n’a encore envoyé aucun reçu`],
  saysUnbelieved: [
    'Receipt {sequence} of {zone} is not believed: no configured key verifies it',
    fr`Le reçu {sequence} de {zone} ne compte pas : aucune clé configurée ne le vérifie`,
  ],
  saysLate: [
    '{zone} should have confirmed the delivery of {time} by {due}',
    fr`{zone} aurait dû confirmer la livraison du {time} avant le {due}`,
  ],
  lateStep: ['Ask {zone}, or add its receipt.', fr`Demandez à {zone}, ou ajoutez son reçu.`],
  saysOverdue: [
    'The last receipt of {zone}, of {time}, is too old to rely on',
    fr`Le dernier reçu de {zone}, du {time}, est trop ancien pour s’y fier`,
  ],
  saysUnknownNames: [
    '{zone} wants {names}, of which no version is known here',
    fr`{zone} demande {names}, dont aucune version n’est connue ici`,
  ],
  saysUnknownCount: {
    one: [
      'Of {count} recipe of {zone}, the state is not known',
      fr`L’état de {count} recette de {zone} n’est pas connu`,
    ],
    other: [
      'Of {count} recipes of {zone}, the state is not known',
      fr`L’état de {count} recettes de {zone} n’est pas connu`,
    ],
  },
  zonesLack: {
    one: [
      '{count} of {total:zone/zones}[{all!} on this page] lacks recipes[, {late:is/are} overdue][, {unknown} cannot be judged]',
      fr`Il manque des recettes à {count} zone sur {total}[{all!} de cette page][, {late:est/sont} en retard][, l’état de {unknown} n’est pas connu]`,
    ],
    other: [
      '{count} of {total:zone/zones}[{all!} on this page] lack recipes[, {late:is/are} overdue][, {unknown} cannot be judged]',
      fr`Il manque des recettes à {count} zones sur {total}[{all!} de cette page][, {late:est/sont} en retard][, l’état de {unknown} n’est pas connu]`,
    ],
  },
  zonesLate: {
    one: [
      '{count} of {total:zone/zones}[{all!} on this page] is overdue[, {unknown} cannot be judged]',
      fr`{count} zone sur {total}[{all!} de cette page] est en retard[, l’état de {unknown} n’est pas connu]`,
    ],
    other: [
      '{count} of {total:zone/zones}[{all!} on this page] are overdue[, {unknown} cannot be judged]',
      fr`{count} zones sur {total}[{all!} de cette page] sont en retard[, l’état de {unknown} n’est pas connu]`,
    ],
  },
  zonesReading: {
    one: [
      'The Retriever of {count} of {total:zone/zones}[{all!} on this page] is being read: this page updates by itself',
      fr`Le Retriever de {count} zone sur {total}[{all!} de cette page] est en cours de lecture : la page se met à jour d’elle-même`,
    ],
    other: [
      'The Retrievers of {count} of {total:zone/zones}[{all!} on this page] are being read: this page updates by itself',
      fr`Les Retrievers de {count} zones sur {total}[{all!} de cette page] sont en cours de lecture : la page se met à jour d’elle-même`,
    ],
  },
  zonesUnknown: {
    one: [
      '{count} of {total:zone/zones}[{all!} on this page] cannot be judged',
      fr`L’état de {count} zone sur {total}[{all!} de cette page] n’est pas connu`,
    ],
    other: [
      '{count} of {total:zone/zones}[{all!} on this page] cannot be judged',
      fr`L’état de {count} zones sur {total}[{all!} de cette page] n’est pas connu`,
    ],
  },
  zonesAwait: {
    one: [
      '{count} of {total:zone/zones} awaits recipes that are on their way[{all!} on this page]',
      fr`{count} zone sur {total} attend des recettes en route[{all!} sur cette page]`,
    ],
    other: [
      '{count} of {total:zone/zones} await recipes that are on their way[{all!} on this page]',
      fr`{count} zones sur {total} attendent des recettes en route[{all!} sur cette page]`,
    ],
  },
  zonesHave: {
    one: ['{count} zone has every recipe it should have', fr`{count} zone a toutes les recettes demandées`],
    other: [
      'All {count} zones have every recipe they should have',
      fr`Les {count} zones ont toutes les recettes demandées`,
    ],
  },
  openWorst: ['Open the zone that lacks most', fr`Ouvrir la zone à qui il manque le plus`],
  thereUnwanted: ['there, not wanted', fr`présente, non demandée`],
  inZones: ['In the zones', fr`Dans les zones`],
  stateInZones: ['In the zones: {state}', fr`Dans les zones : {state}`],
  standings: {
    lacks: ['lacks {count}', fr`{count:manquante/manquantes}`],
    overdue: ['overdue', fr`en retard`],
    unknown: ['not known', fr`non connue`],
    awaits: ['in transit', fr`en route`],
    has: ['has all', fr`a tout`],
  },
  openZone: ['Open {zone}', fr`Ouvrir {zone}`],
  notKnown: ['It is not known which recipes {zone} has', fr`On ne sait pas quelles recettes {zone} a`],
  stampLacks: ['Incomplete', fr`Incomplète`],
  stampInPart: ['In part', fr`En partie`],
  stampOnWay: ['In transit', fr`En route`],
  stampLate: ['Overdue', fr`En retard`],
  stampHas: ['Complete', fr`Complète`],
  stampReading: ['Being read', fr`Lecture en cours`],
  stampUnknown: ['Unknown', fr`Inconnue`],
  noRecipes: [
    'Nothing is known of the recipes of this zone.',
    fr`Rien n’est connu des recettes de cette zone.`,
  ],
  addReceipt: ['Add a receipt', fr`Ajouter un reçu`],
  deliver: ['Plan a delivery', fr`Préparer une livraison`],
} as const;

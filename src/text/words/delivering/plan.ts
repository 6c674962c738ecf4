import { fr } from '../../language.ts';

/** The page `/deliver`. */
export const plan = {
  title: ['Deliver', fr`Livrer`],
  lead: [
    'The content to carry to a zone, and the number of disks. A plan writes nothing.',
    fr`Ce qu’il faut transporter vers une zone, et sur combien de disques. Un plan n’écrit rien.`,
  ],
  zone: ['Zone', fr`Zone`],
  zoneReceipt: ['{zone}, receipt {sequence} of {time}', fr`{zone}, reçu {sequence} du {time}`],
  zoneState: ['{zone} – {state}', fr`{zone} – {state}`],
  zoneBare: ['{zone}, no receipt', fr`{zone}, sans reçu`],
  base: ['Content in the zone', fr`Ce que la zone a`],
  latest: ['the content of its last receipt', fr`le contenu de son dernier reçu`],
  sent: ['the content of earlier deliveries', fr`ce que des livraisons antérieures ont apporté`],
  none: ['nothing: carry everything', fr`rien : tout transporter`],
  disk: ['Disks', fr`Disques`],
  any: ['one disk of any size', fr`un disque de taille quelconque`],
  dvd: ['DVD, 4.7 GB', fr`DVD, 4,7 Go`],
  bd: ['Blu-ray disc, 25 GB', fr`disque Blu-ray, 25 Go`],
  stick: ['USB stick, 32 GB, FAT32', fr`clé USB, 32 Go, FAT32`],
  own: ['another size', fr`une autre taille`],
  mounted: ['mounted disks', fr`disques montés`],
  mountedHint: [
    'For “mounted disks”: absolute paths on the machine of the instance, one a line. Their room decides.',
    fr`Pour « disques montés » : chemins absolus sur la machine de l’instance, un par ligne. Leur place décide.`,
  ],
  size: ['Other size', fr`Autre taille`],
  sizeHint: [
    'For “another size”, such as 64GB. Several sizes, in the order of the disks: 64GB; 16GB. The last one repeats.',
    fr`Pour « une autre taille », par exemple 64 Go. Plusieurs tailles, dans l’ordre des disques : 64 Go ; 16 Go. La dernière se répète.`,
  ],
  fat32: ['Disks of the other size have FAT32', fr`Les disques de l’autre taille sont en FAT32`],
  recipes: ['Recipes', fr`Recettes`],
  recipesHint: [
    'One name, or name@version, a line. Empty: all recipes of the store.',
    fr`Un nom, ou nom@version, par ligne. Vide : toutes les recettes du stockage.`,
  ],
  wantedOnly: [
    'Only recipes that the zone wants and lacks',
    fr`Seulement les recettes que la zone demande et n’a pas`,
  ],
  wantedPlan: {
    one: [
      'The plan has the {count} recipe that {zone} lacks, by its Retriever and its last receipt.',
      fr`Le plan contient la recette qui manque à {zone}, d’après son Retriever et son dernier reçu.`,
    ],
    other: [
      'The plan has the {count} recipes that {zone} lacks, by its Retriever and its last receipt.',
      fr`Le plan contient les {count} recettes qui manquent à {zone}, d’après son Retriever et son dernier reçu.`,
    ],
  },
  wantedPerhaps: {
    one: [
      'The plan has the {count} recipe of the Retriever of {zone} that the zone lacks, or is not known to have.',
      fr`Le plan contient la recette du Retriever de {zone} qui manque à la zone, ou dont rien ne confirme la présence.`,
    ],
    other: [
      'The plan has the {count} recipes of the Retriever of {zone} that the zone lacks, or is not known to have.',
      fr`Le plan contient les {count} recettes du Retriever de {zone} qui manquent à la zone, ou dont rien ne confirme la présence.`,
    ],
  },
  wantedTransit: {
    one: ['{count} is in transit and is left out.', fr`{count} est en route et n’y figure pas.`],
    other: ['{count} are in transit and are left out.', fr`{count} sont en route et n’y figurent pas.`],
  },
  wantedRefused: {
    one: ['{names} is blocked and is left out.', fr`{names} est bloquée et n’y figure pas.`],
    other: ['{names} are blocked and are left out.', fr`{names} sont bloquées et n’y figurent pas.`],
  },
  wantedUnresolved: {
    one: [
      '{count} wanted name cannot be resolved and is left out: {names}.',
      fr`{count} nom demandé ne peut pas être résolu et n’y figure pas : {names}.`,
    ],
    other: [
      '{count} wanted names cannot be resolved and are left out: {names}.',
      fr`{count} noms demandés ne peuvent pas être résolus et n’y figurent pas : {names}.`,
    ],
  },
  wantedAbsent: [
    'Not in this store: {names}. Synchronize first.',
    fr`Absentes de ce stockage : {names}. Synchronisez d’abord.`,
  ],
  wantedBytes: [
    'By its receipt, the zone lacks {bytes:size}; documents, signatures and files that no receipt confirms come with them.',
    fr`D’après son reçu, il manque {bytes:size} à la zone ; s’y ajoutent les documents, les signatures et les fichiers qu’aucun reçu ne confirme.`,
  ],
  wantedNothing: [
    '{zone} lacks no recipe that a delivery could bring',
    fr`Il ne manque à {zone} aucune recette à livrer`,
  ],
  wantedNone: {
    one: [
      'This store does not have the {count} recipe that {zone} lacks',
      fr`Ce stockage n’a pas la recette qui manque à {zone}`,
    ],
    other: [
      'This store has none of the {count} recipes that {zone} lacks',
      fr`Ce stockage n’a aucune des {count} recettes qui manquent à {zone}`,
    ],
  },
  wantedUnknown: [
    '{why}: the plan has all recipes of the store.',
    fr`{why} : le plan contient toutes les recettes du stockage.`,
  ],
  stampNone: ['Nothing to carry', fr`Rien à transporter`],
  allOfStore: ['All recipes of the store', fr`Toutes les recettes du stockage`],
  others: [
    'Disks of another size, mounted disks, or only some recipes',
    fr`Disques d’une autre taille, disques montés, ou seulement certaines recettes`,
  ],
  show: ['Show the plan', fr`Afficher le plan`],
  showing: ['Reading the manifests…', fr`Lecture des manifestes…`],
  noReceipts: [
    'No receipt of another zone is known, so everything is carried.',
    fr`Aucun reçu d’une autre zone n’est connu : tout est transporté.`,
  ],
  toReceipts: ['Receipts', fr`Reçus`],
  noRecipes: [
    'The store has no recipes: there is nothing to carry.',
    fr`Le stockage n’a pas de recettes : il n’y a rien à transporter.`,
  ],
  toRecipes: ['Recipes', fr`Recettes`],
  result: {
    one: ['{zone}: {bytes:size} on one disk', fr`{zone} : {bytes:size} sur un disque`],
    other: ['{zone}: {bytes:size} on {count} disks', fr`{zone} : {bytes:size} sur {count} disques`],
  },
  planHead: ['The plan', fr`Le plan`],
  stampNothing: ['In the zone', fr`Dans la zone`],
  barLine: ['{bytes:size} of {total:size} to carry', fr`{bytes:size} sur {total:size} à transporter`],
  unsigned: {
    one: [
      '{names} has no valid signature: a zone that demands one refuses it.',
      fr`{names} n’a pas de signature valide : une zone qui en exige une la refuse.`,
    ],
    other: [
      '{names} have no valid signature: a zone that demands one refuses them.',
      fr`{names} n’ont pas de signature valide : une zone qui en exige une les refuse.`,
    ],
  },
  unsignedShort: ['without a valid signature', fr`sans signature valide`],
  stampReady: ['Planned', fr`Prévue`],
  lost: {
    one: [
      '{count} recipe is not written: the store has lost content of it.',
      fr`{count} recette n’est pas écrite : le stockage a perdu du contenu de cette recette.`,
    ],
    other: [
      '{count} recipes are not written: the store has lost content of them.',
      fr`{count} recettes ne sont pas écrites : le stockage a perdu du contenu de ces recettes.`,
    ],
  },
  stampPartly: ['In part', fr`En partie`],
  troubled: [
    'In the zone: [{blocked} blocked][{both=yes}, ][{incomplete} incomplete].',
    fr`Dans la zone : [{blocked:bloquée/bloquées}][{both=yes}, ][{incomplete:incomplète/incomplètes}].`,
  ],
  asked: ['{zone} · {base} · {disk}', fr`{zone} · {base} · {disk}`],
  change: ['Change', fr`Modifier`],
  toRun: ['Write the disks', fr`Écrire les disques`],
  toCommand: ['Show the command', fr`Afficher la commande`],
  carried: ['To carry', fr`À transporter`],
  leftOut: ['Already there', fr`Déjà là-bas`],
  full: ['Full size', fr`Taille entière`],
  together: ['Together, each file once', fr`Ensemble, chaque fichier une fois`],
  byReceipt: [
    '{bytes:size}, by receipt {sequence} of {time}',
    fr`{bytes:size}, selon le reçu {sequence} du {time}`,
  ],
  bySent: [
    '{bytes:size}, by the record of earlier deliveries',
    fr`{bytes:size}, selon l’enregistrement des livraisons antérieures`,
  ],
  byNothing: ['unknown: everything is carried', fr`inconnu : tout est transporté`],
  byChoice: ['not considered: everything is carried', fr`pas pris en compte : tout est transporté`],
  delivery: ['Delivery', fr`Livraison`],
  allPresent: [
    'The zone has all of these recipes. The disk would bring their documents and signatures only.',
    fr`La zone a toutes ces recettes. Le disque n’apporterait que leurs documents et signatures.`,
  ],
  state: ['State in the zone', fr`État dans la zone`],
  present: ['present', fr`présente`],
  incomplete: ['incomplete', fr`incomplète`],
  blocked: ['blocked', fr`bloquée`],
  absent: ['not there', fr`absente`],
  recipe: ['Recipe', fr`Recette`],
  more: ['The first {shown} of {total} are listed.', fr`Les {shown} premiers sur {total} sont listés.`],
  perDisk: ['Disks', fr`Disques`],
  number: ['Disk', fr`Disque`],
  atMost: ['Size, at most', fr`Taille, au plus`],
  whole: ['Brings whole', fr`Apporte en entier`],
  wholeMore: ['{names} and {count} more', fr`{names} et {count} de plus`],
  several: ['several', fr`plusieurs`],
  wholeDocuments: ['documents and signatures', fr`des documents et des signatures`],
  wholeNone: ['parts of recipes', fr`des parties de recettes`],
  segments: [
    '{segments:segment of a large file/segments of large files}',
    fr`{segments:segment d’un grand fichier/segments de grands fichiers}`,
  ],
  unknownRoots: {
    one: [
      'One recipe of the zone is unknown here. Its content is carried again.',
      fr`Une recette de la zone est inconnue ici. Son contenu est transporté de nouveau.`,
    ],
    other: [
      '{count} recipes of the zone are unknown here. Their content is carried again.',
      fr`{count} recettes de la zone sont inconnues ici. Leur contenu est transporté de nouveau.`,
    ],
  },
  stranger: [
    'The recipes were resolved for the zone {own}, and {zone} is neither under zones nor among the peers: a zone with another name refuses the media.',
    fr`Les recettes ont été résolues pour la zone {own}, et {zone} n’est ni sous zones ni parmi les pairs : une zone d’un autre nom refuse les supports.`,
  ],
  meant: ['Did you mean {nearest}?', fr`Vouliez-vous dire {nearest} ?`],
  unbelieved: [
    'Receipt {sequence} of {zone} does not count: no configured key verifies it.',
    fr`Le reçu {sequence} de {zone} ne compte pas : aucune clé configurée ne le vérifie.`,
  ],
  forked: [
    'Two different receipts of {zone} have number {sequence}. {refused} was refused, and {known} does not count until another one is accepted: the plan has everything.',
    fr`Deux reçus différents de {zone} portent le numéro {sequence}. {refused} a été refusé, et {known} ne compte pas tant qu’aucun autre n’est accepté : le plan contient tout.`,
  ],
  lowered: [
    'Receipt {known} of {zone} does not count: receipt {sequence}, with a later date, was refused, so that the zone was restored or lost its state. The plan has everything.',
    fr`Le reçu {known} de {zone} ne compte pas : le reçu {sequence}, de date postérieure, a été refusé, donc la zone a été restaurée ou a perdu son état. Le plan contient tout.`,
  ],
  refused: {
    one: [
      'The last run did not bring one recipe: {names}. The plan has the versions of the store.',
      fr`La dernière exécution n’a pas apporté une recette : {names}. Le plan a les versions du stockage.`,
    ],
    other: [
      'The last run did not bring {count} recipes: {names}. The plan has the versions of the store.',
      fr`La dernière exécution n’a pas apporté {count} recettes : {names}. Le plan a les versions du stockage.`,
    ],
  },
  toTask: ['Open the task', fr`Ouvrir la tâche`],
  withheld: {
    one: [
      'The verification of the medium withholds one recipe: {names}.',
      fr`La vérification du support retient une recette : {names}.`,
    ],
    other: [
      'The verification of the medium withholds {count} recipes: {names}.',
      fr`La vérification du support retient {count} recettes : {names}.`,
    ],
  },
  without: ['Plan without them', fr`Planifier sans elles`],
  run: ['Write the disks', fr`Écrire les disques`],
  command: [
    'On the machine of the instance, while the instance is stopped:',
    fr`Sur la machine de l’instance, pendant qu’elle est arrêtée :`,
  ],
  commandFolders: [
    'The folders stand for the mounted disks.',
    fr`Les dossiers représentent les disques montés.`,
  ],
  here: ['Or in the instance, while it runs:', fr`Ou dans l’instance, pendant qu’elle tourne :`],
  address: ['Address of this plan', fr`Adresse de ce plan`],
  folders: ['Folders of the mounted disks', fr`Dossiers des disques montés`],
  foldersHint: [
    'Absolute paths on the machine of the instance, one a line.',
    fr`Chemins absolus sur la machine de l’instance, un par ligne.`,
  ],
  folder: ['Folder for the parts', fr`Dossier pour les parties`],
  folderHint: [
    'Absolute path on the machine of the instance. It gets a folder to burn for each disk.',
    fr`Chemin absolu sur la machine de l’instance. Il reçoit un dossier à graver par disque.`,
  ],
  write: ['Let the instance write', fr`Faire écrire par l’instance`],
  writing: ['Starting…', fr`Démarrage…`],
  onlyAdmin: [
    'While the instance runs, only an administrator can let it write: at this address, the page then has a form in this place.',
    fr`Pendant que l’instance tourne, seul un administrateur peut la faire écrire : à cette adresse, il trouve ici un formulaire.`,
  ],
} as const;

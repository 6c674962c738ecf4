import { fr } from '../language.ts';

/** The page `/`. */
export const overview = {
  title: ['Overview', fr`Vue d’ensemble`],
  complete: {
    one: ['The wanted recipe is here', fr`La recette demandée est ici`],
    other: ['All {count} wanted recipes are here', fr`Les {count} recettes demandées sont ici`],
  },
  missing: {
    one: [
      '{count} of {total:wanted recipe/wanted recipes} is not here[, {damaged:is/are} damaged in the store][: import {parts:part …/parts …} of the delivery]',
      fr`{count} recette demandée sur {total} n’est pas ici[, {damaged:est endommagée/sont endommagées} dans le stockage][ : importez {parts:la partie …/les parties …} de la livraison]`,
    ],
    other: [
      '{count} of {total:wanted recipe/wanted recipes} are not here[, {damaged:is/are} damaged in the store][: import {parts:part …/parts …} of the delivery]',
      fr`{count} recettes demandées sur {total} ne sont pas ici[, {damaged:est endommagée/sont endommagées} dans le stockage][ : importez {parts:la partie …/les parties …} de la livraison]`,
    ],
  },
  completeDelivered: {
    one: ['The delivered recipe is here', fr`La recette livrée est ici`],
    other: ['All {count} delivered recipes are here', fr`Les {count} recettes livrées sont ici`],
  },
  missingDelivered: {
    one: [
      '{count} of {total:delivered recipe/delivered recipes} is not here[, {damaged:is/are} damaged in the store][: import {parts:part …/parts …} of the delivery]',
      fr`{count} recette livrée sur {total} n’est pas ici[, {damaged:est endommagée/sont endommagées} dans le stockage][ : importez {parts:la partie …/les parties …} de la livraison]`,
    ],
    other: [
      '{count} of {total:delivered recipe/delivered recipes} are not here[, {damaged:is/are} damaged in the store][: import {parts:part …/parts …} of the delivery]',
      fr`{count} recettes livrées sur {total} ne sont pas ici[, {damaged:est endommagée/sont endommagées} dans le stockage][ : importez {parts:la partie …/les parties …} de la livraison]`,
    ],
  },
  gone: {
    one: [
      '{count} of {total:wanted recipe/wanted recipes} is no longer here[, {damaged:is/are} damaged in the store]',
      fr`{count} recette demandée sur {total} n’est plus ici[, {damaged:est endommagée/sont endommagées} dans le stockage]`,
    ],
    other: [
      '{count} of {total:wanted recipe/wanted recipes} are no longer here[, {damaged:is/are} damaged in the store]',
      fr`{count} recettes demandées sur {total} ne sont plus ici[, {damaged:est endommagée/sont endommagées} dans le stockage]`,
    ],
  },
  wantedDamaged: {
    one: [
      '{count} of {total:wanted recipe/wanted recipes} is here and damaged in the store',
      fr`{count} recette demandée sur {total} est ici, endommagée dans le stockage`,
    ],
    other: [
      '{count} of {total:wanted recipe/wanted recipes} are here and damaged in the store',
      fr`{count} recettes demandées sur {total} sont ici, endommagées dans le stockage`,
    ],
  },
  syncFailed: [
    'The last synchronization failed at {at}[; the content here is of {of}][; {count} of {total:wanted recipe/wanted recipes} not here][; {damaged:recipe/recipes} damaged in the store]',
    fr`La dernière synchronisation a échoué : {at}[ ; le contenu présent date du {of}][ ; absentes : {count} sur {total:recette demandée/recettes demandées}][ ; {damaged:recette endommagée/recettes endommagées} dans le stockage]`,
  ],
  damagedBadge: ['here, damaged', fr`ici, endommagée`],
  stampComplete: ['Complete', fr`Complet`],
  stampIncomplete: ['Incomplete', fr`Incomplet`],
  stampBlocked: ['Blocked', fr`Bloqué`],
  stampClosed: ['Closed', fr`Fermé`],
  stampWaits: ['Waits', fr`En attente`],
  stampOvertaken: ['Overtaken', fr`Dépassée`],
  stampOpen: ['Pending', fr`À suivre`],
  toDo: ['What to do', fr`À faire`],
  toDoMore: {
    one: ['and {count} more', fr`et {count} autre`],
    other: ['and {count} more', fr`et {count} autres`],
  },
  withTroubles: ['{verdict}; {troubles}', fr`{verdict} ; {troubles}`],
  stampAttention: ['Attention', fr`Attention`],
  damaged: {
    one: ['{count} file of the store is damaged', fr`{count} fichier du stockage est endommagé`],
    other: ['{count} files of the store are damaged', fr`{count} fichiers du stockage sont endommagés`],
  },
  damagedWhy: {
    one: ['{count} file is damaged[, in {names}].', fr`{count} fichier est endommagé[, dans {names}].`],
    other: [
      '{count} files are damaged[, in {names}].',
      fr`{count} fichiers sont endommagés[, dans {names}].`,
    ],
  },
  doubtful: {
    one: ['the receipt of {count} zone needs attention', fr`le reçu de {count} zone est à vérifier`],
    other: ['the receipts of {count} zones need attention', fr`les reçus de {count} zones sont à vérifier`],
  },
  overdueStep: [
    'Have the zone write a receipt, and add it here.',
    fr`Faites écrire un reçu par la zone, et ajoutez-le ici.`,
  ],
  overdueWhy: [
    'Its last receipt is of {time}: overdue.',
    fr`Son dernier reçu date du {time} : il est en retard.`,
  ],
  unbelievedWhy: [
    'No configured key verifies its last receipt.',
    fr`Aucune clé configurée ne vérifie son dernier reçu.`,
  ],
  unbelievedStep: [
    'Name the key of the zone under peers, or have the zone sign a receipt with the configured key.',
    fr`Indiquez la clé de la zone sous peers, ou faites signer un reçu par la zone avec la clé configurée.`,
  ],
  futureWhy: ['Its last receipt is dated in the future.', fr`Son dernier reçu est daté dans le futur.`],
  futureStep: [
    'Compare the clocks of the zone and of this instance.',
    fr`Comparez les horloges de la zone et de cette instance.`,
  ],
  lacking: {
    one: [
      '[{all!}at least ]{count} of {total:zone/zones} lacks recipes[, {late:is/are} overdue][, {unknown} cannot be judged]',
      fr`[{all!}au moins ]{count} zone sur {total} n’a pas toutes ses recettes[, {late:est/sont} en retard][, l’état de {unknown} n’est pas connu]`,
    ],
    other: [
      '[{all!}at least ]{count} of {total:zone/zones} lack recipes[, {late:is/are} overdue][, {unknown} cannot be judged]',
      fr`[{all!}au moins ]{count} zones sur {total} n’ont pas toutes leurs recettes[, {late:est/sont} en retard][, l’état de {unknown} n’est pas connu]`,
    ],
  },
  unjudged: {
    one: [
      '[{all!}at least ]{count} of {total:zone/zones} cannot be judged',
      fr`l’état de [{all!}au moins ]{count} zone sur {total} n’est pas connu`,
    ],
    other: [
      '[{all!}at least ]{count} of {total:zone/zones} cannot be judged',
      fr`l’état de [{all!}au moins ]{count} zones sur {total} n’est pas connu`,
    ],
  },
  zonesLate: {
    one: [
      '[{all!}at least ]{count} of {total:zone/zones} is overdue[, {unknown} cannot be judged]',
      fr`[{all!}au moins ]{count} zone sur {total} est en retard[, l’état de {unknown} n’est pas connu]`,
    ],
    other: [
      '[{all!}at least ]{count} of {total:zone/zones} are overdue[, {unknown} cannot be judged]',
      fr`[{all!}au moins ]{count} zones sur {total} sont en retard[, l’état de {unknown} n’est pas connu]`,
    ],
  },
  furtherZones: {
    one: ['{count} more zone', fr`{count} autre zone`],
    other: ['{count} more zones', fr`{count} autres zones`],
  },
  lackingWhy: [
    'Recipes are missing or not known: {zones}.',
    fr`Des recettes manquent ou ne sont pas connues : {zones}.`,
  ],
  lackingStep: [
    '[Plan a delivery for {helped}.][{both=yes} ][The page of {others} has the remedy.]',
    fr`[Préparez une livraison pour {helped}.][{both=yes} ][La page de {others} donne le remède.]`,
  ],
  openDeliveries: ['Open the deliveries', fr`Ouvrir les livraisons`],
  unsoundStep: [
    'The page of each delivery has its next step: write it again, or prove its disks.',
    fr`La page de chaque livraison donne l’étape suivante : l’écrire à nouveau, ou prouver ses disques.`,
  ],
  openZones: ['Open the zones', fr`Ouvrir les zones`],
  stalled: ['a task receives nothing', fr`une tâche ne reçoit rien`],
  goneStep: [
    'Synchronize, or import a medium that has it.',
    fr`Synchronisez, ou importez un support qui la contient.`,
  ],
  awaitsStep: [
    'Import [{parts:part …/parts …} of the delivery|the other disks of the delivery].',
    fr`Importez [{parts:la partie …/les parties …} de la livraison|les autres disques de la livraison].`,
  ],
  awaitsDelivery: [
    'Import {parts:part …/parts …} of {total} of the delivery {id}, with the content of {time}.',
    fr`Importez {parts:la partie …/les parties …} sur {total} de la livraison {id}, avec le contenu du {time}.`,
  ],
  awaitsLine: [
    'waits for {parts:part …/parts …} of {total} of {id}',
    fr`attend {parts:la partie …/les parties …} sur {total} de {id}`,
  ],
  awaitsBase: ['lacks content that {id} leaves out', fr`il manque du contenu que {id} ne contient pas`],
  carried: ['Carried last', fr`Dernier apport`],
  notCarried: ['Nothing yet', fr`Rien pour l’instant`],
  delivery: ['Delivery', fr`Livraison`],
  part: ['{id}, part {part} of {parts}', fr`{id}, partie {part} sur {parts}`],
  disk: ['Disk', fr`Disque`],
  source: ['Source', fr`Source`],
  brought: ['Brought', fr`Apport`],
  broughtLine: {
    one: [
      '{count} recipe, {size:size}[; {before:was/were} here before]',
      fr`{count} recette, {size:size}[ ; {before:était déjà là/étaient déjà là}]`,
    ],
    other: [
      '{count} recipes, {size:size}[; {before:was/were} here before]',
      fr`{count} recettes, {size:size}[ ; {before:était déjà là/étaient déjà là}]`,
    ],
  },
  by: ['by', fr`par`],
  syncFrom: ['from {source}', fr`depuis {source}`],
  when: ['Date', fr`Date`],
  idle: ['No task is running.', fr`Aucune tâche n’est en cours.`],
  wantedAsOf: ['As the run of {time} read them.', fr`Lues par l’exécution du {time}.`],
  wantedOfAll: [
    'Those of all deliveries to this zone; the last run is of {time}.',
    fr`Celles de toutes les livraisons à cette zone ; la dernière exécution est du {time}.`,
  ],
  runFailed: [
    'The last run failed before it knew its recipes',
    fr`La dernière exécution a échoué avant de connaître ses recettes`,
  ],
  here: {
    one: ['{count} recipe is here', fr`{count} recette est ici`],
    other: ['{count} recipes are here', fr`{count} recettes sont ici`],
  },
  unimported: {
    one: [
      '{count} recipe is verified, not imported yet',
      fr`{count} recette est vérifiée, pas encore importée`,
    ],
    other: [
      '{count} recipes are verified, not imported yet',
      fr`{count} recettes sont vérifiées, pas encore importées`,
    ],
  },
  unimportedPart: ['{passed}; {blocked}', fr`{passed} ; {blocked}`],
  blockedRest: {
    one: ['{count} is blocked', fr`{count} est bloquée`],
    other: ['{count} are blocked', fr`{count} sont bloquées`],
  },
  blocked: {
    one: [
      '{count} recipe of the medium is blocked[ ({here})]',
      fr`{count} recette du support est bloquée[ ({here})]`,
    ],
    other: [
      '{count} recipes of the medium are blocked[ ({here})]',
      fr`{count} recettes du support sont bloquées[ ({here})]`,
    ],
  },
  nothing: ['Nothing has been delivered yet', fr`Rien n’a encore été livré`],
  closed: ['No content is served', fr`Aucun contenu n’est servi`],
  closedLine: ['The medium has to be verified first.', fr`Le support doit d’abord être vérifié.`],
  replacedLine: [
    'The medium was replaced or changed: it is opened and verified when it no longer changes.',
    fr`Le support a été remplacé ou modifié : il est ouvert et vérifié dès qu’il ne change plus.`,
  ],
  awayLine: [
    'The disk is not there: connect it and mount it in the same place.',
    fr`Le disque n’est pas là : branchez-le et montez-le au même endroit.`,
  ],
  refusedLine: [
    'The last verification blocked the medium[: {codes}].',
    fr`La dernière vérification a bloqué le support[ : {codes}].`,
  ],
  nothingNetwork: [
    'Over the network: name a Retriever with retriever.source in the configuration, restart the instance, and synchronize.',
    fr`Par le réseau : nommez un Retriever avec retriever.source dans la configuration, redémarrez l’instance, puis synchronisez.`,
  ],
  nothingDisk: [
    'By disk: set zone and destination.registry, mount the disk as storage.root, restart the instance, and import the medium on its page.',
    fr`Par disque : définissez zone et destination.registry, montez le disque comme storage.root, redémarrez l’instance, puis importez le support sur sa page.`,
  ],
  nothingLine: [
    'The first synchronization, or the import of a medium, brings content.',
    fr`La première synchronisation, ou l’import d’un support, apporte du contenu.`,
  ],
  hereLine: [
    'This instance has not run a synchronization or an import of a medium yet.',
    fr`Cette instance n’a pas encore exécuté de synchronisation ni d’import de support.`,
  ],
  lastRun: ['Last run: {type}, {time}', fr`Dernière exécution : {type}, {time}`],
  listChanged: [
    'The list of wanted recipes has changed since this run.',
    fr`La liste des recettes demandées a changé depuis cette exécution.`,
  ],
  openRunning: ['Follow the task that runs', fr`Suivre la tâche en cours`],
  copyWhy: ['Already in the zone.', fr`Déjà dans la zone.`],
  copyStep: {
    one: [
      'Only the copy on this disk is damaged: the zone lacks nothing of it.',
      fr`Seule la copie de ce disque est endommagée : il n’en manque rien à la zone.`,
    ],
    other: [
      'Only the copies on this disk are damaged: the zone lacks nothing of them.',
      fr`Seules les copies de ce disque sont endommagées : il n’en manque rien à la zone.`,
    ],
  },
  openDelivery: ['Open the delivery', fr`Ouvrir la livraison`],
  openRecipe: ['Open the recipe', fr`Ouvrir la recette`],
  openStore: ['Open the store', fr`Ouvrir le stockage`],
  openZone: ['Open the zone', fr`Ouvrir la zone`],
  openReceipts: ['Open the receipts', fr`Ouvrir les reçus`],
  openRun: ['Open the task', fr`Ouvrir la tâche`],
  synchronize: ['Synchronize', fr`Synchroniser`],
  openMedium: ['Open the medium', fr`Ouvrir le support`],
  verify: ['Verify the medium', fr`Vérifier le support`],
  flow: ['Origins and destination', fr`Origines et destination`],
  origins: ['Origin', fr`Origine`],
  via: ['Contacted', fr`Hôte contacté`],
  share: ['Share', fr`Part`],
  repositories: ['Repositories', fr`Dépôts`],
  size: ['Size', fr`Taille`],
  direct: ['direct', fr`direct`],
  comesOn: ['On the medium', fr`Sur le support`],
  moreOrigins: {
    one: ['and {count} more origin', fr`et {count} autre origine`],
    other: ['and {count} more origins', fr`et {count} autres origines`],
  },
  noOrigins: ['No recipe has brought content yet.', fr`Aucune recette n’a encore apporté de contenu.`],
  originsPending: [
    'The origins are shown once the run that brings the content has ended.',
    fr`Les origines sont affichées une fois terminée l’exécution qui apporte le contenu.`,
  ],
  originsClosed: [
    'The origins are shown once content of the medium is served.',
    fr`Les origines sont affichées une fois le contenu du support servi.`,
  ],
  neverImported: ['not imported yet', fr`pas encore importé`],
  importedAt: ['last import {time}', fr`dernier import le {time}`],
  destination: ['Destination', fr`Destination`],
  destinationLine: ['receives verified content', fr`reçoit ce qui a été vérifié`],
  mediumLine: ['media that are carried to the zones', fr`supports transportés vers les zones`],
  clientsLine: ['clients that pull from this instance', fr`clients qui récupèrent depuis cette instance`],
  running: ['Running now', fr`En cours`],
  waiting: {
    one: ['{count} task waits', fr`{count} tâche attend`],
    other: ['{count} tasks wait', fr`{count} tâches attendent`],
  },
  wanted: ['Wanted recipes', fr`Recettes demandées`],
  delivered: ['Delivered recipes', fr`Recettes livrées`],
  present: ['here', fr`ici`],
  damagedCopy: ['here; damaged on this disk', fr`ici ; endommagée sur ce disque`],
  absent: ['missing', fr`manquante`],
  goneBadge: ['no longer here', fr`n’est plus ici`],
  stillHere: ['Here meanwhile: {versions}', fr`Ici en attendant : {versions}`],
  wantedUnknown: [
    'The first run reads the wanted recipes.',
    fr`La première exécution lit les recettes demandées.`,
  ],
  wantedClosed: [
    'The wanted recipes are shown once content of the medium is served.',
    fr`Les recettes demandées sont affichées une fois le contenu du support servi.`,
  ],
  moreWanted: {
    one: ['and {count} more, in the run', fr`et {count} autre, dans l’exécution`],
    other: ['and {count} more, in the run', fr`et {count} autres, dans l’exécution`],
  },
  moreRecipes: {
    one: ['and {count} more', fr`et {count} autre`],
    other: ['and {count} more', fr`et {count} autres`],
  },
  deliveries: ['Landed recipes', fr`Recettes arrivées`],
  noDeliveries: [
    'No version of a recipe has landed yet.',
    fr`Aucune version de recette n’est encore arrivée.`,
  ],
  deliveriesPushed: [
    'The recipes here were pushed: no run brought one.',
    fr`Les recettes présentes ont été envoyées : aucune exécution n’en a apporté.`,
  ],
  deliveriesClosed: [
    'The landed recipes are shown once content of the medium is served.',
    fr`Les recettes arrivées sont affichées une fois le contenu du support servi.`,
  ],
  recipe: ['Recipe', fr`Recette`],
  together: {
    one: ['{count} recipe of one run', fr`{count} recette d’une exécution`],
    other: ['{count} recipes of one run', fr`{count} recettes d’une exécution`],
  },
  landed: ['landed', fr`arrivée`],
  refused: ['failed', fr`échec`],
  received: ['Recipes here', fr`Recettes présentes`],
  receivedOrder: ['The last pushed one first.', fr`La dernière envoyée d’abord.`],
  receivedLine: [
    'Others push the content of this instance: it has no source and takes no disks.',
    fr`Le contenu de cette instance lui est envoyé : elle n’a pas de source et ne prend pas de disques.`,
  ],
  pushedLast: ['Pushed last', fr`Dernier envoi`],
  mayPull: ['Who may pull', fr`Qui peut récupérer`],
  pullOpen: [
    'Everybody: authentication is disabled.',
    fr`Tout le monde : l’authentification est désactivée.`,
  ],
  pullKnown: [
    'Every account and every valid token of this instance.',
    fr`Tout compte et tout jeton valable de cette instance.`,
  ],
  pullCounts: [
    '{accounts:account/accounts}, {tokens:valid token/valid tokens}',
    fr`{accounts:compte/comptes}, {tokens:jeton valable/jetons valables}`,
  ],
  store: ['Store', fr`Stockage`],
  toCarry: ['To carry to', fr`À transporter vers`],
  lackRecipes: {
    one: ['{count} recipe[, {bytes:size}]', fr`{count} recette[, {bytes:size}]`],
    other: ['{count} recipes[, {bytes:size}]', fr`{count} recettes[, {bytes:size}]`],
  },
  lackNothing: ['nothing to carry', fr`rien à transporter`],
  unknown: ['not known', fr`non connu`],
  receiptOverdue: ['receipt overdue', fr`reçu en retard`],
  receiptWrong: ['receipt doubtful', fr`reçu douteux`],
  moreZones: {
    one: ['and {count} more zone', fr`et {count} autre zone`],
    other: ['and {count} more zones', fr`et {count} autres zones`],
  },
  fills: ['Use of the store', fr`Ce qui remplit le stockage`],
} as const;

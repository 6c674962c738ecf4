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
      '{count} of {total:wanted recipe/wanted recipes} is missing',
      fr`{count} recette demandée sur {total} manque`,
    ],
    other: [
      '{count} of {total:wanted recipe/wanted recipes} are missing',
      fr`{count} recettes demandées sur {total} manquent`,
    ],
  },
  gone: {
    one: [
      '{count} of {total:wanted recipe/wanted recipes} is no longer here',
      fr`{count} recette demandée sur {total} n’est plus ici`,
    ],
    other: [
      '{count} of {total:wanted recipe/wanted recipes} are no longer here',
      fr`{count} recettes demandées sur {total} ne sont plus ici`,
    ],
  },
  wantedAsOf: ['As the run of {time} read them.', fr`Telles que l’exécution du {time} les a lues.`],
  missingNames: ['Missing: {names}', fr`Il manque : {names}`],
  missingMore: {
    one: ['Missing: {names} and {count} more', fr`Il manque : {names} et {count} autre`],
    other: ['Missing: {names} and {count} more', fr`Il manque : {names} et {count} autres`],
  },
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
  refusedLine: [
    'The last verification refused the medium[: {codes}].',
    fr`La dernière vérification a refusé le support[ : {codes}].`,
  ],
  nothingLine: [
    'The first synchronization, or the import of a medium, brings content.',
    fr`La première synchronisation, ou l’importation d’un support, apporte du contenu.`,
  ],
  hereLine: [
    'This instance has not run a synchronization or an import of a medium yet.',
    fr`Cette instance n’a pas encore exécuté de synchronisation ni d’importation de support.`,
  ],
  lastRun: ['Last run: {type}, {time}', fr`Dernière exécution : {type}, {time}`],
  listChanged: [
    'The list of wanted recipes has changed since this run.',
    fr`La liste des recettes demandées a changé depuis cette exécution.`,
  ],
  openRun: ['Open the run', fr`Ouvrir l’exécution`],
  synchronize: ['Synchronize', fr`Synchroniser`],
  openMedium: ['Open the medium', fr`Ouvrir le support`],
  verify: ['Verify the medium', fr`Vérifier le support`],
  flow: ['What flows here', fr`Ce qui arrive ici`],
  origins: ['Origins', fr`Origines`],
  via: ['Via', fr`Par`],
  direct: ['direct', fr`direct`],
  onMedium: ['on the medium', fr`sur le support`],
  held: {
    one: ['{count} repository · {bytes:size}', fr`{count} dépôt · {bytes:size}`],
    other: ['{count} repositories · {bytes:size}', fr`{count} dépôts · {bytes:size}`],
  },
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
    'The origins are shown once the medium has been verified.',
    fr`Les origines sont affichées une fois le support vérifié.`,
  ],
  neverImported: ['not imported yet', fr`pas encore importé`],
  importedAt: ['last import {time}', fr`dernière importation {time}`],
  thisZone: ['This zone', fr`Cette zone`],
  thisMirror: ['This mirror', fr`Ce miroir`],
  recipesHere: {
    one: ['{count} recipe', fr`{count} recette`],
    other: ['{count} recipes', fr`{count} recettes`],
  },
  destination: ['Destination', fr`Destination`],
  destinationLine: ['receives what has been verified', fr`reçoit ce qui a été vérifié`],
  medium: ['Medium', fr`Support`],
  mediumLine: ['is carried to the zone', fr`est transporté vers la zone`],
  clients: ['Clients', fr`Clients`],
  clientsLine: ['pull from this instance', fr`tirent depuis cette instance`],
  running: ['Running now', fr`En cours`],
  waiting: {
    one: ['{count} task waits', fr`{count} tâche attend`],
    other: ['{count} tasks wait', fr`{count} tâches attendent`],
  },
  wanted: ['Wanted recipes', fr`Recettes demandées`],
  present: ['here', fr`ici`],
  absent: ['missing', fr`manque`],
  goneBadge: ['no longer here', fr`n’est plus ici`],
  stillHere: ['Here meanwhile: {versions}', fr`Ici en attendant : {versions}`],
  moreWanted: {
    one: ['and {count} more, in the run', fr`et {count} autre, dans l’exécution`],
    other: ['and {count} more, in the run', fr`et {count} autres, dans l’exécution`],
  },
  deliveries: ['Deliveries', fr`Livraisons`],
  noDeliveries: [
    'No version of a recipe has landed yet.',
    fr`Aucune version de recette n’est encore arrivée.`,
  ],
  deliveriesClosed: [
    'The deliveries are shown once the medium has been verified.',
    fr`Les livraisons sont affichées une fois le support vérifié.`,
  ],
  recipe: ['Recipe', fr`Recette`],
  landed: ['landed', fr`arrivée`],
  refused: ['failed', fr`échec`],
  store: ['Store', fr`Magasin`],
  fills: ['What fills the store', fr`Ce qui remplit le magasin`],
} as const;

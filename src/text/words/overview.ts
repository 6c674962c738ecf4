/** The page `/`. */
export const overview = {
  title: ['Overview', 'Vue d’ensemble'],
  complete: {
    one: ['The wanted recipe is here', 'La recette demandée est ici'],
    other: ['All {count} wanted recipes are here', 'Les {count} recettes demandées sont ici'],
  },
  missing: {
    one: [
      '{count} of {total:wanted recipe/wanted recipes} is missing',
      '{count} recette demandée sur {total} manque',
    ],
    other: [
      '{count} of {total:wanted recipe/wanted recipes} are missing',
      '{count} recettes demandées sur {total} manquent',
    ],
  },
  gone: {
    one: [
      '{count} of {total:wanted recipe/wanted recipes} is no longer here',
      '{count} recette demandée sur {total} n’est plus ici',
    ],
    other: [
      '{count} of {total:wanted recipe/wanted recipes} are no longer here',
      '{count} recettes demandées sur {total} ne sont plus ici',
    ],
  },
  wantedAsOf: ['As the run of {time} read them.', 'Telles que l’exécution du {time} les a lues.'],
  missingNames: ['Missing: {names}', 'Il manque : {names}'],
  missingMore: {
    one: ['Missing: {names} and {count} more', 'Il manque : {names} et {count} autre'],
    other: ['Missing: {names} and {count} more', 'Il manque : {names} et {count} autres'],
  },
  runFailed: [
    'The last run failed before it knew its recipes',
    'La dernière exécution a échoué avant de connaître ses recettes',
  ],
  here: {
    one: ['{count} recipe is here', '{count} recette est ici'],
    other: ['{count} recipes are here', '{count} recettes sont ici'],
  },
  unimported: {
    one: [
      '{count} recipe is verified, not imported yet',
      '{count} recette est vérifiée, pas encore importée',
    ],
    other: [
      '{count} recipes are verified, not imported yet',
      '{count} recettes sont vérifiées, pas encore importées',
    ],
  },
  unimportedPart: ['{passed}; {blocked}', '{passed} ; {blocked}'],
  blockedRest: {
    one: ['{count} is blocked', '{count} est bloquée'],
    other: ['{count} are blocked', '{count} sont bloquées'],
  },
  blocked: {
    one: [
      '{count} recipe of the medium is blocked[ ({here})]',
      '{count} recette du support est bloquée[ ({here})]',
    ],
    other: [
      '{count} recipes of the medium are blocked[ ({here})]',
      '{count} recettes du support sont bloquées[ ({here})]',
    ],
  },
  nothing: ['Nothing has been delivered yet', 'Rien n’a encore été livré'],
  closed: ['No content is served', 'Aucun contenu n’est servi'],
  closedLine: ['The medium has to be verified first.', 'Le support doit d’abord être vérifié.'],
  replacedLine: [
    'The medium was replaced or changed: it is opened and verified when it no longer changes.',
    'Le support a été remplacé ou modifié : il est ouvert et vérifié dès qu’il ne change plus.',
  ],
  refusedLine: [
    'The last verification refused the medium[: {codes}].',
    'La dernière vérification a refusé le support[ : {codes}].',
  ],
  nothingLine: [
    'The first synchronization, or the import of a medium, brings content.',
    'La première synchronisation, ou l’importation d’un support, apporte du contenu.',
  ],
  hereLine: [
    'This instance has not run a synchronization or an import of a medium yet.',
    'Cette instance n’a pas encore exécuté de synchronisation ni d’importation de support.',
  ],
  lastRun: ['Last run: {type}, {time}', 'Dernière exécution : {type}, {time}'],
  listChanged: [
    'The list of wanted recipes has changed since this run.',
    'La liste des recettes demandées a changé depuis cette exécution.',
  ],
  openRun: ['Open the run', 'Ouvrir l’exécution'],
  synchronize: ['Synchronize', 'Synchroniser'],
  openMedium: ['Open the medium', 'Ouvrir le support'],
  verify: ['Verify the medium', 'Vérifier le support'],
  flow: ['What flows here', 'Ce qui arrive ici'],
  origins: ['Origins', 'Origines'],
  via: ['Via', 'Par'],
  direct: ['direct', 'direct'],
  onMedium: ['on the medium', 'sur le support'],
  held: {
    one: ['{count} repository · {bytes:size}', '{count} dépôt · {bytes:size}'],
    other: ['{count} repositories · {bytes:size}', '{count} dépôts · {bytes:size}'],
  },
  moreOrigins: {
    one: ['and {count} more origin', 'et {count} autre origine'],
    other: ['and {count} more origins', 'et {count} autres origines'],
  },
  noOrigins: ['No recipe has brought content yet.', 'Aucune recette n’a encore apporté de contenu.'],
  originsPending: [
    'The origins are shown once the run that brings the content has ended.',
    'Les origines sont affichées une fois terminée l’exécution qui apporte le contenu.',
  ],
  originsClosed: [
    'The origins are shown once the medium has been verified.',
    'Les origines sont affichées une fois le support vérifié.',
  ],
  neverImported: ['not imported yet', 'pas encore importé'],
  importedAt: ['last import {time}', 'dernière importation {time}'],
  thisZone: ['This zone', 'Cette zone'],
  thisMirror: ['This mirror', 'Ce miroir'],
  recipesHere: {
    one: ['{count} recipe', '{count} recette'],
    other: ['{count} recipes', '{count} recettes'],
  },
  destination: ['Destination', 'Destination'],
  destinationLine: ['receives what has been verified', 'reçoit ce qui a été vérifié'],
  medium: ['Medium', 'Support'],
  mediumLine: ['is carried to the zone', 'est transporté vers la zone'],
  clients: ['Clients', 'Clients'],
  clientsLine: ['pull from this instance', 'tirent depuis cette instance'],
  running: ['Running now', 'En cours'],
  waiting: {
    one: ['{count} task waits', '{count} tâche attend'],
    other: ['{count} tasks wait', '{count} tâches attendent'],
  },
  wanted: ['Wanted recipes', 'Recettes demandées'],
  present: ['here', 'ici'],
  absent: ['missing', 'manque'],
  goneBadge: ['no longer here', 'n’est plus ici'],
  stillHere: ['Here meanwhile: {versions}', 'Ici en attendant : {versions}'],
  moreWanted: {
    one: ['and {count} more, in the run', 'et {count} autre, dans l’exécution'],
    other: ['and {count} more, in the run', 'et {count} autres, dans l’exécution'],
  },
  deliveries: ['Deliveries', 'Livraisons'],
  noDeliveries: ['No version of a recipe has landed yet.', 'Aucune version de recette n’est encore arrivée.'],
  deliveriesClosed: [
    'The deliveries are shown once the medium has been verified.',
    'Les livraisons sont affichées une fois le support vérifié.',
  ],
  recipe: ['Recipe', 'Recette'],
  landed: ['landed', 'arrivée'],
  refused: ['failed', 'échec'],
  store: ['Store', 'Magasin'],
  fills: ['What fills the store', 'Ce qui remplit le magasin'],
} as const;

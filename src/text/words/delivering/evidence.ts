import { fr } from '../../language.ts';

/** The page `/evidence`. */
export const evidence = {
  title: ['Evidence for auditors', fr`Dossier de preuves pour les auditeurs`],
  lead: [
    'A folder with everything that the custody ledger tells of one subject, checkable without svc.',
    fr`Un dossier avec tout ce que le journal de garde dit d’un objet, vérifiable sans svc.`,
  ],
  off: [
    'This instance keeps no custody ledger: custody.enabled is false in its configuration.',
    fr`Cette instance ne tient pas de journal de garde : custody.enabled vaut false dans sa configuration.`,
  ],
  stampOff: ['Off', fr`Inactif`],
  stampReady: ['Ready', fr`Prêt`],
  stampEmpty: ['Empty', fr`Vide`],
  stampUnknown: ['Not named', fr`Inconnue`],
  unknown: [
    'The custody ledger has no line about the delivery {id}',
    fr`Le journal de garde n’a aucune ligne sur la livraison {id}`,
  ],
  empty: [
    'The custody ledger has no line yet: nothing can be packed',
    fr`Le journal de garde n’a pas encore de ligne : aucun dossier ne peut être créé`,
  ],
  ready: {
    one: [
      'The custody ledger is kept: it names {count} delivery',
      fr`Le journal de garde est tenu : il nomme {count} livraison`,
    ],
    other: [
      'The custody ledger is kept: it names {count} deliveries',
      fr`Le journal de garde est tenu : il nomme {count} livraisons`,
    ],
  },
  deliveryOption: [
    '{id}[, written on {written}][, received on {received}][, last named on {day}][, for {zone}][, {parts:part/parts}][, confirmed by receipt {sequence}]',
    fr`{id}[, écrite le {written}][, reçue le {received}][, nommée en dernier le {day}][, pour {zone}][, {parts:partie/parties}][, confirmée par le reçu {sequence}]`,
  ],
  one: ['About', fr`Au sujet de`],
  delivery: ['A delivery', fr`Une livraison`],
  deliveryId: ['Identifier of the delivery', fr`Identifiant de la livraison`],
  deliveryHint: ['e.g. dlv_48d77967b98f', fr`par ex. dlv_48d77967b98f`],
  recipe: ['A recipe', fr`Une recette`],
  recipeName: ['Name of the recipe', fr`Nom de la recette`],
  recipeHint: [
    'e.g. shop for all versions, or shop@1.4.0',
    fr`par ex. shop pour toutes les versions, ou shop@1.4.0`,
  ],
  since: ['Everything since a day', fr`Tout depuis un jour`],
  firstDay: ['First day (UTC)', fr`Premier jour (UTC)`],
  sinceHint: ['YYYY-MM-DD, e.g. 2026-01-31', fr`AAAA-MM-JJ, par ex. 2026-01-31`],
  redact: [
    'Leave out the names and addresses of accounts, and the ledger',
    fr`Omettre les noms et adresses des comptes, ainsi que le journal de garde`,
  ],
  stampPacked: ['Packed', fr`Créé`],
  packed: ['{name}, {bytes:size}', fr`{name}, {bytes:size}`],
  packedStatus: ['Packed at {time}: {name}', fr`Dossier créé le {time} : {name}`],
  packedAt: ['Packed and sent on {time}', fr`Créé et envoyé le {time}`],
  content: ['In it: {content}.', fr`Contenu : {content}.`],
  lines: {
    one: ['{count} line of the custody ledger', fr`{count} ligne du journal de garde`],
    other: ['{count} lines of custody ledgers', fr`{count} lignes de journaux de garde`],
  },
  recipes: {
    one: ['{count} recipe with its document', fr`{count} recette avec son document`],
    other: ['{count} recipes with their documents', fr`{count} recettes avec leurs documents`],
  },
  receipts: {
    one: ['{count} receipt', fr`{count} reçu`],
    other: ['{count} receipts', fr`{count} reçus`],
  },
  signatures: {
    one: ['{count} signature in all', fr`{count} signature en tout`],
    other: ['{count} signatures in all', fr`{count} signatures en tout`],
  },
  withheld: ['names of accounts left out', fr`noms des comptes omis`],
  again: ['Download again', fr`Télécharger à nouveau`],
  againHint: [
    'It is packed anew: from an unchanged ledger with the same bytes.',
    fr`Il est créé à nouveau : avec les mêmes octets si le journal n’a pas changé.`,
  ],
  toCheck: [
    'Compare the SHA-256 of the file, then check the pack under keys from another channel. VERIFY.md in it does that without svc.',
    fr`Comparez le SHA-256 du fichier, puis vérifiez le dossier avec des clés reçues par un autre canal. VERIFY.md, dans le dossier, le fait sans svc.`,
  ],
  pack: ['Pack evidence', fr`Créer le dossier de preuves`],
} as const;

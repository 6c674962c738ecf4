import { fr } from '../language.ts';

/** Parts that several pages have: errors, tables, pages of a list, copying. */
export const parts = {
  errorCause: ['Probable cause', fr`Cause probable`],
  errorAction: ['What to do', fr`Que faire`],
  errorHelp: ['Help on {code}', fr`Aide sur {code}`],
  errorDetail: ['Detail', fr`Détail`],
  verifyMedium: [
    'To read content, verify the medium and see its report. To change content, synchronize, which makes the store the one of this instance.',
    fr`Pour lire le contenu, vérifiez le support et consultez son rapport. Pour le modifier, synchronisez : le stockage devient alors celui de cette instance.`,
  ],
  readReport: [
    'Read the report of the verification: it lists each problem with its file.',
    fr`Lisez le rapport de la vérification : il indique chaque problème avec son fichier.`,
  ],
  importOthers: [
    'Import this disk and the others of its delivery, in any order: the content is then in the registry of the zone.',
    fr`Importez ce disque et les autres de sa livraison, dans n’importe quel ordre : le contenu est alors dans le registre de la zone.`,
  ],
  awaitMedium: [
    'Wait: the instance opens the medium and verifies it when its files no longer change.',
    fr`Attendez : l’instance ouvre le support et le vérifie dès que ses fichiers ne changent plus.`,
  ],
  toMedium: ['To the medium', fr`Vers le support`],
  colon: [':', fr` :`],
  attentionFirst: [
    '{title}, those that need attention first',
    fr`{title}, d’abord ce qui demande une action`,
  ],
  fieldWrong: ['The field “{label}” {rule}.', fr`Le champ « {label} » {rule}.`],
  fieldNotRight: [
    'The field “{label}” is not right: {rule}.',
    fr`Le champ « {label} » est incorrect : {rule}.`,
  ],
  formWrong: ['The value “{name}” of the form {rule}.', fr`La valeur « {name} » du formulaire {rule}.`],
  formCause: [
    'The page is older than the instance, or another program sent the form.',
    fr`La page est plus ancienne que l’instance, ou un autre programme a envoyé le formulaire.`,
  ],
  formAction: [
    'Load the page again and send the form again. Nothing was changed.',
    fr`Rechargez la page et envoyez à nouveau le formulaire. Rien n’a été modifié.`,
  ],
  valueWrong: ['“{value}”: {rule}', fr`« {value} » : {rule}`],
  placeWrong: ['[{path} ][(line {line}) ]{rule}', fr`[{path} ][(ligne {line}) ]{rule}`],
  fieldAction: [
    'Correct this field and send the form again. Nothing was changed.',
    fr`Corrigez ce champ et envoyez à nouveau le formulaire. Rien n’a été modifié.`,
  ],
  fieldsAction: [
    'Correct these fields and send the form again. Nothing was changed.',
    fr`Corrigez ces champs et envoyez à nouveau le formulaire. Rien n’a été modifié.`,
  ],
  filterAction: [
    'Correct this field and filter again. Until then the list is shown without it.',
    fr`Corrigez ce champ et filtrez à nouveau. D’ici là, la liste est affichée sans lui.`,
  ],
  addressWrong: [
    'The parameter “{name}” of the address {rule}.',
    fr`Le paramètre « {name} » de l’adresse {rule}.`,
  ],
  addressCause: [
    'The address was typed or changed, or another version of svc made it.',
    fr`L’adresse a été saisie ou modifiée, ou une autre version de svc l’a produite.`,
  ],
  addressAction: [
    'Correct the address, or open the page without this parameter. Nothing was changed.',
    fr`Corrigez l’adresse, ou ouvrez la page sans ce paramètre. Rien n’a été modifié.`,
  ],
  didYouMean: ['Did you mean this page?', fr`Vouliez-vous cette page ?`],
  searchFor: ['Search for {q}', fr`Chercher {q}`],
  toOverview: ['To the overview', fr`Vers la vue d’ensemble`],
  toSignIn: ['Sign in', fr`Connexion`],
  correlation: ['Correlation identifier', fr`Identifiant de corrélation`],
  pageNotFound: ['Page not found', fr`Page introuvable`],
  wholeValue: ['Whole value', fr`Valeur entière`],
  errorTitle: ['Error {code}', fr`Erreur {code}`],
  errorOf: ['{title}: error {code}', fr`{title} : erreur {code}`],
  copy: ['Copy', fr`Copier`],
  copied: ['Copied', fr`Copié`],
  copyNamed: ['Copy: {name}', fr`Copier : {name}`],
  terminal: ['From a terminal', fr`Depuis un terminal`],
  terminalToken: [
    'SVC_API_TOKEN holds an API token. An administrator creates one on the page of accounts, or with svc token create NAME --role ROLE.',
    fr`SVC_API_TOKEN contient un jeton d’API. Un administrateur le crée sur la page des comptes, ou par svc token create NOM --role RÔLE.`,
  ],
  terminalConfig: [
    'On the machine of the instance, a command needs its configuration: --config FILE, whose path an administrator knows, or SVC_CONFIG.',
    fr`Sur la machine de l’instance, une commande a besoin de sa configuration : --config FICHIER, dont un administrateur connaît le chemin, ou SVC_CONFIG.`,
  ],
  terminalStop: [
    'svc store check, export, import and fileset pack open the store: stop the instance before you run one of them.',
    fr`svc store check, export, import et fileset pack ouvrent le stockage : arrêtez l’instance avant de lancer l’une de ces commandes.`,
  ],
  terminalPassword: [
    'The file password.json holds {document}.',
    fr`Le fichier password.json contient {document}.`,
  ],
  pages: ['Pages', fr`Pages`],
  previous: ['Previous page', fr`Page précédente`],
  next: ['Next page', fr`Page suivante`],
  pageNumber: ['Page {number}', fr`Page {number}`],
  range: ['{first}–{last} of {total}', fr`{first}–{last} sur {total}`],
  columns: ['Columns', fr`Colonnes`],
  columnsHidden: {
    one: ['{count} hidden', fr`{count} masquée`],
    other: ['{count} hidden', fr`{count} masquées`],
  },
  showColumns: ['Show these columns', fr`Afficher ces colonnes`],
  filter: ['Filter', fr`Filtrer`],
  filtersActive: ['active:', fr`actifs :`],
  all: ['all', fr`tous`],
  dayForm: ['YYYY-MM-DD', fr`AAAA-MM-JJ`],
  signHere: [
    'Checked by, date and signature: ______________________________',
    fr`Vérifié par, date et signature : ______________________________`,
  ],
  printPage: ['Print', fr`Imprimer`],
  noMatch: ['Nothing matches {filter}.', fr`Rien ne correspond à {filter}.`],
  pastEnd: ['The list has no such page.', fr`La liste n’a pas cette page.`],
  firstPage: ['To its first page', fr`Vers sa première page`],
  dropFilter: ['Drop the filter', fr`Retirer le filtre`],
  results: ['Results', fr`Résultats`],
  bytesOf: ['{used:size} of {total:size}', fr`{used:size} sur {total:size}`],
  firstAsk: [
    'An operator of this instance brings the first content.',
    fr`Un opérateur de cette instance apporte le premier contenu.`,
  ],
  firstSync: [
    'Start the first synchronization, here or with svc sync:',
    fr`Lancez la première synchronisation, ici ou avec svc sync :`,
  ],
  firstSource: [
    'Name a Retriever with retriever.source in the configuration, restart the instance and run svc sync. Or take single images and charts:',
    fr`Nommez un Retriever avec retriever.source dans la configuration, redémarrez l’instance et lancez svc sync. Ou prenez des images et des charts un par un :`,
  ],
  firstImport: ['Import', fr`Importer`],
} as const;

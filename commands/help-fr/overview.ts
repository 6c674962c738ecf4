import { fr } from '../../src/base/language.ts';
import type { OverviewWords } from '../render/overview.ts';

/** French texts of `svc --help`. */
export const overviewFr: OverviewWords = {
  purpose: 'Déplace du contenu signé et épinglé par empreinte entre zones réseau.',
  usage: fr`usage :`,
  synopsis: '<commande> [options] [arguments]',
  areas: {
    setUp: 'Installer et exécuter une instance',
    content: 'Ajouter du contenu',
    transfer: 'Transférer entre zones',
    maintain: 'Entretenir',
    more: 'Autres',
  },
  colon: fr` :`,
  firstSteps: [
    'Premiers pas',
    'demande les réglages, écrit ./svc.yaml et peut démarrer l’instance',
    'affiche ce qu’une synchronisation transférerait',
    'effectue le transfert',
    'vérifie un magasin transporté avant son utilisation',
  ],
  help: 'Aide et exemples d’une commande',
  settings: fr`Réglages : options, variables SVC_*, puis le fichier de --config, SVC_CONFIG ou /etc/svc`,
  exitCodes: fr`Codes de sortie : 0 succès, 1 échec, 2 usage, 3 politique, 4 vérification, 5 changements prévus`,
  summaries: {
    quickstart: fr`Installe une instance : magasin, état, premier administrateur, configuration`,
    serve: 'Exécute l’instance',
    sync: 'Synchronise une instance, ou établit le plan avec --dry-run',
    export: 'Écrit le magasin, ou une partie, en disposition d’images OCI',
    import: 'Importe une disposition d’images OCI dans le magasin',
    'media verify': 'Vérifie un magasin transporté sans rien modifier',
    'media import': 'Vérifie un magasin transporté et pousse ce qui est validé',
    'store check': 'Contrôle un magasin en hachant chaque blob',
    'fileset pack': 'Empaquette un dossier dans le magasin sous forme de FileSet',
    'recipe push': 'Publie une recette figée dans un livre de recettes',
    'user add': 'Crée un compte',
    'user list': 'Liste les comptes',
    'user passwd': 'Définit le mot de passe d’un compte',
    'config dump': 'Affiche la configuration fusionnée, secrets masqués',
    'config schema': 'Affiche le schéma JSON du fichier de configuration',
    explain: fr`Explique un code d’erreur : ce qu’il signifie, pourquoi, que faire`,
    version: 'Affiche version, commit, date de construction et environnement',
    completion: 'Affiche le script de complétion d’un interpréteur',
  },
};

import type { CommandHelp } from './command-help.ts';

/** French help of the commands that set up and run an instance. */
export const setUpFr: Readonly<Record<string, CommandHelp>> = {
  quickstart: {
    details: [
      'Sur un terminal, demande chaque réglage qu’aucune option ne donne. Sans terminal, --mode et --password-stdin sont obligatoires et les autres réglages prennent leur valeur par défaut. Les fichiers ne sont écrits qu’une fois toutes les réponses vérifiées ; une configuration existante n’est jamais écrasée. Les options communes deviennent une partie de la configuration.',
      'Le chemin de la configuration est affiché sur la sortie standard ; avec --serve, l’instance est ensuite démarrée.',
      'Code de sortie : 0 succès, 1 échec, 2 une réponse manque ou n’est pas valide, ou la configuration existe déjà.',
    ],
    flags: {
      '--config': 'fichier de configuration à écrire (./svc.yaml) ; ne doit pas exister',
      '--storage-root': 'dossier du magasin (./storage)',
      '--state-root': 'dossier d’état (./state)',
      '--admin': 'nom du premier administrateur (admin)',
      '--password-stdin':
        'lit le mot de passe de l’administrateur sur la première ligne de l’entrée standard ; ne pose pas de question',
      '--serve': 'démarre ensuite l’instance',
    },
    examples: ['Avec un dialogue', 'Installer et démarrer sans terminal'],
  },
  serve: {
    details: [
      'Sert le registre, l’API, les sondes et les métriques sur une seule écoute, et exécute les synchronisations. Écrit son journal sur la sortie d’erreur. Exige un magasin accessible en écriture et, sauf si l’authentification est désactivée, un dossier d’état avec au moins un compte.',
      'À la réception de SIGTERM ou SIGINT, la sonde de disponibilité répond 503, les requêtes et la tâche en cours disposent du délai de grâce pour finir, et le processus se termine avec le code 0.',
      'Code de sortie : 0 arrêtée par un signal, 1 échec, 3 aucun compte ou pas de dossier d’état.',
    ],
    flags: {},
    examples: ['Exécuter avec une configuration'],
  },
};

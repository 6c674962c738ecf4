import type { CommandHelp } from './command-help.ts';

/** French help of the commands that set up and run an instance. */
export const setUpFr: Readonly<Record<string, CommandHelp>> = {
  quickstart: {
    details: [
      'Installe l’un des trois : une source, qui remplit un support depuis le réseau (source) ; une zone où un disque transporté est vérifié et importé (medium) ; une zone relais, qui alimente un registre à intervalle régulier (passthrough). Sur un terminal, demande chaque réglage qu’aucune option ne donne. Sans terminal, les options d’un des exemples sont obligatoires, ainsi que --password-stdin sauf pour un support ; avec --mode au lieu de --for, seule une instance avec ses comptes est installée.',
      'Les fichiers ne sont écrits qu’une fois toutes les réponses vérifiées, la clé de confiance lue et l’adresse de l’instance trouvée libre ; rien n’est écrasé. Une instance installée avec --for écoute sur 127.0.0.1:8080 si --server-addr n’est pas donné. Les options communes deviennent une partie de la configuration.',
      'Une source sans Retriever en reçoit un, retriever.yaml, d’après --zone, --cookbook et --recipe. Un jeton pour svc sync est écrit dans le dossier d’état. Le chemin de la configuration est affiché sur la sortie standard, et les commandes suivantes sur la sortie d’erreur ; avec --serve, l’instance est ensuite démarrée.',
      'Code de sortie : 0 succès, 1 échec, 2 une réponse manque ou n’est pas valide, ou la configuration existe déjà.',
    ],
    flags: {
      '--config': 'fichier de configuration à écrire (./svc.yaml) ; ne doit pas exister',
      '--storage-root': 'dossier du magasin (./storage)',
      '--state-root': 'dossier d’état (./state)',
      '--for': 'source, medium ou passthrough : ce qui est installé',
      '--retriever': 'le Retriever, un chemin, une URL https ou une référence oci://',
      '--zone': 'la zone à laquelle le support est adressé',
      '--cookbook': 'source : <registre>/<chemin> des recettes, pour un nouveau Retriever',
      '--recipe': 'source : <nom> ou <nom>@<version> dans un nouveau Retriever ; répétable',
      '--destination': 'registre qui reçoit le contenu, <hôte>[:<port>]',
      '--trust-key': 'fichier PEM de la clé publique dont les signatures sont acceptées',
      '--credentials-file': 'identifiants des registres, un fichier de docker login',
      '--insecure': 'hôte joint en HTTP simple ; répétable',
      '--admin': 'nom du premier administrateur (admin)',
      '--password-stdin':
        'lit le mot de passe de l’administrateur sur la première ligne de l’entrée standard ; ne pose pas de question',
      '--serve': 'démarre ensuite l’instance',
    },
    examples: [
      'Avec un dialogue',
      'Installer et démarrer sans terminal',
      'Une source qui remplit un support',
      'Une zone qui importe un disque transporté',
      'Une zone relais',
    ],
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

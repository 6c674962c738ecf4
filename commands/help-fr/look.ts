import type { CommandHelp } from './command-help.ts';

/** Flags of the commands that ask an instance. */
const instanceFlags = {
  '--token-file': 'fichier contenant un jeton d’API (sinon SVC_API_TOKEN)',
  '--request-timeout': 'délai maximal de chaque requête (30s)',
};

/** Flags of the commands that ask an instance only. */
const taskFlags = {
  ...instanceFlags,
  '--instance': 'URL de l’instance (SVC_INSTANCE_URL, sinon l’écoute configurée sur cette machine)',
};

/** Flags of the commands that show an instance or a store. */
const placeFlags = {
  ...instanceFlags,
  '--instance':
    'URL d’une instance en cours d’exécution (SVC_INSTANCE_URL) ; sans elle, le magasin de la configuration',
};

/** French help of the commands that show what is there. */
export const lookFr: Readonly<Record<string, CommandHelp>> = {
  status: {
    details: [
      'Affiche le type de l’instance ou du support, les recettes demandées, présentes, manquantes, bloquées ou en attente d’import, la tâche en cours, la dernière exécution et la prochaine, les limites des transferts avec les autres hôtes, et l’espace libre. Interroge l’instance de --instance ou de SVC_INSTANCE_URL ; sans elle, lit le magasin et l’état de la configuration, même pendant qu’une instance les utilise.',
      'Est demandé ce que la dernière synchronisation a demandé ; d’un support, ses recettes. Un support dont toutes les recettes ont été importées, et qui n’a pas été réécrit depuis, a ce qui est demandé ; son contenu n’est pas vérifié de nouveau.',
      'Code de sortie : 0 tout ce qui est demandé est là ; 5 quelque chose manque, est bloqué, retenu ou pas encore importé, ou un FileSet configuré ne peut pas être servi ; 1 échec.',
    ],
    flags: placeFlags,
    examples: [
      'Une instance en cours d’exécution',
      'Le magasin de cette machine',
      'Ce qui manque, pour un script',
    ],
  },
  'content list': {
    details: [
      'Interroge l’instance de --instance ou de SVC_INSTANCE_URL ; sans elle, lit le magasin de la configuration, même pendant qu’une instance le sert. D’un support qui n’a pas été vérifié dans cette zone, seuls les noms sont listés.',
      'Code de sortie : 0 succès, y compris pour une liste vide ; 1 échec.',
    ],
    flags: {
      ...placeFlags,
      '--search': 'partie du nom',
      '--kind': 'seulement ce type ; répétable',
      '--prefix': 'seulement sous ce chemin',
      '--sort': 'ordre (name)',
      '--folders': 'liste les segments de chemin sous le préfixe, avec le nombre de dépôts',
      '--page': 'page à afficher (1)',
      '--page-size': 'entrées par page, au plus 200 (25)',
      '--all': 'toutes les pages',
    },
    examples: [
      'Les charts, le plus grand d’abord',
      'Dossiers d’une instance en cours d’exécution',
      'Tous les noms pour un script',
    ],
  },
  'content show': {
    details: [
      'D’un dépôt, affiche les versions ; d’une version, les plateformes, les signatures et les propriétaires, et la commande de chaque client qui la récupère. Interroge l’instance de --instance ou de SVC_INSTANCE_URL ; sans elle, lit le magasin de la configuration, même pendant qu’une instance le sert. L’adresse dans les commandes est alors server.publicURL, sinon l’adresse d’écoute.',
      'Code de sortie : 0 succès, 1 échec ou nom inconnu, 3 le support n’a pas été vérifié.',
    ],
    flags: {
      ...placeFlags,
      '--by': 'récupérer par empreinte (digest) ou par étiquette (tag)',
      '--search': 'versions : partie de l’étiquette, ou au moins 7 caractères de l’empreinte',
      '--page': 'versions : page à afficher (1)',
      '--page-size': 'versions : entrées par page, au plus 200 (25)',
      '--all': 'versions : toutes les pages',
    },
    examples: ['Les versions d’un dépôt', 'Une version', 'La récupérer avec le premier client'],
  },
  'task list': {
    details: ['Code de sortie : 0 succès, y compris pour une liste vide ; 1 échec.'],
    flags: {
      ...taskFlags,
      '--status': 'seulement les tâches dans cet état',
      '--type': 'seulement les tâches de ce type',
      '--search': 'partie de l’identifiant, de l’exécution, de la référence ou de l’acteur',
      '--page': 'page à afficher (1)',
      '--page-size': 'entrées par page, au plus 200 (25)',
      '--all': 'toutes les pages',
    },
    examples: ['Ce qui a échoué', 'La dernière synchronisation'],
  },
  'task show': {
    details: [
      'Affiche l’état, la progression, les éléments et les erreurs d’une tâche. svc task wait se termine avec le code de son résultat.',
      'Code de sortie : 0 succès, y compris pour une tâche en échec ; 1 échec ou tâche inconnue.',
    ],
    flags: taskFlags,
    examples: ['Une tâche', 'Ses erreurs pour un script'],
  },
  'task log': {
    details: [
      'Avec --follow, affiche les nouvelles lignes jusqu’à la fin de la tâche ; une interruption laisse la tâche continuer.',
      'Code de sortie : 0 succès, y compris pour une tâche en échec ; 1 échec ou tâche inconnue.',
    ],
    flags: { ...taskFlags, '--follow': 'affiche les nouvelles lignes jusqu’à la fin de la tâche' },
    examples: ['Le journal jusqu’ici', 'Suivre une tâche'],
  },
  'task wait': {
    details: [
      'Affiche la progression jusqu’à la fin de la tâche. Une interruption laisse la tâche continuer.',
      'Code de sortie, selon le résultat de la tâche : 0 succès, 3 politique, 4 vérification, 1 échec ; 1 aussi quand l’attente se termine avant la tâche.',
    ],
    flags: { ...taskFlags, '--wait-timeout': 'cesse d’attendre après ce délai ; la tâche continue' },
    examples: ['Attendre une tâche', 'Dix minutes au plus'],
  },
  'recipe mapping': {
    details: [
      'Fait correspondre à chaque référence que nomme la recette, dans toutes ses versions ou dans une seule, sa référence dans le registre de cette zone, et affiche registries.yaml (K3s, RKE2) et hosts.toml (containerd), avec lesquels les nœuds trouvent les ingrédients sous leurs références d’origine. Le registre est --registry, sinon destination.registry, sinon l’instance elle-même.',
      'Interroge l’instance de --instance ou de SVC_INSTANCE_URL ; sans elle, lit le magasin de la configuration, même pendant qu’une instance le sert.',
      'Code de sortie : 0 succès, 1 échec ou recette inconnue, 3 le support n’a pas été vérifié.',
    ],
    flags: {
      ...placeFlags,
      '--registry': 'comment les nœuds atteignent le registre, [http://|https://]hôte[:port]',
    },
    examples: ['La correspondance d’une recette', 'Le fichier de miroir d’un nœud K3s'],
  },
  'media show': {
    details: [
      'Affiche l’identité, la zone, la date, les recettes et les tailles telles que le support les affirme. N’exige aucune configuration si le dossier est nommé ; sans lui, montre le magasin de la configuration (storage.root). Ne lit que la première ligne de media.jsonl et ne modifie rien. Personne n’a signé cette ligne : svc media verify vérifie le contenu et les signatures.',
      'Code de sortie : 0 succès, 1 échec, 4 le dossier n’a pas de manifeste, ou un manifeste illisible.',
    ],
    flags: {},
    examples: ['Ce que contient ce disque', 'Ses recettes pour un script'],
  },
  'client config': {
    details: [
      'Avec les fichiers de containerd, k3s, rke2, crio, podman et openshift, un nœud récupère le contenu sous ses références nominales auprès du registre de la zone, et n’interroge aucun autre registre : pour K3s et RKE2 par disable-default-registry-endpoint, qu’ils connaissent depuis v1.26.13, v1.27.10, v1.28.6 et v1.29.1, et lisent au démarrage. Le démon de Docker ne réécrit aucun chemin : docker affiche donc un script qui récupère par empreinte et donne à chaque image son nom nominal. apt, dnf et helm lisent les FileSets et les vues d’une instance. Ceux qui sont configurés et ne peuvent pas être servis sont nommés ; s’il n’y en a pas d’autres, le code de sortie est 1.',
      'Interroge l’instance de --instance ou de SVC_INSTANCE_URL ; sans elle, lit le magasin de la configuration, même pendant qu’une instance le sert ; seule une instance lit les FileSets. La première ligne d’un fichier dit de quelle zone et de quelle révision il vient. Le même contenu donne les mêmes fichiers. Les fichiers portent le mot TOKEN à la place d’un secret. De la réponse d’une instance, seules des valeurs sont prises ; helm, apt et dnf sont menés à l’instance interrogée, ou à l’adresse de --registry.',
      'Avec --directory, écrit les fichiers sous le dossier que lit le client, par exemple /etc/containerd/certs.d, /etc/rancher/k3s, /etc/containers/registries.conf.d, /etc/apt ou /etc/yum.repos.d. Un fichier présent qui ne vient pas de cette commande est gardé, sauf si --overwrite est donné. Les lignes que le nouveau fichier remplace sont nommées, y compris celles changées à la main ; les secrets mis dans un fichier sont gardés. Les liens symboliques sont refusés. Rien n’est supprimé.',
    ],
    flags: {
      ...placeFlags,
      '--directory': 'écrit les fichiers sous ce dossier au lieu de les afficher',
      '--overwrite': 'remplace les fichiers qui ne viennent pas de cette commande',
      '--recipe': 'seulement le contenu de cette recette ; répétable',
      '--registry': 'comment les nœuds atteignent le registre, [http://|https://]hôte[:port]',
    },
    examples: ['Regarder les fichiers', 'Configurer un nœud', 'K3s', 'Les sources d’apt'],
  },
  'client test': {
    details: [
      'Lance le client sur cette machine avec la configuration que l’instance produit pour lui, dans un dossier à part : ctr pour containerd, podman pour podman et crio, helm, apt-get ou dnf. Il récupère quelques-unes des références livrées sous leurs noms nominaux, et compare ce qui est venu aux empreintes des recettes. La seule sortie est une porte de cette commande vers le registre et l’instance : un client qui se rabat en silence sur l’origine est donc découvert.',
      'Avec --installed, les fichiers de cette machine remplacent ceux de l’instance ; ils ne sont que lus, et seuls les certificats de cette machine comptent. Pour containerd, ce sont les dossiers que nomme containerd config dump. Les sources d’apt qui ne passent ni par http ni par https sont listées, et ne sont pas essayées. Sans cette option, le client reconnaît aussi les autorités de network.tls.caFiles. podman récupère des images entières ; ctr récupère des manifestes. Le jeton est aussi celui qu’emploie le client.',
      'Code de sortie : 0 tout a été récupéré, 1 quelque chose ne l’a pas été, ou il n’y a rien à récupérer, 2 le client n’est pas installé, ou ses fichiers ne peuvent être essayés par aucun programme ici : k3s, rke2, docker et openshift.',
    ],
    flags: {
      ...taskFlags,
      '--installed': 'emploie les fichiers de cette machine',
      '--sample': 'combien de références, de charts ou de paquets sont récupérés (3)',
      '--keys': 'dossier des clés publiques des paquets, là où elles ne sont pas installées',
      '--recipe': 'seulement le contenu de cette recette ; répétable',
      '--registry': 'comment les nœuds atteignent le registre, [http://|https://]hôte[:port]',
    },
    examples: ['Avant de configurer un nœud', 'Sur un nœud configuré', 'Les sources d’apt avec une clé'],
  },
};

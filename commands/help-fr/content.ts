import type { CommandHelp } from './command-help.ts';

/** French help of the commands that add content. */
export const contentFr: Readonly<Record<string, CommandHelp>> = {
  sync: {
    details: [
      'Sans --dry-run, demande à une instance en cours d’exécution de synchroniser, sans ouvrir le magasin. Avec --dry-run, établit le plan sur cette machine à partir du dossier du magasin, sans instance ; rien n’est transféré ni écrit.',
      'La tâche attend tant qu’aucune fenêtre de sync.windows n’est ouverte ; un plan s’établit à toute heure, et dit combien de temps son transfert prend sous network.rateLimit et quand il peut avoir lieu.',
      'Code de sortie : 0 succès ou rien à faire, 5 le plan prévoit des changements, 3 politique, 4 vérification, 1 échec.',
    ],
    flags: {
      '--instance': 'URL de l’instance (SVC_INSTANCE_URL, sinon l’écoute configurée sur cette machine)',
      '--token-file': 'fichier contenant un jeton d’API de rôle operator (sinon SVC_API_TOKEN)',
      '--request-timeout': 'délai maximal de chaque requête, pas de --wait (30s)',
      '--wait': 'attend la fin de la tâche et se termine avec le code de son résultat',
      '--wait-timeout': 'cesse d’attendre après ce délai ; la tâche continue',
      '--prune':
        'élague lors de cette exécution, quelle que soit la configuration et sans liste montrée avant ; --prune=false désactive l’élagage',
      '--dry-run': 'établit seulement le plan',
      '--retriever': 'plan : le Retriever, par un chemin, une URL https ou une référence oci://',
      '--skip-destination': 'plan : n’interroge pas la destination',
    },
    examples: ['Synchroniser et attendre le résultat', 'Afficher ce qui serait transféré'],
  },
  import: {
    details: [
      'Lit un dossier ou une archive tar non compressée de skopeo, oras, crane, umoci, containerd ou svc export, et enregistre son contenu avec les mêmes empreintes. Chaque manifeste et chaque blob est vérifié. Les entrées sont indépendantes : une entrée abîmée est ignorée et signalée ; les autres sont importées. Un import répété ne transfère rien. L’instance doit être arrêtée ; une instance en cours d’exécution importe par son API.',
      'Les archives compressées, celles de docker save et les dispositions qui contiennent d’autres fichiers sont refusées.',
      'Code de sortie : 0 toutes les entrées sont importées, 1 des entrées sont ignorées ou l’import a échoué, 3 refus par la politique, 4 la disposition est refusée.',
    ],
    flags: {
      '--format': 'format de la disposition (oci-layout)',
      '--repository':
        'dépôt des entrées qui n’ont qu’une étiquette ; avec :<étiquette>, de l’entrée qui n’a pas de nom',
    },
    examples: ['Une archive de svc export', 'Une disposition qui ne nomme que des étiquettes'],
  },
  'fileset pack': {
    details: [
      'Empaquette le dossier dans une image à une seule couche non compressée et l’enregistre dans le magasin local sous localhost/filesets/<nom>:<version>. Le même dossier donne la même empreinte sur toute machine : propriétaires et dates ne sont pas empaquetés. Empaqueter une version existante déplace son étiquette sur le nouveau contenu.',
      'Les fichiers setuid, les fichiers spéciaux, les liens vers l’extérieur du dossier et les noms non portables sont refusés, de même qu’un dossier qui change pendant l’empaquetage. Dans ces cas, rien n’est enregistré.',
      'Avec --index, produit d’abord l’index des paquets du dossier, avec les programmes de la plateforme : apt-ftparchive pour apt (un dépôt plat), createrepo_c pour rpm. Avec --gpg-key, gpg le signe avec la clé de cette empreinte, et le dossier est empaqueté. Sans --gpg-key, la commande s’arrête avant d’empaqueter, pour que l’index soit signé ailleurs ; empaquetez ensuite le dossier avec --check. Une zone ne signe jamais de paquets. Un index qui décrit les paquets du dossier et qui est signé par la clé est gardé : la même commande donne ainsi la même empreinte.',
      'Avec --check, chaque fichier que nomme un index du dossier doit être présent avec sa taille et son empreinte, chaque paquet du dossier doit être entier et nommé par un index, et avec --gpg-key chaque dépôt doit être signé par cette clé, d’après le trousseau de gpg. --index avec --gpg-key vérifie aussi. Un index compressé en xz seulement est lu par le programme xz.',
      'Avec --output text, seule l’empreinte est affichée sur la sortie standard ; la configuration qui sert le FileSet est affichée sur la sortie d’erreur.',
      'Avec --push, le FileSet est envoyé vers <registre>/<chemin>:<version>, avec la même empreinte, là où une recette peut le nommer. Il n’est pas enregistré sur cette machine : une instance en marche ne gêne donc pas. La version est celle du FileSet. Pousser de nouveau le même dossier réussit ; un autre dossier sous une version déjà publiée est refusé.',
      'Code de sortie : 0 enregistré ou envoyé, ou l’index est prêt à être signé, 1 le dossier n’est pas lisible, a changé ou dépasse une limite, ou un programme a échoué, 3 le dossier n’est pas sûr à empaqueter, ou la version existe avec un autre contenu, 4 un dépôt de paquets ne tient pas.',
    ],
    flags: {
      '--index': 'produit d’abord l’index des paquets : apt ou rpm',
      '--gpg-key': 'empreinte de la clé qui signe l’index, ou qui l’a signé avec --check',
      '--check': 'exige chaque fichier que nomme un index du dossier, et un index qui nomme chaque paquet',
      '--push': 'l’envoie vers <registre>/<chemin>:<version> au lieu de l’enregistrer ici',
    },
    examples: [
      'Empaqueter un dépôt de paquets',
      'Indexer et signer des paquets',
      'Empaqueter un dossier là où une recette peut le nommer',
      'Conserver l’empreinte dans une variable',
    ],
  },
};

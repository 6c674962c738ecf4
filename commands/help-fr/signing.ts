import type { CommandHelp } from './command-help.ts';

const passwordFlags = {
  '--key-password-file':
    'fichier dont la première ligne est le mot de passe de la clé (sinon SVC_SIGNING_PASSWORD)',
  '--password-stdin': 'lire le mot de passe de la clé sur la première ligne de l’entrée standard',
};

/** French help of the commands that sign, and of those about keys. */
export const signingFr: Readonly<Record<string, CommandHelp>> = {
  'recipe push': {
    details: [
      'Valide le document et le publie comme artefact sous <registre>/<livre de recettes>/<nom>:<version>, qui doit correspondre au document. Publier de nouveau le même document réussit ; un document différent sous une version déjà publiée est refusé. Avec --output text, seule l’empreinte est affichée.',
      'Publier n’approuve pas une recette. Une signature le fait, celle de svc recipe sign ou de cosign ; --sign-key publie et signe en une étape.',
      'Code de sortie : 0 publiée, maintenant ou auparavant, 1 échec, 3 refus par la politique : la version existe avec un autre contenu, l’hôte n’est pas dans la liste autorisée, ou la clé est dans le magasin.',
    ],
    flags: {
      ...passwordFlags,
      '--sign-key': 'signer la recette publiée avec cette clé privée, comme svc recipe sign',
    },
    examples: ['Publier, et afficher l’empreinte', 'Publier et signer dans une chaîne de traitement'],
  },
  'recipe sign': {
    details: [
      'Lit la recette, la contrôle, montre ce qu’elle est, et signe son empreinte comme le fait cosign, dans le registre. Une étiquette est résolue une seule fois. Les autres signatures sont conservées ; signer de nouveau avec la même clé ne change rien. La clé est celle de --key, sinon signing.keyFile : PKCS #8 ou une clé de cosign, en clair ou chiffrée. Seul le registre est contacté.',
      'Une clé dans un matériel ou dans un service de clés signe en deux étapes : --payload-out écrit les octets exacts à signer, votre propre outil les signe, puis --payload, --signature et --key-pub contrôlent la signature et l’attachent. Une signature peut être binaire ou en base64.',
      'Code de sortie : 0 signée, maintenant ou auparavant, 1 échec, 3 refus par la politique, par exemple un hôte hors de la liste autorisée ou une clé dans le magasin, 4 le contenu n’est pas une recette ou la signature ne lui appartient pas.',
    ],
    flags: {
      ...passwordFlags,
      '--key': 'clé privée qui signe (signing.keyFile)',
      '--layout': 'bundle (par défaut), ou classic pour les vérificateurs antérieurs à cosign 3',
      '--payload-out': 'écrire les octets à signer dans ce nouveau fichier, et ne rien signer',
      '--payload': 'fichier écrit par --payload-out',
      '--signature': 'signature de --payload, binaire ou en base64',
      '--key-pub': 'clé publique de --signature',
    },
    examples: [
      'Signer avec un fichier de clé',
      'Écrire ce que signe une clé matérielle',
      'Attacher sa signature',
    ],
  },
  'retriever resolve': {
    details: [
      'Résout les entrées d’un Retriever comme le ferait une synchronisation maintenant : la version que choisit chaque contrainte, son empreinte, et si sa signature est acceptée. Lit les livres de recettes ; n’a besoin ni de magasin ni d’instance, et n’écrit rien. Le Retriever est un fichier, une URL https ou une référence oci://. Racines de confiance, registres et liste autorisée sont ceux de la configuration.',
      'Code de sortie : 0 chaque entrée choisit une recette acceptée, 1 échec, par exemple une contrainte que rien ne satisfait, 3 un hôte n’est pas dans la liste autorisée, 4 une signature ou un document est refusé.',
    ],
    flags: {},
    examples: ['Ce qu’une zone recevrait', 'Les versions pour un script'],
  },
  'key new': {
    details: [
      'Écrit NOM.key, la clé privée, lisible par vous seul, et NOM.pub, la clé publique à donner aux autres. La clé est ECDSA P-256, chiffrée (PKCS #8, tel qu’openssl le lit) avec le mot de passe de --key-password-file, de --password-stdin ou de SVC_SIGNING_PASSWORD, de 12 caractères au moins ; sans mot de passe, aucune clé n’est créée. La commande ne demande jamais de mot de passe, et ne remplace jamais un fichier.',
      'Gardez une copie de NOM.key et son mot de passe ailleurs que sur l’ordinateur. Qui a les deux peut signer à votre place.',
    ],
    flags: passwordFlags,
    examples: ['Une clé pour les livraisons', 'Avec un mot de passe créé au même moment'],
  },
  'key show': {
    details: [
      'Lit une clé publique, ou une clé privée (PKCS #8, en clair ou chiffrée, ou une clé de cosign), et affiche son type, son empreinte et sa clé publique en PEM. L’empreinte est le SHA-256 de la clé publique, telle que les pages, les journaux et les verdicts la nomment. Une clé que svc ne peut pas utiliser est refusée, avec la raison.',
    ],
    flags: passwordFlags,
    examples: ['Une clé publique', 'La clé publique d’une clé privée'],
  },
};

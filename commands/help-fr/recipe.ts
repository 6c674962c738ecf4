import type { CommandHelp } from './command-help.ts';

/** French help of the commands that work on recipe documents. */
export const recipeFr: Readonly<Record<string, CommandHelp>> = {
  'recipe pin': {
    details: [
      'Demande aux registres quelle étiquette chaque contrainte sélectionne et quelle empreinte a chaque étiquette, lit chaque manifeste par son empreinte et la recalcule, contrôle que les images ont leurs plateformes, et écrit version et empreinte dans le document. Les commentaires, l’ordre et tous les autres octets restent. Un ingrédient qui a une étiquette exacte et une empreinte reste tel quel, sauf si --update redemande son étiquette ; son registre doit avoir l’empreinte, avec les plateformes. Une étiquette qui désigne entre-temps une autre empreinte, ou qui a disparu, est un avertissement. L’annotation recipe.tobby.dev/cooked-at en garde la date.',
      'Remplace le document, ou écrit dans --out et laisse le brouillon avec ses contraintes. Rien n’est écrit si un ingrédient ne peut pas être figé ; tous ceux qui ne le peuvent pas sont nommés. Un registre qui ne répond pas pendant 30 secondes est nommé, et n’est plus interrogé pour les autres ingrédients. Là où des registres sont hors d’atteinte, svc recipe lint contrôle le document seul.',
      'Un chart avec vendorDependencies: true exige --vendor-to : les dépendances qu’il déclare sans les embarquer sont prises des dépôts qu’il nomme, et le chart est poussé avec elles sous ce dépôt, comme le fait helm push. La version, l’empreinte et le ref de l’ingrédient sont alors ceux de ce chart, et l’annotation recipe.tobby.dev/upstream-digest.<ingrédient> garde l’empreinte du chart sans elles. Une version que le dépôt a avec un autre contenu est refusée. Avec --check, rien n’est poussé.',
      'Code de sortie : 0 succès, 1 échec, 3 un hôte n’est pas dans la liste autorisée, 4 un registre sert un autre contenu que l’empreinte qu’il nomme, ou un contenu d’un autre type, 5 avec --check, si le document changerait.',
    ],
    flags: {
      '--out': 'écrit le document figé dans ce fichier ; sinon, remplace le brouillon',
      '--platform': 'plateforme des images qui n’en nomment pas, os/arch[/variante] ; répétable',
      '--update':
        'redemande les étiquettes figées : de tous les ingrédients, ou de ceux de --update=NOM[,NOM]',
      '--set-version': 'version de la recette dans le document figé',
      '--vendor-to': 'dépôt sous lequel les charts sont poussés avec leurs dépendances, <registre>/<chemin>',
      '--check': 'n’écrit rien ; se termine avec 5 si le document changerait',
    },
    examples: [
      'Figer un brouillon dans un autre fichier',
      'Redemander l’étiquette d’un ingrédient',
      'Pousser des charts avec leurs dépendances',
      'Dans un pipeline : tout est-il figé ?',
    ],
  },
  'recipe lint': {
    details: [
      'Signale chaque règle du format qu’un document ne respecte pas, et ce qui gênerait les zones ou les lecteurs : étiquettes qui se déplacent, une empreinte sous deux noms, hôtes que seule cette machine atteint, images qui n’ont pas les plateformes. N’interroge aucun registre, et contrôle donc aussi une recette figée là où ses registres sont hors d’atteinte ; que chaque ingrédient soit figé, svc recipe push l’exige. Avec --online, compare le document avec ses registres : empreintes disparues, étiquettes déplacées, plateformes absentes, fichiers qu’un support FAT32 ne peut pas contenir, dépendances que des charts n’embarquent pas, images que des charts utilisent et que la recette n’a pas. Un fichier illisible ne cache pas les constats des autres. Au plus 1000 constats d’un fichier sont listés, les erreurs d’abord ; les autres sont comptés.',
      'Code de sortie : 0 aucune erreur, 1 une erreur ou un fichier illisible, avec --strict aussi un avertissement.',
    ],
    flags: {
      '--online': 'compare aussi les documents avec leurs registres',
      '--strict': 'se termine avec 1 aussi pour un avertissement',
    },
    examples: [
      'Contrôler un brouillon',
      'Dans un pipeline, avant de signer une recette',
      'Les règles non respectées',
    ],
  },
  'recipe show': {
    details: [
      'Lit un fichier, une recette publiée (<registre>/<livre de recettes>/<nom>:<version>, ou avec une empreinte), ou une recette du magasin (<nom>@<version>), et affiche ses ingrédients avec les plateformes et les tailles qu’ont leurs registres, ou le magasin. La signature est jugée selon les racines de confiance de la configuration. Un ingrédient illisible est affiché avec la raison, et décide du code de sortie.',
      'Code de sortie : 0 succès, 1 échec, recette inconnue ou ingrédient illisible, 3 un hôte n’est pas dans la liste autorisée, 4 un ingrédient a un autre contenu que son empreinte ou son type ne le disent, ou avec --verify, si aucune signature de confiance n’est valide.',
    ],
    flags: {
      '--verify':
        'se termine avec 4, sauf si une signature est valide ou si un périmètre admet la recette sans signature',
    },
    examples: [
      'Un fichier avant sa publication',
      'Une recette publiée, pour un pipeline',
      'Une recette du magasin',
    ],
  },
  'recipe diff': {
    details: [
      'Chaque recette est un fichier, une recette publiée (<registre>/<livre de recettes>/<nom>:<version>) ou une recette du magasin (<nom>@<version>), avec une empreinte pour chaque ingrédient. Chaque membre des documents est comparé : nom, version, description, labels et annotations, et pour chaque ingrédient son type, sa référence, sa version, son empreinte, ses plateformes et tout ce qu’il a d’autre. Une étiquette que les deux recettes donnent à un contenu différent est aussi une différence : de plusieurs ingrédients qui ont la même référence, le premier reçoit l’étiquette. Les commentaires ne sont pas une différence. Lit les manifestes sous chaque empreinte, pour les plateformes de chaque ingrédient, et compte chaque contenu une fois : les octets à transférer sont ceux dont un lieu qui a l’ancienne recette a besoin pour la nouvelle. De chaque sorte de différence, au plus 1000 entrées sont listées, et les autres sont comptées. Après 1000 ingrédients d’une recette qui ne peuvent pas être lus, les autres ne sont plus demandés.',
      'Code de sortie : 0 succès, 1 échec, 3 un hôte n’est pas dans la liste autorisée, 4 un registre sert un autre contenu que celui qui est figé, 5 avec --exit-code, si les recettes diffèrent.',
    ],
    flags: { '--exit-code': 'se termine avec 5 si les recettes diffèrent' },
    examples: ['Deux fichiers', 'Combien il faut transporter'],
  },
};

import type { CommandHelp } from './command-help.ts';

/** French help of the commands that work on recipe documents. */
export const recipeFr: Readonly<Record<string, CommandHelp>> = {
  'recipe pin': {
    details: [
      'Demande aux registres quelle étiquette chaque contrainte sélectionne et quelle empreinte a chaque étiquette, lit chaque manifeste par cette empreinte, contrôle que les images ont leurs plateformes, et écrit version et empreinte dans le document. Les commentaires, l’ordre et tous les autres octets restent. Un ingrédient qui a une étiquette exacte et une empreinte reste tel quel, sauf si --update redemande son étiquette. L’annotation recipe.tobby.dev/cooked-at en garde la date.',
      'Remplace le document, ou écrit dans --out et laisse le brouillon avec ses contraintes. Rien n’est écrit si un ingrédient ne peut pas être figé ; tous ceux qui ne le peuvent pas sont nommés.',
      'Code de sortie : 0 succès, 1 échec, 3 un hôte n’est pas dans la liste autorisée, 4 un registre sert un autre contenu que l’empreinte qu’il nomme, ou un contenu d’un autre type, 5 avec --check, si le document changerait.',
    ],
    flags: {
      '--out': 'écrit le document figé dans ce fichier ; sinon, remplace le brouillon',
      '--platform': 'plateforme des images qui n’en nomment pas, os/arch[/variante] ; répétable',
      '--update':
        'redemande les étiquettes figées : de tous les ingrédients, ou de ceux de --update=NOM[,NOM]',
      '--set-version': 'version de la recette dans le document figé',
      '--check': 'n’écrit rien ; se termine avec 5 si le document changerait',
    },
    examples: [
      'Figer un brouillon dans un autre fichier',
      'Redemander l’étiquette d’un ingrédient',
      'Dans un pipeline : tout est-il figé ?',
    ],
  },
};

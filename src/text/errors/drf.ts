import { fr } from '../language.ts';
import type { Family } from './entry.ts';

/** Errors of drafts of recipes. */
export const drfErrors = {
  'SVC-DRF-001': {
    class: 'failure',
    status: 422,
    params: { images: 'name', flags: 'name' },
    what: [
      'These images have no tag: {images}. Nothing was written.',
      fr`Ces images n’ont pas d’étiquette : {images}. Rien n’a été écrit.`,
    ],
    cause: [
      'The sources name them without a tag, or by a digest that no tag of the repository has. A recipe records which version is meant.',
      fr`Les sources les nomment sans étiquette, ou par une empreinte qu’aucune étiquette du dépôt ne porte. Une recette note quelle version est voulue.`,
    ],
    action: [
      'Run the command again, each with a tag or a constraint in the place of TAG: {flags}.',
      fr`Relancez la commande, chacune avec une étiquette ou une contrainte à la place de TAG : {flags}.`,
    ],
  },
  'SVC-DRF-002': {
    class: 'failure',
    status: 422,
    params: { sources: 'name', 'proposed?': 'name', 'found?': 'name' },
    what: [
      'There is nothing for a recipe in {sources}[, only proposals: {found}]. Nothing was written.',
      fr`Il n’y a rien pour une recette dans {sources}[, seulement des propositions : {found}]. Rien n’a été écrit.`,
    ],
    cause: [
      '[{proposed=yes}All images found are named where svc cannot tell whether they are used: in custom resources, arguments, variables or texts of templates, or in values of parts that are switched off.][{proposed=chart}All images found are in parts that are switched off, in values that other values may complete or that no template uses, or in the text of templates.][{proposed=no-tag}The values name the images without a tag, and the chart has no appVersion that would be one.][{proposed!}The wrong file was given, or the images are named elsewhere: in values, in another file, or by a program at run time.]',
      fr`[{proposed=yes}Toutes les images trouvées sont nommées là où svc ne peut pas savoir si elles servent : ressources personnalisées, arguments, variables, textes de modèles, ou valeurs de parties désactivées.][{proposed=chart}Toutes les images trouvées sont dans des parties désactivées, dans des valeurs que d’autres complètent peut-être ou qu’aucun modèle n’utilise, ou dans le texte de modèles.][{proposed=no-tag}Les valeurs nomment les images sans étiquette, et le chart n’a pas d’appVersion qui en serait une.][{proposed!}Le fichier donné n’est pas le bon, ou les images sont nommées ailleurs : dans des valeurs, dans un autre fichier, ou par un programme en marche.]`,
    ],
    action: [
      '[{proposed=yes}Write those that are needed to a list, one on each line, and give it with --from.][{proposed=chart}Let --render find what the chart uses, or give other values with --values. Or write those that are needed to a list, one on each line, and give it with --from.][{proposed=no-tag}Give values with the tags (--values), or set appVersion in Chart.yaml.][{proposed!}Check the source. A chart of this machine becomes an ingredient with --push-charts; its templates are rendered with --render. --find-more proposes words that look like images in arguments and variables.]',
      fr`[{proposed=yes}Écrivez celles qu’il faut dans une liste, une par ligne, et donnez-la avec --from.][{proposed=chart}Laissez --render trouver ce que le chart utilise, ou donnez d’autres valeurs avec --values. Ou écrivez celles qu’il faut dans une liste, une par ligne, et donnez-la avec --from.][{proposed=no-tag}Donnez des valeurs avec les étiquettes (--values), ou définissez appVersion dans Chart.yaml.][{proposed!}Vérifiez la source. Un chart de cette machine devient un ingrédient avec --push-charts ; ses modèles sont rendus avec --render. --find-more propose ce qui ressemble à une image dans les arguments et variables.]`,
    ],
  },
} as const satisfies Family;

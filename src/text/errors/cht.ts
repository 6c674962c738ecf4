import { fr } from '../language.ts';
import type { Family } from './entry.ts';

/** Errors of Helm charts. */
export const chtErrors = {
  'SVC-CHT-001': {
    class: 'verification',
    status: 422,
    params: { chart: 'name', dependency: 'name' },
    what: [
      'The chart {chart} depends on {dependency}, which is neither embedded in it nor listed.',
      fr`Le chart {chart} dépend de {dependency}, qui n’est ni inclus ni listé.`,
    ],
    cause: [
      'The chart was packaged without its dependencies; they cannot be fetched in a zone without network.',
      fr`Le chart a été empaqueté sans ses dépendances ; elles ne peuvent pas être téléchargées dans une zone sans réseau.`,
    ],
    action: [
      'Package the chart with its dependencies (helm dependency update), or list {dependency} as an ingredient.',
      fr`Empaquetez le chart avec ses dépendances (helm dependency update), ou listez {dependency} comme ingrédient.`,
    ],
  },
  'SVC-CHT-002': {
    class: 'failure',
    status: 422,
    params: { chart: 'name', 'problem?': 'name', 'detail?': 'text' },
    what: [
      'The chart {chart} was not rendered[: {detail}].',
      fr`Le chart {chart} n’a pas été rendu[ : {detail}].`,
    ],
    cause: [
      '[{problem=absent}There is no program helm on PATH.][{problem=late}helm template did not end within 60 s.][{problem=memory}helm template needed more than 1 GiB of memory: a template of the chart has no bound.][{problem=unlimited}The memory of helm could not be limited to 1 GiB: ulimit -d failed.][{problem!}helm template ended with an error: a value is missing, or the chart needs a cluster.]',
      fr`[{problem=absent}Aucun programme helm n’est dans PATH.][{problem=late}helm template n’a pas fini en 60 s.][{problem=memory}helm template a demandé plus de 1 Gio de mémoire : un modèle du chart est sans borne.][{problem=unlimited}La mémoire de helm n’a pas pu être limitée à 1 Gio : ulimit -d a échoué.][{problem!}helm template s’est terminé par une erreur : une valeur manque, ou le chart a besoin d’un cluster.]`,
    ],
    action: [
      '[{problem=absent}Install helm 3, or leave --render out: the annotation and the values of the chart are then read.][{problem=late}Render the chart by hand, and give the manifests with --from.][{problem=memory}Look at the templates of the chart, or leave --render out: the annotation and the values of the chart are then read.][{problem=unlimited}Run the command where ulimit -d can be lowered, or leave --render out: the annotation and the values of the chart are then read.][{problem!}Give the missing values with --values, or render the chart by hand and give the manifests with --from.] Nothing was written.',
      fr`[{problem=absent}Installez helm 3, ou retirez --render : l’annotation et les valeurs du chart sont alors lues.][{problem=late}Rendez le chart à la main, et donnez les manifestes avec --from.][{problem=memory}Examinez les modèles du chart, ou retirez --render : l’annotation et les valeurs du chart sont alors lues.][{problem=unlimited}Lancez la commande là où ulimit -d peut être abaissé, ou retirez --render : l’annotation et les valeurs du chart sont alors lues.][{problem!}Donnez les valeurs manquantes avec --values, ou rendez le chart à la main et donnez les manifestes avec --from.] Rien n’a été écrit.`,
    ],
  },
} as const satisfies Family;

import { fr } from '../language.ts';
import type { Family } from './entry.ts';

/** Errors of tasks. */
export const tskErrors = {
  'SVC-TSK-001': {
    class: 'failure',
    status: 404,
    params: { id: 'name' },
    what: ['Task {id} does not exist.', fr`La tâche {id} n’existe pas.`],
    cause: [
      'The identifier is mistyped, or the task was deleted with its log (tasks.keepFinished).',
      fr`L’identifiant est mal saisi, ou la tâche a été supprimée avec son journal (tasks.keepFinished).`,
    ],
    action: [
      'List the tasks of the instance: svc task list, or GET /api/v1/tasks.',
      fr`Affichez les tâches de l’instance : svc task list, ou GET /api/v1/tasks.`,
    ],
  },
  'SVC-TSK-002': {
    class: 'failure',
    status: 429,
    params: { limit: 'text', 'actor?': 'name' },
    what: [
      '[{actor!}The queue is full: {limit} tasks are waiting.][{actor}: {limit} tasks of this account are waiting, as many as one account may have.] Nothing was added.',
      fr`[{actor!}La file est pleine : {limit} tâches attendent.][{actor} : {limit} tâches de ce compte attendent, autant qu’un compte peut en avoir.] Rien n’a été ajouté.`,
    ],
    cause: [
      'Tasks are queued faster than they finish, or one task takes very long.',
      fr`Les tâches arrivent plus vite qu’elles ne finissent, ou l’une d’elles dure très longtemps.`,
    ],
    action: [
      'Check the running task and cancel tasks that are not needed, then try again later.',
      fr`Examinez la tâche en cours et annulez ce qui est inutile, puis recommencez plus tard.`,
    ],
  },
  'SVC-TSK-003': {
    class: 'failure',
    status: 409,
    params: { 'task?': 'name' },
    what: [
      'This is not possible while a task is running[: {task}].',
      fr`C’est impossible pendant qu’une tâche est en cours[ : {task}].`,
    ],
    cause: [
      'The task uses the content that this request would change.',
      fr`La tâche utilise le contenu que cette requête modifierait.`,
    ],
    action: [
      'Wait until the task has ended, then try again.',
      fr`Attendez la fin de la tâche, puis recommencez.`,
    ],
  },
  'SVC-TSK-004': {
    class: 'failure',
    status: 409,
    params: { actor: 'name', 'work?': 'text' },
    what: [
      '[{work!}The task was cancelled by {actor}.][{work=proof}The proof was cancelled by {actor}.][{work=verification}The verification was cancelled by {actor}.]',
      fr`[{work!}La tâche a été annulée par {actor}.][{work=proof}La preuve a été annulée par {actor}.][{work=verification}La vérification a été annulée par {actor}.]`,
    ],
    cause: [
      '[{work!}The task was stopped on request. Content that it stored before is complete and verified, and is kept.][{work=proof}The proof was stopped on request.][{work=verification}The verification was stopped on request.]',
      fr`[{work!}La tâche a été arrêtée sur demande. Le contenu qu’elle a enregistré avant est complet et vérifié, et il est conservé.][{work=proof}La preuve a été arrêtée sur demande.][{work=verification}La vérification a été arrêtée sur demande.]`,
    ],
    action: [
      '[{work!}Start the task again to resume: content that is already stored is not transferred again.][{work=proof}Begin the proof again when it is needed.][{work=verification}Verify the medium again when it is needed: until then the last verdict stands.]',
      fr`[{work!}Relancez la tâche pour la reprendre : le contenu déjà enregistré n’est pas transféré de nouveau.][{work=proof}Recommencez la preuve si elle est nécessaire.][{work=verification}Vérifiez à nouveau le support si c’est nécessaire : d’ici là, le dernier verdict reste valable.]`,
    ],
  },
  'SVC-TSK-005': {
    class: 'failure',
    status: 409,
    params: { task: 'name' },
    what: ['The task {task} has already ended.', fr`La tâche {task} est déjà terminée.`],
    cause: [
      'Only a task that waits or runs can be cancelled.',
      fr`Seule une tâche en attente ou en cours peut être annulée.`,
    ],
    action: ['See its outcome in the list of tasks.', fr`Consultez son résultat dans la liste des tâches.`],
  },
  'SVC-TSK-006': {
    class: 'failure',
    status: 500,
    params: { command: 'name' },
    what: [
      'The command {command} ended before it recorded the end of its task.',
      fr`La commande {command} s’est terminée avant d’avoir enregistré la fin de sa tâche.`,
    ],
    cause: [
      'It was killed, the machine lost power, or the volume of the state took no more data.',
      fr`Elle a été tuée, la machine a perdu son alimentation, ou le volume de l’état n’acceptait plus de données.`,
    ],
    action: [
      'Run the command again: content that is already stored is not transferred again.',
      fr`Relancez la commande : le contenu déjà stocké n’est pas transféré une seconde fois.`,
    ],
  },
  'SVC-TSK-007': {
    class: 'failure',
    status: 409,
    params: { task: 'name', command: 'name' },
    what: [
      'The task {task} is run by the command {command}, and not by this instance.',
      fr`La tâche {task} est exécutée par la commande {command}, et non par cette instance.`,
    ],
    cause: [
      'Somebody runs the command on the machine with this state folder.',
      fr`Quelqu’un exécute la commande sur la machine qui a ce dossier d’état.`,
    ],
    action: [
      'Interrupt the command there with Ctrl-C, or wait until it has ended.',
      fr`Interrompez-y la commande avec Ctrl-C, ou attendez qu’elle se termine.`,
    ],
  },
} as const satisfies Family;

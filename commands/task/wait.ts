import { fr } from '../../src/text/language.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { argument } from '../cli/inputs.ts';
import { WaitCommand } from '../client/wait-command.ts';
import { requireTaskId } from './task-id.ts';

export class TaskWaitCommand extends WaitCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Shows the progress until the task has ended. An interruption leaves the task running.',
        fr`Affiche la progression jusqu’à la fin de la tâche. Une interruption laisse la tâche continuer.`,
      ],
      [
        'Exit code, by the outcome of the task: 0 success, 3 policy, 4 verification, 1 failure; 1 also when the wait ends before the task.',
        fr`Code de sortie, selon le résultat de la tâche : 0 succès, 3 politique, 4 vérification, 1 échec ; 1 aussi quand l’attente se termine avant la tâche.`,
      ],
    ],
    examples: [
      [['Wait for a task', fr`Attendre une tâche`], 'svc task wait tsk_0123456789ab'],
      [['At most ten minutes', fr`Dix minutes au plus`], 'svc task wait tsk_0123456789ab --wait-timeout 10m'],
    ],
  };

  id: string = argument.text(['task', fr`tâche`]);

  async run(): Promise<number> {
    const id = requireTaskId(this.id);
    const { waitTimeout: timeout } = this;
    await using client = await this.connect();
    const { task, gaveUp } = await this.waitFor(client, id, () => client.getTask(id), timeout);
    const { language } = this;
    if (this.format === 'json') await this.printDocument({ instance: client.url, waited: !gaveUp, task });
    else {
      const { renderLanded, renderTask } = await import('../render/task.ts');
      const { renderPruned } = await import('../render/prune.ts');
      const text = renderTask(task, language) + renderLanded(task) + renderPruned(task, language);
      this.printReport(text);
    }
    if (gaveUp) this.giveUp(client, task);
    return await this.settle(task);
  }
}

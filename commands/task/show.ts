import { fr } from '../../src/text/language.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { getWidth } from '../render/width.ts';
import { OneTaskCommand } from './one-task-command.ts';
import { requireTaskId } from './task-id.ts';

export class TaskShowCommand extends OneTaskCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Shows state, progress, items and errors of a task. svc task wait exits with the code of its outcome.',
        fr`Affiche l’état, la progression, les éléments et les erreurs d’une tâche. svc task wait se termine avec le code de son résultat.`,
      ],
      [
        'Exit code: 0 success, also for a task that failed; 1 failure or unknown task.',
        fr`Code de sortie : 0 succès, y compris pour une tâche en échec ; 1 échec ou tâche inconnue.`,
      ],
    ],
    examples: [
      [['One task', fr`Une tâche`], 'svc task show tsk_0123456789ab'],
      [
        ['Its errors for a script', fr`Ses erreurs pour un script`],
        "svc task show tsk_0123456789ab --output json | jq '.task.items[].error'",
      ],
    ],
  };

  async run(): Promise<number> {
    const id = requireTaskId(this.id);
    await using client = await this.connect();
    const task = await client.getTask(id);
    if (this.format === 'json') await this.printDocument({ task });
    else {
      const { renderTaskDetails } = await import('./render-task.ts');
      this.context.stdout.write(
        renderTaskDetails(task, { language: this.language, width: getWidth(this.context) }),
      );
    }
    return 0;
  }
}

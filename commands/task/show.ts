import { Command, type Usage } from 'clipanion';
import { getWidth } from '../render/width.ts';
import { OneTaskCommand } from './one-task-command.ts';
import { requireTaskId } from './task-id.ts';

export class TaskShowCommand extends OneTaskCommand {
  static override paths: string[][] = [['task', 'show']];
  static override usage: Usage = Command.Usage({
    description: 'Show a task of an instance',
    details: `
      Shows state, progress, items and errors of a task. svc task wait exits with the code of its outcome.

      Exit code: 0 success, also for a task that failed; 1 failure or unknown task.
    `,
    examples: [
      ['One task', 'svc task show tsk_0123456789ab'],
      ['Its errors for a script', "svc task show tsk_0123456789ab --output json | jq '.task.items[].error'"],
    ],
  });

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

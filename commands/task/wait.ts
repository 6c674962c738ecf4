import { Command, Option, type Usage } from 'clipanion';
import { toMilliseconds } from '../client/instance-command.ts';
import { WaitCommand } from '../client/wait-command.ts';
import { requireTaskId } from './task-id.ts';

export class TaskWaitCommand extends WaitCommand {
  static override paths: string[][] = [['task', 'wait']];
  static override usage: Usage = Command.Usage({
    description: 'Wait for a task, and exit with the code of its outcome',
    details: `
      Shows the progress until the task has ended. An interruption leaves the task running.

      Exit code, by the outcome of the task: 0 success, 3 policy, 4 verification, 1 failure; 1 also when the wait
      ends before the task.
    `,
    examples: [
      ['Wait for a task', 'svc task wait tsk_0123456789ab'],
      ['At most ten minutes', 'svc task wait tsk_0123456789ab --wait-timeout 10m'],
    ],
  });

  id: string = Option.String({ name: 'task' });

  async run(): Promise<number> {
    const id = requireTaskId(this.id);
    const timeout = toMilliseconds('--wait-timeout', this.waitTimeout);
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
    return this.settle(task);
  }
}

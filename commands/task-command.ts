import type { Config } from '../src/config/model.ts';
import type { CommandTask } from '../src/operation/command/run-command-task.ts';
import { fr } from '../src/text/language.ts';
import { actAsOwner } from './cli/act-as-owner.ts';
import { BaseCommand } from './cli/base-command.ts';

/** Base class of the commands whose work an instance with the same state shows among its tasks. */
export abstract class TaskCommand extends BaseCommand {
  /**
   * Does the work as a task. Where no record of it can be kept, a warning says so and the work is done all the same.
   *
   * @returns the result, and the members that a document of this command has besides
   * @throws the error of the work
   */
  protected async runAsTask<R>(
    config: Config,
    task: Omit<CommandTask<R>, 'signal'>,
  ): Promise<{ readonly result: R; readonly ofTask: { readonly taskId?: string } }> {
    const { runRecorded } = await import('../src/operation/command/run-command-task.ts');
    const { renderError } = await import('../src/text/message.ts');
    const { result, ...ofTask } = await runRecorded(
      config,
      { ...task, signal: this.context.signal },
      {
        actAsOwner,
        onUnrecorded: (error) => {
          const { what } = renderError(error, this.language);
          this.warn([
            `no record of this run is kept among the tasks: ${what}`,
            fr`aucune trace de cette exécution n’est gardée parmi les tâches : ${what}`,
          ]);
        },
      },
    );
    return { result, ofTask };
  }
}

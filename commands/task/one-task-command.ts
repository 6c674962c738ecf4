import { isSvcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { argument } from '../cli/inputs.ts';
import { InstanceCommand } from '../client/instance-command.ts';

/** Base class of the commands that show one task. */
export abstract class OneTaskCommand extends InstanceCommand {
  id: string = argument.text(['task', fr`tâche`]);

  /** Where no instance answers, names the record of a task that a command ran without one. */
  protected override async fail(error: unknown): Promise<number> {
    const exitCode = await super.fail(error);
    if (!isSvcError(error, 'SVC-SRV-003') || !this.readsConfig) return exitCode;
    const { loadConfig } = await import('../../src/config/load-config.ts');
    const { configPath } = this;
    const { config } = await loadConfig({ flags: this.flags, env: this.context.env, configPath });
    const { findRecord } = await import('./find-record.ts');
    const path = config.state.root && (await findRecord(config.state.root, this.id));
    if (path)
      this.printLine([
        `svc: a command ran this task without an instance; its record is ${path}`,
        fr`svc: une commande a exécuté cette tâche sans instance ; son enregistrement est ${path}`,
      ]);
    return exitCode;
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import { getTaskLog } from '../../src/contract/operations/tasks.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr } from '../../src/text/language.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { flag } from '../cli/inputs.ts';
import type { InstanceClient } from '../client/instance-client.ts';
import { OneTaskCommand } from './one-task-command.ts';
import { requireTaskId } from './task-id.ts';

/** Milliseconds between two looks at a log that is followed. */
const interval = 500;

export class TaskLogCommand extends OneTaskCommand {
  static override help: CommandHelp = {
    details: [
      [
        'With --follow, prints new lines until the task has ended; an interruption leaves the task running.',
        fr`Avec --follow, affiche les nouvelles lignes jusqu’à la fin de la tâche ; une interruption laisse la tâche continuer.`,
      ],
      [
        'Exit code: 0 success, also for a task that failed; 1 failure or unknown task.',
        fr`Code de sortie : 0 succès, y compris pour une tâche en échec ; 1 échec ou tâche inconnue.`,
      ],
    ],
    examples: [
      [['The log so far', fr`Le journal jusqu’ici`], 'svc task log tsk_0123456789ab'],
      [['Watch a task', fr`Suivre une tâche`], 'svc task log tsk_0123456789ab --follow'],
    ],
  };

  follow: boolean = flag.present('--follow', [
    'print new lines until the task has ended',
    fr`affiche les nouvelles lignes jusqu’à la fin de la tâche`,
  ]);
  async run(): Promise<number> {
    const id = requireTaskId(this.id);
    const isJson = this.format === 'json';
    if (isJson && this.follow)
      throw new CommandLineError([
        '--follow cannot be used with --output json, which is one document',
        fr`--follow est incompatible avec --output json, qui est un seul document`,
      ]);
    await using client = await this.connect();
    let log = '';
    const print = (text: string): void => {
      if (isJson) log += text;
      else this.context.stdout.write(text.replace(/[^\n]+/g, escapeText));
    };
    let next = await readOn(client, id, 0, print);
    while (this.follow) {
      const { isOver } = await import('../../src/task/model.ts');
      // asked before the log is read: lines written before the end are read afterwards
      const isLast = isOver(await client.getTask(id));
      next = await readOn(client, id, next, print);
      if (isLast) break;
      await pause(interval, undefined, { signal: this.context.signal });
    }
    if (isJson) await this.printDocument({ id, log });
    return 0;
  }
}

/** Reads a log from a byte position to its present end. @returns the position of the end */
async function readOn(
  client: InstanceClient,
  id: string,
  from: number,
  print: (text: string) => void,
): Promise<number> {
  let after = from;
  for (;;) {
    const { chunk, next } = await client.ask(getTaskLog, {
      path: { id },
      query: { after, format: undefined },
    });
    print(chunk);
    if (!(next > after)) return after;
    after = next;
  }
}

import { formatDuration } from '../../src/base/duration.ts';
import type { Task, TaskWait } from '../../src/contract/task.ts';
import type { SvcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { textParam } from '../../src/text/text-param.ts';
import { words } from '../../src/text/words/words.ts';
import { toWaitSentence } from '../../src/view/link-words.ts';
import { flag } from '../cli/inputs.ts';
import { SentenceError, toRuleSentence } from '../cli/sentence-error.ts';
import type { InstanceClient } from './instance-client.ts';
import { InstanceCommand } from './instance-command.ts';
import type { WaitOutcome } from './wait-for-task.ts';

/** Base class of the commands that wait for a task of an instance. */
export abstract class WaitCommand extends InstanceCommand {
  waitTimeout: number | undefined = flag.duration('--wait-timeout', [
    'stop waiting after this time; the task continues',
    fr`cesse d’attendre après ce délai ; la tâche continue`,
  ]);

  /** The next command asks the same instance. */
  protected override get repeatedFlags(): Readonly<Record<string, string | undefined>> {
    return { ...super.repeatedFlags, '--instance': this.instance, '--token-file': this.tokenFile };
  }

  /**
   * Waits until a task has ended, with progress on stderr. An interruption says that the task continues.
   *
   * @param read reads the task for the first time
   * @param timeout milliseconds; undefined: no limit
   * @throws the error that the instance answers; SVC-SRV-003 when it does not answer for a minute
   */
  protected async waitFor(
    client: InstanceClient,
    id: string,
    read: () => Promise<Task>,
    timeout: number | undefined,
  ): Promise<WaitOutcome> {
    const { openProgress } = await import('../cli/progress.ts');
    const { defaultPatience, waitForTask } = await import('./wait-for-task.ts');
    const { signal, stderr } = this.context;
    const { language } = this;
    using progress = openProgress({ stderr, language });
    const seconds = String(defaultPatience / 1000);
    // whether the task is known to be there
    let isReached = false;
    const onReach = (reached: boolean, error?: SvcError): void => {
      isReached = reached;
      if (reached)
        this.printLine([`svc: ${client.url} answers again`, fr`svc: ${client.url} répond de nouveau`]);
      else {
        const [reason, raison] = toRuleSentence((error && textParam(error, 'detail')) ?? String(error?.code));
        this.warn([
          `${client.url} does not answer (${reason}); waiting up to ${seconds} s for task ${id}`,
          fr`${client.url} ne répond pas (${raison}) ; attente de ${seconds} s au plus pour la tâche ${id}`,
        ]);
      }
    };
    const onAbort = (): void =>
      this.printLine(
        isReached
          ? [
              `svc: interrupted; task ${id} continues on ${client.url}`,
              fr`svc: interrompu ; la tâche ${id} continue sur ${client.url}`,
            ]
          : [
              `svc: interrupted; the outcome of task ${id} is not known: ${client.url} does not answer`,
              fr`svc: interrompu ; l’issue de la tâche ${id} n’est pas connue : ${client.url} ne répond pas`,
            ],
      );
    const onWait = (waiting: TaskWait): void => {
      // on a terminal the line of the progress says it as long as it lasts
      if (stderr.isTTY === true) return;
      this.printLine([
        `svc: task ${id} ${toWaitSentence(words.en, waiting)}`,
        fr`svc: la tâche ${id} ${toWaitSentence(words.fr, waiting)}`,
      ]);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const task = await read();
      isReached = true;
      return await waitForTask({
        task,
        getTask: (each) => client.getTask(each),
        progress,
        language,
        signal,
        timeout,
        onReach,
        onWait,
      });
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** @throws SentenceError saying that the task continues */
  protected giveUp({ url }: InstanceClient, { id, waiting }: Task): never {
    const timeout = formatDuration(this.waitTimeout ?? 0);
    if (waiting !== undefined)
      throw new SentenceError([
        `timed out after ${timeout}; task ${id} ${toWaitSentence(words.en, waiting)}, and continues then on ${url}`,
        fr`délai de ${timeout} dépassé ; la tâche ${id} ${toWaitSentence(words.fr, waiting)}, et continue alors sur ${url}`,
      ]);
    throw new SentenceError([
      `timed out after ${timeout}; task ${id} continues on ${url}`,
      fr`délai de ${timeout} dépassé ; la tâche ${id} continue sur ${url}`,
    ]);
  }

  /** Prints the warnings of a task, and the errors of a failed one. @returns the exit code of its outcome */
  protected async settle(task: Task): Promise<number> {
    const { selectTaskError, toTaskExitCode } = await import('./wait-for-task.ts');
    const { renderFailures, renderWarnings } = await import('../render/task.ts');
    const { language } = this;
    this.printNotes(renderWarnings(task, language));
    if (task.status !== 'done') {
      const principal = selectTaskError(task);
      this.printNotes(renderFailures(task, language, principal));
      const unknown = (): Error =>
        new SentenceError([`task ${task.id} failed`, fr`la tâche ${task.id} a échoué`]);
      await this.fail(principal ?? unknown());
    }
    return toTaskExitCode(task);
  }
}

import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Job, JobResult } from './jobs.ts';

/** The load client's process; one job at a time. */
export interface LoadClient extends AsyncDisposable {
  readonly pid: number;
  do(job: Job): Promise<JobResult>;
}

interface Message {
  readonly ready?: true;
  readonly result?: JobResult;
  readonly error?: string;
}

export async function startLoadClient(): Promise<LoadClient> {
  const child = fork(join(import.meta.dirname, 'client.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const answer = (): Promise<Message> =>
    new Promise((resolve, reject) => {
      const onEnd = (): void => reject(new Error('the load client has ended'));
      child.once('exit', onEnd);
      child.once('message', (message: Message) => {
        child.off('exit', onEnd);
        resolve(message);
      });
    });
  await answer();
  return {
    pid: child.pid!,
    do: async (job) => {
      const message = answer();
      child.send(job);
      const { result, error } = await message;
      if (result === undefined) throw new Error(`load client, ${job.job} at ${job.host}: ${error}`);
      return result;
    },
    [Symbol.asyncDispose]: async () => {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

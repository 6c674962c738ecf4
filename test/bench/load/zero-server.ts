import { fork } from 'node:child_process';
import { join } from 'node:path';

/** The server that only writes zeros, in a process of its own. */
export interface ZeroServer extends AsyncDisposable {
  readonly host: string;
}

export async function startZeroServer(): Promise<ZeroServer> {
  const child = fork(join(import.meta.dirname, 'zeros.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const { host } = await new Promise<{ host: string }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { host: string }));
    child.once('exit', () => reject(new Error('the server that writes zeros has ended')));
  });
  return {
    host,
    [Symbol.asyncDispose]: async () => {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { MeasuredServer } from './measured-server.ts';

/** Starts a registry of another make and waits until it answers. @param onLine sees every line it logs */
export async function startPeerProcess(
  command: string,
  args: readonly string[],
  options: {
    readonly host: string;
    readonly home: string;
    readonly authorization?: string | undefined;
    readonly onLine?: ((line: string) => void) | undefined;
  },
): Promise<MeasuredServer> {
  const { host, home, authorization, onLine } = options;
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH ?? '', HOME: home, OTEL_TRACES_EXPORTER: 'none' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    let part = '';
    stream.setEncoding('utf8').on('data', (text: string) => {
      tail = (tail + text).slice(-4000);
      if (onLine === undefined) return;
      const lines = (part + text).split('\n');
      part = lines.pop()!;
      for (const line of lines) onLine(line);
    });
  }
  let failure: Error | undefined;
  child.on('error', (error) => {
    failure = error;
  });
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async (): Promise<void> => {
    if (failure === undefined && child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exited;
  };
  const until = performance.now() + 20_000;
  for (;;) {
    const answer = await fetch(`http://${host}/v2/`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer !== undefined && (answer.ok || answer.status === 401)) break;
    const ended = failure !== undefined || child.exitCode !== null || child.signalCode !== null;
    if (ended || performance.now() > until) {
      await stop();
      throw new Error(`${command} does not answer: ${failure?.message ?? ''}\n${tail}`);
    }
    await pause(20);
  }
  return { host, pid: child.pid!, authorization, [Symbol.asyncDispose]: stop };
}

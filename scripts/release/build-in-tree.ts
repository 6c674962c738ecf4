import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Architecture } from './arch.ts';
import type { BuildMessage, BuildOrder } from './builder.ts';
import { RefusedError } from './source.ts';
import { runtimeOf } from './tree.ts';

interface BuildInTree {
  readonly tree: string;
  /** Path of the script that builds, below the root of the tree. */
  readonly builder: string;
  readonly order: BuildOrder;
  readonly env: NodeJS.ProcessEnv;
  /** Program and arguments that start the runtime in other circumstances. */
  readonly wrapper?: readonly string[];
  /** User and group, where others than those of this process. */
  readonly identity?: { readonly uid: number; readonly gid: number };
  readonly stop: AbortSignal;
  /** Called before each step with its name. */
  readonly onStep: (step: string) => void;
}

/**
 * Builds a release in a tree, with the runtime of the tree. When it is stopped, the build and every program that it
 * started end at once.
 *
 * @throws RefusedError with the reason of the build
 */
export async function buildInTree(input: BuildInTree): Promise<void> {
  const { tree, builder, order, env, wrapper = [], identity = {}, stop, onStep } = input;
  stop.throwIfAborted();
  const runtime = runtimeOf(tree, process.arch as Architecture);
  const [program, ...args] = [...wrapper, runtime, builder, JSON.stringify(order)];
  // a group of its own, with the programs that it starts
  const child = spawn(program!, args, {
    cwd: tree,
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...env },
    ...identity,
  });
  const end = (): void => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  stop.addEventListener('abort', end, { once: true });
  let refused: string | undefined;
  child.on('message', (message: BuildMessage) => {
    if ('step' in message) onStep(message.step);
    else refused = message.refused;
  });
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    stop.throwIfAborted();
    if (code === 0) return;
    throw new RefusedError(refused ?? `the build failed (${signal ?? `exit code ${code}`})`);
  } finally {
    stop.removeEventListener('abort', end);
  }
}

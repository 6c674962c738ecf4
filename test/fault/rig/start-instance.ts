import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Instance, startInstance } from '../../kit/instance/instance.ts';
import type { FaultPlan } from './fault-plan.ts';
import { arm, toFaultEnvironment } from './instrumented.ts';

/** An instance under a plan; its clients need no credentials. */
export interface FaultyInstance {
  readonly instance: Instance;
  /** From now on its writes count. */
  arm(): Promise<void>;
  /** When its process is gone. */
  readonly gone: Promise<void>;
  /** Whether it still runs. */
  isAlive(): boolean;
}

const running = new Set<FaultyInstance>();

/** Kills the processes that a failed round has left running. */
export async function endFaultyInstances(): Promise<void> {
  await Promise.all([...running].map(({ instance }) => instance.kill()));
}

/**
 * Starts an instance in a folder under a plan, which counts nothing before it is armed.
 *
 * @param plan its roots are the store and the state below the folder
 */
export async function startFaultyInstance(
  folder: string,
  config: Readonly<Record<string, unknown>>,
  plan: Omit<FaultPlan, 'roots' | 'armed'>,
): Promise<FaultyInstance> {
  mkdirSync(folder, { recursive: true });
  const armed = join(folder, 'armed');
  const roots = [join(folder, 'store'), join(folder, 'state')];
  const instance = await startInstance({
    folder,
    config: { auth: { disabled: true }, ...config },
    env: toFaultEnvironment({ ...plan, roots, armed }),
  });
  const child = instance.process;
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  const gone = new Promise<void>((resolve) => {
    if (isAlive()) child.once('close', () => resolve());
    else resolve();
  });
  const faulty = { instance, gone, isAlive, arm: () => arm(child.pid!, armed) };
  running.add(faulty);
  gone.then(() => running.delete(faulty));
  return faulty;
}

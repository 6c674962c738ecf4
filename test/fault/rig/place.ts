import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FaultPlan, FaultReport } from './fault-plan.ts';
import { readFaultReport } from './instrumented.ts';
import type { FaultyInstance } from './start-instance.ts';

/** One folder of an instance, with the promises made to it. */
export interface Place {
  readonly folder: string;
  readonly root: string;
  readonly stateRoot: string;
  readonly report: string;
}

export function toPlace(folder: string): Place {
  const [root, stateRoot] = [join(folder, 'store'), join(folder, 'state')];
  return { folder, root, stateRoot, report: join(folder, 'calls.json') };
}

export function plan(kill: FaultPlan['kill'], { report }: Place): Omit<FaultPlan, 'roots' | 'armed'> {
  rmSync(report, { force: true });
  return { report, ...(kill === undefined ? {} : { kill }) };
}

/** Lets an instance come to its end if it was not killed, and reads the counted changes. */
export async function conclude(faulty: FaultyInstance, place: Place): Promise<FaultReport> {
  if (faulty.isAlive()) faulty.instance.process.kill('SIGTERM');
  await faulty.gone;
  return readFaultReport(place.report);
}

export function listBlobs(root: string): readonly string[] {
  if (!existsSync(join(root, 'blobs', 'sha256'))) return [];
  return readdirSync(join(root, 'blobs', 'sha256')).map((name) => `sha256:${name}`);
}

/** Asks an instance that may die at any time. */
export async function ask(url: string, init: RequestInit = {}): Promise<Response | undefined> {
  try {
    const response = await fetch(url, init);
    // an answer counts when it is whole
    const bytes = await response.arrayBuffer();
    return new Response(response.status === 204 ? null : bytes, response);
  } catch {
    return undefined;
  }
}

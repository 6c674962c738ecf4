import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventually } from '../../kit/instance/eventually.ts';
import type { FaultPlan, FaultReport } from './fault-plan.ts';

const instrument = pathToFileURL(join(import.meta.dirname, 'instrument.ts')).href;

/** The environment of a child that runs under a plan. */
export function toFaultEnvironment(plan: FaultPlan): Record<string, string> {
  return {
    NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=${instrument}`,
    SVC_FAULT_PLAN: JSON.stringify(plan),
  };
}

/** Makes an instance that waits for it count from now on. */
export async function arm(pid: number, file: string): Promise<void> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  await eventually('the instrument to be armed', () => existsSync(file));
}

/** Reads the report of the instrument. */
export function readFaultReport(path: string): FaultReport {
  return JSON.parse(readFileSync(path, 'utf8')) as FaultReport;
}

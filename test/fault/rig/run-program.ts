import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { svcEnvironment, trackChild } from '../../kit/program/svc.ts';
import type { FaultPlan, FaultReport } from './fault-plan.ts';
import { readFaultReport, toFaultEnvironment } from './instrumented.ts';

const program = join(import.meta.dirname, 'store-program.ts');

export interface ProgramRun {
  /** The lines it said. */
  readonly said: readonly string[];
  /** When it said each, in microseconds of the machine's monotonic clock. */
  readonly moments: readonly number[];
  readonly report: FaultReport;
}

/** Runs a command of the store program under a plan to its end. @returns its output, and the count of the instrument */
export async function runStoreProgram(
  command: string,
  folder: { readonly root: string; readonly stateRoot: string },
  seed: string,
  plan: Partial<FaultPlan> = {},
  wrap: readonly string[] = [],
): Promise<ProgramRun> {
  const { root, stateRoot } = folder;
  const report = plan.report ?? join(stateRoot, '..', 'calls.json');
  rmSync(report, { force: true });
  const args = [...wrap, process.execPath, program, command, root, stateRoot, seed];
  const child = trackChild(
    spawn(args[0]!, args.slice(1), {
      env: svcEnvironment(toFaultEnvironment({ roots: [root, stateRoot], ...plan, report })),
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  let text = '';
  let trouble = '';
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
    trouble += chunk;
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (...result) => resolve(result));
  });
  if (!existsSync(report)) throw new Error(`no report of the instrument: ${code} ${signal}\n${trouble}`);
  if (signal === null && code !== 0) throw new Error(`${command} ended with ${code}\n${text}\n${trouble}`);
  const lines = text.split('\n').filter((line) => line !== '');
  return {
    said: lines.map((line) => line.split('\t')[0]!),
    moments: lines.map((line) => Number(line.split('\t')[1])),
    report: readFaultReport(report),
  };
}

import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { collectOutput } from '../../test/kit/program/collect-output.ts';
import { trackChild } from '../../test/kit/program/svc.ts';
import { toComparable } from './placeholders.ts';
import type { Side } from './side.ts';
import type { Subject } from './subject.ts';

export const languages = ['en', 'fr'] as const;
export type Language = (typeof languages)[number];

export interface Line {
  readonly args: readonly string[];
  readonly language: Language;
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Printed {
  readonly status: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of a program under comparison: nothing of the user's but the way to the runtime. */
export function toEnvironment({ folder }: Side, language: Language): Record<string, string> {
  return {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: join(folder, 'home'),
    LC_ALL: language === 'fr' ? 'fr_FR.UTF-8' : 'C.UTF-8',
    TZ: 'UTC',
  };
}

/** Runs a command line of a side to its end. One that does not end is killed after half a minute. */
export async function runLine(side: Side, { args, language, cwd, env }: Line): Promise<Printed> {
  const child = trackChild(
    spawn(side.program, args, {
      env: { ...toEnvironment(side, language), ...env },
      cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: 30_000,
      killSignal: 'SIGKILL',
    }),
  );
  const { exitCode, signal, stdout, stderr } = await collectOutput(child);
  return { status: exitCode ?? signal ?? 'unknown', stdout, stderr };
}

/** @param isDocument whether stdout is a JSON document, by the flag of the command line */
export function toSubject(side: Side, { status, stdout, stderr }: Printed, isDocument: boolean): Subject {
  const text = (output: string): string => toComparable(output, side.placeholders);
  return {
    head: `exit ${status}\n--- stderr\n${text(stderr)}\n--- stdout\n`,
    body: text(stdout),
    form: isDocument ? 'value' : 'text',
  };
}

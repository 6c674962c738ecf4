import { runLine } from './run-line.ts';
import type { Side } from './side.ts';

export interface Flag {
  readonly name: string;
  /** The name of its value in the help, or its choices; none for a switch. */
  readonly value?: string;
}

/** A command as its help describes it. */
export interface CommandShape {
  readonly path: readonly string[];
  /** Names of the required arguments. */
  readonly arguments: readonly string[];
  readonly flags: readonly Flag[];
}

/** Reads the help of a command: the usage, and the rows of its section of flags. */
export function parseHelp(path: readonly string[], help: string): CommandShape {
  const usage = /^usage: .*(?:\n {2,}.*)*/m.exec(help)?.[0] ?? '';
  const section = /^Flags:\n((?: {2}.*\n)*)/m.exec(help)?.[1] ?? '';
  const flags = [
    ...section.matchAll(/^ {2}(--[a-z-]+)(?: (<[^>]+>|[^\s<]+\|[^\s]+|[a-z][a-z-]*(?= {2})))?/gm),
  ];
  return {
    path,
    arguments: [...usage.matchAll(/ <([^>]+)>/g)].map(([, name]) => name!),
    flags: flags.map(([, name, value]) => ({ name: name!, ...(value === undefined ? {} : { value }) })),
  };
}

/** Reads the commands of a program in its overview. */
export function parseOverview(overview: string): readonly (readonly string[])[] {
  const rows = [...overview.matchAll(/^ {2}svc ([a-z]+(?:-[a-z]+)*(?: [a-z]+(?:-[a-z]+)*)?) {2,}\S/gm)];
  return [...new Set(rows.map(([, path]) => path!))].map((path) => path.split(' '));
}

/** Asks a program for its commands, as a user does. */
export async function readCommandPaths(side: Side): Promise<readonly (readonly string[])[]> {
  const { stdout } = await runLine(side, { args: ['--help'], language: 'en', cwd: side.folder });
  return parseOverview(stdout);
}

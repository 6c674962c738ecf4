import { dirname } from 'node:path';

/**
 * What a test file says that watches or changes the whole of its process: its environment, signals, memory,
 * processor time or globals. Such a file has a process to itself.
 */
const processWide =
  /\bprocess\.(?!(?:execPath|platform|getuid|pid)\b)|\bmock\.|\bglobalThis\b|\/(?:live-memory|memory-probe|exhaust-descriptors|process-footprint)\.ts'|'node:(?:v8|vm|perf_hooks|worker_threads|module|diagnostics_channel|async_hooks)'/;

/** Folders whose files play long scenes with processes of their own: few of them share a process. */
const long = /^test\/(?:browser|e2e|fault|hostile|interop|release)\b/;

/** Most files of one process: what a group takes stays short against the whole, so that both processors end together. */
const most = (file: string): number => (long.test(file) ? 1 : 8);

/**
 * Puts test files into groups; the files of a group run in one process, one after another. Loading the program
 * and compiling what runs often costs a process more time than most files need for their tests.
 *
 * @param files paths in the project, in the order in which they run
 * @param read the text of a file
 */
export function groupTests(files: readonly string[], read: (file: string) => string): string[][] {
  const groups: string[][] = [];
  const open = new Map<string, string[]>();
  for (const file of files) {
    const isAlone = processWide.test(read(file));
    const group = isAlone ? undefined : open.get(dirname(file));
    if (group !== undefined && group.length < most(file)) {
      group.push(file);
      continue;
    }
    const begun = [file];
    groups.push(begun);
    if (!isAlone) open.set(dirname(file), begun);
  }
  return groups;
}

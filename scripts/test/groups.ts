import { isLong } from './tiers.ts';

/**
 * Code in a test file that watches or changes the whole of its process: its environment, signals, memory, processor time
 * or globals. Such a file has a process to itself.
 */
const processWide = new RegExp(
  [
    // settings may be read
    String.raw`\bprocess\.(?!(?:argv|env|execPath|getuid|kill|pid|platform|stderr|stdin|stdout|version)\b)`,
    String.raw`\bdelete process\.env|\bprocess\.env(?:\.\w+|\[[^\]]+\])? *(?:\?\?)?=[^=]|\bassign\(process\.`,
    String.raw`\bmock\.|\bglobalThis\b|\b(?:eventLoopUtilization|performance\.mark)\b`,
    "'node:(?:async_hooks|diagnostics_channel|inspector|module|perf_hooks|process|v8|vm|worker_threads)'",
    String.raw`/(?:exhaust-descriptors|live-memory|memory-probe|process-footprint)\.ts'`,
  ].join('|'),
);

/** Most files of one process: a group takes little of the whole, so that both processors end together. */
const most = { short: 8, long: 4 };

/**
 * Puts test files into groups; the files of a group run in one process, one after another. Loading the program and
 * compiling its hot code often costs a process more time than most files need for their tests.
 *
 * @param files paths in the project, in the order in which they run
 * @param read the text of a file
 */
export function groupTests(files: readonly string[], read: (file: string) => string): string[][] {
  const groups: string[][] = [];
  const open: { short?: string[]; long?: string[] } = {};
  for (const file of files) {
    const tier = isLong(file) ? 'long' : 'short';
    let group = open[tier];
    if (processWide.test(read(file))) groups.push([file]);
    else if (group !== undefined && group.length < most[tier]) group.push(file);
    else {
      group = [file];
      open[tier] = group;
      groups.push(group);
    }
  }
  return groups;
}

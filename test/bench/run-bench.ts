import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Bench } from './bench.ts';
import { buildProgram } from './built-program.ts';
import { compareContenders, type Outcome } from './compare.ts';
import { inspectMachine, toMachineLine } from './machine.ts';
import { findPeers, peerNames } from './peers.ts';
import { removeFolder } from './remove-folder.ts';
import { toTable } from './to-table.ts';
import { workloads } from './workloads.ts';

function usage(): string {
  const list = workloads.map(({ id, title }) => `  ${id.padEnd(8)}${title}`).join('\n');
  return `npm run bench -- [workload …] [flags]

Measures the built program and its peers in the same run, taking turns. Without a workload: all of them.

${list}
  cost    processor time of each workload, compared with the committed figures; see npm run bench -- cost --help
  fleet   simulation of many nodes behind trees of caches; see npm run bench -- fleet --help

  --quick             small sizes, two rounds: to try out, the figures mean little
  --pairs <n>         rounds that are counted (5; 2 with --quick)
  --seconds <n>       how long the many clients of P16 work (300; 12 with --quick)
  --peer <name=path>  a program to measure against: ${peerNames.join(', ')} (default: from PATH)
  --out <folder>      where the JSON file goes (default: a folder of its own below the system's temporary one)
`;
}

/** Runs the benchmarks that the arguments name; prints tables and writes one JSON file. @returns the exit code */
export async function runBench(args: readonly string[], root: string): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      pairs: { type: 'string' },
      seconds: { type: 'string' },
      peer: { type: 'string', multiple: true, default: [] },
      out: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const tell = (text: string): void => void process.stdout.write(`${text}\n`);
  if (values.help) {
    tell(usage());
    return 0;
  }
  const { quick } = values;
  const pairs = values.pairs === undefined ? (quick ? 2 : 5) : Number(values.pairs);
  if (!Number.isInteger(pairs) || pairs < 1) throw new Error('--pairs wants a number from 1');
  const seconds = values.seconds === undefined ? undefined : Number(values.seconds);
  if (seconds !== undefined && !(seconds > 0)) throw new Error('--seconds wants a number above 0');
  const asked = positionals.map((name) => name.toUpperCase());
  const unknown = asked.filter((name) => !workloads.some(({ id }) => id.toUpperCase() === name));
  if (unknown.length > 0) throw new Error(`no such workload: ${unknown.join(', ')}\n\n${usage()}`);
  const chosen = workloads.filter(({ id }) => asked.length === 0 || asked.includes(id.toUpperCase()));

  const peers = findPeers(values.peer);
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const outcomes: Outcome[] = [];
  const failures: string[] = [];
  try {
    const machine = await inspectMachine(folder, peers);
    tell(toMachineLine(machine));
    // how every instance and command of the run is started
    process.env.SVC_BIN = await buildProgram(root, folder);
    await using bench = new Bench({ folder, quick, pairs, seconds, peers, tell });
    for (const workload of chosen) {
      try {
        await workload.run(bench, async (comparison) => {
          const outcome = await compareContenders(workload.id, comparison, { pairs, tell });
          outcomes.push(outcome);
          tell(`\n${toTable(outcome)}\n`);
        });
      } catch (error) {
        failures.push(workload.id);
        tell(`\n${workload.id} failed: ${error instanceof Error ? error.stack : String(error)}\n`);
      }
    }
    const out =
      values.out === undefined ? await mkdtemp(join(tmpdir(), 'svc-bench-result-')) : resolve(values.out);
    await mkdir(out, { recursive: true });
    const file = join(out, 'bench.json');
    await writeFile(
      file,
      `${JSON.stringify({ at: new Date().toISOString(), quick, machine, outcomes, failures }, null, 2)}\n`,
    );
    tell(
      `${outcomes.flatMap(({ verdicts }) => verdicts).filter(({ met }) => met).length} targets met, ${outcomes.flatMap(({ verdicts }) => verdicts).filter(({ met }) => !met).length} missed; ${file}`,
    );
  } finally {
    await removeFolder(folder);
  }
  return failures.length > 0 ? 1 : 0;
}

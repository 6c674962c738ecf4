import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Bench } from '../bench.ts';
import { buildProgram } from '../built-program.ts';
import { toSpread } from '../statistics.ts';
import { parseCostTable, replaceCosts, selectDearer } from './table.ts';
import { type Costs, type MeasureCosts, openUnits } from './units.ts';

/** Rounds of a group whose costs are judged, and of one whose costs go into the page. */
const rounds = { judged: 3, written: 5 };
/** How often a group is measured at most that seems too dear, and how often one whose figures go into the page. */
const attempts = { judged: 6, written: 3 };

/** Processor seconds that this machine needs for SHA-256 of 1 GiB. */
function measureHash(): number {
  const block = Buffer.alloc(2 ** 22, 7);
  const before = process.cpuUsage();
  const hash = createHash('sha256');
  for (let n = 0; n < 2 ** 8; n += 1) hash.update(block);
  hash.digest();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** Measures a group of workloads. @returns medians in the time of SHA-256 of 1 GiB in the same round */
async function measureGroup(measure: MeasureCosts, count: number): Promise<Costs> {
  const samples = new Map<string, number[]>();
  let before = measureHash();
  for (let n = 0; n < count; n += 1) {
    const costs = await measure();
    const after = measureHash();
    const hash = (before + after) / 2;
    before = after;
    for (const [name, seconds] of Object.entries(costs))
      samples.set(name, [...(samples.get(name) ?? []), seconds / hash]);
  }
  return Object.fromEntries([...samples].map(([name, values]) => [name, toSpread(values).median]));
}

/** Measures a group once more. @returns of each workload the cost that `choose` takes of the two */
async function measureAgain(
  measure: MeasureCosts,
  count: number,
  costs: Costs,
  choose: (one: number, other: number) => number,
): Promise<Costs> {
  const others = await measureGroup(measure, count);
  return Object.fromEntries(Object.entries(costs).map(([name, cost]) => [name, choose(cost, others[name]!)]));
}

/** Measures a group, and again while it seems too dear. Other work on the machine makes a cost higher, never lower. */
async function measurePatiently(measure: MeasureCosts, committed: Costs): Promise<Costs> {
  let costs = await measureGroup(measure, rounds.judged);
  for (let n = 1; n < attempts.judged && selectDearer(costs, committed).length > 0; n += 1)
    costs = await measureAgain(measure, rounds.judged, costs, Math.min);
  return costs;
}

/** Measures a group several times for the page. The highest median says how far costs vary without other work. */
async function measureForPage(measure: MeasureCosts): Promise<Costs> {
  let costs = await measureGroup(measure, rounds.written);
  for (let n = 1; n < attempts.written; n += 1)
    costs = await measureAgain(measure, rounds.written, costs, Math.max);
  return costs;
}

const usage = `npm run bench -- cost [--write]

Measures the processor time of one unit of each workload and compares it with the figures in docs/performance.md.
Exit code 1: a workload costs more than its figure allows.

  --write   writes the figures of this run into docs/performance.md instead
`;

/** Measures the costs, and tells and judges them. @returns the exit code */
export async function runCost(args: readonly string[], root: string): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { write: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  });
  const tell = (text: string): void => void process.stdout.write(`${text}\n`);
  if (values.help) {
    tell(usage);
    return 0;
  }
  const path = join(root, 'docs', 'performance.md');
  const page = await readFile(path, 'utf8');
  const committed = parseCostTable(page);
  const folder = await mkdtemp(join(tmpdir(), 'svc-cost-'));
  try {
    process.env.SVC_BIN = await buildProgram(root, folder);
    await using bench = new Bench({ folder, quick: true, pairs: rounds.written, peers: new Map(), tell });
    let costs: Costs = {};
    for (const measure of await openUnits(bench))
      costs = {
        ...costs,
        ...(values.write ? await measureForPage(measure) : await measurePatiently(measure, committed)),
      };
    if (values.write) await writeFile(path, replaceCosts(page, costs));
    const dearer = values.write ? [] : selectDearer(costs, committed);
    for (const [name, cost] of Object.entries(costs)) {
      const known = committed[name];
      const change = known === undefined ? 'no figure' : `${(cost / known).toFixed(2)} of ${known}`;
      const mark = dearer.includes(name) ? 'DEARER' : '';
      tell(`${mark.padEnd(7)}${name.padEnd(42)}${cost.toFixed(3).padStart(8)}  ${change}`);
    }
    return dearer.length > 0 ? 1 : 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

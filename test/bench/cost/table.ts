import type { Costs } from './units.ts';

/** Share of its committed figure by which a cost may exceed it. */
export const tolerance = 0.2;

/**
 * Not judged: the kernel fills its page cache then. In a virtual machine that returns free pages to its host, the first
 * access to each costs several times the read.
 */
export const firstPull = 'GET 1 GiB, first after the push';

/** A row of the table: a workload and its cost. */
const row = /^\| (.+) \| (\d+\.\d+) \|$/gm;

/** Reads the committed costs from the page. */
export function parseCostTable(page: string): Costs {
  return Object.fromEntries([...page.matchAll(row)].map(([, name, cost]) => [name!, Number(cost)]));
}

/** Puts other costs into the page. A workload without a row gets one after the last. */
export function replaceCosts(page: string, costs: Costs): string {
  const rows = Object.entries(costs).map(([name, cost]) => `| ${name} | ${cost.toFixed(3)} |`);
  const [head, ...rest] = page.split(/^\| --- \| ---: \|\n/m);
  const tail = rest.join('').replace(row, '').replace(/^\n+/, '');
  return `${head}| --- | ---: |\n${rows.join('\n')}\n${tail === '' ? '' : `\n${tail}`}`;
}

/** Names of the workloads that cost more than their committed figure and the tolerance allow, or that have no figure. */
export function selectDearer(costs: Costs, committed: Costs): string[] {
  return Object.entries(costs)
    .filter(([name, cost]) => name !== firstPull && !(cost <= committed[name]! * (1 + tolerance)))
    .map(([name]) => name);
}

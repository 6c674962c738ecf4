// Benchmarks the built program against other tools; see --help. Not part of the test suite.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runCost } from '../test/bench/cost/run-cost.ts';
import { runBench } from '../test/bench/run-bench.ts';
import { runFleet } from '../test/bench/simulation/run-fleet.ts';

const root = join(import.meta.dirname, '..');
const peers = process.env.PEERS_DIR ?? join(homedir(), '.cache', 'svc-peers');
if (existsSync(join(peers, 'bin'))) process.env.PATH = `${join(peers, 'bin')}:${process.env.PATH}`;

try {
  const [name, ...args] = process.argv.slice(2);
  process.exitCode =
    name === 'cost'
      ? await runCost(args, root)
      : name === 'fleet'
        ? await runFleet(args, root)
        : await runBench(process.argv.slice(2), root);
} catch (error) {
  process.stderr.write(`svc: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

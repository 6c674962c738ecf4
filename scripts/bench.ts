// Benchmarks the built program against other tools; see --help. Not part of the test suite.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runBench } from '../test/bench/run-bench.ts';

const root = join(import.meta.dirname, '..');
const peers = process.env.PEERS_DIR ?? join(homedir(), '.cache', 'svc-peers');
if (existsSync(join(peers, 'bin'))) process.env.PATH = `${join(peers, 'bin')}:${process.env.PATH}`;

try {
  process.exitCode = await runBench(process.argv.slice(2), root);
} catch (error) {
  process.stderr.write(`svc: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

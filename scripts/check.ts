// Runs formatting, lint and type checks.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const bin = join(root, 'node_modules', '.bin');
let failed = false;
for (const [tool, ...args] of [
  ['biome', 'check', '--error-on-warnings', '.'],
  ['tsc', '-p', '.'],
] as const) {
  const { status, error } = spawnSync(join(bin, tool), args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) failed = true;
  process.stderr.write(`${tool}: ${error ? error.message : status === 0 ? 'ok' : `exit ${status}`}\n`);
}
process.exitCode = failed ? 1 : 0;

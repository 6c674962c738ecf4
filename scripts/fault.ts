// Runs the fault tests in full. All random choices come from the seed. A failing round prints its number, and
// `--seed N --round K --only <name>` repeats it alone.
// `--histories N` sets how many random histories of each property are run; one core runs the numbers in the tests in
// ten minutes.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    round: { type: 'string' },
    histories: { type: 'string' },
    only: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  process.stdout.write(`npm run test:fault -- [--seed N] [--round N] [--histories N] [--only NAME]

  --seed N       where all random choices come from; default: of the clock
  --only NAME    one campaign, such as parts, import, delivery or outcomes-of-media
  --round N      with --only and --seed: repeats one round
  --histories N  random histories of each property
`);
  process.exit(0);
}
for (const name of ['seed', 'round', 'histories'] as const) {
  const value = values[name];
  if (value === undefined || /^\d+$/.test(value)) continue;
  process.stderr.write(`svc: --${name} takes a number\n`);
  process.exit(2);
}
process.env.SVC_FAULT_FORM = 'full';
process.env.SVC_FAULT_SEED = values.seed ?? `${Date.now() % 1_000_000}`;
if (values.round !== undefined) process.env.SVC_FAULT_ROUND = values.round;
if (values.histories !== undefined) process.env.SVC_FAULT_HISTORIES = values.histories;
if (values.only !== undefined) process.env.SVC_FAULT_ONLY = values.only;
process.env.SVC_TEST_MINUTES = '120';
process.stdout.write(`seed ${process.env.SVC_FAULT_SEED}\n`);
// a name that a file makes of parts is found in no file: every file is asked then
const naming = globSync(join(root, 'test/fault/**/*.test.ts')).filter((path) =>
  readFileSync(path, 'utf8').includes(`'${values.only}'`),
);
process.argv.splice(2, process.argv.length, ...(naming.length > 0 ? naming : ['test/fault']));
await import('./test.ts');

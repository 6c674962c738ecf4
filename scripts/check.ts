// Runs formatting, lint and type checks.
import { runCheck } from './test/checks.ts';

const results = await Promise.all([runCheck('formatting'), runCheck('types')]);
for (const { name, passed, output } of results)
  process.stderr.write(`${output}${name}: ${passed ? 'ok' : 'failed'}\n`);
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;

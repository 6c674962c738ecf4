// Runs the complete delivery on this machine: origin registry → medium → carried → verified → registry of the
// zone. Everything happens below one temporary folder and on free loopback ports, and is removed at the end.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { killChildren } from '../../test/kit/program/svc.ts';
import { carryDeliveries } from './carry-deliveries.ts';
import { runDelivery } from './delivery.ts';
import { openStage } from './stage.ts';
import { openInstances, printSignIns, watchTerminal } from './stay.ts';
import { printLine, printTable, printTitle } from './story.ts';

const usage = `usage: npm run demo [-- --stay | --delivery]

Runs a complete delivery on this machine, on loopback, and removes everything it made.

  --stay      then leaves a mirror and a zone instance running, and prints their addresses and sign-ins,
              until Ctrl-C, SIGTERM or the end of the terminal
  --delivery  in place of that delivery, carries two on small disks: in the wrong order, with a receipt
              back, a delta, and a disk that is lost
`;

function readFlags(): { readonly stay: boolean; readonly delivery: boolean } {
  try {
    const { values } = parseArgs({
      options: {
        stay: { type: 'boolean' },
        delivery: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help) {
      process.stdout.write(usage);
      process.exit(0);
    }
    const { stay = false, delivery = false } = values;
    if (stay && delivery) throw new Error('use --stay or --delivery');
    return { stay, delivery };
  } catch (error) {
    process.stderr.write(`svc: ${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
}

const flags = readFlags();
const begun = performance.now();
const stage = await openStage(await mkdtemp(join(tmpdir(), 'svc-demo-')));
const end = Promise.withResolvers<void>();
let isStaying = false;

// An interruption ends every child process. A running demo then fails and cleans up below; one that stays ends.
function interrupt(signal?: NodeJS.Signals): void {
  stage.interruption ??= { signal };
  void killChildren();
  end.resolve();
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
// the reader of stdout has exited
process.stdout.on('error', () => interrupt());
process.stderr.on('error', () => interrupt());
using _ = watchTerminal(() => interrupt('SIGHUP'));

try {
  printTitle('svc demo: a delivery between two zones, on this machine');
  if (flags.delivery) await carryDeliveries(stage);
  const delivery = flags.delivery ? undefined : await runDelivery(stage);
  const instances = delivery && flags.stay ? await openInstances(stage, delivery) : undefined;
  printTable(stage.steps);
  if (instances !== undefined) {
    stage.stopWhenInterrupted();
    isStaying = true;
    printSignIns(instances);
    for (const { url, process: child } of [instances.mirror, instances.zone])
      child.once('close', () => end.reject(new Error(`the instance at ${url} ended`)));
    // the timer keeps the process alive even when its children end
    const alive = setInterval(() => {}, 1 << 30);
    await end.promise;
    clearInterval(alive);
  }
} catch (error) {
  process.exitCode = 1;
  const reason = error instanceof Error ? error.message : String(error);
  if (!stage.interruption) process.stderr.write(`\nthe demo failed: ${reason}\n`);
} finally {
  await killChildren();
  await rm(stage.folder, { recursive: true, force: true, maxRetries: 3 });
}
if (isStaying) {
  printLine('');
  printLine('stopped; all processes and files are removed');
} else if (stage.interruption?.signal) {
  process.removeAllListeners(stage.interruption.signal);
  process.kill(process.pid, stage.interruption.signal);
} else if (process.exitCode === undefined) {
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  printLine('');
  printLine(`done in ${seconds} s; all processes and files are removed`);
}

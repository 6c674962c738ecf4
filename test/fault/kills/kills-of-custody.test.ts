import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { checkLedger, listLedgerFiles } from '../../../src/custody/check-ledger.ts';
import { openCustody } from '../../../src/custody/custody.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { svcEnvironment, trackChild } from '../../kit/program/svc.ts';
import { times } from '../rig/form.ts';
import { readFaultReport, toFaultEnvironment } from '../rig/instrumented.ts';
import { type KillRig, runKills } from '../rig/run-kills.ts';

const module = join(import.meta.dirname, '..', '..', '..', 'src', 'custody', 'custody.ts');

/** A process that does three operations with an intent and an outcome, and says each line that it was promised. */
async function openCustodyRig(): Promise<KillRig> {
  const folder = await openTempFolder('svc-custody-');
  const [stateRoot, report] = [join(folder.path, 'state'), join(folder.path, 'calls.json')];
  await mkdir(stateRoot);
  /** Lines that were promised so far. */
  const promised: string[] = [];
  const program = (round: number): string => `
    const { openCustody } = await import(${JSON.stringify(module)});
    const custody = openCustody({ stateRoot: ${JSON.stringify(stateRoot)}, site: 'zone-a' });
    for (let i = 0; i < 3; i += 1) {
      const details = { name: '${round}.' + i };
      const intent = await custody.begin({ type: 'written', actor: 'ana', details });
      console.log('intent ' + details.name);
      await intent.end({ details });
      console.log('outcome ' + details.name);
    }`;
  const read = async () => {
    const lines: string[] = [];
    const open = new Set<number>();
    const torn: number[] = [];
    const check = await checkLedger(await listLedgerFiles(join(stateRoot, 'custody')), {
      visit: (line) => {
        lines.push(`${line.step} ${line.details.name}`);
        if (line.step === 'intent') open.add(line.seq);
        if (line.of !== undefined) open.delete(line.of);
        if (line.torn) torn.push(line.torn.bytes);
      },
    });
    return { ...check, lines, open, torn };
  };
  return {
    async run(kill, round) {
      rmSync(report, { force: true });
      const plan = { roots: [stateRoot], report, ...(kill === undefined ? {} : { kill }) };
      const child = trackChild(
        spawn(process.execPath, ['--input-type=module', '-e', program(round)], {
          env: svcEnvironment(toFaultEnvironment(plan)),
          stdio: ['ignore', 'pipe', 'inherit'],
        }),
      );
      const [said] = await Promise.all([text(child.stdout!), once(child, 'close')]);
      promised.push(...said.split('\n').filter((line) => line !== ''));
      return readFaultReport(report);
    },
    async check() {
      const { broken, lines } = await read();
      assert.equal(broken, undefined);
      const there = new Set(lines);
      assert.deepEqual(
        promised.filter((line) => !there.has(line)),
        [],
        'promised lines are there',
      );
    },
    async complete() {
      const before = await read();
      await openCustody({ stateRoot, site: 'zone-a' }).record({ type: 'fetched', actor: 'ana' });
      const after = await read();
      assert.deepEqual([after.broken, after.unfinished], [undefined, undefined]);
      assert.equal(after.lines.length, before.lines.length + 1);
      // an unfinished line is named by the next one
      const { unfinished } = before;
      assert.deepEqual(after.torn.slice(before.torn.length), unfinished ? [unfinished.bytes] : []);
      // a killed operation stays without an outcome: at most one a round
      assert.ok(after.open.size <= promised.length);
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

test('a kill between an intent and its outcome leaves a whole chain with every promised line', (t) =>
  runKills(t, 'custody', openCustodyRig, times(18, 300)));

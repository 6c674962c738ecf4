import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { times } from './rig/form.ts';
import { runHistories } from './rig/run-histories.ts';

interface Measured {
  readonly name: string;
  readonly failure?: string;
}

let measurer: ChildProcess;
let exited: Promise<unknown[]>;
before(async () => {
  measurer = fork(join(import.meta.dirname, 'rig', 'hostile-content-process.ts'), { execArgv: [] });
  exited = once(measurer, 'exit');
  await Promise.race([once(measurer, 'message'), exited]);
});
after(() => measurer.kill());

async function measure(key: string): Promise<void> {
  measurer.send(key);
  const [measured] = (await Promise.race([once(measurer, 'message'), exited])) as [Measured | number | null];
  if (measured === null || typeof measured === 'number')
    assert.fail('the process of the measurements has ended');
  assert.equal(measured.failure, undefined, `${measured.name}: ${measured.failure}`);
}

test('content of others never holds the event loop for long, and costs what its size deserves', async (t) => {
  await runHistories<AsyncDisposable>(t, {
    name: 'hostile-cost',
    count: times(100, 2000),
    length: 1,
    open: async () => ({ [Symbol.asyncDispose]: async () => {} }),
    draw: (draw) => {
      const key = `content ${draw.below(2 ** 31)}`;
      return { name: key, run: () => measure(key) };
    },
    checks: 'end',
    check: async () => {},
  });
});

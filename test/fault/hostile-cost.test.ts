import { before, test } from 'node:test';
import { times } from './rig/form.ts';
import { drawHostileContent } from './rig/hostile-content.ts';
import { runHistories, toDraw } from './rig/run-histories.ts';

interface Nothing extends AsyncDisposable {}

// code that runs for the first time is compiled while it runs
before(async () => {
  const draw = toDraw('warm up');
  for (let i = 0; i < 15; i += 1)
    await drawHostileContent({ ...draw, below: (end) => Math.floor(draw.below(end) / 2) })
      .run()
      .catch(() => {});
});

test('content of others never holds the event loop for long, and costs what its size deserves', async (t) => {
  await runHistories<Nothing>(t, {
    name: 'hostile-cost',
    count: times(100, 2000),
    length: 1,
    open: async () => ({ [Symbol.asyncDispose]: async () => {} }),
    draw: drawHostileContent,
    checks: 'end',
    check: async () => {},
  });
});

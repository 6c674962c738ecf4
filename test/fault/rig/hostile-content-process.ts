// A process that measures hostile content. The runner of tests holds on to every promise of its own process. Collections
// of memory then take several times as long as in an instance.
import { drawHostileContent } from './hostile-content.ts';
import { toDraw } from './run-histories.ts';

// code that runs for the first time is compiled while it runs
const early = toDraw('warm up');
for (let i = 0; i < 15; i += 1)
  await drawHostileContent({ ...early, below: (end) => Math.floor(early.below(end) / 2) })
    .run()
    .catch(() => {});

process.on('message', async (key: string) => {
  const { name, run } = drawHostileContent(toDraw(key));
  const failure = await run().then(
    () => undefined,
    (error: Error) => error.message,
  );
  process.send!({ name, failure });
});
process.send!('ready');

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer, type TestServer } from '../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';
import { times } from './rig/form.ts';
import { type Draw, runHistories, type Step } from './rig/run-histories.ts';
import {
  cookbookHost,
  crowd,
  image,
  openTagWorld,
  type Piece,
  recipes,
  signatureOf,
  type TagWorld,
  tag,
  toBundle,
  toPadded,
  toSignature,
} from './rig/tag-scene.ts';

let folder: TempFolder;
let server: TestServer;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** Signatures of a recipe: few, more than a client may add, and such that leave no room for others. */
const signatures: readonly [string, Piece][] = [
  ['theirs', toSignature('theirs')],
  ['ours and theirs', toSignature('ours', 'theirs')],
  ['ours', toSignature('ours')],
  ['ours-in-a-crowd', toSignature(...crowd, 'ours')],
  ['a-crowd', toSignature(...crowd)],
  ['ours-and-padding', toPadded(60_000, 'ours', 'theirs')],
  ['padding', toPadded(300_000, 'theirs')],
];

/** One step of a writer, by one surface. */
function drawOne(draw: Draw): Step<TagWorld> {
  const n = draw.below(recipes.length);
  const recipe = recipes[n]!;
  const toStep = (name: string, run: (world: TagWorld) => Promise<unknown>): Step<TagWorld> => ({
    name,
    run: async (world) => void (await run(world)),
  });
  switch (draw.below(15)) {
    case 0:
    case 1:
      return toStep(`push recipe ${n}`, (world) => world.push(recipe, tag));
    case 2:
      return toStep('push image', (world) => world.push(image, tag));
    case 3:
      return toStep(`publish ${n}`, (world) => world.publish(recipe));
    case 4:
      return toStep(`import-unit ${n}`, (world) => world.importUnit(recipe, tag));
    case 5:
      return toStep(`import-layout ${n}`, (world) => world.importLayout(recipe, tag));
    case 6:
      return toStep(`sync ${n}`, (world) => world.sync(recipe));
    case 7:
      return toStep('delete tag', (world) => world.remove(tag));
    case 8: {
      const [name, gone] = draw.pick([
        ['recipe', recipe],
        ['signature', toSignature('ours')],
        ['bundle', toBundle(recipe)],
      ] as const);
      const { digest } = gone.content.descriptor;
      return toStep(`delete ${name} ${n} by digest`, (world) => world.remove(digest));
    }
    case 9:
      return toStep(`delete signature tag ${n}`, (world) => world.remove(signatureOf(recipe)));
    case 10: {
      const [name, one] = draw.pick(signatures);
      return toStep(`sign ${n} ${name}`, (world) => world.push(one, signatureOf(recipe)));
    }
    case 11:
      return toStep('collect', (world) => world.collect());
    case 12: {
      const [name, one] = draw.pick([
        ['image', image],
        ['recipe', recipe],
      ] as const);
      return toStep(`ingredient ${name} ${n}`, (world) => world.syncIngredient(one, tag));
    }
    default: {
      const [name, one] = draw.pick(signatures);
      return toStep(`import-signature ${n} ${name}`, (world) => world.importLayout(one, signatureOf(recipe)));
    }
  }
}

function drawStep(draw: Draw): Step<TagWorld> {
  if (!draw.chance(0.4)) return drawOne(draw);
  const pair = [drawOne(draw), drawOne(draw)];
  return {
    name: `at-once ${pair.map(({ name }) => name).join(' | ')}`,
    run: async (world) => {
      const ended = await Promise.allSettled(pair.map((step) => step.run(world)));
      for (const one of ended) if (one.status === 'rejected') throw one.reason;
    },
  };
}

test('a tag that may not change does not change, by whichever surface, two at once included', async (t) => {
  let histories = 0;
  const ran = await runHistories<TagWorld>(t, {
    name: 'tags',
    count: times(100, 10_000),
    length: 8,
    open: async () => {
      histories += 1;
      return openTagWorld(server, `h${histories}/${cookbookHost}/app`);
    },
    draw: drawStep,
    check: (world) => world.check(),
  });
  assert.ok(histories === 0 || ran.has('at-once'));
});

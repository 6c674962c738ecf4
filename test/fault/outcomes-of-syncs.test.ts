import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectTaskError, toTaskExitCode } from '../../commands/client/wait-for-task.ts';
import { renderFailures } from '../../commands/render/task.ts';
import type { Task } from '../../src/contract/task.ts';
import { createMemoryJournal } from '../kit/instance/memory-journal.ts';
import { createRegistryDouble } from '../kit/result/registry-double.ts';
import { openSyncScene, type SyncScene, toIngredient } from '../kit/scene/sync-scene.ts';
import { times } from './rig/form.ts';
import { findPrincipal, type Shown, toExpectedExit } from './rig/principal.ts';
import { type Histories, runHistories } from './rig/run-histories.ts';

/** The fault of an ingredient of a recipe. */
const ingredientFaults = ['none', 'none', 'gone', 'platform', 'altered'] as const;
/**
 * The fault of the recipe itself: no signature, another document of its version at the destination, or an ingredient with
 * a tag of signatures or referrers.
 */
const recipeFaults = [
  'none',
  'none',
  'none',
  'unsigned',
  'taken',
  '.sig',
  '.att',
  '.sbom',
  'referrers',
] as const;

interface Draft {
  readonly name: string;
  readonly fault: (typeof recipeFaults)[number];
  readonly ingredients: readonly (typeof ingredientFaults)[number][];
}

interface World extends AsyncDisposable {
  readonly drafts: Map<string, Draft>;
}

/** The tag under which something is attached to a subject. */
function toAttachmentTag(fault: Draft['fault'], subject: string): string | undefined {
  if (fault === 'referrers') return subject.replace(':', '-');
  return fault.startsWith('.') ? `${subject.replace(':', '-')}${fault}` : undefined;
}

function publish(scene: SyncScene, { name, fault, ingredients }: Draft): void {
  const listed = ingredients.map((wrong, i) => {
    const repository = `library/${name}-${i}`;
    const image = scene.putImage(repository, '1.0', { platforms: ['linux/amd64', 'linux/arm64'] });
    const digest = wrong === 'gone' ? (`sha256:${'0'.repeat(64)}` as const) : image.digest;
    const more = wrong === 'platform' ? { platforms: ['linux/s390x'] } : {};
    if (wrong === 'altered')
      scene.origin.intercept(({ method, path }, response) => {
        if (method !== 'GET' || !path.includes(`/${repository}/blobs/`)) return false;
        response.writeHead(200).end('something else');
        return true;
      });
    return toIngredient(`part-${i}`, repository, '1.0', { digest }, more);
  });
  const attachment = toAttachmentTag(fault, listed[0]!.digest);
  scene.publish(name, '1.0.0', listed, {
    ...(fault === 'unsigned' ? { sign: 'none' } : {}),
    ...(attachment === undefined
      ? {}
      : { rewrite: (document) => document.replace('"version":"1.0"', `"version":"${attachment}"`) }),
  });
}

/** The errors that an ended task shows, held to its status, counts, principal code, exit code and text. */
function checkTask(task: Task): readonly Shown[] {
  const errors = task.items.flatMap(({ error }) => error ?? []);
  const principal = findPrincipal(errors);
  assert.equal(task.status, principal ? 'failed' : 'done');
  assert.equal(task.principalCode, principal?.code);
  assert.equal(selectTaskError(task)?.code, principal?.code, 'the error that is printed');
  assert.equal(toTaskExitCode(task), toExpectedExit(errors));
  for (const status of ['done', 'failed', 'skipped'] as const)
    assert.equal(task.counts[status], task.items.filter((item) => item.status === status).length, status);
  const text = renderFailures(task, 'en');
  for (const { name, status, error } of task.items) {
    assert.equal(status === 'failed', error !== undefined, name);
    if (error) assert.ok(text.includes(`${name}: ${error.code}`), text);
  }
  return errors;
}

const histories: Histories<World> = {
  name: 'outcomes-of-syncs',
  count: times(10, 5000),
  length: 4,
  checks: 'end',
  open: async () => ({ drafts: new Map(), [Symbol.asyncDispose]: async () => {} }),
  draw: (draw) => {
    const name = `app-${draw.below(1000)}`;
    const fault = draw.pick(recipeFaults);
    const ingredients = Array.from({ length: 1 + draw.below(3) }, () => draw.pick(ingredientFaults));
    return {
      name: `${fault} ${name} of ${ingredients.join(', ')}`,
      run: async ({ drafts }) => void drafts.set(name, { name, fault, ingredients }),
    };
  },
  check: async ({ drafts }) => {
    await using scene = await openSyncScene({ inMemory: true });
    await using zone = await createRegistryDouble();
    const change = {
      mode: 'passthrough' as const,
      registries: { insecure: [scene.origin.host, zone.host] },
      destination: { registry: zone.host, cookbook: 'cookbook' },
      sync: { retries: 0 },
    };
    for (const draft of drafts.values()) {
      publish(scene, draft);
      if (draft.fault === 'taken') scene.putImage(`cookbook/${draft.name}`, '1.0.0', { registry: zone });
    }
    await scene.setRetriever([...drafts.keys()].map((name) => [name, '1.0.0'] as const));

    const { plan, exit_code } = await scene.plan({ change });
    const planned = toExpectedExit(plan.problems);
    assert.equal(exit_code, planned === 0 ? 5 : planned, 'exit code of the plan');

    const { task: live, outcome } = await scene.run({ change });
    const { task } = createMemoryJournal(live).journal.toEnded(new Date(), undefined);
    checkTask(task);
    let failed = 0;
    for (const { name, fault, ingredients } of drafts.values()) {
      const item = task.items.find((one) => one.name === `${name}@1.0.0`)!;
      const own = task.items
        .filter((one) => one.name.startsWith(`${name}@1.0.0/`))
        .flatMap(({ error }) => error ?? []);
      const isWhole = fault === 'none' && ingredients.every((one) => one === 'none');
      assert.equal(item.status === 'done', isWhole, `${name}: ${item.status}`);
      if (!isWhole) failed += 1;
      if (own.length > 0) assert.equal(item.error?.code, findPrincipal(own)?.code, name);
      const there = zone.manifest(`cookbook/${name}`, '1.0.0')?.digest;
      assert.equal(there === item.digest && there !== undefined, isWhole, `${name} at the destination`);
    }
    assert.deepEqual(outcome.recipes, { complete: drafts.size - failed, failed });
  },
};

test('of a synchronization the gravest error is named everywhere, and no success is shown over a failure', async (t) => {
  await runHistories(t, histories);
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeRetriever } from '../content/retriever.ts';
import { openSyncScene, toIngredient } from '../scene/sync-scene.ts';

/** A source whose store has two recipes, and zone-b, whose Retriever wants other ones. */
export async function openWantingZone() {
  const scene = await openSyncScene();
  const { origin, folder, signer, storeRoot } = scene;
  const publish = (name: string) =>
    scene.publish(name, '1.0.0', [
      toIngredient('app', `library/${name}`, '1.0', scene.putImage(`library/${name}`, '1.0')),
    ]);
  publish('shop');
  publish('depot');
  await scene.setRetriever([
    ['shop', '^1.0.0'],
    ['depot', '^1.0.0'],
  ]);
  const { task } = await scene.run();
  if (task.status === 'failed') throw new Error(JSON.stringify(task));
  const zone = { name: 'zone-b', retriever: join(folder, 'zone-b.yaml') };
  const config = {
    mode: 'mirror',
    zone: 'zone-a',
    storage: { root: storeRoot },
    state: { root: join(folder, 'state') },
    registries: { insecure: [origin.host] },
    trust: { roots: [{ name: 'ours', key: signer.publicKeyPem }] },
    zones: [zone, { name: 'zone-c', retriever: join(folder, 'zone-c.yaml') }],
  };
  const configPath = join(folder, 'svc.json');
  await writeFile(configPath, JSON.stringify(config));
  return {
    folder,
    config,
    configPath,
    publish,
    /** Sets the recipes that zone-b wants. */
    want: (...names: readonly string[]) =>
      writeRetriever(
        zone.retriever,
        { cookbook: `${origin.host}/cookbook`, recipes: names.map((name) => ({ name, version: '^1.0.0' })) },
        zone.name,
      ),
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}

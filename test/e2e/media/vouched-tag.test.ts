import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildImage } from '../../kit/content/content.ts';
import { runSvc } from '../../kit/program/svc.ts';
import { openCustodySites } from '../../kit/scene/custody-sites.ts';
import type { MediumRecipe } from '../../kit/scene/medium.ts';

const toRecipe = (name: string): MediumRecipe => ({
  ...{ name, version: '1.0.0', layout: 'bundle' },
  ingredients: [
    {
      ...{ name: 'image', kind: 'ContainerImage', ref: 'origin.example/shop/web', tag: 'stable' },
      artifact: buildImage(name, { ownLayers: 1, layerSize: 512 }),
    },
  ],
});

/** Two sites, and the disks of two recipes that give one tag to different content: one with a passport, and one without. */
async function openRivals() {
  const sites = await openCustodySites(false, [toRecipe('shop'), toRecipe('legacy')]);
  const { run, path, source, zone } = sites;
  const write = (name: string, recipe: string, ...flags: string[]) => {
    const what = ['--zone', 'zone-b', '--base', 'none', '--recipe', recipe, '--config', source];
    return run(['media', 'write', path(name), ...what, ...flags]);
  };
  await write('vouched', 'shop', '--sign-key', sites.sourceKey);
  await write('stranger', 'legacy');
  const bring = (name: string) => runSvc(['media', 'import', path(name), '--config', zone]);
  return { sites, bring, [Symbol.asyncDispose]: () => sites[Symbol.asyncDispose]() };
}

test('a recipe that takes the tag of another one is named with it by the command', async () => {
  await using rivals = await openRivals();
  const { bring } = rivals;
  const first = await bring('stranger');
  assert.equal(first.exitCode, 0, first.stderr);
  const { exitCode, stderr, stdout } = await bring('vouched');
  assert.equal(exitCode, 0, stderr);
  assert.match(
    stdout,
    /shop@1\.0\.0\/image: the tag stable is taken from legacy@1\.0\.0, whose content is there/,
  );
});

test('a disk without a passport takes no tag of a vouched one by another recipe, and the command names the tag', async () => {
  await using rivals = await openRivals();
  const { sites, bring } = rivals;
  const { registry } = sites;
  await bring('vouched');
  const { exitCode, stderr, stdout } = await bring('stranger');
  assert.equal(exitCode, 0, stderr);
  assert.match(
    stdout,
    /legacy@1\.0\.0\/image: the tag stable stays with shop@1\.0\.0; this content is there/,
  );
  const [shop] = sites.medium.records.filter(({ name }) => name === 'shop');
  const [place] = registry.repositories().filter((one) => one.endsWith('shop/web'));
  const held = await fetch(`${registry.origin}/v2/${place}/manifests/stable`, { method: 'HEAD' });
  assert.equal(held.headers.get('docker-content-digest'), shop!.ingredients[0]!.digest);
});

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

test('a disk without a passport takes no tag of a vouched one by another recipe, and the command names the tag', async () => {
  await using sites = await openCustodySites(false, [toRecipe('shop'), toRecipe('legacy')]);
  const { run, path, source, zone, registry } = sites;
  const write = (name: string, recipe: string, ...flags: string[]) => {
    const what = ['--zone', 'zone-b', '--base', 'none', '--recipe', recipe, '--config', source];
    return run(['media', 'write', path(name), ...what, ...flags]);
  };
  await write('vouched', 'shop', '--sign-key', sites.sourceKey);
  await write('stranger', 'legacy');
  await run(['media', 'import', path('vouched'), '--config', zone]);
  const { exitCode, stderr } = await runSvc(['media', 'import', path('stranger'), '--config', zone]);
  assert.equal(exitCode, 0, stderr);
  assert.match(
    stderr,
    /legacy@1\.0\.0\/image: the tag stable stays with content of a later medium or of one/,
  );
  const [shop] = sites.medium.records.filter(({ name }) => name === 'shop');
  const [place] = registry.repositories().filter((one) => one.endsWith('shop/web'));
  const held = await fetch(`${registry.origin}/v2/${place}/manifests/stable`, { method: 'HEAD' });
  assert.equal(held.headers.get('docker-content-digest'), shop!.ingredients[0]!.digest);
});

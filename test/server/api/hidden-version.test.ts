import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildImage } from '../../kit/content/content.ts';
import { publishRecipe, toOrigin } from '../../kit/content/origin.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { openRehearsal } from '../../kit/scene/rehearsal.ts';

test('the status of a zone names the recipe of which its source hides a version, until the version is offered again', async () => {
  await using world = await openRehearsal({ inProcess: true });
  const double = await world.double();
  const origin = toOrigin(double);
  for (const version of ['1.0.0', '1.1.0']) {
    const image = buildImage(`web ${version}`);
    await origin.put('shop/web', image, version);
    const { digest } = image.manifest.descriptor;
    await publishRecipe(origin, {
      name: 'shop',
      version,
      ingredients: [{ name: 'web', repository: 'shop/web', version, digest }],
      signatures: [{ signer: world.signer }],
    });
  }
  const cookbook = `${origin.host}/cookbook`;
  const mirror = await world.start('mirror', {
    mode: 'mirror',
    retriever: {
      source: await world.retriever('zone', { cookbook, recipes: [{ name: 'shop', version: '^1' }] }),
    },
    registries: await world.registries([origin.host]),
    trust: world.trust,
  });
  const token = await mirror.createToken('viewer');
  const read = async () => {
    const { status, body } = await mirror.api('GET', '/status');
    assert.equal(status, 200);
    return body as { lowered?: unknown; notices: readonly string[] };
  };
  const svc = async (language: string, ...args: string[]) => {
    const at = ['--instance', mirror.url];
    const result = await world.svc(['status', ...at, ...args], {
      env: { SVC_API_TOKEN: token, LC_ALL: language },
    });
    assert.equal(result.exitCode, 0, result.stderr);
    return result.stdout;
  };
  const page = async (language: string) => {
    const headers = { authorization: mirror.authorization, 'accept-language': language };
    return (await fetch(`${mirror.url}/`, { headers })).text();
  };
  assert.equal((await world.sync(mirror)).result.exitCode, 0);
  const before = await read();
  assert.deepEqual([before.lowered, before.notices], [undefined, []]);

  const published = double.manifest('cookbook/shop', '1.1.0')!.digest;
  double.untag('cookbook/shop', '1.1.0');
  assert.equal((await world.sync(mirror)).result.exitCode, 0);
  const lowered = [{ cookbook, name: 'shop', resolved: '1.0.0', here: '1.1.0' }];
  const hidden = await read();
  assert.deepEqual([hidden.lowered, hidden.notices], [lowered, ['recipes-lowered']]);

  const document = await svc('C', '--output', 'json');
  assertCliDocument('svc status', document);
  const shown = JSON.parse(document);
  assert.deepEqual([shown.lowered, shown.notices], [lowered, ['recipes-lowered']]);
  assert.match(await svc('C'), /Notices +a source offers a lower version than is here/);
  assert.match(await svc('fr_FR.UTF-8'), /Avis +une source propose une version inférieure/);
  assert.match(await page('en'), /A source offers a lower version than is here: .*shop 1\.0\.0 &lt; 1\.1\.0/);
  assert.match(await page('fr'), /Une source propose une version inférieure à la version présente/);

  double.tag('cookbook/shop', '1.1.0', published);
  assert.equal((await world.sync(mirror)).result.exitCode, 0);
  const again = await read();
  assert.deepEqual([again.lowered, again.notices], [undefined, []]);
});

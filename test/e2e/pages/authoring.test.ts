import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildImage } from '../../kit/content/content.ts';
import { publishRecipe, toOrigin } from '../../kit/content/origin.ts';
import { startInstance } from '../../kit/instance/instance.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';

test('recipe documents are checked, pinned and compared over the API, by their roles, and nothing is written', async () => {
  await using folder = await openTempFolder();
  await using registry = await createRegistryDouble();
  const origin = toOrigin(registry);
  const image = buildImage('authoring api');
  const { digest } = image.manifest.descriptor;
  await origin.put('shop/web', image, '1.4.0');
  const ingredients = [{ name: 'web', repository: 'shop/web', version: '1.4.0', digest }];
  await publishRecipe(origin, { name: 'shop', version: '1.0.0', ingredients });
  await using instance = await startInstance({
    folder: folder.path,
    config: { registries: { insecure: [registry.host], allowlist: [registry.host] } },
  });
  const viewer = await instance.createToken('viewer');
  const operator = await instance.createToken('operator');
  const post = async (token: string, what: string, body: object) => {
    const response = await fetch(`${instance.url}/api/v1/recipes/${what}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as any };
  };
  const toDraft = (ref: string) => `apiVersion: recipe.tobby.dev/v1alpha1
kind: Recipe
metadata: {name: shop, version: 1.1.0}
spec:
  ingredients:
    - name: web # the front
      kind: ContainerImage
      ref: ${ref}
      version: ^1
`;
  const document = toDraft(`${registry.host}/shop/web`);

  const linted = await post(viewer, 'lint', { document });
  assert.equal(linted.status, 200);
  assert.deepEqual(
    linted.body.findings.map(({ rule, line }: { rule: string; line: number }) => [rule, line]),
    [['loopback-host', 8]],
  );
  assert.equal(registry.count(/shop\/web/), 0);

  for (const what of ['pin', 'diff']) assert.equal((await post(viewer, what, {})).status, 403, what);
  const pinned = await post(operator, 'pin', { document });
  assert.deepEqual([pinned.status, pinned.body.outcome], [200, 'changed']);
  assert.match(
    pinned.body.document,
    new RegExp(`name: web # the front\n(?:.*\n){2} +version: 1.4.0\n +digest: ${digest}`),
  );

  const away = await post(operator, 'pin', { document: toDraft('registry.example/shop/web') });
  assert.deepEqual([away.status, away.body.outcome, away.body.document], [200, 'failed', undefined]);
  assert.equal(away.body.problems[0].error.code, 'SVC-POL-001');

  const diff = await post(operator, 'diff', {
    old: { reference: `${registry.host}/cookbook/shop:1.0.0` },
    new: { document: pinned.body.document },
  });
  assert.equal(diff.status, 200);
  assert.deepEqual([diff.body.changed, diff.body.totals.transferBytes], [[], 0]);

  for (const [what, body, code, status] of [
    ['pin', { document: 'a: [' }, 'SVC-VAL-001', 422],
    ['pin', { document: '#'.repeat((4 << 20) + 1) }, 'SVC-VAL-002', 413],
    ['pin', { document, platforms: ['linux'] }, 'SVC-VAL-001', 422],
    ['diff', { old: { document }, new: { document, reference: 'x' } }, 'SVC-VAL-001', 422],
    ['diff', { old: { document }, new: { document } }, 'SVC-VAL-001', 422],
  ] as const) {
    const refused = await post(operator, what, body);
    assert.deepEqual([refused.status, refused.body.code], [status, code], what);
  }
  assert.equal((await instance.api('GET', '/content')).body.total, 0);

  // a recipe of the store has its name, as on the command line
  const reference = `${instance.host}/registry.example/cookbook/shop:1.1.0`;
  const published = await post(operator, 'publish', { reference, document: pinned.body.document });
  assert.equal(published.status, 200, JSON.stringify(published.body));
  const stored = await post(operator, 'diff', {
    old: { reference: 'shop@1.1.0' },
    new: { reference: `${registry.host}/cookbook/shop:1.0.0` },
  });
  assert.equal(stored.status, 200, JSON.stringify(stored.body));
  assert.equal(stored.body.old.version, '1.1.0', JSON.stringify(stored.body));
  const unknown = await post(operator, 'diff', {
    old: { reference: 'shop@1.1.1' },
    new: { document: pinned.body.document },
  });
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'SVC-REG-005']);
});

test('pins that wait for a silent registry leave places to others, and free their own when their client leaves', async () => {
  await using folder = await openTempFolder();
  await using registry = await createRegistryDouble();
  await using instance = await startInstance({
    folder: folder.path,
    config: { registries: { insecure: [registry.host] } },
  });
  const asked = new Map<string, () => void>();
  registry.intercept(({ path }) => {
    asked.get(path.split('/')[2]!)?.();
    return true;
  });
  /** Pins an image that never comes. @returns once the registry was asked for it */
  const pin = async (token: string, name: string) => {
    const leave = new AbortController();
    const there = new Promise<void>((resolve) => asked.set(name, resolve));
    const document = `apiVersion: recipe.tobby.dev/v1alpha1\nkind: Recipe\nmetadata: {name: shop, version: 1.0.0}\nspec:\n  ingredients:\n    - {name: web, kind: ContainerImage, ref: ${registry.host}/${name}/web, version: 1.0.0}\n`;
    const done = fetch(`${instance.url}/api/v1/recipes/pin`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ document }),
      signal: leave.signal,
    }).then(
      ({ status }) => status,
      () => 'left',
    );
    await Promise.race([there, done]);
    return { leave: () => leave.abort(), done };
  };
  const anna = await instance.createToken('operator');
  const ben = await instance.createToken('operator');
  const first = await pin(anna, 'a1');
  const others = [await pin(anna, 'a2'), await pin(anna, 'a3')];
  const [refused, ofBen] = await Promise.all([pin(anna, 'a4'), pin(ben, 'b1')]);
  assert.equal(await refused.done, 503);
  first.leave();
  assert.equal(await first.done, 'left');
  const next = await pin(anna, 'a5');
  for (const { leave, done } of [...others, ofBen, next]) {
    leave();
    assert.equal(await done, 'left');
  }
});

import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { test } from 'node:test';
import type { PlanAnswer } from '../../src/contract/plan.ts';
import type { ErrorRecord } from '../../src/text/error.ts';
import { buildImage, digestsOf } from '../kit/content/content.ts';
import { type IngredientSpec, publishRecipe, type RecipeSpec, toOrigin } from '../kit/content/origin.ts';
import { createSigner } from '../kit/content/signer.ts';
import { listHeldAt } from '../kit/result/held-at.ts';
import { openRehearsal, type Rehearsal } from '../kit/scene/rehearsal.ts';

/** A socket that must never be reached. */
async function openTrap(): Promise<{ host: string; connections: () => number } & AsyncDisposable> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('what is not signed as trusted is refused with its code, and the neighbour passes', async (t) => {
  await using world = await openRehearsal({ inProcess: true });
  const double = await world.double();
  const origin = toOrigin(double);
  const foreign = createSigner();
  const image = buildImage('refused');
  const neighbour = buildImage('neighbour');
  await origin.put('shop/refused', image, '1.0');
  await origin.put('shop/neighbour', neighbour, '1.0');
  const ingredient = (name: string, digest: string): IngredientSpec => ({
    name,
    repository: `shop/${name}`,
    version: '1.0',
    digest,
  });
  const refused = ingredient('refused', image.manifest.descriptor.digest);
  const recipe = (name: string, signatures: RecipeSpec['signatures'] = []) =>
    publishRecipe(origin, { name, version: '1.0.0', ingredients: [refused], signatures });
  await publishRecipe(origin, {
    name: 'neighbour',
    version: '1.0.0',
    ingredients: [ingredient('neighbour', neighbour.manifest.descriptor.digest)],
    // a wrong signature beside a right one changes nothing
    signatures: [{ signer: foreign, layout: 'bundle' }, { signer: world.signer }],
  });
  for (const layout of ['classic', 'bundle'] as const) {
    await recipe(`foreign-${layout}`, [{ signer: foreign, layout }]);
    await recipe(`elsewhere-${layout}`, [{ signer: world.signer, layout, tamper: 'other-subject' }]);
    await recipe(`broken-${layout}`, [{ signer: world.signer, layout, tamper: 'broken-signature' }]);
  }
  await recipe('unsigned');
  const tampered = await recipe('tampered', [{ signer: world.signer }]);
  const layer = JSON.parse(double.manifest('cookbook/tampered', '1.0.0')!.bytes.toString()).layers[0].digest;
  double.corrupt(
    'cookbook/tampered',
    layer,
    // of the same length: only the digest tells
    Buffer.from(tampered.document.toString().replace('shop/refused', 'shop/another')),
  );
  const swapped = await recipe('swapped', [{ signer: world.signer }]);
  assert.ok(swapped.descriptor.digest);
  // another document under the tag, whose signature nobody made
  await publishRecipe(origin, {
    name: 'swapped',
    version: '1.0.0',
    ingredients: [refused, { ...refused, name: 'added' }],
  });

  const expected = new Map<string, readonly [string, string?]>([
    ['foreign-classic', ['SVC-SIG-001', 'untrusted']],
    ['foreign-bundle', ['SVC-SIG-001', 'untrusted']],
    ['elsewhere-classic', ['SVC-SIG-001']],
    ['elsewhere-bundle', ['SVC-SIG-001']],
    ['broken-classic', ['SVC-SIG-001', 'untrusted']],
    ['broken-bundle', ['SVC-SIG-001', 'untrusted']],
    ['unsigned', ['SVC-SIG-001', 'none']],
    ['swapped', ['SVC-SIG-001', 'none']],
    ['tampered', ['SVC-SIG-002']],
  ]);
  const retriever = await world.retriever('zone', {
    cookbook: `${origin.host}/cookbook`,
    recipes: ['neighbour', ...expected.keys()].map((name) => ({ name, version: '1.0.0' })),
  });
  const mirror = await world.start('mirror', {
    mode: 'mirror',
    retriever: { source: retriever },
    registries: await world.registries([origin.host]),
    trust: world.trust,
  });
  const judge = (code: string | undefined, error: { params: object } | undefined, name: string) => {
    const [wanted, reason] = expected.get(name)!;
    assert.equal(code, wanted, name);
    if (reason !== undefined) assert.equal((error!.params as { reason?: string }).reason, reason, name);
  };

  await t.test('in a plan', async () => {
    const planned = await world.svc(['sync', '--dry-run', '--config', mirror.configPath, '--output', 'json']);
    assert.equal(planned.exitCode, 4, planned.stderr);
    const { plan } = JSON.parse(planned.stdout) as PlanAnswer;
    assert.equal(plan.outcome, 'verification-failed');
    for (const one of plan.recipes.filter(({ name }) => name !== 'neighbour'))
      judge(one.problem?.code, one.problem, one.name);
    assert.equal(plan.recipes.find(({ name }) => name === 'neighbour')!.signature, 'verified');
  });

  await t.test('in a synchronization', async () => {
    const { result, task } = await world.sync(mirror);
    assert.equal(result.exitCode, 4, result.stderr);
    assert.equal(task.principalCode, 'SVC-SIG-001');
    const errors = new Map<string, ErrorRecord | undefined>(
      task.items
        .filter(({ name }) => !name.includes('/'))
        .map(({ name, error }) => [name.split('@')[0]!, error]),
    );
    for (const name of expected.keys()) judge(errors.get(name)?.code, errors.get(name), name);
    assert.equal(errors.get('neighbour'), undefined);
    const at = (name: string) => ({
      registry: mirror.url,
      repository: `${origin.host.replace(':', '_')}/shop/${name}`,
      authorization: mirror.authorization,
    });
    assert.deepEqual(await listHeldAt(at('neighbour'), neighbour), digestsOf(neighbour).sort());
    assert.deepEqual(await listHeldAt(at('refused'), image), []);
    assert.equal(double.count(/\/shop\/refused\//), 0, 'nothing was acted on before it was verified');
  });

  await t.test('and each refusal is counted and logged with its code', async () => {
    const metrics = await (await fetch(`${mirror.url}/metrics`)).text();
    assert.match(metrics, /svc_verification_failures_total\{code="SVC-SIG-001"\} [1-9]/);
    assert.match(metrics, /svc_verification_failures_total\{code="SVC-SIG-002"\} 1/);
    assert.match(mirror.log(), /SVC-SIG-002/);
  });
});

async function publishOff(
  world: Rehearsal,
  ingredients: (host: string) => readonly IngredientSpec[],
): Promise<Awaited<ReturnType<Rehearsal['double']>>> {
  const double = await world.double();
  const origin = toOrigin(double);
  await origin.put('shop/web', buildImage('off'), '1.0');
  await publishRecipe(origin, {
    name: 'off',
    version: '1.0.0',
    ingredients: ingredients(origin.host),
    signatures: [{ signer: world.signer }],
  });
  return double;
}

test('a host that is not listed is refused before a socket opens', async (t) => {
  await using world = await openRehearsal({ inProcess: true });
  await using trap = await openTrap();
  const web: IngredientSpec = {
    name: 'web',
    repository: 'shop/web',
    version: '1.0',
    digest: buildImage('off').manifest.descriptor.digest,
  };
  /** Runs with everything allowed but the list: plain HTTP to the trap would be fine. */
  const refuse = async (
    name: string,
    double: { readonly host: string },
    cookbook: string,
    more: Readonly<Record<string, unknown>> = {},
    expectedHop?: RegExp,
  ): Promise<void> => {
    const retriever = await world.retriever(name, { cookbook, recipes: [{ name: 'off', version: '1.0.0' }] });
    const zone = await world.start(name, {
      retriever: { source: retriever },
      registries: {
        ...(await world.registries([double.host])),
        insecure: [double.host, trap.host],
        allowlist: [double.host],
      },
      trust: world.trust,
      ...more,
    });
    const { result, task } = await world.sync(zone);
    assert.equal(result.exitCode, 3, result.stdout);
    assert.equal(task.principalCode, 'SVC-POL-001');
    const error = task.error ?? task.items.find((item) => item.error?.code === 'SVC-POL-001')!.error!;
    assert.equal(error.params.host, trap.host);
    if (expectedHop) assert.match(String(error.params.hop), expectedHop);
    assert.equal(trap.connections(), 0);
    assert.match(zone.log(), /SVC-POL-001/);
    await zone.stop();
  };

  await t.test('as the host of an ingredient', async () => {
    const double = await publishOff(world, () => [{ ...web, host: trap.host }]);
    await refuse('ingredient', double, `${double.host}/cookbook`);
  });

  await t.test('as the host of a cookbook', async () => {
    const double = await publishOff(world, () => [web]);
    await refuse('cookbook', double, `${trap.host}/cookbook`);
  });

  await t.test('as the host of a destination', async () => {
    const double = await publishOff(world, () => [web]);
    await refuse('destination', double, `${double.host}/cookbook`, { destination: { registry: trap.host } });
  });

  await t.test('as the target of a redirect', async () => {
    const double = await publishOff(world, () => [web]);
    double.intercept((request, response) => {
      if (!/\/shop\/web\/blobs\//.test(request.path)) return false;
      response.writeHead(307, { location: `http://${trap.host}/elsewhere` });
      response.end();
      return true;
    });
    await refuse('redirect', double, `${double.host}/cookbook`, {}, /redirect/i);
  });

  await t.test('as the realm of a token', async () => {
    const double = await publishOff(world, () => [web]);
    double.options = {
      auth: { kind: 'bearer', username: 'admin', password: 'x', realm: `http://${trap.host}/token` },
    };
    await refuse('realm', double, `${double.host}/cookbook`, {}, /realm|token/i);
  });

  await t.test('as the host of a trust root by URL or of the Retriever', async () => {
    const double = await publishOff(world, () => [web]);
    const zone = await world.start('retriever', {
      retriever: { source: `https://${trap.host}/retriever.yaml` },
      registries: { allowlist: [double.host] },
      trust: world.trust,
    });
    const { result, task } = await world.sync(zone);
    assert.equal(result.exitCode, 3, result.stderr);
    assert.equal(task.principalCode, 'SVC-POL-001');
    assert.equal(trap.connections(), 0);
  });
});

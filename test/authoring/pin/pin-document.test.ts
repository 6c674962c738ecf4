import assert from 'node:assert/strict';
import { after, before, beforeEach, type TestContext, test } from 'node:test';
import { type PinChoices, pinRecipe } from '../../../src/authoring/pin/pin-document.ts';
import { parseRecipe } from '../../../src/recipe/document.ts';
import { buildImage, buildIndex } from '../../kit/content/content.ts';
import { buildHelmChart } from '../../kit/content/helm-chart.ts';
import { toOrigin } from '../../kit/content/origin.ts';
import { openRemoteRegistry } from '../../kit/instance/remote-registry.ts';
import { createRegistryDouble, type RegistryDouble } from '../../kit/result/registry-double.ts';

let registry: RegistryDouble;
const image = buildImage('pin');
const other = buildImage('pin other');
const index = buildIndex('pin index', ['linux/amd64', 'linux/arm64']);
const chart = buildHelmChart('shop', '1.4.0');
const digestOf = (artifact: typeof image) => artifact.manifest.descriptor.digest;

before(async () => {
  registry = await createRegistryDouble();
  const origin = toOrigin(registry);
  for (const tag of ['1.3.0', '1.4.0', '1.4.2', '2.0.0-rc.1']) await origin.put('shop/web', image, tag);
  await origin.put('shop/db', index, '16.2');
  await origin.put('shop/chart', chart, '1.4.0');
});
after(() => registry[Symbol.asyncDispose]());
beforeEach(() => registry.requests.splice(0));

const cookedAt = '2026-11-22T22:00:00Z';
const choices: PinChoices = { platforms: [], update: 'none', cookedAt };

function toDraft(ingredients: string, head = ''): string {
  return `# a recipe
apiVersion: recipe.tobby.dev/v1alpha1
kind: Recipe
metadata:
  name: shop   # the shop
  version: 0.1.0
${head}spec:
  ingredients:
${ingredients}`;
}
const draft = (text: string) => toDraft(text.replaceAll('HOST', registry.host));

async function pin(t: TestContext, text: string, some: Partial<PinChoices> = {}) {
  const result = await pinRecipe(
    { ...choices, ...some, document: Buffer.from(text), file: 'draft.yaml' },
    { registry: openRemoteRegistry(t, [registry.host], { retries: 0 }) },
  );
  return { ...result, text: result.document?.toString() };
}

const web = `    - name: web   # found in the chart
      kind: ContainerImage
      ref: HOST/shop/web
      version: '^1.4'   # not 2 yet
`;
const pinnedWeb = () =>
  web
    .replace("'^1.4'", "'1.4.2'")
    .replace('# not 2 yet\n', `# not 2 yet\n      digest: ${digestOf(image)}\n`);

test('constraints and tags become digests, and no other byte of the draft changes', async (t) => {
  const rest = `
    # the database
    - {name: db, kind: ContainerImage, ref: HOST/shop/db, version: "16.2", platforms: [linux/arm64]}
    - name: chart
      version: 1.4.0
      ref: HOST/shop/chart
      kind: HelmChart
      # no more
`;
  const { text, outcome, changes } = await pin(t, draft(web + rest), { version: '1.4.0' });
  assert.equal(outcome, 'changed');
  const expected = draft(pinnedWeb() + rest)
    .replace('version: "16.2"', `version: "16.2", digest: ${digestOf(index)}`)
    .replace('version: 1.4.0\n', `version: 1.4.0\n      digest: ${digestOf(chart)}\n`)
    .replace(
      'version: 0.1.0\n',
      `version: 1.4.0\n  annotations:\n    recipe.tobby.dev/cooked-at: "${cookedAt}"\n`,
    );
  assert.equal(text, expected);
  assert.deepEqual(
    changes.map(({ name, from, to }) => [name, from.version, to.version]),
    [
      ['web', '^1.4', '1.4.2'],
      ['db', '16.2', '16.2'],
      ['chart', '1.4.0', '1.4.0'],
    ],
  );
});

const listRequests = () => registry.requests.map(({ method, path }) => `${method} ${path}`);

test('what is pinned stays when its registry has it, and a recipe with nothing to do keeps its time', async (t) => {
  const pinned = draft(pinnedWeb());
  const { text, outcome, findings } = await pin(t, pinned);
  assert.deepEqual([outcome, text, findings], ['unchanged', pinned, []]);
  assert.deepEqual(listRequests(), [
    'HEAD /v2/shop/web/manifests/1.4.2',
    `GET /v2/shop/web/manifests/${digestOf(image)}`,
  ]);
});

test('a digest that its registry does not have, or has without the platforms, is a problem though it is pinned', async (t) => {
  const nowhere = draft(pinnedWeb().replace(digestOf(image), `sha256:${'0'.repeat(64)}`));
  const { outcome, problems, document } = await pin(t, nowhere);
  assert.deepEqual([outcome, document], ['failed', undefined]);
  assert.deepEqual(
    problems.map(({ name, line, error }) => [name, line, error.code]),
    [['web', 9, 'SVC-REG-005']],
  );
  const lacking = draft(`${pinnedWeb()}      platforms: [linux/s390x]\n`);
  assert.equal((await pin(t, lacking)).problems[0]?.error.code, 'SVC-REG-008');
});

test('a tag that moved away from a pinned digest, or is gone, is said and is no problem', async (t) => {
  registry.requests.splice(0);
  await toOrigin(registry).put('shop/moved', image, '1.4.2');
  await toOrigin(registry).put('shop/moved', other, '1.4.2');
  const moved = draft(pinnedWeb().replace('shop/web', 'shop/moved'));
  const { outcome, findings } = await pin(t, moved);
  assert.equal(outcome, 'unchanged');
  const shown = ({ rule, severity, line, params }: (typeof findings)[number]) => [
    rule,
    severity,
    line,
    params.actual,
  ];
  assert.deepEqual(findings.map(shown), [['tag-moved', 'warning', 13, digestOf(other)]]);
  const gone = await pin(t, moved.replace("'1.4.2'", "'1.4.9'"));
  assert.deepEqual(
    [gone.outcome, ...gone.findings.map(shown)],
    ['unchanged', ['tag-gone', 'warning', 12, undefined]],
  );
});

test('an update asks for the tags again, of all or of the named ingredients', async (t) => {
  const stale = digestOf(other);
  await toOrigin(registry).put('shop/web', other, '0.9.0');
  const two = draft(
    `${pinnedWeb()}    - {name: db, kind: ContainerImage, ref: HOST/shop/db, version: "16.2", digest: "${digestOf(image)}"}\n`,
  ).replace(digestOf(image), stale);
  const named = await pin(t, two, { update: ['db'] });
  assert.deepEqual(
    named.changes.map(({ name }) => name),
    ['db'],
  );
  assert.ok(named.text!.includes(stale));
  const all = await pin(t, two, { update: 'all' });
  assert.equal(all.text!.includes(stale), false);
  await assert.rejects(pin(t, two, { update: ['dbb'] }), {
    code: 'SVC-VAL-001',
    params: { file: 'draft.yaml', rule: 'has no ingredient named dbb', problem: 'name' },
  });
});

test('one failure names all failures with their lines, and there is no document', async (t) => {
  const text = draft(`${web}    - {name: gone, kind: ContainerImage, ref: HOST/shop/web, version: "9.9"}
    - {name: none, kind: ContainerImage, ref: HOST/shop/web, version: ^9}
    - {name: s390x, kind: ContainerImage, ref: HOST/shop/db, version: "16.2", platforms: [linux/s390x]}
    - {name: kind, kind: HelmChart, ref: HOST/shop/web, version: 1.4.0}
    - {name: vendored, kind: HelmChart, ref: HOST/shop/chart, version: 1.4.0, vendorDependencies: true}
    - {name: away, kind: ContainerImage, ref: "127.0.0.1:9/shop/web", version: 1.4.0}
`);
  const { outcome, problems, document, changes } = await pin(t, text);
  assert.deepEqual([outcome, document, changes], ['failed', undefined, []]);
  assert.deepEqual(
    problems.map(({ name, path, line, error }) => [name, path, line, error.code]),
    [
      ['gone', 'spec.ingredients[1]', 13, 'SVC-REG-005'],
      ['none', 'spec.ingredients[2]', 14, 'SVC-REG-006'],
      ['s390x', 'spec.ingredients[3]', 15, 'SVC-REG-008'],
      ['kind', 'spec.ingredients[4]', 16, 'SVC-SIG-003'],
      ['vendored', 'spec.ingredients[5]', 17, 'SVC-VAL-001'],
      ['away', 'spec.ingredients[6]', 18, 'SVC-REG-002'],
    ],
  );
});

test('platforms are written for images that name none, when these have them', async (t) => {
  const platforms = [{ os: 'linux', architecture: 'amd64' }];
  const text = draft(`${pinnedWeb()}    - name: chart
      kind: HelmChart
      ref: HOST/shop/chart
      version: 1.4.0
`);
  const result = await pin(t, text, { platforms });
  const [first, second] = parseRecipe(result.document!, 'x').ingredients;
  assert.deepEqual([first!.platforms, second!.platforms], [platforms, []]);
  assert.match(result.text!, new RegExp(`digest: ${digestOf(image)}\n      platforms: \\[linux/amd64\\]\n`));
  // the digest that was there is the one that is looked at
  assert.equal(registry.count(/^GET .*shop\/web\/manifests\/1/), 0);
  const absent = await pin(t, text, { platforms: [{ os: 'linux', architecture: 's390x' }] });
  assert.deepEqual(
    absent.problems.map(({ error }) => error.code),
    ['SVC-REG-008'],
  );
});

test('each image is asked for once: what its tag names, and this manifest by its digest', async (t) => {
  const many = Array.from(
    { length: 12 },
    (_, i) =>
      `    - {name: i${i}, kind: ContainerImage, ref: HOST/shop/db, version: "16.2", platforms: [linux/amd64]}\n`,
  );
  const { changes } = await pin(t, draft(many.join('')));
  assert.equal(changes.length, 12);
  assert.deepEqual(listRequests(), [
    'HEAD /v2/shop/db/manifests/16.2',
    `GET /v2/shop/db/manifests/${digestOf(index)}`,
  ]);
});

test('a manifest of an unknown type and a malformed manifest are reported as permanent failures', async (t) => {
  const codeOf = async (tag: string) => {
    const { outcome, problems } = await pin(t, draft(web).replace("'^1.4'", tag));
    assert.equal(outcome, 'failed');
    return problems[0]!.error.code;
  };
  const put = (tag: string, document: object | Buffer, mediaType: string) =>
    registry.putManifest('shop/web', document, { tag, mediaType });
  put('8.0.1', { schemaVersion: 1, fsLayers: [] }, 'application/vnd.docker.distribution.manifest.v1+json');
  put(
    '8.0.2',
    { schemaVersion: 2, mediaType: 'application/vnd.example+json' },
    'application/vnd.example+json',
  );
  put('8.0.3', Buffer.from('[]'), image.manifest.descriptor.mediaType);
  for (const tag of ['8.0.1', '8.0.2', '8.0.3']) assert.equal(await codeOf(tag), 'SVC-REG-009', tag);
});

test('a registry that answers tag and digest differently is caught', async (t) => {
  const lies: readonly [how: string, code: string, intercept: Parameters<RegistryDouble['intercept']>[0]][] =
    [
      [
        'other content under the digest',
        'SVC-SIG-002',
        ({ method, path }, response) => {
          if (method !== 'GET' || !path.endsWith(digestOf(image))) return false;
          response.writeHead(200, {
            'content-type': other.manifest.descriptor.mediaType,
            'docker-content-digest': digestOf(image),
          });
          response.end(other.manifest.bytes);
          return true;
        },
      ],
      [
        'nothing under the digest to who reads it',
        'SVC-REG-005',
        ({ method, path }, response) => {
          if (method !== 'GET' || !path.endsWith(digestOf(image))) return false;
          response.writeHead(404);
          response.end();
          return true;
        },
      ],
      [
        'a digest of nothing',
        'SVC-REG-005',
        ({ method, path }, response) => {
          if (method !== 'HEAD' || !path.endsWith('/1.4.2')) return false;
          response.writeHead(200, {
            'content-type': image.manifest.descriptor.mediaType,
            'content-length': image.manifest.bytes.length,
            'docker-content-digest': `sha256:${'1'.repeat(64)}`,
          });
          response.end();
          return true;
        },
      ],
      [
        'a false size',
        'SVC-SIG-002',
        ({ method, path }, response) => {
          if (method !== 'HEAD' || !path.endsWith('/1.4.2')) return false;
          response.writeHead(200, {
            'content-type': image.manifest.descriptor.mediaType,
            'content-length': image.manifest.bytes.length + 1,
            'docker-content-digest': digestOf(image),
          });
          response.end();
          return true;
        },
      ],
      [
        'a size beyond any manifest',
        'SVC-REG-009',
        ({ method, path }, response) => {
          if (method !== 'HEAD' || !path.endsWith('/1.4.2')) return false;
          response.writeHead(200, {
            'content-type': image.manifest.descriptor.mediaType,
            'content-length': 2 ** 40,
            'docker-content-digest': digestOf(image),
          });
          response.end();
          return true;
        },
      ],
    ];
  for (const [how, code, intercept] of lies) {
    const stop = registry.intercept(intercept);
    const { outcome, problems } = await pin(t, draft(web));
    stop();
    assert.deepEqual([outcome, problems[0]?.error.code], ['failed', code], how);
  }
});

test('what a registry serves to who reads the tag itself is never pinned', async (t) => {
  await toOrigin(registry).put('shop/web', other, 'other');
  t.after(
    registry.intercept(({ method, path }, response) => {
      if (method !== 'GET' || !path.endsWith('/1.4.2')) return false;
      response.writeHead(200, {
        'content-type': other.manifest.descriptor.mediaType,
        'docker-content-digest': digestOf(other),
      });
      response.end(other.manifest.bytes);
      return true;
    }),
  );
  const { changes } = await pin(t, draft(web));
  assert.equal(changes[0]?.to.digest, digestOf(image));
});

test('a tag that moves while its former manifest is removed is asked for once more', async (t) => {
  const origin = toOrigin(registry);
  await origin.put('shop/moving', image, '1.4.2');
  let moves = 0;
  t.after(
    registry.intercept(async ({ method, path }, response) => {
      if (method !== 'GET' || !path.endsWith(`/shop/moving/manifests/${digestOf(image)}`)) return false;
      if (moves++ === 0) await origin.put('shop/moving', other, '1.4.2');
      response.writeHead(404);
      response.end();
      return true;
    }),
  );
  const { outcome, changes } = await pin(t, draft(web.replace('shop/web', 'shop/moving')));
  assert.deepEqual([outcome, changes[0]?.to.digest, moves], ['changed', digestOf(other), 1]);
});

test('a registry whose HEAD names no digest is asked for the manifest, which is then read by its digest', async (t) => {
  await using bare = await createRegistryDouble({ headDigest: false });
  await toOrigin(bare).put('shop/web', image, '1.4.0');
  const { host } = bare;
  const { outcome } = await pinRecipe(
    { ...choices, document: Buffer.from(toDraft(web.replaceAll('HOST', host))), file: 'draft.yaml' },
    { registry: openRemoteRegistry(t, [host], { retries: 0 }) },
  );
  assert.equal(outcome, 'changed');
  assert.equal(bare.count(/^GET .*manifests\/1\.4\.0$/), 1);
  assert.equal(bare.count(new RegExp(`^GET .*manifests/${digestOf(image)}$`)), 1);
});

test('a digest beside a constraint is a demand that only an update gives up', async (t) => {
  const demanded = draft(web.replace('# not 2 yet', `# not 2 yet\n      digest: ${digestOf(other)}`));
  const { problems } = await pin(t, demanded);
  assert.deepEqual(
    problems.map(({ error }) => [error.code, error.params.path]),
    [['SVC-VAL-001', 'spec.ingredients[0].digest']],
  );
  assert.equal((await pin(t, demanded, { update: ['web'] })).outcome, 'changed');
});

test('a draft that is hostile is refused before a registry is asked', async (t) => {
  const bomb = `a: &a ["x","x"]\n${Array.from({ length: 9 }, (_, i) => `b${i}: &b${i} [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n`).join('')}`;
  const many = Array.from(
    { length: 10_001 },
    (_, i) => `    - {name: i${i}, kind: ContainerImage, ref: HOST/shop/web, version: ^1}\n`,
  ).join('');
  for (const text of [bomb, draft(many), draft(web).replace('kind: Recipe', 'kind: Retriever')])
    await assert.rejects(pin(t, text), { code: 'SVC-VAL-001' });
  await assert.rejects(pin(t, draft(web), { version: '1.4' }), { code: 'SVC-VAL-001' });
  await assert.rejects(pin(t, `${draft(web)}${'#'.repeat(4 << 20)}`), { code: 'SVC-VAL-002' });
  assert.equal(registry.requests.length, 0);
});

test('a pin that is interrupted ends with the reason, while a registry stalls', async (t) => {
  const leave = new AbortController();
  const stop = registry.intercept(({ path }) => {
    if (!path.includes('/manifests/')) return false;
    leave.abort(new Error('left'));
    return true;
  });
  t.after(stop);
  const sources = {
    registry: openRemoteRegistry(t, [registry.host], { retries: 0 }),
    signal: leave.signal,
  };
  await assert.rejects(
    pinRecipe({ ...choices, document: Buffer.from(draft(web)), file: 'draft.yaml' }, sources),
    /left/,
  );
});

test('a registry that takes too long costs its time once, is named, and holds up no other', async (t) => {
  const slow = await createRegistryDouble();
  t.after(() => slow[Symbol.asyncDispose]());
  slow.intercept(() => true);
  const ingredient = (name: string, host: string) =>
    `    - {name: ${name}, kind: ContainerImage, ref: ${host}/shop/${name}, version: 1.4.0}\n`;
  const text = draft(
    `${Array.from({ length: 30 }, (_, i) => ingredient(`i${i}`, slow.host)).join('')}${ingredient('web', registry.host)}`,
  );
  const result = await pinRecipe(
    { ...choices, document: Buffer.from(text), file: 'draft.yaml' },
    { registry: openRemoteRegistry(t, [registry.host, slow.host], { retries: 3 }), time: 400 },
  );
  assert.deepEqual([result.outcome, result.problems.length], ['failed', 30]);
  for (const { error } of result.problems)
    assert.deepEqual(
      [error.code, error.params],
      ['SVC-REG-002', { host: slow.host, detail: 'its answer took longer than 400ms', problem: 'slow' }],
    );
  assert.ok(slow.requests.length <= 8, `${slow.requests.length} requests`);
  assert.ok(registry.requests.length > 0);
});

test('what show, diff and lint refuse is not pinned: sizes of no volume, disagreeing sizes, and deep nesting', async (t) => {
  const document = JSON.parse(image.manifest.bytes.toString());
  const [layer] = document.layers;
  const put = (tag: string, content: object, mediaType: string) =>
    registry.putManifest('shop/large', content, { tag, mediaType });
  const digest = (letter: string) => `sha256:${letter.repeat(64)}`;
  const huge = [
    { ...layer, digest: digest('a'), size: Number.MAX_SAFE_INTEGER },
    { ...layer, digest: digest('b'), size: Number.MAX_SAFE_INTEGER },
  ];
  put('1.0.0', { ...document, layers: huge }, document.mediaType);
  put('1.0.1', { ...document, layers: [layer, { ...layer, size: layer.size + 1 }] }, document.mediaType);
  const mediaType = 'application/vnd.oci.image.index.v1+json';
  const child = registry.putManifest('shop/large', image.manifest.bytes, { mediaType: document.mediaType });
  let manifests: readonly object[] = [child];
  for (let i = 0; i < 6; i += 1)
    manifests = [put(`2.0.${i}`, { schemaVersion: 2, mediaType, manifests }, mediaType)];
  put('3.0.0', { schemaVersion: 2, mediaType, manifests: [{ ...child, size: 2 ** 40 }] }, mediaType);
  const pinTag = async (version: string) => {
    const at = `    - {name: web, kind: ContainerImage, ref: HOST/shop/large, version: ${version}}\n`;
    const { problems } = await pin(t, draft(at));
    return problems.map(({ error }) => error.code).join();
  };
  assert.equal(await pinTag('1.0.0'), 'SVC-REG-009');
  assert.equal(await pinTag('1.0.1'), 'SVC-SIG-002');
  assert.equal(await pinTag('2.0.5'), 'SVC-REG-009');
  assert.equal(await pinTag('3.0.0'), 'SVC-REG-009');
  assert.equal(await pinTag('2.0.1'), '');
});

test('a release that the version of the draft does not take is named, with the version that would', async (t) => {
  const origin = toOrigin(registry);
  for (const tag of ['1.0.0', '1.1.0', '2.0.0', '2.1.0-rc.1', 'stable']) {
    await origin.put('team/chart', chart, tag);
    await origin.put('team/image', image, tag);
  }
  const one = (kind: string, name: string, version: string) =>
    draft(`    - name: it\n      kind: ${kind}\n      ref: HOST/team/${name}\n      version: '${version}'\n`);
  const newer = async (text: string, some: Partial<PinChoices> = {}) =>
    (await pin(t, text, some)).findings.map(({ rule, params }) => [rule, params.newest, params.constraint]);
  const found = [['newer-tag', '2.0.0', '^2.0.0']];
  assert.deepEqual(await newer(one('HelmChart', 'chart', '1.0.0')), found);
  assert.deepEqual(await newer(one('HelmChart', 'chart', '^1.0.0'), { version: '1.1.0' }), found);
  assert.deepEqual(await newer(one('HelmChart', 'chart', '^2.0.0')), []);
  assert.deepEqual(await newer(one('HelmChart', 'chart', '2.1.0-rc.1')), []);
  assert.deepEqual(await newer(one('HelmChart', 'chart', 'stable')), []);
  assert.deepEqual(await newer(one('ContainerImage', 'image', '^1.0.0')), found);
  // the author of an image has tested its exact tag
  registry.requests.splice(0);
  assert.deepEqual(await newer(one('ContainerImage', 'image', '1.0.0')), []);
  assert.ok(!registry.requests.some(({ path }) => path.includes('/tags/list')));
  assert.deepEqual(await newer(one('ContainerImage', 'image', '1.0.0'), { update: 'all' }), found);
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { GateRefusal } from '../../../../src/base/gate-refusal.ts';
import { openRepository } from '../../../../src/store/open-repository.ts';
import { recordSync } from '../../../../src/store/record-sync.ts';
import { svcError, toErrorRecord } from '../../../../src/text/error.ts';
import { buildImage, buildIndex, pushArtifact, toBlob } from '../../../kit/content/content.ts';
import { pushAsClient, uploadAsClient } from '../../../kit/content/push-as-client.ts';
import { toRecipeRecord } from '../../../kit/content/recipe-record.ts';
import { createSigner } from '../../../kit/content/signer.ts';
import { createOpenGate } from '../../../kit/instance/open-gate.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { passthroughRetriever } from '../../../kit/instance/test-instance.ts';
import { type BrowserSession, openBrowserSession } from '../../../kit/web/browser-session.ts';
import { toPageText } from '../../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../../kit/web/strict-html.ts';

const hostile = '<img src=x onerror=alert(1)>\u202e"\'..';

const signer = createSigner();

let folder: TempFolder;
let server: TestServer;
let viewer: BrowserSession;
let refusal: GateRefusal | undefined;
/** The version of a recipe that the next run cannot bring. */
let refusedVersion = '2.0.0';

let destination: string | undefined;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    hosts: ['zone-b.example'],
    gate: () => ({ ...createOpenGate({ rehash: false }), refusal: () => refusal }),
    retriever: () => ({
      ...passthroughRetriever,
      source: '/retriever.yaml',
      ...(destination === undefined ? {} : { destination }),
    }),
    roots: [{ name: 'release', key: signer.publicKey, fingerprint: signer.fingerprint }],
    run: async (_task, _request, journal) => {
      const error = toErrorRecord(svcError('SVC-SIG-001', { subject: 'shop', reason: 'untrusted' }));
      const item = { name: `shop@${refusedVersion}`, status: 'failed', transferredBytes: 0, error } as const;
      journal.setItems([{ ...item, status: 'pending' }]);
      const landed = { name: 'signed@2.0.0', status: 'done', transferredBytes: 4 } as const;
      await journal.settleItems([item, landed]);
    },
  });
  viewer = openBrowserSession(server);
  await server.accounts.create({ name: 'vera', role: 'viewer', password: 'a good password' });
  await viewer.signIn('vera', 'a good password');
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function open(path: string, status = 200, language = 'en') {
  const response = await viewer.get(path, { 'accept-language': language });
  const text = await response.text();
  assert.equal(response.status, status, text);
  parseStrictHtml(text, path);
  return { text, prose: toPageText(text) };
}

/** Two versions of one recipe whose large image is in the store, and a recipe with a hostile name. */
async function fill(): Promise<void> {
  const image = buildImage('big', { layerSize: 30_000 });
  const owner = {
    provenance: 'recipe',
    recipe: 'shop@1.10.0',
    cookbook: 'registry.example/cookbook',
  } as const;
  await pushArtifact(openRepository(server.store, 'docker.io/library/big', { owner }), image, '1');
  const of = (version: string, at: string) => {
    const record = toRecipeRecord('shop', version, [
      ['quay.io/x/absent', '2'],
      ['docker.io/library/big', '1'],
    ]);
    const ingredients = record.ingredients.map((each) =>
      each.tag === '1' ? { ...each, digest: image.manifest.descriptor.digest } : each,
    );
    return { ...record, resolvedAt: at, ingredients };
  };
  await recordSync(server.store, { zone: 'zone', runId: 'run', resolvedAt: '2026-06-01T00:00:00.000Z' }, [
    of('1.9.0', '2026-01-01T00:00:00.000Z'),
    of('1.10.0', '2026-06-01T00:00:00.000Z'),
    { ...toRecipeRecord(hostile, '1.0.0', [['docker.io/library/big', '1']]), verified: false },
  ]);
}

test('without a recipe the list says so', async () => {
  assert.match((await open('/recipes')).prose, /No recipe is in the store/);
  assert.match((await open('/recipes/-/shop', 404)).prose, /SVC-REG-005/);
});

test('the list has one row for each recipe, with its newest version by precedence', async () => {
  await fill();
  const { prose, text } = await open('/recipes');
  assert.match(prose, /Here 2 recipes are here/);
  assert.match(prose, /shop 1\.10\.0 verified 2 2/);
  assert.match(prose, /not verified here/);
  assert.doesNotMatch(text, /<img|\u202e/);
  assert.doesNotMatch((await open('/recipes?q=SHO')).prose, /(?<!was )not verified here/);
  assert.match((await open('/recipes?q=zzz')).prose, /Nothing matches zzz/);
});

test('the API filters recipes as the page does, and the page shows the request that does', async () => {
  const { text } = await open('/recipes?q=SHO');
  assert.match(text, /\/api\/v1\/recipes\?q=SHO/);
  const answer = await server.fetch('/api/v1/recipes?q=SHO', {
    headers: { authorization: server.as.viewer },
  });
  const { recipes } = (await answer.json()) as { readonly recipes: readonly { readonly name: string }[] };
  assert.deepEqual([...new Set(recipes.map(({ name }) => name))], ['shop']);
});

test('the API and the page order recipes by the same keys', async () => {
  const headers = { authorization: server.as.viewer };
  const ask = async (query: string): Promise<readonly { name: string; resolvedAt?: string }[]> => {
    const answer = await server.fetch(`/api/v1/recipes${query}`, { headers });
    return ((await answer.json()) as { recipes: { name: string; resolvedAt?: string }[] }).recipes;
  };
  const times = (await ask('?sort=landed')).flatMap(({ resolvedAt }) => resolvedAt ?? []);
  assert.deepEqual(times, [...times].sort().reverse());
  assert.ok(new Set(times).size > 1);
  const names = (await ask('?sort=name&order=desc')).map(({ name }) => name);
  assert.deepEqual(names, [...names].sort().reverse());
  const { text } = await open('/recipes?sort=ingredients');
  assert.match(
    text,
    /aria-sort="descending"><a class="sort" href="\/recipes\?sort=ingredients&amp;order=asc"/,
  );
  assert.ok(
    text.indexOf('/recipes/-/shop"') < text.indexOf('%3Cimg'),
    'the recipe with more ingredients first',
  );
});

test('the number of a page decides what a list shows: the asked number of entries, and past its end the way back', async () => {
  for (const [path, total] of [
    ['/recipes', 2],
    ['/content', 1],
    ['/content/docker.io/library/big', 1],
  ] as const) {
    const { prose, text } = await open(`${path}?page=9`);
    assert.match(prose, /The list has no such page/, path);
    assert.doesNotMatch(prose, /No recipe is in|no content yet|No version/, path);
    assert.match(text, /href="[^"]*page=1"/, path);
    assert.match((await open(`${path}?pageSize=1`)).prose, new RegExp(`1–1 of ${total}`), path);
  }
  assert.match((await open('/recipes?page=9', 200, 'fr')).prose, /La liste n’a pas cette page/);
});

test('a recipe shows what it is made of, the largest first, and when its versions landed', async () => {
  const { prose, text } = await open('/recipes/-/shop');
  assert.match(prose, /shop 1\.10\.0/);
  assert.ok(prose.indexOf('ingredient-1') < prose.indexOf('ingredient-0'), 'the largest first');
  assert.match(prose, /ingredient-1 image [\d.]+.KiB 100.%/);
  assert.match(prose, /ingredient-0 image not here 0.%/);
  assert.match(text, /href="\/content\/docker\.io\/library\/big\/-\/tags\/1"/);
  assert.match(prose, /1\.9\.0 1 Jan 2026 1\.10\.0 1 Jun 2026/);
  assert.match((await open('/recipes/-/shop?version=1.9.0')).prose, /shop 1\.9\.0/);
  assert.match((await open('/recipes/-/shop?version=7', 404)).prose, /SVC-REG-005/);
  const french = await open('/recipes/-/shop', 200, 'fr');
  assert.match(french.prose, /Ce qui la compose/);
});

test('a recipe says why the last run did not bring its version, with the remedy, until that version is here', async () => {
  const run = async (version: string): Promise<string> => {
    refusedVersion = version;
    const { id } = await server.tasks.submit({ type: 'sync', reference: '/retriever.yaml', actor: 'alice' });
    await server.tasks.settled(id);
    return id;
  };
  const id = await run('2.0.0');
  for (const [language, what, remedy] of [
    ['en', 'The last run did not bring version 2.0.0', 'add the public key to trust.roots'],
    ['fr', 'La dernière exécution n’a pas apporté la version 2.0.0', 'ajoutez la clé publique à trust.roots'],
  ] as const) {
    const { text, prose } = await open('/recipes/-/shop', 200, language);
    assert.ok(prose.includes(what) && prose.includes(remedy), prose);
    assert.ok(text.includes(`<a href="/tasks/${id}">`));
  }
  const { prose } = await open('/recipes/-/shop');
  assert.match(
    prose,
    /blocked shop 2\.0\.0 is blocked; 1\.10\.0 is served meanwhile and verified .* did not bring version 2/,
  );
  assert.match(prose, /newer version wanted: 2\.0\.0 ?, blocked/);
  assert.match(
    (await open('/recipes/-/shop', 200, 'fr')).prose,
    /bloquée shop 2\.0\.0 est bloquée\s; 1\.10\.0 est servie en attendant et vérifiée/,
  );
  assert.match((await open('/recipes/-/shop?version=1.10.0')).prose, /verified shop 1\.10\.0 is verified/);
  assert.match(
    (await open('/recipes')).prose,
    /Incomplete 2 recipes are wanted: 1 blocked, 1 missing, none here/,
  );
  assert.match(
    (await open('/recipes', 200, 'fr')).prose,
    /Incomplet 2 recettes sont demandées\s: 1 bloquée, 1 manquante, aucune ici/,
  );
  await run('1.10.0');
  assert.doesNotMatch((await open('/recipes/-/shop')).prose, /did not bring/);
});

test('the name of a recipe stays text, and its links lead to it', async () => {
  const list = (await open('/recipes')).text;
  const href = [...list.matchAll(/href="(\/recipes\/-\/[^"?]+)"/g)]
    .map(([, path]) => path!)
    .find((path) => path.includes('img'));
  const { text } = await open(href!.replaceAll('&#39;', "'"));
  assert.doesNotMatch(text, /<img/);
  const raw = text.split('\n').filter((line) => line.includes('\u202e'));
  assert.deepEqual(raw, []);
  assert.match(text, /&lt;img/);
  // a reader runs the copied command: the apostrophe of the name does not end its quotes
  const mapping = toPageText((await open(`${href!.replaceAll('&#39;', "'")}/mapping`)).text);
  for (const command of mapping.match(/curl .*?(?= From| svc|$)/g) ?? [])
    assert.equal(command.match(/'/g)?.length, 2, command);
  assert.match(mapping, /curl .*%27/);
});

test('the mapping has each version and the files for nodes, for the registry that is asked for', async () => {
  const { prose } = await open('/recipes/-/shop/mapping');
  const host = `zone-b.example:${new URL(server.url).port}`;
  assert.ok(prose.includes(`docker.io/library/big:1 ${host}/docker.io/library/big:1`));
  assert.match(prose, /registries\.yaml/);
  assert.match(prose, /\/etc\/containerd\/certs\.d\/quay\.io\/hosts\.toml/);
  const other = await open('/recipes/-/shop/mapping?registry=https://mirror.example');
  assert.ok(other.prose.includes('"https://mirror.example"'));
  const wrong = await open('/recipes/-/shop/mapping?registry=a%20b', 422);
  assert.match(wrong.prose, /SVC-VAL-001.* must be <host>/);
  assert.match(wrong.text, /name="registry" type="text" value="a b"/, 'it is corrected where it was typed');
  assert.match((await open('/recipes/-/none/mapping', 404)).prose, /SVC-REG-005/);
});

/** The hosts above the rows of a table, and the references of its rows. */
function readHosts(markup: string) {
  return {
    hosts: [...markup.matchAll(/<th scope="rowgroup"[^>]*>(.*?)<\/th>/g)].map(([, host]) =>
      toPageText(host!).trim(),
    ),
    references: [...markup.matchAll(/<code class="code"[^>]*>([a-z.]*\/?[a-z]+\/[a-z]+:\d)<\/code>/g)].map(
      ([, reference]) => reference!,
    ),
    copied: [...markup.matchAll(/data-copy="([a-z.]+\/[a-z]+\/[a-z]+:\d)"/g)].map(
      ([, reference]) => reference!,
    ),
  };
}

test('references of several hosts stand below their host where they are in order, and the whole is copied', async () => {
  const bySize = readHosts((await open('/recipes/-/shop')).text);
  assert.deepEqual(bySize.hosts, []);
  assert.deepEqual(bySize.references, ['docker.io/library/big:1', 'quay.io/x/absent:2']);
  const { text } = await open('/recipes/-/shop?sort=reference&order=desc');
  assert.deepEqual(readHosts(text), {
    hosts: ['quay.io', 'docker.io'],
    references: ['x/absent:2', 'library/big:1'],
    copied: ['quay.io/x/absent:2', 'docker.io/library/big:1'],
  });
  assert.match(text, /aria-sort="descending"><a class="sort" href="[^"]*sort=reference&amp;order=asc"/);
  const mapping = readHosts((await open('/recipes/-/shop/mapping?sort=nominal')).text);
  assert.deepEqual(mapping.hosts, ['docker.io', 'quay.io']);
  assert.deepEqual(mapping.references, ['library/big:1', 'x/absent:2']);
});

test('ingredients are ordered by each column, and one that is not here comes last by its size', async () => {
  const namesOf = async (path: string): Promise<readonly string[]> => {
    const { text } = await open(path);
    const [, table = ''] = /<section class="section" id="(?:ingredients|versions)"([\s\S]*?)<\/section>/.exec(
      text,
    )!;
    return [...table.matchAll(/<tr><th scope="row"[\s\S]*?(ingredient-\d)/g)].map(([, name]) => name!);
  };
  for (const [query, names] of [
    ['', ['ingredient-1', 'ingredient-0']],
    ['?sort=size&order=asc', ['ingredient-1', 'ingredient-0']],
    ['?sort=name', ['ingredient-0', 'ingredient-1']],
    ['?sort=name&order=desc', ['ingredient-1', 'ingredient-0']],
    ['?sort=reference', ['ingredient-1', 'ingredient-0']],
    ['/mapping', ['ingredient-0', 'ingredient-1']],
    ['/mapping?sort=place&order=desc', ['ingredient-1', 'ingredient-0']],
    ['/mapping?sort=nominal', ['ingredient-1', 'ingredient-0']],
  ] as const)
    assert.deepEqual(await namesOf(`/recipes/-/shop${query}`), names, query);
});

test('while the gate is closed the list shows names only, and a recipe is refused', async () => {
  refusal = { code: 'SVC-MED-032', mediaId: 'med_1' };
  try {
    const { prose, text } = await open('/recipes');
    assert.match(prose, /Only names are shown/);
    assert.doesNotMatch(prose, /1\.10\.0/);
    assert.doesNotMatch(text, /href="\/recipes\/-\//);
    for (const path of ['/recipes/-/shop', '/recipes/-/shop/mapping'])
      assert.match((await open(path, 403)).prose, /SVC-MED-032/);
  } finally {
    refusal = undefined;
  }
});

test('a path in the place of a name says how recipes are named', async () => {
  for (const path of ['/recipes/-/shop/web', '/recipes/-/registry.example/cookbook/shop/mapping']) {
    const { prose } = await open(path, 422);
    assert.match(prose, /must be lower-case letters and digits, joined by/, path);
  }
});

test('a version names who signed it, the task that brought it, its platforms, and leads to its document', async () => {
  const { server: at } = { server };
  destination = 'registry.zone-b.example';
  const document = toBlob('kind: Recipe # <img src=x>\u202e\nmetadata: {name: signed}\n');
  const cookbook = 'registry.example/cookbook/signed';
  await uploadAsClient(at.store, cookbook, document);
  const image = buildIndex('platforms');
  await pushAsClient(at.store, 'docker.io/library/many', image, '1');
  const task = await at.tasks.submit({ type: 'sync', reference: '/retriever.yaml', actor: 'test' });
  await at.tasks.settled(task.id);
  const record = toRecipeRecord('signed', '2.0.0', [['docker.io/library/many', '1']]);
  await recordSync(at.store, { zone: 'zone', runId: task.runId, resolvedAt: '2026-07-01T00:00:00.000Z' }, [
    {
      ...record,
      runId: task.runId,
      keyFingerprint: signer.fingerprint,
      documentDigest: document.descriptor.digest,
      ingredients: record.ingredients.map((each) => ({ ...each, digest: image.manifest.descriptor.digest })),
    },
    toRecipeRecord('bare', '1.0.0', [['docker.io/library/many', '1']]),
    { ...toRecipeRecord('old', '1.0.0', []), keyFingerprint: 'ab'.repeat(32) },
  ]);
  const { text, prose } = await open('/recipes/-/signed');
  assert.match(prose, /verified signed 2\.0\.0 is verified: signed by release/);
  assert.match(prose, new RegExp(`Brought by test Run ${task.runId}`));
  const byTask = `synchronization ${task.id}`;
  assert.match(
    prose,
    new RegExp(`Verified 1 Jul 2026, 00:00:00 UTC, ${byTask}|Verified 1 Jan 2026, .*, ${byTask}`),
  );
  assert.match(prose, new RegExp(`At the destination \\d+ \\S+ 20\\d\\d, \\S+ UTC, ${byTask}`));
  assert.match((await open('/recipes/-/signed', 200, 'fr')).prose, /À la destination \d+ /);
  assert.match(
    (await open('/recipes/-/old')).prose,
    /key withdrawn old 1\.0\.0 was verified when it landed; its key was withdrawn since/,
  );
  assert.match(prose, /signed by release/);
  assert.match(prose, new RegExp(`Signed by release ${signer.fingerprint}`));
  assert.match(prose, /linux\/amd64, linux\/arm64/);
  assert.match(text, new RegExp(`href="/tasks/${task.id}">Task of the run`));
  const link = /href="(\/recipes\/-\/signed\/document[^"]*)"/.exec(text)![1]!.replaceAll('&amp;', '&');
  const shown = await open(link);
  assert.match(shown.prose, /kind: Recipe # <img src=x>\\u202e metadata: \{name: signed\}/);
  assert.doesNotMatch(shown.text, /<img|\u202e/);
  assert.match((await open(link, 200, 'fr')).prose, /La signature le couvre/);
  const { text: without } = await open('/recipes/-/bare');
  assert.doesNotMatch(without, /bare\/document/, 'the store does not have that document');
  await open('/recipes/-/bare/document', 404);
  destination = undefined;
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parsePaging, readPages } from '../../../commands/client/paging.ts';
import { type PageOf, selectPage } from '../../../src/base/page.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import {
  type Artifact,
  buildImage,
  buildIndex,
  pushArtifact,
  toManifest,
} from '../../kit/content/content.ts';
import { pushAsClient } from '../../kit/content/push-as-client.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { findEnglish, runCommand, runInLanguage } from '../../kit/program/run-command.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { openBrowserSession } from '../../kit/web/browser-session.ts';
import { toPageText } from '../../kit/web/page-text.ts';

let folder: TempFolder;
let server: TestServer;
/** Settings of a reader of the store folder, and of a client of the instance. */
let ofStore: Readonly<Record<string, string>>;
let ofInstance: Readonly<Record<string, string>>;

const owners = {
  import: { provenance: 'import' },
  recipe: { provenance: 'recipe', recipe: 'shop@1.0.0', cookbook: 'registry.example/cookbook' },
} as const;

const hostile = 'evil\u001b[2J\u202egnp';

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path });
  const put = (repository: string, tag: string, artifact: Artifact, by: keyof typeof owners): Promise<void> =>
    pushArtifact(openRepository(server.store, repository, { owner: owners[by] }), artifact, tag);
  await put('registry.example/shop/web', '1.4.0', buildIndex('web'), 'recipe');
  await put('registry.example/shop/web', '1.4.1', buildImage('web 1'), 'import');
  await put('registry.example/tools', 'v1', buildImage('tools', { layerSize: 9000 }), 'import');
  const plain = buildImage('annotated');
  const document = JSON.parse(plain.manifest.bytes.toString('utf8'));
  const annotated = toManifest({
    ...document,
    mediaType: mediaTypes.ociManifest,
    annotations: { note: hostile },
  });
  await pushAsClient(server.store, 'team/app', { ...plain, manifest: annotated }, 'v1');
  ofStore = {
    SVC_STORAGE_ROOT: server.store.root,
    SVC_STATE_ROOT: `${folder.path}/state`,
    SVC_SERVER_ADDR: new URL(server.url).host,
  };
  ofInstance = { SVC_INSTANCE_URL: server.url, SVC_API_TOKEN: server.as.viewer.replace('Bearer ', '') };
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function run(args: readonly string[], env: Readonly<Record<string, string>>, expected = 0) {
  const result = await runInLanguage(['content', ...args], 'en', env);
  assert.equal(result.exitCode, expected, `${args.join(' ')}\n${result.stderr}${result.stdout}`);
  return result;
}

async function readDocument(args: readonly string[], env: Readonly<Record<string, string>>) {
  const { stdout } = await run([...args, '--output', 'json'], env);
  assertCliDocument(`svc content ${args[0]}`, stdout);
  return JSON.parse(stdout);
}

test('a store and the instance that serves it list and show the same', async () => {
  for (const args of [
    ['list'],
    ['list', '--kind', 'ContainerImage', '--sort', 'size'],
    ['list', '--search', 'web'],
    ['list', '--prefix', 'registry.example'],
    ['list', '--folders'],
    ['list', '--page', '2', '--page-size', '1'],
    ['show', 'registry.example/shop/web'],
    ['show', 'registry.example/shop/web', '--search', '1.4.1'],
    ['show', 'registry.example/shop/web:1.4.0'],
    ['show', 'team/app:v1', '--by', 'tag'],
  ])
    assert.deepEqual(await readDocument(args, ofStore), await readDocument(args, ofInstance), args.join(' '));
  const all = await readDocument(['list', '--all'], ofInstance);
  assert.deepEqual(
    all.repositories.map(({ name }: { name: string }) => name),
    ['registry.example/shop/web', 'registry.example/tools', 'team/app'],
  );
});

test('a page says how to see the others, and --all joins them', async () => {
  const { stdout } = await run(['list', '--page-size', '1'], ofInstance);
  assert.match(stdout, /\npage 1 of 3, 3 in all: --page 2, or --all\n$/);
  assert.match(
    (await run(['list', '--page', '3', '--page-size', '1'], ofStore)).stdout,
    /--page 1, or --all/,
  );
  const names = Array.from({ length: 450 }, (_, i) => `r${i}`);
  const paging = parsePaging({ page: undefined, pageSize: undefined, all: true });
  const joined = await readPages<PageOf & { readonly names: readonly string[] }>(
    paging,
    'names',
    async (query) => {
      const { selected, pageOf } = selectPage(names, query);
      return { names: selected, ...pageOf };
    },
  );
  assert.deepEqual(joined, { names, page: 1, totalPages: 1, total: 450 });
});

test('--all ends where an instance brings nothing new, and at a million entries', async () => {
  const paging = parsePaging({ page: undefined, pageSize: undefined, all: true });
  const count = async (namesOf: (page: number) => readonly string[], totalPages = 5000): Promise<number> => {
    let asked = 0;
    const read = async ({ page }: { readonly page: number }) => {
      asked += 1;
      return { names: namesOf(page), page, totalPages, total: 2 };
    };
    await readPages<PageOf & { readonly names: readonly string[] }>(paging, 'names', read).catch(
      ({ code }: { code: string }) => assert.equal(code, 'SVC-VAL-002'),
    );
    return asked;
  };
  assert.equal(await count((page) => (page < 3 ? [`r${page}`] : [])), 3);
  assert.equal(await count(() => ['same']), 2);
  assert.equal(await count((page) => [`r${page}`]), 5000);
  assert.equal(await count((page) => [`r${page}`], Number.MAX_SAFE_INTEGER), 1);
});

test('--all follows a list that grows while it is read, but not without end', async () => {
  const paging = parsePaging({ page: undefined, pageSize: undefined, all: true });
  const readGrowing = async (totalOf: (page: number) => number): Promise<readonly string[]> => {
    const read = async ({ page }: { readonly page: number }) => {
      const totalPages = totalOf(page);
      return { names: [`r${page}`], page, totalPages, total: 200 * totalPages };
    };
    return (await readPages<PageOf & { readonly names: readonly string[] }>(paging, 'names', read)).names;
  };
  assert.deepEqual(await readGrowing((page) => (page < 3 ? 3 : 4)), ['r1', 'r2', 'r3', 'r4']);
  let asked = 0;
  const endless = readGrowing((page) => {
    asked = page;
    return page + 1;
  });
  await assert.rejects(endless, { code: 'SVC-VAL-002' });
  assert.equal(asked, 4);
});

test('--all reads pages of the size that is asked for', async () => {
  for (const env of [ofStore, ofInstance])
    assert.deepEqual(
      (await readDocument(['list', '--all', '--page-size', '1'], env)).repositories,
      (await readDocument(['list', '--all'], env)).repositories,
    );
});

test('the commands that pull a version are those of its page', async () => {
  const session = openBrowserSession(server);
  await server.accounts.create({ name: 'vera', role: 'viewer', password: 'a good password' });
  await session.signIn('vera', 'a good password');
  for (const by of ['digest', 'tag']) {
    const name = 'registry.example/shop/web:1.4.0';
    const { pull } = await readDocument(['show', name, '--by', by], ofInstance);
    assert.equal(pull.length, 5);
    const page = await session.get(`/content/registry.example/shop/web/-/tags/1.4.0?by=${by}`);
    const prose = toPageText(await page.text());
    const { stdout } = await run(['show', name, '--by', by], ofInstance);
    for (const { command } of pull as readonly { command: string }[]) {
      assert.ok(prose.includes(command), command);
      assert.ok(stdout.includes(`  ${command}\n`), command);
    }
  }
});

test('the commands that pull a version come with those that sign in, unless nobody has to', async () => {
  const name = 'registry.example/shop/web:1.4.0';
  for (const env of [ofStore, ofInstance]) {
    const { login, pull } = await readDocument(['show', name], env);
    assert.deepEqual(
      login.map(({ client }: { client: string }) => client),
      pull.map(({ client }: { client: string }) => client),
    );
    const { stdout } = await run(['show', name], env);
    for (const { command } of login as readonly { command: string }[])
      assert.ok(stdout.includes(`  ${command}\n`), command);
    assert.ok(stdout.indexOf('docker login') < stdout.indexOf('docker pull'), stdout);
  }
  const anonymous = { ...ofStore, SVC_AUTH_DISABLED: 'true' };
  assert.equal((await readDocument(['show', name], anonymous)).login, undefined);
  assert.doesNotMatch((await run(['show', name], anonymous)).stdout, /login/);
});

test('a version is found by its digest, and shown with platforms, signatures and owners', async () => {
  const { tag, digest, platforms, provenance, recipes } = await readDocument(
    ['show', 'registry.example/shop/web:1.4.0'],
    ofStore,
  );
  assert.deepEqual([tag, provenance, recipes], ['1.4.0', ['recipe'], ['shop@1.0.0']]);
  assert.equal(platforms.length, 3);
  const found = await readDocument(['show', `registry.example/shop/web@${digest}`], ofInstance);
  assert.equal(found.tag, '1.4.0');
  const other = `sha256:${'0'.repeat(64)}`;
  for (const env of [ofStore, ofInstance])
    assert.match((await run(['show', `team/app@${other}`], env, 1)).stderr, /SVC-REG-005/);
});

test('an unknown name suggests what is there', async () => {
  for (const env of [ofStore, ofInstance]) {
    const { stderr } = await run(['show', 'registry.example/shop/wbe'], env, 1);
    assert.match(stderr, /SVC-REG-005.*\n(.*\n)*.*registry\.example\/shop\/web/);
  }
});

test('texts of others are escaped on a terminal', async () => {
  const { stdout } = await run(['show', 'team/app:v1'], ofStore);
  assert.match(stdout, /note=evil\\u001b\[2J\\u202egnp/);
  assert.ok(!stdout.includes('\u001b') && !stdout.includes('\u202e'));
});

test('every line fits the terminal; only what is copied whole is longer', async () => {
  for (const columns of [60, 80, 120])
    for (const args of [
      ['list'],
      ['list', '--folders'],
      ['show', 'registry.example/shop/web'],
      ['show', 'registry.example/shop/web:1.4.0'],
      ['show', 'registry.example/shop/web:1.4.0', '--by', 'tag'],
    ]) {
      for (const language of ['en', 'fr'] as const) {
        const env = { ...ofStore, COLUMNS: String(columns) };
        const { stdout } = await runInLanguage(['content', ...args], language, env);
        const wide = stdout.split('\n').filter((line) => line.length > columns);
        // a single word: a digest or a reference
        assert.deepEqual(
          wide.filter((line) => /\S \S/.test(line.replace(/ \\$/, '').trim())),
          [],
          `${args.join(' ')} ${language} ${columns}`,
        );
        if (args[0] === 'list' || args[1] === 'registry.example/shop/web') assert.deepEqual(wide, []);
      }
    }
});

test('a command without a server waits for what a thread reads ahead', async () => {
  for (let i = 0; i < 6; i += 1)
    await pushAsClient(server.store, 'team/many', buildImage(`many ${i}`), `v${i}`);
  const { exitCode, stdout, stderr } = await runCommand(['content', 'show', 'team/many'], { env: ofStore });
  assert.deepEqual([exitCode, stderr], [0, '']);
  assert.match(stdout, /\nv5 .*linux\/amd64\n/);
});

test('everything is said in French', async () => {
  for (const args of [
    ['list'],
    ['list', '--folders'],
    ['show', 'registry.example/shop/web:1.4.0'],
    ['show', 'team/app'],
  ]) {
    const { stdout } = await runInLanguage(['content', ...args], 'fr', ofStore);
    const prose = stdout.replaceAll(/^ {2,4}\S.*$|registry\.example\S*/gm, '');
    assert.equal(findEnglish(prose), undefined, stdout);
  }
});

test('of a carried medium only names are listed, and what does not pass its verification is not shown', async () => {
  await using place = await openTempFolder();
  const zone = { ...ofStore, SVC_ZONE: 'zone-b', SVC_STATE_ROOT: `${place.path}/state` };
  const { repositories } = await readDocument(['list', '--all'], zone);
  assert.deepEqual(repositories[0], { name: 'registry.example/shop/web' });
  assert.match((await run(['list'], zone)).stdout, /Only names are shown/);
  const { stderr } = await run(['show', 'team/app:v1'], zone, 3);
  assert.match(stderr, /SVC-MED-032/);
});

test('a wrong command line is a usage error', async () => {
  for (const [args, message] of [
    [['list', '--storage-root', '/x', '--instance', 'http://localhost'], /cannot be used together/],
    [['list', '--all', '--page', '2'], /--all cannot be used with/],
    [['list', '--page', '0'], /--page must be a whole number/],
    [['list', '--page-size', '201'], /--page-size must be a whole number \(1 … 200\)/],
    [['list', '--kind', 'Picture'], /--kind takes one of ContainerImage/],
    [['show', 'team/app', '--by', 'name'], /--by takes one of digest, tag/],
  ] as const)
    assert.match((await run(args, ofStore, 2)).stderr, message);
  const { stderr } = await runInLanguage(['content', 'list'], 'en', {});
  assert.match(stderr, /storage\.root is not set/);
});

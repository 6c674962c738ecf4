import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { uiRoutes } from '../../server/ui/routes.ts';
import { isPage } from '../../server/ui/ui-route.ts';
import { mountMemory, needsMount } from '../fault/rig/small-volume.ts';
import { buildImage } from '../kit/content/content.ts';
import { pushArtifactOverHttp } from '../kit/content/push-artifact.ts';
import { eventually } from '../kit/instance/eventually.ts';
import {
  adminName,
  adminPassword,
  type Instance,
  startInstance,
  writeConfig,
} from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { runProgram } from '../kit/program/run-program.ts';
import { runSvc, svcCommand, svcEnvironment } from '../kit/program/svc.ts';
import { type BrowserSession, openBrowserSession } from '../kit/web/browser-session.ts';
import { parseStrictHtml } from '../kit/web/strict-html.ts';

const paths = uiRoutes.filter(isPage).map(({ path }) =>
  path
    .replace('{repo}', 'some/repository')
    .replace('{id}', 'tsk_000000000000')
    .replace(/\{[a-z]+\}/g, 'nothing'),
);

/** The text in the strip of notices of a page; of a page without one, nothing. */
async function readNotices(session: BrowserSession, path: string, language: string): Promise<string> {
  const answer = await session.get(path, { 'accept-language': language });
  const text = await answer.text();
  parseStrictHtml(text, path);
  return /<aside class="notices"[\s\S]*?<\/aside>/.exec(text)?.[0] ?? '';
}

async function signIn(instance: Instance): Promise<BrowserSession> {
  const session = openBrowserSession(instance);
  await session.signIn(adminName, adminPassword);
  return session;
}

/** Every page says it in both languages, and so do the API and the readiness probe. */
async function requireSaid(
  instance: Instance,
  session: BrowserSession,
  { notice, en, fr, status }: { notice: string; en: RegExp; fr: RegExp; status: number },
): Promise<void> {
  await eventually(`the overview says ${notice}`, async () => en.test(await readNotices(session, '/', 'en')));
  for (const path of paths)
    for (const [language, words] of [
      ['en', en],
      ['fr', fr],
    ] as const)
      assert.match(await readNotices(session, path, language), words, `${path} in ${language}`);
  const { body } = await instance.api('GET', '/status');
  assert.ok(body.notices.includes(notice), JSON.stringify(body.notices));
  assert.equal((await fetch(`${instance.url}/readyz`)).status, status);
}

async function requireRetracted(session: BrowserSession, words: RegExp): Promise<void> {
  await eventually('the notice is gone', async () => !words.test(await readNotices(session, '/', 'en')));
}

const away = {
  store: {
    notice: 'store-away',
    en: /folder of the store is absent or does not answer/,
    fr: /dossier du stockage est absent ou ne répond pas/,
    status: 503,
  },
  state: {
    en: /folder of the state is absent or does not answer/,
    fr: /dossier d’état est absent ou ne répond pas/,
  },
} as const;

test('an instance with a new store in place of another says so on every page until something is written', async () => {
  await using folder = await openTempFolder('svc-new-');
  {
    await using first = await startInstance({ folder: folder.path });
    assert.equal(await readNotices(await signIn(first), '/', 'en'), '');
  }
  await rename(join(folder.path, 'store'), join(folder.path, 'unplugged'));
  await using instance = await startInstance({ folder: folder.path });
  assert.match(instance.log(), /is new and empty, although this instance wrote the store/);
  const session = await signIn(instance);
  const en = /store is new and empty, although this instance wrote another one before/;
  const fr = /stockage est neuf et vide, alors que cette instance en écrivait un autre/;
  await requireSaid(instance, session, { notice: 'store-new', en, fr, status: 200 });
  assert.match(await (await fetch(`${instance.url}/readyz`)).text(), en);
  const { url: registry, authorization } = instance;
  await pushArtifactOverHttp({ registry, repository: 'some/image', authorization }, buildImage('one'), 'v1');
  await requireRetracted(session, en);
});

test('an instance whose store folder is gone says so on every page until it is back', async () => {
  await using folder = await openTempFolder('svc-away-');
  await using instance = await startInstance({ folder: folder.path });
  const session = await signIn(instance);
  assert.equal(await readNotices(session, '/', 'en'), '');
  const [here, there] = [join(folder.path, 'store'), join(folder.path, 'elsewhere')];
  await rename(here, there);
  await requireSaid(instance, session, away.store);
  const page = await (await session.get('/admin/store')).text();
  assert.doesNotMatch(page, /free on the volume/, 'no figures of the volume that has the parent folder');
  await rename(there, here);
  await requireRetracted(session, away.store.en);
});

test('an instance whose state folder is gone says so to everybody, signs nobody out and makes no new first account', async () => {
  await using folder = await openTempFolder('svc-away-');
  await using instance = await startInstance({ folder: folder.path });
  const session = await signIn(instance);
  const nobody = openBrowserSession(instance);
  const [here, there] = [join(folder.path, 'state'), join(folder.path, 'elsewhere')];
  await rename(here, there);
  const { en, fr } = away.state;
  await eventually('the page says it', async () => en.test(await readNotices(session, '/', 'en')));
  for (const path of paths) {
    assert.match(await readNotices(session, path, 'en'), en, path);
    assert.match(await readNotices(session, path, 'fr'), fr, path);
  }
  assert.match(await readNotices(nobody, '/login', 'en'), en);
  assert.equal((await session.get('/')).status, 503);
  assert.equal((await fetch(`${instance.url}/readyz`)).status, 503);
  // as a bare mount point is: an empty folder of this name
  await mkdir(here);
  const { status, body } = await instance.api('POST', '/accounts', {
    name: 'second',
    password: adminPassword,
  });
  assert.deepEqual([status, body.code], [503, 'SVC-STO-014']);
  assert.deepEqual(await readdir(here), []);
  await rm(here, { recursive: true });
  await rename(there, here);
  await requireRetracted(session, en);
  assert.equal((await session.get('/')).status, 200, 'the session goes on');
});

const volumes = {
  store: {
    notice: 'store-full',
    en: /volume of the store is nearly full: pushes are refused/,
    fr: /volume du stockage est presque plein\s: les envois sont refusés/,
    status: 200,
  },
  state: {
    notice: 'state-full',
    en: /volume of the state is nearly full: tasks may fail/,
    fr: /volume de l’état est presque plein\s: des tâches peuvent échouer/,
    status: 200,
  },
} as const;

for (const [name, said] of Object.entries(volumes))
  test(`an instance whose ${name} volume is full says so on every page until there is room`, async (t) => {
    await using folder = await openTempFolder('svc-full-');
    if (!needsMount(t, folder.path)) return;
    const place = join(folder.path, 'volume');
    await using _volume = mountMemory(place, '24m');
    await using instance = await startInstance({
      folder: folder.path,
      config: { [name === 'store' ? 'storage' : 'state']: { root: join(place, name) } },
    });
    const session = await signIn(instance);
    assert.equal(await readNotices(session, '/', 'en'), '');
    const { bavail, bsize } = await statfs(place);
    const filler = join(place, 'filler');
    await writeFile(filler, randomBytes(bavail * bsize - 400_000));
    await requireSaid(instance, session, said);
    await rm(filler);
    await requireRetracted(session, said.en);
  });

/** Where the table of mount points of the machine is another one. */
const underTable = ['unshare', '-m', 'sh', '-c', 'mount --bind "$0" /etc/fstab && exec "$@"'] as const;

test('no command makes a store on a mount point without its disk, and each says what to mount', async (t) => {
  await using folder = await openTempFolder('svc-unmounted-');
  if (!needsMount(t, folder.path)) return;
  const mount = join(folder.path, 'disk');
  const root = join(mount, 'store');
  const table = join(folder.path, 'fstab');
  const tree = join(folder.path, 'tree');
  await mkdir(tree);
  await writeFile(join(tree, 'file'), 'some text');
  await mkdir(mount);
  await writeFile(table, `UUID=5a6b ${mount} ext4 nofail 0 2\n`);
  const configPath = await writeConfig(folder.path, { storage: { root } });
  const run = (args: readonly string[], env: Record<string, string> = {}) => {
    const [command, ...first] = [...underTable, table, ...svcCommand(), ...args, '--config', configPath];
    return runProgram(command!, first, { env: svcEnvironment(env) });
  };
  const added = await runSvc(['user', 'add', 'admin', '--config', configPath, '--password-stdin'], {
    input: `${adminPassword}\n`,
  });
  assert.equal(added.exitCode, 0, added.stderr);
  for (const args of [['serve'], ['fileset', 'pack', tree, 'some:1.0.0']]) {
    const { exitCode, stderr } = await run(args);
    assert.equal(exitCode, 1, stderr);
    assert.ok(stderr.includes('SVC-STO-017') && stderr.includes(`nothing is mounted at ${mount}`), stderr);
    assert.ok(stderr.includes(`mount ${mount}`), stderr);
    assert.deepEqual(await readdir(mount), [], args.join(' '));
  }
  const french = await run(['serve'], { LC_ALL: 'fr_FR.UTF-8' });
  assert.match(french.stderr, /rien n’est monté/);
});

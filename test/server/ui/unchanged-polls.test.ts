import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { uiRoutes } from '../../../server/ui/routes.ts';
import { isPage } from '../../../server/ui/ui-route.ts';
import type { RetrieverRecord } from '../../../src/contract/recipe.ts';
import type { Store } from '../../../src/store/model.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { recordSync } from '../../../src/store/record-sync.ts';
import { svcError, toErrorRecord } from '../../../src/text/error.ts';
import { buildImage, pushArtifact } from '../../kit/content/content.ts';
import { toRecipeRecord } from '../../kit/content/recipe-record.ts';
import { type HeldTask, holdTasks } from '../../kit/instance/held-task.ts';
import { createOpenGate } from '../../kit/instance/open-gate.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { mediaId, mediumReport, recipeVerdict, scriptMedia } from '../../kit/scene/media-state.ts';
import { plan, plannedRecipe } from '../../kit/scene/plan-document.ts';
import { type BrowserSession, openBrowserSession } from '../../kit/web/browser-session.ts';
import { parseStrictHtml } from '../../kit/web/strict-html.ts';

const day = '2026-03-04T05:06:07.000Z';
const steps = 56;
/** The live section of each page. */
const sections: Readonly<Record<string, string>> = {
  '/': 'now',
  '/tasks': 'list',
  '/media': 'verdict',
  '/admin/store': 'state',
};

/** Pages with a section that stays live while nothing runs. */
const pages = uiRoutes.filter(isPage).filter(({ path }) => path in sections);

/** The state of the instance besides its store and its tasks; each mutation replaces something. */
const world = {
  retriever: {
    mode: 'passthrough',
    relaxedScopes: [],
    anonymousFilesets: [],
    substitutions: [],
    prune: false,
  } as RetrieverRecord,
  thresholdBytes: undefined as number | undefined,
  isClosed: false,
  isGuarded: false,
  mark: {},
  blocked: new Set<string>(),
  planned: [plannedRecipe()],
};
const held = holdTasks();
const media = scriptMedia(() => Promise.reject(new Error('this medium is not imported')));

let folder: TempFolder;
let server: TestServer;
let running: HeldTask | undefined;
const readers: { name: string; language: string; session: BrowserSession }[] = [];

before(async () => {
  folder = await openTempFolder();
  const open = createOpenGate({ rehash: false });
  media.record = { zone: 'zone', root: '/medium', mediaId };
  media.current = { guarded: false, serving: 'open' };
  server = await startTestServer({
    folder: folder.path,
    zone: 'zone',
    run: held.run,
    media,
    volume: {
      // its free space does not change
      look: async () =>
        existsSync(join(folder.path, 'store'))
          ? { state: 'present', freeBytes: 1e11, totalBytes: 1e12 }
          : { state: 'away' },
    },
    gate: ({ mediaId: id }: Store) => ({
      ...open,
      get guarded() {
        return world.isGuarded;
      },
      get mark() {
        return world.mark;
      },
      refusal: () => (world.isClosed ? { code: 'SVC-MED-030', mediaId: id } : undefined),
      allowsTag: (repository) => !world.blocked.has(repository),
    }),
    retriever: () => world.retriever,
    occupancyThreshold: () => world.thresholdBytes,
    operations: {
      planSync: async () => ({
        plan: plan({ generatedAt: new Date(Date.now() + 1000).toISOString(), recipes: world.planned }),
        exit_code: 0,
      }),
    },
  });
  for (const [role, language] of [
    ['viewer', 'en'],
    ['admin', 'en'],
    ['admin', 'fr'],
  ] as const) {
    const name = `${role}-${language}`;
    const session = openBrowserSession(server);
    await server.accounts.create({ name, role, password: 'a good password' });
    await session.signIn(name, 'a good password');
    readers.push({ name, language, session });
  }
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

/** Numbers from 0 to 1 that are the same in each run (Numerical Recipes, linear congruential). */
function createNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
const next = createNumbers(7);
const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;

let count = 0;
/** The mutations, in an order in which each changes something. */
const mutations: Readonly<Record<string, () => Promise<unknown> | unknown>> = {
  'an artifact is pushed': () =>
    pushArtifact(
      openRepository(server.store, `pushed/image-${count}`, { owner: { provenance: 'import' } }),
      buildImage(`image ${count}`),
      'v1',
    ),
  'a synchronization brings recipes': () =>
    recordSync(
      server.store,
      { zone: 'zone', runId: `run-${count}`, resolvedAt: day },
      ['shop', 'agent'].map((name) => toRecipeRecord(name, `1.${count}.0`, [['registry.example/web', 'v1']])),
    ),
  'a task comes and goes': async () => {
    const { id, finish } = running ?? (await held.start(server.tasks));
    running = undefined;
    finish();
    await server.tasks.settled(id);
  },
  'a task begins': async () => {
    running ??= await held.start(server.tasks);
  },
  'a task waits': () =>
    server.tasks.submit({
      type: 'import',
      reference: `registry.example/image:${count}`,
      actor: 'alice',
      parameters: { platforms: [], vendorDependencies: false },
    }),
  'a task moves': () => {
    running?.journal.setTotalBytes(1000);
    running?.journal.addBytes(1 + Math.floor(next() * 10));
  },
  'a task settles an item': () =>
    running?.journal.settleItems([
      {
        name: `shop@1.${count}.0`,
        status: pick(['done', 'failed']),
        transferredBytes: 5,
        error: toErrorRecord(svcError('SVC-STO-001', { path: '/blobs' })),
      },
    ]),
  'tasks are cancelled': async () => {
    running = undefined;
    for (const status of ['pending', 'running'] as const)
      for (const { id } of server.tasks.listHeads({ status }).tasks) {
        await server.tasks.cancel(id, 'alice');
        await server.tasks.settled(id);
      }
  },
  'the threshold is another one': () => {
    world.thresholdBytes = pick([undefined, 1, 10_000_000]);
  },
  'the gate closes': () => {
    world.isClosed = true;
  },
  'the gate opens': () => {
    world.isClosed = false;
  },
  'the medium is another store': () => {
    world.isGuarded = !world.isGuarded;
  },
  'a recipe is withdrawn or cleared': () => {
    const repository = 'registry.example/cookbook/shop';
    if (!world.blocked.delete(repository)) world.blocked.add(repository);
    world.mark = {};
  },
  'the medium is verified': () => {
    const pushable = next() < 0.5;
    media.current = {
      ...media.current,
      report: mediumReport({ recipes: [recipeVerdict({ pushable, version: `1.${count}` })] }),
    };
  },
  'a verification fails': () => {
    media.current = {
      ...media.current,
      failure: toErrorRecord(svcError('SVC-STO-001', { path: `/medium/${count}` })),
    };
  },
  'the medium was imported': () => {
    const lastImport = { mediaId: pick([mediaId, 'med_1']), resolvedAt: day, importedAt: day, runId: 'run' };
    media.record = { ...media.record, lastImport };
  },
  'the Retriever says something else': () => {
    world.retriever = {
      ...world.retriever,
      ...pick<Partial<RetrieverRecord>>([
        { zone: `zone-${count}` },
        { mode: pick(['passthrough', 'mirror']) },
        { source: '/retriever.yaml' },
        { destination: pick(['registry.example', 'other.example']) },
        { lastSync: { zone: 'z', runId: 'run', resolvedAt: day } },
      ]),
    };
  },
  'a plan is made': async () => {
    const [before] = world.planned;
    world.planned = [plannedRecipe({ name: before?.name === 'agent' ? 'shop' : 'agent' })];
    const headers = { 'content-type': 'application/json' };
    await server.fetch('/api/v1/plan', { method: 'POST', headers, body: '{}' });
  },
  'the background check goes on': () => {
    const running = { startedAt: day, files: count, bytes: count * 1000, totalBytes: 100_000, damaged: 0 };
    world.retriever = {
      ...world.retriever,
      scrub: { enabled: true, running, quarantine: { files: count, bytes: count } } as never,
    };
  },
};

const names = Object.keys(mutations);

/** The tag of the live section in the whole page, which is always rendered; undefined where the reader may not see it. */
async function tagOf(session: BrowserSession, path: string, language: string): Promise<string | undefined> {
  const answer = await session.get(path, { 'accept-language': language });
  const text = await answer.text();
  if (answer.status === 403) return undefined;
  assert.equal(answer.status, 200, text);
  const { elements } = parseStrictHtml(text, path);
  return elements
    .find(({ attributes }) => attributes.get('id') === sections[path])!
    .attributes.get('hx-ptag')!;
}

const poll = (session: BrowserSession, path: string, tag: string, language: string) =>
  session.get(path, {
    'accept-language': language,
    'hx-request': 'true',
    'hx-target': `section#${sections[path]}`,
    'hx-ptag': tag,
  });

test('a poll is answered 304 only where the page has the same section, whatever changed in between', async () => {
  assert.equal(pages.length, Object.keys(sections).length);
  /** Tags that each reader had of each page: a hidden tab asks again with an old one. */
  const had = new Map<string, string[]>();
  const seen = { same: 0, changed: 0 };
  for (count = 0; count < steps; count += 1) {
    // every mutation once, then in any order; after each, all polls once more
    const name = count % 2 === 0 ? 'nothing' : (names[(count - 1) / 2] ?? pick(names));
    await mutations[name]?.();
    for (const { name: reader, language, session } of readers)
      for (const { path } of pages) {
        const key = `${reader} ${path}`;
        const tags = had.get(key) ?? [];
        had.set(key, tags);
        const asked = tags.length === 0 ? [] : [...new Set([tags.at(-1)!, pick(tags)])];
        const answers: { readonly tag: string; readonly status: number; readonly now: string | null }[] = [];
        for (const tag of asked) {
          const answer = await poll(session, path, tag, language);
          await answer.text();
          answers.push({ tag, status: answer.status, now: answer.headers.get('hx-ptag') });
        }
        const now = await tagOf(session, path, language);
        if (now === undefined) continue;
        tags.push(now);
        // parts that move by themselves while a task runs differ in each rendering
        if (server.tasks.running !== undefined) continue;
        for (const { tag, status, now: told } of answers) {
          const says = `${name}, ${key}, step ${count}`;
          assert.equal(told, now, says);
          assert.equal(status, tag === now ? 304 : 200, says);
          seen[tag === now ? 'same' : 'changed'] += 1;
        }
      }
  }
  assert.ok(seen.same > 50 && seen.changed > 50, JSON.stringify(seen));
});

test('what one reader is shown answers nobody else', async () => {
  running = undefined;
  await mutations['tasks are cancelled']!();
  for (const { name, language, session } of readers) {
    const own = await tagOf(session, '/', language);
    for (const other of readers) {
      const theirs = await tagOf(other.session, '/', other.language);
      const answer = await poll(other.session, '/', own!, other.language);
      await answer.text();
      assert.equal(answer.status, own === theirs ? 304 : 200, `${other.name} with the tag of ${name}`);
      assert.equal(
        own === theirs,
        name === other.name,
        'administrators see more, and French is another text',
      );
    }
  }
});

test('a running task moves in each poll', async () => {
  const [{ session, language }] = readers as [(typeof readers)[number]];
  const task = await held.start(server.tasks);
  let tag = (await tagOf(session, '/tasks', language))!;
  for (let i = 0; i < 3; i += 1) {
    task.journal.addBytes(5000);
    const answer = await poll(session, '/tasks', tag, language);
    await answer.text();
    assert.equal(answer.status, 200);
    tag = answer.headers.get('hx-ptag')!;
  }
  task.finish();
  await server.tasks.settled(task.id);
});

test('a store that is away is shown in the next poll, and so is its return', async () => {
  const { session, language } = readers.find(({ name }) => name === 'admin-en')!;
  const { root } = server.store;
  const here = (await tagOf(session, '/media', language))!;
  await rename(root, `${root}-away`);
  let away: Response;
  try {
    away = await poll(session, '/media', here, language);
  } finally {
    await rename(`${root}-away`, root);
  }
  assert.equal(away.status, 200);
  assert.match(await away.text(), /stamp-warn"[\s\S]*> Absent</);
  const back = await poll(session, '/media', away.headers.get('hx-ptag')!, language);
  await back.text();
  assert.deepEqual([back.status, back.headers.get('hx-ptag')], [200, here]);
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { RetrieverRecord } from '../../server/operations.ts';
import type { Inspection } from '../../src/engine/import/model.ts';
import type { VerificationState } from '../../src/engine/sync/model.ts';
import { openBrowser, openPage } from '../kit/browser.ts';
import { mediaId, mediumReport, recipeVerdict, type ScriptedMedia, scriptMedia } from '../kit/media-state.ts';
import { toRecipeDocument } from '../kit/origin.ts';
import { plan, plannedRecipe } from '../kit/plan-document.ts';
import { startTestServer, type TestServer } from '../kit/server.ts';
import { openTempFolder, type TempFolder } from '../kit/temp-folder.ts';

const password = 'a password';
const digest = `sha256:${'a'.repeat(64)}` as const;
const refusal = {
  code: 'SVC-SIG-001',
  class: 'verification',
  params: { reference: 'registry.example/cookbook/agent:2.0.1', reason: 'untrusted' },
} as const;
const blocked = recipeVerdict({
  name: 'agent',
  pushable: false,
  reason: { code: 'SVC-MED-012', path: 'blobs/sha256/a3f9', params: { path: 'blobs/sha256/a3f9' } },
});
const closed = { guarded: true, serving: 'closed', mediaId } as const;
const guard = {
  code: 'SVC-MED-006',
  params: { mediaId, expected: 'zone-b', found: 'zone-c' },
  waivable: true,
} as const;

/** States of the page of a medium. */
const states: Readonly<Record<string, VerificationState>> = {
  'not verified': closed,
  'under way': {
    ...closed,
    running: {
      startedAt: '2026-11-22T08:00:00Z',
      stage: 'ingredients',
      files: 1042,
      totalFiles: 1042,
      bytes: 100,
      totalBytes: 100,
      recipe: 'base@12.4.0',
      recipes: [blocked, recipeVerdict()],
      totalRecipes: 4,
    },
  },
  partial: { ...closed, report: mediumReport({ verdict: 'partial', recipes: [blocked, recipeVerdict()] }) },
  'another zone': {
    ...closed,
    report: mediumReport({ verdict: 'blocked', blocks: [{ ...guard, waived: false }] }),
  },
  'with a waiver': { ...closed, report: mediumReport({ blocks: [{ ...guard, waived: true }] }) },
};
const inspection: Inspection = {
  reference: 'registry.example/shop/web:1.4.0',
  repository: 'registry.example/shop/web',
  tag: '1.4.0',
  digest,
  mediaType: 'application/vnd.oci.image.index.v1+json',
  kind: 'ContainerImage',
  multiPlatform: true,
  platforms: [
    { name: 'linux/amd64', digest, sizeBytes: 2048, status: 'outdated' },
    { name: 'linux/arm64', digest, sizeBytes: 1024, status: 'new' },
  ],
  signatures: [{ layout: 'classic', digest }],
};
const ingredient = { name: 'web', repository: 'shop/web', version: '1.4.0', digest };
const recipe = toRecipeDocument('registry.example', {
  name: 'shop',
  version: '1.4.2',
  ingredients: [ingredient],
});

const views = [
  { name: 'light 1280 en', theme: 'light', width: 1280, language: 'en' },
  { name: 'dark 360 fr', theme: 'dark', width: 360, language: 'fr' },
  { name: 'contrast 768 en', theme: 'contrast', width: 768, language: 'en' },
] as const;

let folder: TempFolder;
let server: TestServer;
let media: ScriptedMedia;
let browser: Browser | undefined;

before(async () => {
  folder = await openTempFolder();
  media = scriptMedia(() => Promise.reject(new Error('this medium is not imported')));
  const retriever: RetrieverRecord = {
    mode: 'passthrough',
    source: 'https://registry.example/zone-b.yaml',
    zone: 'zone-b',
    destination: 'registry.zone-b.example',
    relaxedScopes: [],
    anonymousFilesets: [],
    prune: false,
  };
  const [check] = plan().checks;
  const item = { repository: 'registry.example/old', tag: '1.0', digest, recipe: 'shop', sizeBytes: 2048 };
  const planned = plan({
    outcome: 'verification-failed',
    recipes: [plannedRecipe(), plannedRecipe({ name: 'agent', signature: 'refused', problem: refusal })],
    problems: [{ ...refusal, subject: 'agent' }],
    checks: [{ ...check!, projectedBytes: 950, shortfallBytes: 50, refusalCode: 'SVC-STO-004' }],
  });
  server = await startTestServer({
    folder: folder.path,
    zone: 'zone-b',
    media,
    operations: {
      retriever: () => retriever,
      plan: async () => ({ plan: planned, exit_code: 4 }),
      prunePreview: async () => ({ items: [item], count: 1, totalBytes: 2048 }),
      inspect: async () => inspection,
    },
  });
  await server.accounts.create({ name: 'alice', role: 'admin', password });
});
after(async () => {
  await browser?.close();
  for (const each of [server, folder]) await each[Symbol.asyncDispose]();
});

async function openSignedIn({ theme, width, language }: (typeof views)[number]): Promise<BrowserContext> {
  const context = await browser!.newContext({ viewport: { width, height: 800 }, locale: language });
  await context.addCookies([{ name: 'svc_theme', value: theme, url: server.url }]);
  const page = await context.newPage();
  await page.goto(`${server.url}/login`);
  await page.fill('#field-name', 'alice');
  await page.fill('#field-password', password);
  await Promise.all([page.waitForURL(`${server.url}/`), page.keyboard.press('Enter')]);
  await page.close();
  return context;
}

/** Opens a page, does something on it, and fails on whatever it does wrong. */
async function inspect(
  context: BrowserContext,
  path: string,
  name: string,
  act: (page: Page) => Promise<unknown> = async () => {},
): Promise<void> {
  const { page, faults } = await openPage(context, `${server.url}${path}`);
  await act(page);
  const { overflow, shift, ...lists } = await faults();
  assert.deepEqual(lists, { console: [], axe: [], small: [] }, `${path}, ${name}`);
  assert.ok(overflow <= 0, `${path}, ${name}: ${overflow} px wider than the window`);
  assert.ok(shift < 0.01, `${path}, ${name}: a layout shift of ${shift}`);
  await page.close();
}

/** Sends the form of an action and waits for what it shows. */
const send = async (page: Page, action: string, shown: string): Promise<void> => {
  await page.locator(`form[action="${action}"] button[type="submit"]`).first().click();
  await page.waitForSelector(shown);
};

for (const view of views) {
  test(`media, plans, imports and recipes in Chromium, ${view.name}: no finding of axe, no overflow, no shift`, async (context) => {
    browser ??= await openBrowser(context);
    if (browser === undefined) return;
    const opened = await openSignedIn(view);
    for (const [state, current] of Object.entries(states)) {
      media.current = current;
      await inspect(opened, '/media', `${view.name}, ${state}`);
      if (current.report !== undefined) await inspect(opened, '/media/report', `${view.name}, ${state}`);
    }
    await inspect(opened, '/recipes/sync', view.name);
    await inspect(opened, '/recipes/sync', `${view.name}, plan`, (page) =>
      send(page, '/recipes/sync/plan', '#plan'),
    );
    await inspect(opened, '/recipes/sync', `${view.name}, prune`, (page) =>
      send(page, '/recipes/sync/prune', '#prune'),
    );
    await inspect(opened, '/import', `${view.name}, inspected`, async (page) => {
      await page.fill('#field-reference', inspection.reference);
      await send(page, '/import/inspect', '#found');
    });
    await inspect(opened, '/recipes/publish', `${view.name}, preview`, async (page) => {
      await page.fill('#field-document', recipe);
      await send(page, '/recipes/publish/preview', '#preview');
    });
    await opened.close();
  });
}

test('a walk that ends shows its verdict without loading the page again', async (context) => {
  browser ??= await openBrowser(context);
  if (browser === undefined) return;
  const opened = await openSignedIn(views[0]);
  media.current = states['under way']!;
  const { page } = await openPage(opened, `${server.url}/media`);
  await page.evaluate('globalThis.stillHere = true');
  media.current = states.partial!;
  await page.waitForSelector('form[action="/media/import"]');
  assert.equal(await page.evaluate('globalThis.stillHere'), true);
  assert.match(await page.title(), /^partial · /);
  assert.equal(await page.locator('#walk').getAttribute('hx-trigger'), 'every 10s');
  await opened.close();
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openRepository } from '../../src/store/open-repository.ts';
import { recordSync } from '../../src/store/record-sync.ts';
import { openBrowser, openPage } from '../kit/browser.ts';
import { buildImage, buildIndex, pushArtifact } from '../kit/content.ts';
import { toRecipeRecord } from '../kit/recipe-record.ts';
import { startTestServer, type TestServer } from '../kit/server.ts';
import { openTempFolder, type TempFolder } from '../kit/temp-folder.ts';

const password = 'a password';
const long = `registry.example/${'deeply/'.repeat(12)}nested-${'x'.repeat(80)}`;
const paths = [
  '/content',
  '/content?prefix=registry.example&sort=size&rows=compact',
  '/content?q=nothing-like-it',
  '/content/registry.example/shop/web',
  '/content/registry.example/shop/web/-/tags/1.4.2',
  `/content/${long}`,
  '/content/registry.example/tool/-/delete',
  '/recipes',
  '/recipes/-/shop',
  '/recipes/-/shop/mapping',
  '/search?q=shop',
];
const views = [
  { theme: 'light', scheme: 'light', width: 1280, language: 'en' },
  { theme: 'dark', scheme: 'light', width: 360, language: 'fr' },
  { theme: 'contrast', scheme: 'dark', width: 768, language: 'en' },
  { theme: 'auto', scheme: 'dark', width: 1920, language: 'fr' },
] as const;

let folder: TempFolder;
let server: TestServer;
let browser: Browser | undefined;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path });
  await server.accounts.create({ name: 'alice', role: 'admin', password });
  const recipe = {
    provenance: 'recipe',
    recipe: 'shop@1.4.2',
    cookbook: 'registry.example/cookbook',
  } as const;
  const web = buildIndex('web');
  const put = (repository: string, owner: typeof recipe | { readonly provenance: 'import' }, tag: string) =>
    pushArtifact(
      openRepository(server.store, repository, { owner }),
      repository.endsWith('web') ? web : buildImage(repository),
      tag,
    );
  await put('registry.example/shop/web', recipe, '1.4.2');
  await put('registry.example/tool', { provenance: 'import' }, '1');
  await put(long, { provenance: 'import' }, '1');
  const ingredients = [['registry.example/shop/web', '1.4.2'] as const];
  await recordSync(server.store, { zone: 'zone', runId: 'run', resolvedAt: '2026-06-01T00:00:00.000Z' }, [
    toRecipeRecord('shop', '1.4.1', ingredients),
    { ...toRecipeRecord('shop', '1.4.2', ingredients), resolvedAt: '2026-06-01T00:00:00.000Z' },
  ]);
});
after(async () => {
  await browser?.close();
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

for (const { theme, scheme, width, language } of views)
  test(`content, recipes and search in Chromium, ${theme} ${scheme} ${width} ${language}: nothing wrong on any page`, async (context) => {
    browser ??= await openBrowser(context);
    if (browser === undefined) return;
    const opened = await browser.newContext({
      viewport: { width, height: 800 },
      colorScheme: scheme,
      locale: language,
    });
    await opened.addCookies([{ name: 'svc_theme', value: theme, url: server.url }]);
    const login = await opened.newPage();
    await login.goto(`${server.url}/login`);
    await login.fill('#field-name', 'alice');
    await login.fill('#field-password', password);
    await Promise.all([login.waitForURL(`${server.url}/`), login.keyboard.press('Enter')]);
    for (const path of paths) {
      const { page, faults } = await openPage(opened, `${server.url}${path}`);
      const { overflow, shift, ...lists } = await faults();
      assert.deepEqual(lists, { console: [], axe: [], small: [] }, path);
      assert.ok(overflow <= 0, `${path}: ${overflow} px wider than the window`);
      assert.ok(shift < 0.01, `${path}: a layout shift of ${shift}`);
      await page.close();
    }
    await opened.close();
  });

test('the list of content follows what is typed and ticked, and keeps the address', async (context) => {
  browser ??= await openBrowser(context);
  if (browser === undefined) return;
  const opened = await browser.newContext();
  const page = await opened.newPage();
  await page.goto(`${server.url}/login?next=/content`);
  await page.fill('#field-name', 'alice');
  await page.fill('#field-password', password);
  await Promise.all([page.waitForURL(`${server.url}/content`), page.keyboard.press('Enter')]);
  await page.locator('#filter-q').pressSequentially('tool');
  await page.locator('#list tbody tr').filter({ hasText: 'shop/web' }).waitFor({ state: 'detached' });
  assert.match(page.url(), /[?&]q=tool/);
  assert.equal(await page.locator('#filter-q:focus').count(), 1, 'the focus stays where one types');
  await page.getByLabel('Helm chart').check();
  await page.locator('#list .empty').waitFor();
  assert.match(page.url(), /kind=HelmChart/);
  await opened.close();
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openRepository } from '../../src/store/open-repository.ts';
import { buildImage, pushArtifact } from '../kit/content/content.ts';
import { startTestServer, type TestServer } from '../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';
import { openBrowser } from '../kit/web/browser.ts';

const password = 'a good password';

let folder: TempFolder;
let server: TestServer;
let browser: Browser | undefined;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path });
  await server.accounts.create({ name: 'alice', role: 'admin', password });
  for (const repository of ['registry.example/shop/web', 'registry.example/tool'])
    await pushArtifact(
      openRepository(server.store, repository, { owner: { provenance: 'import' } }),
      buildImage(repository),
      '1',
    );
});
after(async () => {
  await browser?.close();
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
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
  const row = page.getByRole('link', { name: 'shop/web' });
  const group = page.getByRole('checkbox', { name: 'registry.example' });
  await row.waitFor();
  await group.uncheck();
  assert.equal(await row.isVisible(), false);
  await group.check();
  await page.locator('#filter-q').pressSequentially('tool');
  await page.locator('#list tbody tr').filter({ hasText: 'shop/web' }).waitFor({ state: 'detached' });
  assert.match(page.url(), /[?&]q=tool/);
  assert.equal(await page.locator('#filter-q:focus').count(), 1, 'the focus stays where one types');
  await page.getByLabel('Helm chart').check();
  await page.locator('#list .empty').waitFor();
  assert.match(page.url(), /kind=HelmChart/);
  await opened.close();
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../kit/instance/server.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { scriptMedia } from '../kit/scene/media-state.ts';
import { mediumStates } from '../kit/showcase/answers.ts';
import { openBrowser, openPage } from '../kit/web/browser.ts';
import { untilTitled } from '../kit/web/visitor.ts';

test('a walk that ends shows its verdict without loading the page again', async (context) => {
  await using browser = await openBrowser(context);
  if (browser === undefined) return;
  await using folder = await openTempFolder();
  const media = scriptMedia(() => Promise.reject(new Error('this medium is not imported')));
  await using server = await startTestServer({
    folder: folder.path,
    zone: 'zone-b',
    authDisabled: true,
    media,
    retriever: () => ({
      mode: 'passthrough',
      zone: 'zone-b',
      destination: 'registry.zone-b.example',
      substitutions: [],
      relaxedScopes: [],
      anonymousFilesets: [],
      prune: false,
    }),
  });
  media.current = mediumStates['under way']!;
  const { page } = await openPage(await browser.newContext(), `${server.url}/media`);
  await page.evaluate('globalThis.stillHere = true');
  media.current = mediumStates.partial!;
  await page.waitForSelector('form[action="/media/import"]');
  assert.equal(await page.evaluate('globalThis.stillHere'), true);
  await untilTitled(page, /^partial · /);
  assert.equal(await page.locator('#walk').getAttribute('hx-trigger'), 'every 10s');
});

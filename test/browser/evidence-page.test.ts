import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { runInLanguage } from '../kit/program/run-command.ts';
import { delivery, openEvidenceSite } from '../kit/scene/evidence-site.ts';
import { openBrowser, openPage } from '../kit/web/browser.ts';

test('the page of a pack has no finding of axe, on paper and on any screen', async (t) => {
  const browser = await openBrowser(t);
  if (browser === undefined) return;
  await using site = await openEvidenceSite();
  try {
    for (const language of ['en', 'fr'] as const) {
      const folder = site.path(language);
      const pack = ['evidence', 'pack', '--config', site.path('svc.json'), '--delivery', delivery];
      assert.equal((await runInLanguage([...pack, '--out', folder], language)).exitCode, 0);
      const address = pathToFileURL(join(folder, 'index.html')).href;
      for (const width of [390, 1280]) {
        const context = await browser.newContext({ locale: language, viewport: { width, height: 800 } });
        const opened = await openPage(context, address);
        assert.equal(await opened.page.locator('html').getAttribute('lang'), language);
        for (const media of ['screen', 'print'] as const) {
          await opened.page.emulateMedia({ media });
          const { overflow, shift: _shift, tiny: _tiny, ...lists } = await opened.faults();
          const name = `${language} ${width} ${media}`;
          assert.deepEqual(lists, { console: [], axe: [], small: [], foreign: [] }, name);
          assert.ok(overflow <= 0, `${name}: ${overflow} px wider than the window`);
        }
        await context.close();
      }
    }
  } finally {
    await browser.close();
  }
});

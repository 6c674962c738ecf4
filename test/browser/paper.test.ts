import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { openBrowser } from '../kit/web/browser.ts';
import { openStage } from './stage.ts';

test('the history is printed on A4, with its filter and without controls, digests whole', async (t) => {
  const browser = await openBrowser(t);
  if (browser === undefined) return;
  await using folder = await openTempFolder();
  await using stage = await openStage(folder.path);
  const look = { theme: 'light', scheme: 'light', width: 1280 } as const;
  const scene = { name: 'on paper', path: '/history?action=content.push' };
  try {
    const { page } = await stage.load(browser, scene, 'en', look);
    const isShown = (selector: string) => page.locator(selector).first().isVisible();
    assert.equal(await isShown('.paper-head'), false);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await isShown('.paper-head'), true);
    assert.match(await page.locator('.paper-head').innerText(), /Filter\s+Action: content pushed/);
    for (const control of ['.filters-fold', '.list-head', '.copy', '.button', '.nav', '.terminal'])
      assert.equal(await isShown(control), false, control);
    assert.match(await page.locator('.pairs').first().innerText(), /sha256:(ab){32}/);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? [];
    assert.deepEqual([Math.round(Number(width)), Math.round(Number(height))], [595, 842]);
  } finally {
    await browser.close();
  }
});

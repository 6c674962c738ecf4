import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { openBrowser } from '../kit/web/browser.ts';
import { scenes } from './scenes.ts';
import { openStage } from './stage.ts';

/** Each list that follows what is typed: its scene, a text that some entries have, and the answers that are read out. */
const lists = [
  ['content', 'shop/web', '1 of 40 repositories match', '0 of 40 repositories match'],
  ['repository', '1.4', /^Versions, 1–\d+ of \d+$/, /^Nothing matches .*nothing-like-it\.$/],
  ['recipes', 'shop', /^Recipes, 1–\d+ of \d+$/, /^Nothing matches .*nothing-like-it\.$/],
  ['tasks', 'ana', /^Tasks, 1–\d+ of \d+$/, /^Nothing matches .*nothing-like-it\.$/],
  ['zones', 'zone-c', 'Zones, 1–1 of 1', /^Nothing matches .*nothing-like-it\.$/],
  ['zone', 'shop', 'Recipes, 1–1 of 1', /^Nothing matches .*nothing-like-it\.$/],
  ['history', 'ana', /^(Of )?\d+ records? shown/, /^Nothing matches .*nothing-like-it\.$/],
  ['files of a file set', 'start', /^Files, 1–\d+ of \d+$/, /^Nothing matches .*nothing-like-it\.$/],
] as const;

test('a list that follows what is typed says its result to a screen reader', async (context) => {
  await using browser = await openBrowser(context);
  if (browser === undefined) return;
  await using folder = await openTempFolder();
  await using stage = await openStage(folder.path);
  for (const [name, some, found, none] of lists) {
    const scene = scenes.find((each) => each.name === name);
    assert.ok(scene, name);
    await stage.play(scene, async () => {
      const { page } = await stage.load(browser, scene, 'en', {
        theme: 'light',
        scheme: 'light',
        width: 1280,
      });
      // of one that is empty the role is not found
      const said = page.locator('.filters-fold [role="status"]');
      assert.equal(await said.textContent({ timeout: 5000 }), '', name);
      for (const [typed, expected] of [
        [some, found],
        ['nothing-like-it', none],
      ] as const) {
        await page.locator('form.filters input[type="search"]').first().fill(typed);
        await said
          .filter({ hasText: expected })
          .waitFor({ timeout: 5000 })
          .catch(async () => {
            assert.fail(`${name}: ${JSON.stringify(await said.textContent())}`);
          });
      }
    });
  }
});

test('a choice of columns is applied at once to the filtered list, and kept', async (context) => {
  await using browser = await openBrowser(context);
  if (browser === undefined) return;
  await using folder = await openTempFolder();
  await using stage = await openStage(folder.path);
  for (const [name, some, column, heading] of [
    ['content', 'shop/web', 'size', 'Size'],
    ['tasks', 'ana', 'actor', 'Started by'],
    ['zones', 'zone-c', 'receipt', 'Receipt'],
    ['history', 'ana', 'origin', 'Client address'],
  ] as const) {
    const scene = scenes.find((each) => each.name === name)!;
    await stage.play(scene, async () => {
      const look = { theme: 'light', scheme: 'light', width: 1280 } as const;
      const { page } = await stage.load(browser, scene, 'en', look);
      const rows = page.locator('#list tbody tr:not(.group)');
      const head = page.locator('#list thead th', { hasText: heading });
      assert.equal(await head.count(), 1, name);
      const all = await rows.count();
      await page.locator('form.filters input[type="search"]').first().fill(some);
      await page.waitForURL(/=/);
      await page.locator('.filters-fold [role="status"]:not(:empty)').waitFor({ state: 'attached' });
      const found = await rows.count();
      assert.ok(found > 0 && found < all, `${name}: ${found} of ${all}`);
      await page.click('.columns > summary');
      const box = page.locator(`.columns input[value="${column}"]`);
      for (const [count, said] of [
        [0, /Columns\s+1 hidden$/],
        [1, /Columns$/],
      ] as const) {
        await box.click();
        await head.nth(0).waitFor({ state: count === 0 ? 'detached' : 'attached', timeout: 5000 });
        assert.equal(await rows.count(), found, `${name}: the filter stays`);
        assert.match((await page.locator('.columns > summary').innerText()).trim(), said, name);
        assert.equal(await page.evaluate('document.activeElement.value'), column, name);
        if (count === 1) continue;
        await page.reload();
        assert.equal(await head.count(), 0, `${name}: kept`);
        await page.click('.columns > summary');
      }
    });
  }
});

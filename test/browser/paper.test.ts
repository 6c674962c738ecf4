import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { mediumStates } from '../kit/showcase/answers.ts';
import { pastTasks } from '../kit/showcase/history.ts';
import { openBrowser } from '../kit/web/browser.ts';
import type { Scene } from './scenes.ts';
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
    for (const control of ['.header', '.filters-fold', '.list-head', '.copy', '.button', '.nav', '.terminal'])
      assert.equal(await isShown(control), false, control);
    const digest = "getComputedStyle(document.querySelector('.pairs .digest'), '::after').content";
    assert.match(await page.evaluate<string>(digest), /^"sha256:(ab){32}"$/);
    assert.match(await page.locator('.chain').innerText(), /SHA-256 of line 5: sha256:[0-9a-f]{64}/);
    assert.match(await page.locator('.main').innerText(), /Checked by, date and signature/);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? [];
    assert.deepEqual([Math.round(Number(width)), Math.round(Number(height))], [595, 842]);
  } finally {
    await browser.close();
  }
});

test('a printed history has every detail of a line, and its states in one line', async (t) => {
  const browser = await openBrowser(t);
  if (browser === undefined) return;
  await using folder = await openTempFolder();
  await using stage = await openStage(folder.path);
  // A4 between its margins
  const look = { theme: 'light', scheme: 'light', width: 703 } as const;
  try {
    const { page } = await stage.load(browser, { name: 'all of it', path: '/history' }, 'en', look);
    const hidden = page.locator('td > .print-only, .pairs > .print-only');
    assert.equal(await hidden.first().isVisible(), false);
    await page.emulateMedia({ media: 'print' });
    assert.ok((await hidden.count()) > 0);
    for (const detail of await hidden.all()) assert.equal(await detail.isVisible(), true);
    assert.equal(await page.locator('.way:visible').count(), 0);
    for (const state of await page.locator('.state .badge').all())
      assert.ok((await state.boundingBox())!.height < 20);
  } finally {
    await browser.close();
  }
});

test('a report and a task are printed with a foot on each sheet, digests in one line, and no link alone', async (t) => {
  const browser = await openBrowser(t);
  if (browser === undefined) return;
  await using folder = await openTempFolder();
  await using stage = await openStage(folder.path);
  // A4 between its margins
  const look = { theme: 'light', scheme: 'light', width: 703 } as const;
  const set = (show: Parameters<NonNullable<Scene['set']>>[0]): void => {
    show.media.current = mediumStates.partial!;
  };
  const report = { name: 'report', path: '/media/report', set, digests: '.record dd code' };
  const task = { name: 'task', path: `/tasks/${pastTasks.carried}`, digests: '.item-digest .digest' };
  const recipe = { name: 'recipe', path: '/recipes/-/shop', digests: '.item-digest .digest' };
  const zone = { name: 'zone', path: '/zones/zone-c', digests: '.none' };
  try {
    const deliver = { name: 'deliver', path: '/deliver?zone=zone-c&disk=stick', digests: '.none' };
    const receipts = { name: 'receipts', path: '/receipts', digests: '.none' };
    for (const scene of [report, task, recipe, zone, deliver, receipts])
      await stage.play(scene, async () => {
        const { page } = await stage.load(browser, scene, 'en', look);
        await page.emulateMedia({ media: 'print' });
        const foot = await page.evaluate<string>(
          "getComputedStyle(document.documentElement).getPropertyValue('--foot')",
        );
        assert.match(
          foot,
          /^"[^"]+ · zone-b · \S+:\d+\/\S+ · alice · \d+ \w+ 2026, [\d:]+ UTC"$/,
          scene.name,
        );
        for (const digest of await page.locator(scene.digests).all())
          assert.ok((await digest.boundingBox())!.height < 20, scene.name);
        const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        assert.equal(await page.evaluate(wider), 0, scene.name);
        const ages = await page.evaluate<string[]>(
          "[...document.querySelectorAll('.age')].map((each) => getComputedStyle(each, '::after').content)",
        );
        if (scene === recipe) assert.ok(ages.length > 0, 'ages of a recipe');
        for (const age of ages) assert.match(age, /^"\d+ \w+ 2026, [\d:]+ UTC"$/, scene.name);
        for (const dead of [
          '.way',
          '.form',
          'p:has(+ .form)',
          '.fold:has(> .form)',
          '.pager',
          '.copyable + a',
        ])
          assert.equal(await page.locator(`${dead}:visible`).count(), 0, `${scene.name}: ${dead}`);
      });
    // a page without a head of its own has the foot on its first sheet too
    const { page: list } = await stage.load(browser, { name: 'content', path: '/content' }, 'en', look);
    await list.emulateMedia({ media: 'print' });
    assert.equal(await list.locator('.header:visible, .paper-head:visible').count(), 0);
    assert.match(
      await list.evaluate<string>("getComputedStyle(document.documentElement).getPropertyValue('--foot')"),
      /^"Content · zone-b · \S+\/content · alice · /,
    );
    assert.match(await list.locator('.main').innerText(), /Checked by, date and signature: _+$/);
    assert.ok((await list.locator('.group-fold').count()) > 0);
    assert.equal(await list.locator('.group-fold > .icon:visible, .sort > .icon:visible').count(), 0);
    // a time and a state are read at a glance
    for (const path of ['/tasks', task.path]) {
      const { page } = await stage.load(browser, { name: path, path }, 'en', look);
      await page.emulateMedia({ media: 'print' });
      const offsets = await page.evaluate<number[]>(`
        [...document.querySelectorAll('td.time, td .badge:has(.icon)')].map((each) => {
          const range = document.createRange();
          range.selectNodeContents(each);
          const tops = [...range.getClientRects()].map(({ top }) => top);
          return Math.max(...tops) - Math.min(...tops);
        })`);
      assert.ok(offsets.length > 4, path);
      assert.ok(
        offsets.every((offset) => offset < 10),
        `${path}: ${offsets.join(' ')}`,
      );
    }
  } finally {
    await browser.close();
  }
});

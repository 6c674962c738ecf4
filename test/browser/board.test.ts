import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { scenes } from './scenes.ts';
import { setStage } from './stage.ts';

const at = setStage();

async function openOverview(language: 'en' | 'fr', width: number, height: number): Promise<Page> {
  const scene = scenes.find(({ name }) => name === 'overview')!;
  const { page } = await at.stage.load(at.browser, scene, language, {
    theme: 'light',
    scheme: 'light',
    width,
  });
  await page.setViewportSize({ width, height });
  return page;
}

/** CSS pixels from the top of the page, of the first element that is selected. */
async function boxOf(
  page: Page,
  selector: string,
): Promise<{ readonly top: number; readonly bottom: number }> {
  const box = (await page.locator(selector).first().boundingBox())!;
  return { top: box.y, bottom: box.y + box.height };
}

test('a laptop shows the verdict, what to do, what runs and what came last without scrolling, in both languages', async (context) => {
  if (!(await at.opens(context))) return;
  for (const language of ['en', 'fr'] as const) {
    const page = await openOverview(language, 1280, 720);
    for (const selector of [
      '.answer .stamp',
      '.todo li .todo-head + p',
      '.todo li a[href^="/help#SVC-"]',
      '.running-head',
      '.cell .facts dd:last-of-type',
      '.occupancy',
    ])
      assert.ok((await boxOf(page, selector)).bottom <= 720, `${language}: ${selector}`);
  }
});

test('the buttons at the head of the overview stand on one line, close to each other', async (context) => {
  if (!(await at.opens(context))) return;
  for (const language of ['en', 'fr'] as const) {
    const page = await openOverview(language, 1280, 720);
    const [step, freeze] = [
      (await page.locator('.answer-step .button').boundingBox())!,
      (await page.locator('[data-pause]').boundingBox())!,
    ];
    assert.equal(step.y + step.height / 2, freeze.y + freeze.height / 2, language);
    const gap = freeze.x - step.x - step.width;
    assert.ok(gap >= 0 && gap <= 32, `${language}: ${gap} px`);
  }
});

test('a sentence at the head of a page fills its line before it takes another one', async (context) => {
  if (!(await at.opens(context))) return;
  const scene = scenes.find(({ name }) => name === 'task, no space')!;
  const look = { theme: 'light', scheme: 'light', width: 1280 } as const;
  const { page } = await at.stage.load(at.browser, scene, 'en', look);
  const share = await page.evaluate<number>(`(() => {
    const what = document.querySelector('.answer-what');
    const range = document.createRange();
    range.selectNodeContents(what);
    const [first, ...others] = range.getClientRects();
    const line = [first, ...others.filter(({ bottom }) => bottom - first.bottom < 5)];
    return (Math.max(...line.map(({ right }) => right)) - first.left) / what.clientWidth;
  })()`);
  // a word moves to the last line where it would have a word alone
  assert.ok(share > 0.7, `${Math.round(share * 100)} % of the line`);
});

test('a telephone has one line of navigation, which names the current page, and the verdict on its first screen', async (context) => {
  if (!(await at.opens(context))) return;
  const page = await openOverview('fr', 390, 844);
  const nav = await boxOf(page, '.nav');
  assert.ok(nav.bottom - nav.top <= 48, `${nav.bottom - nav.top} px`);
  assert.ok((await boxOf(page, '.answer-what')).bottom <= 844);
  await page
    .locator('.nav a[href="/tasks"]')
    .evaluate((link) => (link as unknown as { click(): void }).click());
  await page.waitForURL(/\/tasks$/);
  assert.equal(await page.locator('.nav-fold > summary').innerText(), 'Tâches');
});

test('a window of half the width, or with letters doubled, has the header in one row above the navigation', async (context) => {
  if (!(await at.opens(context))) return;
  for (const language of ['en', 'fr'] as const)
    for (const width of [640, 768, 880]) {
      const page = await openOverview(language, width, 800);
      const [name, tools, nav] = [
        await boxOf(page, '.header-name'),
        await boxOf(page, '.header-tools'),
        await boxOf(page, '.nav'),
      ];
      const what = `${language}, ${width}`;
      assert.ok(tools.top < name.bottom && nav.top <= 60, `${what}: navigation at ${nav.top} px`);
    }
});

test('a wide screen has the recipes beside what to do, above the fold, and the deliveries below them', async (context) => {
  if (!(await at.opens(context))) return;
  for (const language of ['en', 'fr'] as const)
    for (const width of [1700, 1920, 2560]) {
      const page = await openOverview(language, width, 1080);
      const [main, wanted, more] = [
        await boxOf(page, '.board-main'),
        await boxOf(page, '.board-wanted'),
        await boxOf(page, '.board-more'),
      ];
      const what = `${language}, ${width}`;
      assert.equal(wanted.top, main.top, what);
      assert.ok(wanted.bottom <= 1080 && wanted.bottom <= more.top, `${what}: ${wanted.bottom}`);
    }
});

test('a wide screen has the log of a task beside its items, a smaller one below, without a scroll sideways', async (context) => {
  if (!(await at.opens(context))) return;
  for (const name of ['task, running', 'task, failed'])
    for (const width of [390, 1280, 1680, 2560]) {
      const scene = scenes.find((each) => each.name === name)!;
      const look = { theme: 'light', scheme: 'light', width } as const;
      const { page, faults } = await at.stage.load(at.browser, scene, 'en', look);
      const [state, items, results, more] = [
        await boxOf(page, '#state'),
        await boxOf(page, '#items'),
        await boxOf(page, '#results'),
        await boxOf(page, '#more'),
      ];
      const what = `${name}, ${width}`;
      assert.equal((await faults('none')).overflow, 0, what);
      if (width < 1680) assert.ok(items.bottom <= results.top, what);
      else assert.equal(items.top, results.top, what);
      assert.ok(state.bottom <= items.top && Math.max(items.bottom, results.bottom) <= more.top, what);
      const bar = page.locator('.live-bar');
      if ((await bar.count()) === 0) continue;
      const [button, heading] = [
        (await bar.locator('button').boundingBox())!,
        (await page.locator('h1').boundingBox())!,
      ];
      const isBeside = button.y < heading.y + heading.height && button.x >= heading.x + heading.width;
      // on a phone a long heading fills its line, and the button ends below it where the page ends
      const isBelow =
        width < 600 &&
        button.y >= heading.y + heading.height &&
        Math.round(button.x + button.width) === width - 16;
      assert.ok(isBeside || isBelow, `${what}: the button stands in the line of the heading, or below it`);
    }
});

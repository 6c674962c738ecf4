import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachScene } from './each-scene.ts';
import { setStage } from './stage.ts';

const at = setStage();

test('a moment in a table takes one line, and has its second in its title', async (context) => {
  if (!(await at.opens(context))) return;
  for (const language of ['en', 'fr'] as const)
    await eachScene(
      at,
      ['zones', 'zone', 'receipts', 'accounts'],
      { language, width: 1280 },
      async (page, name) => {
        const moments = await page.evaluate<readonly { title: string; text: string; lines: number }[]>(`
          [...document.querySelectorAll('.table td time')].map((time) => {
            const range = document.createRange();
            range.setStartBefore(time);
            range.setEndAfter(time.nextElementSibling?.matches('.screen-only') ? time.nextElementSibling : time);
            const tops = Array.from(range.getClientRects(), ({ top }) => Math.round(top / 6));
            return { title: time.title, text: range.toString(), lines: new Set(tops).size };
          })`);
        assert.ok(moments.length > 0, name);
        for (const { title, text, lines } of moments) {
          assert.equal(lines, 1, `${name}: ${text}`);
          assert.match(title, /20\d\d, \d\d:\d\d:\d\d UTC$/, name);
          assert.doesNotMatch(text, /UTC/, name);
        }
      },
    );
});

test('an identifier in a sentence has one face, the size and the colour of the sentence, and is whole', async (context) => {
  if (!(await at.opens(context))) return;
  const names = ['medium, partial', 'overview', 'task, failed items'];
  await eachScene(at, names, { language: 'en', width: 1280 }, async (page, name) => {
    const found = await page.evaluate<
      readonly { text: string; own: readonly string[]; around: readonly string[]; families: number }[]
    >(`
      [...document.querySelectorAll('main p .id')].filter((each) => each.checkVisibility()).map((each) => {
        const lookOf = (element) => {
          const { fontSize, color, fontWeight } = getComputedStyle(element);
          return [fontSize, color, fontWeight];
        };
        const parts = [each, ...each.querySelectorAll('*')];
        return {
          text: each.title || each.textContent,
          own: lookOf(each),
          around: lookOf(each.closest('p')),
          families: new Set(parts.map((part) => getComputedStyle(part).fontFamily)).size,
        };
      })`);
    assert.ok(found.length > 0, name);
    for (const { text, own, around, families } of found) {
      assert.deepEqual(own, around, `${name}: ${text}`);
      assert.equal(families, 1, `${name}: ${text}`);
      assert.doesNotMatch(text, /…/, name);
    }
  });
});

test('a cause and a remedy have the size and the colour of the text', async (context) => {
  if (!(await at.opens(context))) return;
  const places: readonly (readonly [scene: string, selector: string])[] = [
    ['medium, a recipe lacking', '.answer-text > p:has(a[href^="/help#"])'],
    ['zones', '.table td.foremost > div'],
    ['overview', '.todo p:not(.way)'],
  ];
  for (const [scene, selector] of places)
    await eachScene(at, [scene], { language: 'en', width: 1280 }, async (page, name) => {
      const [text, ...found] = await page.evaluate<readonly string[]>(`
          [document.querySelector('main'), ...document.querySelectorAll(${JSON.stringify(`main ${selector}`)})].map((each) => {
            const { fontSize, color } = getComputedStyle(each);
            return fontSize + ' ' + color;
          })`);
      assert.ok(found.length > 0, name);
      assert.deepEqual(new Set(found), new Set([text]), name);
    });
});

test('on the smallest screen a warning takes the lines of its sentence, and all leave the page its room', async (context) => {
  if (!(await at.opens(context))) return;
  for (const language of ['en', 'fr'] as const)
    await eachScene(
      at,
      ['overview', 'overview, every notice'],
      { language, width: 320 },
      async (page, name) => {
        const found = await page.evaluate<readonly { text: string; lines: number }[]>(`
          [...document.querySelectorAll('.notice')].filter((each) => each.checkVisibility()).map((each) => {
            const range = document.createRange();
            range.selectNodeContents(each);
            const tops = Array.from(range.getClientRects(), ({ bottom }) => Math.round(bottom / 12));
            return { text: each.innerText, lines: new Set(tops).size };
          })`);
        assert.ok(found.length > 0, name);
        for (const { text, lines } of found)
          assert.ok(text.length / lines > 15, `${name}: ${lines} lines: ${text}`);
      },
    );
});

test('elsewhere than on the overview warnings take one line, two or three on a phone, and unfold without scripts', async (context) => {
  if (!(await at.opens(context))) return;
  for (const [width, lines] of [
    [390, 3],
    [1280, 1],
  ] as const)
    await eachScene(at, ['store, over its threshold'], { language: 'fr', width }, async (page, name) => {
      const strip = page.locator('.notices');
      const { height } = (await strip.boundingBox())!;
      assert.ok(height <= 24 * lines + 12, `${name}: ${height}`);
      await strip.locator('summary').click();
      assert.equal(await strip.locator('.notice').filter({ visible: true }).count(), 4, name);
    });
});

test('a finding has the face of a verdict, and the name of a thing the face of the text', async (context) => {
  if (!(await at.opens(context))) return;
  await eachScene(at, ['medium, a recipe lacking'], { language: 'en', width: 1280 }, async (page, name) => {
    const familiesOf = (selector: string) =>
      page.evaluate<readonly string[]>(
        `[...new Set([...document.querySelectorAll('main ' + ${JSON.stringify(selector)})].map((each) => getComputedStyle(each).fontFamily))]`,
      );
    const [verdict, finding, strong, text] = await Promise.all(
      ['.answer-what', '.error-what', '.answer-text strong', '.facts dd'].map(familiesOf),
    );
    assert.equal(verdict!.length, 1, name);
    assert.deepEqual(finding, verdict, name);
    assert.deepEqual(strong, text, name);
    assert.notDeepEqual(strong, verdict, name);
  });
});

test('compact rows are lower on every list, and have no fault', async (context) => {
  if (!(await at.opens(context))) return;
  for (const { name, path } of [
    { name: 'tasks', path: '/tasks' },
    { name: 'content', path: '/content' },
    { name: 'history', path: '/history' },
  ]) {
    const opened = await at.stage.load(at.browser, { name, path }, 'en', {
      theme: 'light',
      scheme: 'light',
      width: 1280,
    });
    const { page } = opened;
    const rows = page.locator('#list tbody tr:not(.group)');
    const heightOf = async () =>
      Math.min(
        ...(await Promise.all((await rows.all()).map((row) => row.boundingBox()))).map((box) => box!.height),
      );
    const before = await heightOf();
    await page.evaluate("document.documentElement.dataset.rows = 'compact'");
    assert.ok((await heightOf()) <= before - 6, `${name}: ${await heightOf()} of ${before}`);
    assert.deepEqual((await opened.faults()).axe, [], name);
  }
});

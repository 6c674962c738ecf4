import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { eachScene as play } from './each-scene.ts';
import { type Language, setStage } from './stage.ts';

const at = setStage();

/** An element, of which the tests know no type. */
interface Edged {
  getBoundingClientRect(): { readonly right: number; readonly width: number };
}

/** Loads scenes in a language and a width, one after the other. */
const eachScene = (
  names: readonly string[],
  language: Language,
  width: number,
  judge: (page: Page, name: string) => Promise<void>,
): Promise<void> => play(at, names, { language, width }, judge);

test('on a laptop the first row of a list stands in the upper half of the window', async (context) => {
  if (!(await at.opens(context))) return;
  const lists = ['content', 'tasks', 'zones', 'recipes', 'receipts', 'history'];
  for (const language of ['en', 'fr'] as const)
    await eachScene(lists, language, 1280, async (page, name) => {
      const top = (await page.locator('#list tbody tr').first().boundingBox())!.y;
      assert.ok(top <= 400, `${name}: ${top}`);
    });
});

test('the cells of a row stand on one line of writing, and rows of one line have one height', async (context) => {
  if (!(await at.opens(context))) return;
  const lists = ['recipes', 'content', 'tasks', 'history', 'zones', 'accounts'];
  await eachScene(lists, 'en', 1280, async (page, name) => {
    // a box without a height stands on the line of the text behind it
    const rows = await page.evaluate<readonly { lines: readonly number[]; height: number }[]>(`
      [...document.querySelectorAll('.table tbody tr:not(.group)')].map((row) => {
        const height = row.getBoundingClientRect().height;
        const lines = [...row.cells].flatMap((cell) => {
          const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT, (text) =>
            /\\S/.test(text.data) && text.parentElement.checkVisibility() && !text.parentElement.closest('svg, .visually-hidden')
              ? NodeFilter.FILTER_ACCEPT
              : NodeFilter.FILTER_SKIP,
          );
          const text = walker.nextNode();
          if (text === null) return [];
          const [line, mark] = [document.createElement('span'), document.createElement('span')];
          mark.style.display = 'inline-block';
          text.replaceWith(line);
          line.append(mark, text);
          return [mark.getBoundingClientRect().bottom];
        });
        return { lines, height };
      })`);
    assert.ok(rows.length > 0, name);
    for (const { lines } of rows)
      assert.ok(Math.max(...lines) - Math.min(...lines) <= 1, `${name}: ${lines}`);
    const low = rows.map(({ height }) => height).filter((height) => height < 48);
    assert.ok(low.length === 0 || Math.max(...low) - Math.min(...low) < 3, `${name}: ${low}`);
  });
});

test('no short name and no code is broken at a hyphen', async (context) => {
  if (!(await at.opens(context))) return;
  const names = [
    ...['overview', 'content', 'recipe', 'mapping', 'tasks', 'task, running', 'zones', 'store'],
    ...['files of a file set', 'Retriever', 'search', 'clients', 'compare, difference'],
  ];
  for (const width of [390, 768, 1280, 1920])
    await eachScene(names, 'en', width, async (page, name) => {
      const { judged, broken } = await page.evaluate<{ judged: number; broken: readonly string[] }>(`(() => {
        const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
        const broken = [];
        let judged = 0;
        for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
          const parent = text.parentElement;
          if (!parent.checkVisibility() || !parent.closest('bdi, code, a') || parent.closest('pre, .visually-hidden')) continue;
          for (const { 0: word, index } of text.data.matchAll(/[^\\s/@]*[a-zA-Z0-9]-[^\\s/@]*/g)) {
            if (word.length > 24) continue;
            const range = document.createRange();
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            judged += 1;
            if (new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top / 6))).size > 1) broken.push(word);
          }
        }
        return { judged, broken };
      })()`);
      assert.ok(judged > 0, name);
      assert.deepEqual(broken, [], name);
    });
});

test('the label of a filter stands above its field, on the line of the others', async (context) => {
  if (!(await at.opens(context))) return;
  const lists = ['recipes', 'content', 'tasks', 'history', 'files of a file set', 'repository'];
  for (const width of [1280, 1920])
    await eachScene(lists, 'fr', width, async (page, name) => {
      const tops = await page.evaluate<readonly (readonly [label: number, field: number])[]>(`
        [...document.querySelectorAll('.filters :is(.field, .checks)')].map((each) =>
          ['label, legend', 'input, select'].map((part) => Math.round(each.querySelector(part).getBoundingClientRect()[part === 'label, legend' ? 'bottom' : 'top'])))`);
      assert.ok(tops.length > 0, name);
      for (const [label, field] of tops) assert.ok(label <= field, `${name}: ${label} ${field}`);
    });
});

test('no table cuts a column off, in half a window and at twice the size of the letters', async (context) => {
  if (!(await at.opens(context))) return;
  const names = [
    ...['overview', 'content', 'repository', 'recipes', 'recipe', 'mapping', 'tasks', 'zones', 'zone'],
    ...[
      'repository, long name',
      'task, running',
      'medium, partial',
      'history',
      'receipts',
      'file sets',
      'accounts',
      'store',
      'evidence',
    ],
  ];
  for (const width of [640, 720, 900, 1024])
    await eachScene(names, 'fr', width, async (page, name) => {
      const cut = await page
        .locator('.table-scroll')
        .evaluateAll((all: { scrollWidth: number; clientWidth: number }[]) =>
          all.flatMap(({ scrollWidth, clientWidth }) =>
            scrollWidth > clientWidth ? [`${scrollWidth} in ${clientWidth}`] : [],
          ),
        );
      assert.deepEqual(cut, [], name);
    });
});

test('nothing scrolls a page sideways, and a value stays within its column, at widths between those of devices', async (context) => {
  if (!(await at.opens(context))) return;
  const names = ['medium, partial', 'medium, another zone', 'overview', 'history', 'store', 'plan'];
  for (const width of [320, 640, 700, 768, 900, 1200, 1280])
    await eachScene(names, 'fr', width, async (page, name) => {
      const cut = await page.evaluate<readonly string[]>(`
        [document.documentElement, ...document.querySelectorAll('.facts dd')].flatMap((box) =>
          box.scrollWidth > box.clientWidth ? [box.scrollWidth + ' in ' + box.clientWidth + ': ' + box.textContent.slice(0, 40)] : [])`);
      assert.deepEqual(cut, [], name);
    });
});

test('an action of the history has room for its words on a small screen', async (context) => {
  if (!(await at.opens(context))) return;
  await eachScene(['history'], 'fr', 768, async (page, name) => {
    const narrow = await page.evaluate<readonly string[]>(`
      [...document.querySelectorAll('#list td:is(.whole, .state)')].flatMap((cell) => {
        const words = document.createElement('span');
        words.style.cssText = 'position: absolute; width: min-content; overflow-wrap: normal';
        words.textContent = cell.textContent;
        cell.append(words);
        const longest = words.getBoundingClientRect().width;
        words.remove();
        return longest > cell.clientWidth ? [cell.textContent] : [];
      })`);
    assert.deepEqual(narrow, [], name);
  });
});

test('a list is a table from 720 px on; below, an entry has the label of each value but its first one, and leaves absent ones out', async (context) => {
  if (!(await at.opens(context))) return;
  const display = (page: Page): Promise<string> =>
    page.evaluate('getComputedStyle(document.querySelector(".table tbody tr")).display');
  const lists = ['tasks', 'zones', 'history', 'recipes', 'recipe'];
  await eachScene(lists, 'en', 768, async (page, name) => {
    assert.match(await display(page), /^(?:table-row|grid)$/, name);
  });
  // a record of the history is three lines of words, without labels
  const labelled = [...lists.filter((each) => each !== 'history'), 'overview'];
  await eachScene(labelled, 'en', 390, async (page, name) => {
    assert.equal(await display(page), 'flex', name);
    const bare = await page.evaluate<string[]>(
      '[...document.querySelectorAll(".table tbody td:not(.state, .foremost)")].filter((each) => each.checkVisibility()' +
        ' && (getComputedStyle(each, "::before").content === "none" || /^[–·]?$/.test(each.textContent.trim())))' +
        '.map((each) => each.dataset.label)',
    );
    assert.deepEqual(bare, [], name);
  });
});

test('in half a window every column of a list is shown, and its fields stand in columns', async (context) => {
  if (!(await at.opens(context))) return;
  const lists = ['content', 'tasks', 'recipes', 'recipe', 'history', 'deliver, plan'];
  for (const language of ['en', 'fr'] as const)
    await eachScene(lists, language, 768, async (page, name) => {
      const { hidden, starts } = await page.evaluate<{ hidden: string[]; starts: number[] }>(`({
        hidden: [...document.querySelectorAll('.table thead th')]
          .filter((each) => !each.checkVisibility())
          .map((each) => each.textContent),
        starts: [...document.querySelectorAll('.filters > .field')].map((each) => each.getBoundingClientRect().left),
      })`);
      assert.deepEqual(hidden, [], name);
      assert.ok(new Set(starts).size <= 3, `${name}: ${starts}`);
    });
});

test('in half a window the filter of the history is folded, its first row is in sight, and the address is below the actor', async (context) => {
  if (!(await at.opens(context))) return;
  for (const language of ['en', 'fr'] as const)
    await eachScene(['history'], language, 768, async (page, name) => {
      const { isOpen, ends, beside, heads } = await page.evaluate<{
        isOpen: boolean;
        ends: number;
        beside: readonly (readonly [number, number])[];
        heads: number;
      }>(`(() => {
        const box = (element) => element.getBoundingClientRect();
        const rows = [...document.querySelectorAll('#list tbody tr')].filter((row) => !row.querySelector('.second > .none'));
        return {
          isOpen: document.querySelector('.filters').checkVisibility({ contentVisibilityAuto: true }),
          ends: box(document.querySelector('#list tbody tr')).bottom,
          beside: rows.map((row) => {
            const [actor, address] = [box(row.children[1]), box(row.querySelector('.second'))];
            return [Math.abs(address.left - actor.left), Math.abs(address.top - actor.bottom)];
          }),
          heads: new Set([...document.querySelectorAll('#list thead th')].filter((each) => box(each).height > 0).map((each) => Math.round(box(each).top))).size,
        };
      })()`);
      assert.equal(isOpen, false, name);
      assert.ok(ends < 800, `${name}: ${ends}`);
      assert.ok(
        beside.length > 0 && beside.every((off) => off.every((pixels) => pixels < 2)),
        `${name}: ${beside}`,
      );
      assert.equal(heads, 1, name);
    });
});

test('text below the size of a heading has one of two sizes', async (context) => {
  if (!(await at.opens(context))) return;
  const names = ['overview', 'content', 'recipe', 'version', 'task, running', 'plan', 'history', 'accounts'];
  await eachScene(names, 'en', 1280, async (page, name) => {
    const sizes = await page.evaluate<string[]>(`(() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found = new Set();
      while (walker.nextNode()) {
        const { data, parentElement } = walker.currentNode;
        const size = parseFloat(getComputedStyle(parentElement).fontSize);
        if (/\\S/.test(data) && parentElement.checkVisibility() && size < 17) found.add(size.toFixed(1));
      }
      return [...found].sort();
    })()`);
    assert.deepEqual(sizes, ['13.0', '15.0'], name);
  });
});

test('tables, panels and code of a page end at one edge', async (context) => {
  if (!(await at.opens(context))) return;
  const names = ['task, finished', 'plan', 'file sets', 'version', 'recipe with a refused version'];
  for (const width of [1280, 1920])
    await eachScene(names, 'en', width, async (page, name) => {
      const edges = await page
        .locator('.section:not(.sides *) > :is(.table-scroll, .error, .note, pre, .card)')
        .evaluateAll((all: Edged[]) => all.map((each) => Math.round(each.getBoundingClientRect().right)));
      assert.equal(new Set(edges).size, Math.min(edges.length, 1), `${name}: ${edges}`);
    });
});

test('the title, the stamp, the tables and the forms of a page begin at one edge, and so do the sentences of all heads', async (context) => {
  if (!(await at.opens(context))) return;
  const names = [
    ...['overview', 'content', 'recipe', 'version', 'task, running', 'zone', 'history', 'deliver, plan'],
    ...['file sets', 'plan', 'prune preview', 'check, findings', 'compare, difference', 'pin', 'store'],
  ];
  for (const width of [390, 768, 1280, 1920, 2560])
    await eachScene(names, 'en', width, async (page, name) => {
      const { starts, sentence } = await page.evaluate<{
        starts: readonly string[];
        sentence: number;
      }>(`(() => {
        const main = document.querySelector('.main');
        const edge = main.getBoundingClientRect().left + parseFloat(getComputedStyle(main).paddingLeft);
        const startOf = (each) => Math.round(each.getBoundingClientRect().left - edge);
        const all = ':scope > .title > h1, :scope > .crumbs, .answer > .stamp, .section > :is(.table-scroll, .table-tools, .filters-fold, .form, h2, .error, .facts)';
        return {
          starts: [...main.querySelectorAll(all)]
            .filter((each) => each.checkVisibility() && !each.closest('.sides > :last-child') && startOf(each) !== 0)
            .map((each) => each.tagName + '.' + each.className + ' ' + startOf(each)),
          sentence: startOf(main.querySelector('.answer-what')),
        };
      })()`);
      assert.deepEqual(starts, [], name);
      assert.equal(sentence, width === 390 || (width === 768 && name.startsWith('overview')) ? 0 : 208, name);
    });
});

test('at twice the size of a laptop the verdict and the first thing to do stand on the first screen', async (context) => {
  if (!(await at.opens(context))) return;
  for (const language of ['en', 'fr'] as const)
    await eachScene(['overview', 'overview, gate closed'], language, 640, async (page, name) => {
      await page.setViewportSize({ width: 640, height: 400 });
      for (const selector of ['.answer-what', '.answer-step .button', '.todo li .todo-head + p']) {
        const box = (await page.locator(selector).first().boundingBox())!;
        assert.ok(box.y + box.height <= 400, `${name}: ${selector} ends at ${box.y + box.height}`);
      }
    });
});

test('nothing of the page of a running task moves while its rate and the time left change', async (context) => {
  if (!(await at.opens(context))) return;
  await eachScene(['task, running'], 'en', 360, async (page, name) => {
    for (let polls = 0; polls < 4; polls++)
      await page.waitForResponse(
        (response) => response.request().headers()['hx-target'] === 'section#verdict',
      );
    assert.equal(await page.evaluate('globalThis.layoutShift'), 0, name);
    // an element behind a number would move with the width of the number
    assert.equal(
      await page.evaluate("document.querySelector('.answer-text > p').childNodes.length"),
      1,
      name,
    );
  });
});

/** Windows of a telephone, upright and on its side. */
const telephones = [
  [390, 844],
  [640, 400],
] as const;

test('on a phone the navigation is one row, and the content begins in the first two fifths of the window', async (context) => {
  if (!(await at.opens(context))) return;
  const names = [
    'overview',
    'recipes',
    'history',
    'medium, partial',
    'deliver, plan',
    'deliver, no zone',
    'store',
  ];
  for (const [width, height] of telephones)
    for (const language of ['en', 'fr'] as const)
      await eachScene(names, language, width, async (page, name) => {
        await page.setViewportSize({ width, height });
        const { navigation, lines, cut } = await page.evaluate<{
          navigation: number;
          lines: readonly number[];
          cut: readonly string[];
        }>(`(() => {
          const boxes = [...document.querySelectorAll('main :is(h1, h2, p, summary, .stamp, label)')]
            .filter((each) => each.checkVisibility() && !each.matches('.visually-hidden'))
            .map((each) => each.getBoundingClientRect().top)
            .filter((top) => top > 0)
            .sort((a, b) => a - b);
          return {
            navigation: document.querySelector('.navs').getBoundingClientRect().height,
            lines: boxes.slice(0, 2),
            cut: [...document.querySelectorAll('.notice > span')]
              .filter((each) => each.scrollWidth > each.clientWidth)
              .map((each) => each.textContent),
          };
        })()`);
        assert.ok(navigation <= 48, `${name}: ${navigation}`);
        assert.deepEqual(cut, [], name);
        assert.equal(lines.length, 2, name);
        for (const top of lines) assert.ok(top <= 0.4 * height, `${name}: ${lines} of ${height}`);
      });
});

test('on a phone the rule below the order of a list and the button that freezes a page end where the page ends', async (context) => {
  if (!(await at.opens(context))) return;
  await eachScene(
    ['tasks', 'content', 'history', 'zones', 'medium, partial'],
    'en',
    390,
    async (page, name) => {
      const ends = await page.evaluate<readonly number[]>(`
      [...document.querySelectorAll('main .table thead tr, main [data-pause]')]
        .filter((each) => each.checkVisibility() && each.getBoundingClientRect().width > 1)
        .map((each) => Math.round(each.getBoundingClientRect().right))`);
      assert.ok(ends.length > 0, name);
      assert.deepEqual(new Set(ends), new Set([390 - 16]), name);
    },
  );
});

test('on a phone the filter, the further actions and the columns of the recipes take two rows at most', async (context) => {
  if (!(await at.opens(context))) return;
  for (const [width, height] of telephones)
    for (const language of ['en', 'fr'] as const)
      await eachScene(['recipes'], language, width, async (page, name) => {
        await page.setViewportSize({ width, height });
        const tops = await page
          .locator('#filters :is(a, button, input, summary)')
          .filter({ visible: true })
          .evaluateAll((all: { getBoundingClientRect(): { readonly top: number } }[]) =>
            all.map((each) => each.getBoundingClientRect().top),
          );
        assert.ok(tops.length > 1 && Math.max(...tops) - Math.min(...tops) < 60, `${name}: ${tops}`);
        await page.click('#filters .filters-fold ~ .filters-fold > summary');
        assert.equal(await page.locator('#filters a.button').filter({ visible: true }).count(), 4, name);
      });
});

test('on a phone a record of the history takes three lines at most, unless its names are long', async (context) => {
  if (!(await at.opens(context))) return;
  // French words may need one line more
  for (const [language, most] of [
    ['en', 112],
    ['fr', 138],
  ] as const)
    await eachScene(['history'], language, 390, async (page, name) => {
      const heights = await page
        .locator('#list tbody tr')
        .filter({ hasNotText: /[^\s]{40}/ })
        .evaluateAll((all: { getBoundingClientRect(): { readonly height: number } }[]) =>
          all.map((each) => each.getBoundingClientRect().height),
        );
      // with two gaps, and the space above and below
      assert.ok(heights.length >= 5 && Math.max(...heights) <= most, `${name}: ${heights}`);
    });
});

test('on a phone the values of a row share lines below what it says first', async (context) => {
  if (!(await at.opens(context))) return;
  // lines of a row without a long name, one more of French words: name, values; of a task and a zone the outcome too
  const most = {
    recipes: 3,
    'task, finished': 3,
    tasks: 6,
    'deliver, plan': 3,
    accounts: 3,
  } as const;
  for (const [language, more] of [
    ['en', 0],
    ['fr', 1],
  ] as const)
    for (const [name, lines] of Object.entries(most))
      await eachScene([name], language, 390, async (page, scene) => {
        const heights = await page.evaluate<readonly number[]>(`
          [...document.querySelectorAll('main .table tbody tr')]
            .filter((row) => !row.querySelector('.bar, .item-remedy, .state > .muted, .state > div, td > code') && !/\\S{33}/.test(row.querySelector('th a, th bdi')?.textContent))
            .map((row) => row.getBoundingClientRect().height)`);
        assert.ok(
          heights.length >= 2 && Math.max(...heights) <= 24 + 28 * (lines + more),
          `${scene}: ${heights}`,
        );
      });
});

test('on a phone on its side the first record of the history is in sight', async (context) => {
  if (!(await at.opens(context))) return;
  for (const language of ['en', 'fr'] as const)
    await eachScene(['history'], language, 640, async (page, name) => {
      await page.setViewportSize({ width: 640, height: 400 });
      const first = (await page.locator('#list tbody tr:has(a)').first().locator('a').first().boundingBox())!;
      assert.ok(first.y + first.height <= 400, `${name}: ${first.y}`);
    });
});

test('on a phone the current entry of the navigation opens the others, and the current page below it is in sight', async (context) => {
  if (!(await at.opens(context))) return;
  for (const [width, height] of telephones)
    await eachScene(['history', 'store', 'proof'], 'fr', width, async (page, name) => {
      await page.setViewportSize({ width, height });
      const current = (await page.locator('.nav-sub [aria-current]').boundingBox())!;
      // a row scrolls by whole pixels
      const end = Math.floor(current.x + current.width);
      assert.ok(current.x >= 0 && end <= width, `${name}: ${current.x} to ${end}`);
      const entries = page.locator('.nav-fold a');
      assert.equal(await entries.filter({ visible: true }).count(), 0, name);
      await page.click('.nav-fold > summary');
      const edges = await entries.evaluateAll((all: Edged[]) =>
        all.map((each) => each.getBoundingClientRect().right),
      );
      assert.ok(edges.length > 8 && edges.every((right) => right > 0 && right <= width), `${name}: ${edges}`);
    });
});

test('no line of a page is longer than its frame on a large screen, and no box of a command longer than the command', async (context) => {
  if (!(await at.opens(context))) return;
  await eachScene(['content', 'version', 'deliver, plan', 'client'], 'en', 2560, async (page, name) => {
    const widths = await page
      .locator('.main :is(.table, pre)')
      .evaluateAll((all: Edged[]) => all.map((each) => each.getBoundingClientRect().width));
    assert.ok(widths.length > 0 && Math.max(...widths) <= 1792, `${name}: ${widths}`);
    const commands = await page
      .locator('.main :is(.command, .file) pre')
      .evaluateAll((all: Edged[]) => all.map((each) => each.getBoundingClientRect().width));
    assert.ok(Math.max(0, ...commands) <= 960, `${name}: ${commands}`);
  });
});

test('what a version is made of stands beside the ways to pull it, where there is room', async (context) => {
  if (!(await at.opens(context))) return;
  for (const [width, isBeside] of [
    [1280, false],
    [1920, true],
  ] as const)
    await eachScene(['version'], 'en', width, async (page, name) => {
      const [pull, platforms] = await Promise.all(
        ['#pull', '#platforms'].map((each) => page.locator(each).boundingBox()),
      );
      assert.equal(pull!.y === platforms!.y && platforms!.x > pull!.x + pull!.width, isBeside, name);
    });
});

test('beside the sentence of a verdict stand two buttons at most', async (context) => {
  if (!(await at.opens(context))) return;
  for (const language of ['en', 'fr'] as const)
    await eachScene(['recipe with a refused version', 'zone'], language, 1280, async (page, name) => {
      const text = (await page.locator('.answer-text').boundingBox())!;
      const buttons = await page.locator('.answer .button').all();
      assert.ok(buttons.length > 0, name);
      const tops = await Promise.all(buttons.map(async (each) => (await each.boundingBox())!.y));
      const beside = tops.filter((top) => top < text.y + text.height).length;
      assert.ok(beside <= 2, `${name}: ${beside} of ${tops.length}`);
    });
});

test('the items of an ended task lead to their recipes', async (context) => {
  if (!(await at.opens(context))) return;
  await eachScene(['task, finished'], 'en', 2560, async (page, name) => {
    const items = page.locator('.table').first().locator('tbody th');
    assert.equal(await items.locator('a').count(), await items.count(), name);
  });
});

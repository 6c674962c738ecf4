import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { uiRoutes } from '../../server/ui/routes.ts';
import { isPage } from '../../server/ui/ui-route.ts';
import type { Look, OpenedPage } from '../kit/web/browser.ts';
import { type Scene, scenes } from './scenes.ts';
import { setStage } from './stage.ts';

// SVC_BROWSER=full loads every page in every width and judges it in every theme, in both languages. Without it, each
// page is loaded once, in looks that take turns, and measured in one more width.
const isFull = process.env.SVC_BROWSER === 'full';
// SVC_SCREENSHOTS=<folder> keeps pictures for review; SVC_SCENES=<regular expression> selects scenes.
const pictures = process.env.SVC_SCREENSHOTS;
const selected = new RegExp(process.env.SVC_SCENES ?? '');

const widths = [360, 768, 1280, 1920, 2560] as const;
/** Windows of 1280 × 1024 pixels at 400 % (WCAG 1.4.10) and up to the widest of a small telephone on its side. */
const smallWindows = [
  [320, 256],
  [400, 400],
  [480, 400],
] as const;
const themes = [
  { theme: 'light', scheme: 'dark' },
  { theme: 'dark', scheme: 'light' },
  { theme: 'contrast', scheme: 'light' },
  { theme: 'contrast', scheme: 'dark' },
  { theme: 'auto', scheme: 'light' },
  { theme: 'auto', scheme: 'dark' },
] as const;
const languages = ['en', 'fr'] as const;

const at = setStage();

/** Fails on any fault of a page as it stands. */
async function inspect(opened: OpenedPage, name: string, rules?: 'colours' | 'none'): Promise<void> {
  const { overflow, shift, ...lists } = await opened.faults(rules);
  assert.deepEqual(lists, { console: [], axe: [], small: [], tiny: [], foreign: [] }, name);
  assert.ok(overflow <= 0, `${name}: ${overflow} px wider than the window`);
  assert.equal(shift, 0, `${name}: a layout shift`);
}

/** Fails where a heading, a verdict or the head of a column begins with a small letter that is not that of a name. */
async function inspectStarts({ page }: OpenedPage, name: string): Promise<void> {
  const small = await page.evaluate<readonly string[]>(`
    [...document.querySelectorAll('h1, h2, caption, legend, dt, th[scope="col"], .answer-what')].flatMap((each) => {
      const first = document.createTreeWalker(each, NodeFilter.SHOW_TEXT, (node) => node.data.trim() === '' ? 2 : 1).nextNode();
      return first === null || first.parentElement.closest('bdi, code, .code, .id') || !/^\\s*\\p{Ll}/u.test(first.data)
        ? [] : [each.textContent.trim()];
    })`);
  assert.deepEqual(small, [], name);
}

/** Fails where a small and low window would scroll sideways. */
async function inspectSmall({ page }: OpenedPage, name: string): Promise<void> {
  for (const [width, height] of smallWindows) {
    await page.setViewportSize({ width, height });
    const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    const overflow = await page.evaluate<number>(wide);
    assert.ok(overflow <= 0, `${name}, ${width}x${height}: ${overflow} px wider than the window`);
  }
}

async function keepPicture({ page }: OpenedPage, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  const file = `${name.replaceAll(/[^a-z0-9]+/gi, '-')}.png`;
  await page.screenshot({ path: join(pictures, file), fullPage: true });
}

const describe = (scene: Scene, language: string, { theme, scheme, width }: Look): string =>
  `${scene.name}, ${language} ${theme} ${scheme} ${width}`;

/** One load: language, width and theme take turns over the scenes; another width is measured only. */
async function inspectShortly(scene: Scene, place: number): Promise<void> {
  const language = languages[place % 2]!;
  const look: Look = { ...themes[place % 6]!, width: language === 'en' ? 1280 : 360 };
  const opened = await at.stage.load(at.browser, scene, language, look);
  await inspect(opened, describe(scene, language, look));
  await inspectStarts(opened, `${scene.name}, ${language}`);
  await keepPicture(opened, describe(scene, language, look));
  const width = look.width === 360 ? (place % 4 === 1 ? 768 : 1920) : 360;
  await opened.restyle({ width });
  await inspect(opened, describe(scene, language, { ...look, width }), 'none');
  await inspectSmall(opened, `${scene.name}, ${language}`);
}

/** A load for each language and width; themes change colours only. */
async function inspectFully(scene: Scene): Promise<void> {
  for (const language of languages)
    for (const width of widths) {
      const opened = await at.stage.load(at.browser, scene, language, { ...themes[0], width });
      if (width === widths[0]) await inspectStarts(opened, `${scene.name}, ${language}`);
      for (const [index, theme] of themes.entries()) {
        const look = { ...theme, width };
        await opened.restyle(theme);
        await inspect(opened, describe(scene, language, look), index === 0 ? undefined : 'colours');
        if (index < 2) await keepPicture(opened, describe(scene, language, look));
      }
      if (width === widths[0]) await inspectSmall(opened, `${scene.name}, ${language}`);
    }
}

for (const [place, scene] of scenes.filter(({ name }) => selected.test(name)).entries())
  test(`look of ${scene.name}: no finding of axe, nothing on the console, no overflow, no shift`, async (context) => {
    if (!(await at.opens(context))) return;
    await at.stage.play(scene, () =>
      isFull && !scene.isRationed ? inspectFully(scene) : inspectShortly(scene, place),
    );
  });

test('every page has a scene', () => {
  const paths = scenes.map(({ path }) =>
    (typeof path === 'string' ? path : path(at.stage.show)).replace(/[?#].*/, ''),
  );
  const toPattern = (path: string): RegExp => {
    const [first = '', ...rest] = path.split(/\{[a-z]+\}/);
    return new RegExp(`^${[first, ...rest].join('.+')}$`);
  };
  const without = uiRoutes
    .filter(isPage)
    .flatMap(({ path }) => (paths.some((each) => toPattern(path).test(each)) ? [] : [path]));
  assert.deepEqual(without, []);
});

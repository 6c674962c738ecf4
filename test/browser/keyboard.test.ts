import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { uiRoutes } from '../../server/ui/routes.ts';
import { isPage } from '../../server/ui/ui-route.ts';
import { buildImage } from '../kit/content/content.ts';
import { pushArtifactOverHttp } from '../kit/content/push-artifact.ts';
import { shareVisitedInstance } from '../kit/scene/visited-instance.ts';
import { readFocus } from '../kit/web/move-focus.ts';

const shared = shareVisitedInstance(async (world) => ({
  files: { packRoots: [world.folder] },
  zone: 'zone-b',
}));
after(shared.close);

/** Stops of one page beyond which something holds the focus. */
const mostStops = 400;
const focusable =
  'a[href], button:not([disabled]), input:not([type="hidden"]):not([hidden]), select, textarea, summary, [tabindex="0"]';

test('Tab goes through every page in the order of its text, shows where it is, leaves nothing out and leads out again', async (t) => {
  const scene = await shared.open(t);
  if (scene === undefined) return;
  const { instance } = scene;
  const repository = 'some/app';
  await pushArtifactOverHttp(
    { registry: instance.url, repository, authorization: instance.authorization },
    buildImage('walked'),
    '1.0',
  );
  const visitor = await scene.visit('by keyboard');
  const { page } = visitor;
  const fixed = uiRoutes.filter(isPage).flatMap(({ path }) => (path.includes('{') ? [] : [path]));
  // the reference pages have a link for each error and route
  const paths = fixed.filter((path) => path !== '/help' && path !== '/api-docs');
  for (const path of [...paths, `/content/${repository}`, `/content/${repository}/-/tags/1.0`]) {
    await visitor.open(path);
    const shown = await page.locator(focusable).filter({ visible: true }).count();
    const stops: number[] = [];
    for (;;) {
      await page.keyboard.press('Tab');
      const { name, place, fault } = await readFocus(page);
      assert.equal(fault, undefined, `${path}: ${fault}: ${name}`);
      if (name === 'body' || place === stops[0]) break;
      // the day, the month and the year of a date field are stops of their own
      if (place === stops.at(-1) && name.includes('type="date"')) continue;
      assert.ok(place > (stops.at(-1) ?? -1), `${path}: out of order: ${name}`);
      stops.push(place);
      assert.ok(stops.length < mostStops, `${path}: the focus does not leave the page`);
    }
    assert.equal(stops.length, shown, `${path}: stops of Tab, and what can have the focus`);
  }
});

test('Ctrl K leads to the search, Enter to what is looked for, and Esc closes a menu', async (t) => {
  const scene = await shared.open(t);
  if (scene === undefined) return;
  const visitor = await scene.visit('by keyboard');
  const { page } = visitor;
  await visitor.open('/tasks');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('SVC-MED-012');
  await Promise.all([page.waitForURL(/\/help#SVC-MED-012$/), page.keyboard.press('Enter')]);
  const entries = page.locator('.help-entry').filter({ visible: true });
  assert.equal(await entries.count(), 1);
  assert.equal(await entries.getAttribute('id'), 'SVC-MED-012');
  await visitor.open('/');
  await visitor.unfold('Theme');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('details[open]').count(), 0);
  assert.match((await readFocus(page)).name, /^<summary>/, 'the focus is back on what opened the menu');
});

test('suggestions are chosen by arrow keys, Esc closes them, and without a choice Enter searches', async (t) => {
  const scene = await shared.open(t);
  if (scene === undefined) return;
  const visitor = await scene.visit('by keyboard');
  const { page } = visitor;
  await visitor.open('/tasks');
  const field = page.locator('#search');
  const first = page.locator('#search-suggestions [role="option"]').first();
  await field.focus();
  await page.keyboard.type('MED-01');
  await first.waitFor();
  assert.equal(await field.getAttribute('aria-expanded'), 'true');
  assert.equal(await field.getAttribute('aria-activedescendant'), null);
  await page.keyboard.press('ArrowDown');
  assert.equal(await first.getAttribute('aria-selected'), 'true');
  assert.equal(await field.getAttribute('aria-activedescendant'), await first.getAttribute('id'));
  assert.match((await readFocus(page)).name, /id="search"/, 'the field keeps the focus');
  await page.keyboard.press('Escape');
  assert.equal(await first.isVisible(), false);
  assert.equal(await field.inputValue(), 'MED-01');
  await page.keyboard.type('2');
  await first.filter({ hasText: 'SVC-MED-012' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await Promise.all([page.waitForURL(/\/help#SVC-MED-012$/), page.keyboard.press('Enter')]);
  await visitor.open('/tasks');
  await field.focus();
  await page.keyboard.type('signature');
  await first.waitFor();
  await Promise.all([page.waitForURL(/\/search\?q=signature$/), page.keyboard.press('Enter')]);
});

test('the first stop of every page skips the navigation', async (t) => {
  const scene = await shared.open(t);
  if (scene === undefined) return;
  const visitor = await scene.visit('by keyboard');
  const { page } = visitor;
  await visitor.open('/tasks');
  await page.keyboard.press('Tab');
  assert.match((await readFocus(page)).name, /class="skip"/);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  assert.equal(await page.locator('main :focus').count(), 1);
});

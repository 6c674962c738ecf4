import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { buildImage } from '../kit/content/content.ts';
import { shareVisitedInstance } from '../kit/scene/visited-instance.ts';

const shared = shareVisitedInstance(async () => ({ auth: { disabled: true } }));
after(shared.close);

test('a page says since when the instance does not answer, and goes on by itself after a restart', async (t) => {
  const scene = await shared.open(t);
  if (scene === undefined) return;
  const { instance, origin, double, world, browser } = scene;
  const image = buildImage('restarted');
  await origin.put('slow/app', image, '1.0');
  const stop = double.intercept(({ method, path }) => method === 'GET' && /\/slow\/.*\/blobs\//.test(path));
  const reference = `${origin.host}/slow/app:1.0`;
  const { digest } = image.manifest.descriptor;
  const platforms = [{ name: 'linux/amd64', digest }];
  const { body } = await instance.api('POST', '/import', { reference, platforms });
  const page = await browser.newPage();
  await page.goto(`${instance.url}/tasks/${body.task.id}`);
  await page.getByText('running', { exact: true }).first().waitFor();
  await page.evaluate('globalThis.stillHere = true');

  await instance.stop();
  const lost = page.locator('[data-lost]').first();
  await lost.getByText(/^No contact with the instance since \d\d:\d\d:\d\d UTC$/).waitFor();
  const since = await lost.innerText();
  await page.waitForEvent('requestfailed');
  assert.equal(await lost.innerText(), since, 'the time is that of the last contact');
  await page.getByText('running', { exact: true }).first().waitFor();

  stop();
  const again = await world.start('visited', {
    server: { addr: instance.host },
    auth: { disabled: true },
    registries: await world.registries([origin.host]),
  });
  await page.getByText('done', { exact: true }).first().waitFor();
  assert.equal((await again.api('GET', `/tasks/${body.task.id}`)).body.task.status, 'done');
  assert.equal(await lost.innerText(), '');
  assert.equal(await page.evaluate('globalThis.stillHere'), true, 'the page was not loaded again');
});

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { buildImage } from '../kit/content/content.ts';
import { toRecipeDocument } from '../kit/content/origin.ts';
import { shareVisitedInstance } from '../kit/scene/visited-instance.ts';
import { waysOf } from '../kit/web/visitor.ts';

const shared = shareVisitedInstance();
after(shared.close);

for (const way of waysOf('without scripts')) {
  test(`${way}: a draft is checked, pinned, taken away, and compared with the one before it`, async (t) => {
    const scene = await shared.open(t);
    if (scene === undefined) return;
    const { origin } = scene;
    const [before, image] = [buildImage('before'), buildImage('authoring')];
    await origin.put('shop/web', before, '1.3.0');
    await origin.put('shop/web', image, '1.4.0');
    const { digest } = image.manifest.descriptor;
    const toDocument = (version: string, pinned: string) =>
      toRecipeDocument(origin.host, {
        name: 'shop',
        version: '1.0.0',
        ingredients: [{ name: 'web', repository: 'shop/web', version, digest: pinned }],
      });
    const draft = toDocument('1.4.0', digest).replace(
      /version: 1\.4\.0\n\s+digest: .*/,
      'version: ^1 # newest',
    );
    const visitor = await scene.visit(way);
    const { page } = visitor;

    await visitor.open('/recipes');
    await visitor.follow('Check a document');
    await visitor.fill('Recipe document', draft);
    await visitor.send('Check');
    await visitor.sees('Findings');
    assert.equal(await page.getByLabel('Recipe document', { exact: true }).inputValue(), draft);

    await visitor.fill('Version of the recipe in the result', '1.1.0');
    await visitor.send('Pin');
    await visitor.sees('Pinned');
    const result = await page.locator('#pinned pre').innerText();
    assert.match(result, /version: 1\.4\.0 # newest/);
    assert.ok(result.includes(`digest: ${digest}`), result);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      visitor.use(page.getByRole('link', { name: 'Download' })),
    ]);
    assert.equal(download.suggestedFilename(), 'shop-1.1.0.yaml');
    const taken = await readFile(await download.path(), 'utf8');
    assert.equal(taken.trim(), result.trim());

    await visitor.open('/recipes');
    await visitor.follow('Compare recipes');
    const old = toDocument('1.3.0', before.manifest.descriptor.digest);
    await visitor.fill('Or its document', old, page.locator('fieldset').first());
    await visitor.fill('Or its document', taken, page.locator('fieldset').nth(1));
    await visitor.send('Compare');
    await visitor.sees('Difference');
    const difference = await visitor.read(page.locator('#difference'));
    assert.match(difference, /1\.3\.0.*1\.4\.0/);
  });

  test(`${way}: the files of a client are found from the list, for a registry that is reached by another name`, async (t) => {
    const scene = await shared.open(t);
    if (scene === undefined) return;
    const visitor = await scene.visit(way);
    const { page } = visitor;
    await visitor.open('/clients');
    await visitor.follow('containerd');
    await visitor.sees('Configuration of containerd');
    await visitor.sees('There is no recipe in the store yet, so there is no name to lead here.');
    await page.locator('#field-registry').fill('a b');
    await visitor.send('Show the files');
    assert.match(await visitor.read(page.locator('.error')), /Registry as nodes reach it/);
    assert.match(await visitor.read(page.locator('.field:has(#field-registry)')), /“a b”: must be/);
  });
}

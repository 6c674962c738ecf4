import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import { toRecipeDocument } from '../kit/content/origin.ts';
import { adminPassword } from '../kit/instance/instance.ts';
import { shareVisitedInstance, type VisitedInstance } from '../kit/scene/visited-instance.ts';
import { waysOf } from '../kit/web/visitor.ts';

const shared = shareVisitedInstance();
after(shared.close);

const toDocument = (name: string, digest: string): string =>
  toRecipeDocument('registry.example', {
    name,
    version: '1.0.0',
    ingredients: [{ name: 'web', repository: 'shop/web', version: '1.4.0', digest }],
  });

/** The document of a recipe as the cookbook at the origin has it; undefined where it has none. */
function readPublished({ double }: VisitedInstance, name: string): string | undefined {
  const manifest = double.manifest(`cookbook/${name}`, '1.0.0');
  if (manifest === undefined) return undefined;
  const [layer] = JSON.parse(manifest.bytes.toString()).layers;
  return double.blob(`cookbook/${name}`, layer.digest)?.toString();
}

for (const [index, way] of waysOf('without scripts').entries()) {
  test(`${way}: a recipe is mended by the line that is shown, previewed and published`, async (t) => {
    const scene = await shared.open(t);
    if (scene === undefined) return;
    const name = `published-${index}`;
    const wanted = toDocument(name, hashBytes(Buffer.from(name)));
    const visitor = await scene.visit(way);
    const { page } = visitor;
    await visitor.open('/recipes');
    await visitor.follow('Publish a recipe');

    await visitor.fill('Recipe document', wanted.replace(/digest: .*/, 'digest: sha256:beef'));
    await visitor.send('Preview');
    await visitor.sees(/^Line \d+ of the document$/);
    assert.match(
      await visitor.read(page.locator('.line-bad')),
      /^digest: sha256:beef must be sha256:<64 hex>/,
    );

    await visitor.fill('Recipe document', wanted);
    await visitor.send('Preview');
    await visitor.sees(name);
    assert.equal(readPublished(scene, name), undefined, 'a preview publishes nothing');
    await visitor.fill('Publish as', `${scene.origin.host}/cookbook/${name}:1.0.0`);
    await visitor.send('Publish');
    await visitor.sees('Published');
    assert.equal(readPublished(scene, name), wanted);
    const digest = scene.double.manifest(`cookbook/${name}`, '1.0.0')!.digest;
    await visitor.sees(digest);
  });

  test(`${way}: a session that ends during a publication costs nothing that was typed, and nothing is sent by itself`, async (t) => {
    const scene = await shared.open(t);
    if (scene === undefined) return;
    const { instance, origin } = scene;
    const account = `writer-${index}`;
    await instance.api('POST', '/accounts', { name: account, role: 'operator', password: adminPassword });
    const name = `interrupted-${index}`;
    const wanted = toDocument(name, hashBytes(Buffer.from(name)));
    const reference = `${origin.host}/cookbook/${name}:1.0.0`;
    await using visitor = await scene.meet(way);
    const { page } = visitor;
    await visitor.open('/recipes/publish');
    await visitor.signIn(account);
    assert.match(page.url(), /\/recipes\/publish$/, 'signing in leads to where one wanted to go');
    await visitor.fill('Recipe document', wanted);
    await visitor.send('Preview');
    await visitor.fill('Publish as', reference);

    // a change of the password ends every session of an account
    await instance.api('PATCH', `/accounts/${account}`, { password: 'another password' });
    await visitor.send('Publish');
    await visitor.sees(/Nothing has been sent/);
    assert.equal(readPublished(scene, name), undefined);
    await visitor.signIn(account, adminPassword);
    await visitor.sees('The name or the password is wrong.');
    await visitor.signIn(account, 'another password');
    assert.equal(readPublished(scene, name), undefined, 'signing in publishes nothing');
    assert.equal(await page.getByLabel('Publish as', { exact: true }).inputValue(), reference);
    assert.equal(await page.getByLabel('Recipe document', { exact: true }).inputValue(), wanted);
    await visitor.send('Publish');
    await visitor.sees('Published');
    assert.equal(readPublished(scene, name), wanted);
  });
}

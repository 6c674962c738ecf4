import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { shareVisitedInstance } from '../kit/scene/visited-instance.ts';

const shared = shareVisitedInstance();
after(shared.close);

test('what is typed into a form stays over a choice of the language and of the theme, secrets excepted', async (t) => {
  const scene = await shared.open(t);
  if (scene === undefined) return;
  const visitor = await scene.visit('by mouse');
  const { page } = visitor;
  await visitor.open('/admin/accounts/-/new');
  await visitor.fill('Name', 'half typed');
  await visitor.choose('Role', 'operator');
  await visitor.fill('Password', 'a secret');
  await visitor.send('FR: Français');
  assert.equal(await page.getByLabel('Nom', { exact: true }).inputValue(), 'half typed');
  assert.equal(await page.getByLabel('Rôle', { exact: true }).inputValue(), 'operator');
  assert.equal(await page.getByLabel('Mot de passe', { exact: true }).inputValue(), '');
  assert.equal(await page.evaluate('sessionStorage.length'), 0);
  await visitor.unfold('Thème');
  await visitor.send('Sombre');
  assert.equal(await page.getByLabel('Nom', { exact: true }).inputValue(), 'half typed');

  // a refused form keeps its typed values too
  await page.getByLabel('Mot de passe', { exact: true }).fill('a secret');
  await visitor.send('Créer le compte');
  assert.match(await page.title(), /Nouveau compte/);
  await visitor.send('EN: English');
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'half typed');
});

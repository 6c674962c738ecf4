import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { subjectOf } from '../../../server/ui/pages/search/question.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { openShowcase, password, type Showcase } from '../../kit/showcase/showcase.ts';
import { type BrowserSession, openBrowserSession } from '../../kit/web/browser-session.ts';

let folder: TempFolder;
let show: Showcase;
let session: BrowserSession;

before(async () => {
  folder = await openTempFolder();
  show = await openShowcase(folder.path);
  session = openBrowserSession(show.server);
  await session.signIn('alice', password);
});
after(async () => {
  for (const item of [show, folder]) await item[Symbol.asyncDispose]();
});

/** The address that a search leads to, or those of its results in order. */
async function answersOf(q: string, language: 'en' | 'fr'): Promise<readonly string[]> {
  const answer = await session.get(`/search?q=${encodeURIComponent(q)}`, { 'accept-language': language });
  const to = answer.headers.get('location');
  if (to !== null) return [to];
  const markup = await answer.text();
  assert.equal(answer.status, 200, markup);
  const main = markup.slice(markup.indexOf('<main'), markup.indexOf('</main'));
  return [...main.matchAll(/<li>\s*(?:<span[^>]*>)?<a href="([^"#][^"]*)"/g)].map(([, path]) =>
    path!.replaceAll('&amp;', '&'),
  );
}

test('a question is reduced to its subject, and other texts are left as they are', () => {
  for (const [asked, subject] of [
    ['how to revoke a token?', 'revoke token'],
    ['What is missing in zone-b', 'missing zone-b'],
    ['comment révoquer un jeton ?', 'révoquer jeton'],
    ['qu’est-ce qui manque dans zone-b', 'manque zone-b'],
    ['que manque-t-il dans zone-b', 'manque zone-b'],
    ['why is shop not verified', 'shop not verified'],
    ['pourquoi shop est non vérifiée', 'shop non vérifiée'],
    ['who', undefined],
    ['how to', undefined],
    ['shop web', undefined],
    ['what-if', undefined],
    ['token of zone-b', undefined],
  ] as const)
    assert.equal(subjectOf(asked), subject, asked);
});

for (const [q, language, path] of [
  ['how to revoke a token', 'en', '/admin/accounts'],
  ['how do I add an account?', 'en', '/admin/accounts'],
  ['what is missing in zone-c', 'en', '/zones/zone-c'],
  ['why is agent blocked', 'en', '/recipes/-/agent'],
  ['how to cancel a task', 'en', '/tasks'],
  ['who deleted', 'en', '/history?action=content.delete'],
  ['who deleted shop', 'en', '/history?action=content.delete&subject=shop'],
  ['who deleted shop/web', 'en', '/history?action=content.delete&subject=shop%2Fweb'],
  ['what does zone-c lack', 'en', '/zones/zone-c'],
  ['why is agent refused?', 'en', '/recipes/-/agent'],
  ['qui a supprimé shop/web', 'fr', '/history?action=content.delete&subject=shop%2Fweb'],
  ['how to import a medium', 'en', '/help#guide-medium'],
  ['how to write a disk', 'en', '/help#guide-deliver'],
  ['comment révoquer un jeton', 'fr', '/admin/accounts'],
  ['qu’est-ce qui manque dans zone-c', 'fr', '/zones/zone-c'],
  ['que manque-t-il dans zone-c', 'fr', '/zones/zone-c'],
  ['pourquoi agent est bloqué', 'fr', '/recipes/-/agent'],
  ['comment annuler une tâche', 'fr', '/tasks'],
  ['qui a supprimé', 'fr', '/history?action=content.delete'],
] as const)
  test(`the question leads to its page: ${q}`, async () => {
    assert.equal((await answersOf(q, language))[0], path);
  });

test('delete leads to the pages that delete, and to the deletions of the history', async () => {
  for (const [q, language] of [
    ['delete', 'en'],
    ['supprimer', 'fr'],
  ] as const) {
    const found = await answersOf(q, language);
    for (const path of ['/content', '/history?action=content.delete'])
      assert.ok(found.includes(path), `${q}: ${found}`);
  }
});

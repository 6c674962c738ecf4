import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { toRecipeArtifact } from '../../../../src/recipe/artifact.ts';
import { parseRecipe } from '../../../../src/recipe/document.ts';
import { toRecipeDocument } from '../../../kit/content/origin.ts';
import { pushAsClient } from '../../../kit/content/push-as-client.ts';
import { startTestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { writeAudit } from '../../../kit/scene/audit-records.ts';
import { openShowcase, password, type Showcase } from '../../../kit/showcase/showcase.ts';
import { type BrowserSession, openBrowserSession, signInAs } from '../../../kit/web/browser-session.ts';
import { toPageText } from '../../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../../kit/web/strict-html.ts';

let folder: TempFolder;
let showcase: Showcase;
let viewer: BrowserSession;

before(async () => {
  folder = await openTempFolder();
  showcase = await openShowcase(folder.path);
  viewer = openBrowserSession(showcase.server);
  await viewer.signIn('vera', password);
});
after(async () => {
  for (const item of [showcase, folder]) await item[Symbol.asyncDispose]();
});

const show = async (path: string, language = 'en'): Promise<string> =>
  toPageText(await (await viewer.get(path, { 'accept-language': language })).text());

test('the list of recipes begins with how many of the wanted ones are here', async () => {
  assert.match(
    await show('/recipes'),
    /Incomplete 8 recipes are wanted: 1 blocked, 3 missing, 4 here 1 recipe was not verified here/,
  );
  assert.match(
    await show('/recipes', 'fr'),
    /Incomplet 8 recettes sont demandées\s: 1 bloquée, 3 manquantes, 4 ici/,
  );
});

test('the list of content begins with how much is served in all, and a part of it with how much the filter selects', async () => {
  assert.match(
    await show('/content'),
    /In part \d+ repositories are served, [\d.]+ \w+ in all; 1 file of the store is damaged/,
  );
  assert.match(await show('/content', 'fr'), /En partie \d+ dépôts sont servis, .* en tout/);
  assert.match(await show('/content?q=shop'), /In part 4 of 40 repositories match/);
  showcase.closed = true;
  assert.match(await show('/content'), /Closed No content is served/);
  showcase.closed = false;
});

test('a version begins with the key that approves it', async () => {
  const web = '/content/registry.example/shop/web/-/tags/1.4.2';
  assert.match(
    await show(web),
    /signed Its digest is named by recipe shop 1\.4\.2 ?, signed by release Digest/,
  );
  const recipe = '/content/registry.example/cookbook/shop/-/tags/1.4.2';
  assert.match(await show(recipe, 'fr'), /signé Signé par release Empreinte/);
  assert.match(
    await show('/content/registry.example/tool/-/tags/1'),
    /signed It carries a signature of its own Digest/,
  );
});

test('imported content has the date, the account and the task of its import', async () => {
  assert.match(await show('/content?q=tool'), /\d+ \w+ \d{4} import/);
  const version = await show('/content/registry.example/tool/-/tags/1');
  assert.match(version, /import \d+ \w+ \d{4}, [\d:]+ UTC by alice, tsk_c0de44aa9911/);
});

test('the list of tasks begins with the task that runs, else the one that ended last, and the number of failures', async () => {
  assert.match(
    await show('/tasks'),
    /failed in part \d+ of \d+ tasks failed, \d+ of them in part Show the failures/,
  );
  assert.doesNotMatch(await show('/tasks?status=failed'), /Show the failures/);
  await showcase.startSync();
  assert.match(
    await show('/tasks', 'fr'),
    /En cours \d+ en échec sur \d+ tâches, dont \d+ en partie, 1 en cours/,
  );
  showcase.stalled = true;
  assert.match(await show('/tasks'), /Stalled 1 stalled, \d+ of \d+ tasks failed, \d+ of them in part Show/);
  showcase.stalled = false;
});

test('lists of content and of recipes have the day on which it landed, with the time and the age', async () => {
  for (const path of ['/content', '/recipes', '/content/registry.example/shop/web'])
    assert.match(
      await (await viewer.get(path)).text(),
      /<time datetime="[^"]+" title="\d+ \w+ \d+, [\d:]+ UTC · [^"]+ ago">\d+ \w+ \d{4}<\/time>/,
      path,
    );
});

test('no notice repeats the page of the FileSets there', async () => {
  assert.match(await show('/tasks'), /File sets that are configured and cannot be served: /);
  const page = await show('/filesets');
  assert.doesNotMatch(page, /File sets that are configured and cannot be served: /);
  assert.match(page, /not served \d+ of \d+ configured file sets/);
});

test('where others push and nothing is verified, a recipe without a verdict is no alarm, and names its pusher', async () => {
  await using own = await openTempFolder();
  const web = {
    name: 'web',
    repository: 'web',
    version: '1.0.0',
    digest: `sha256:${'a'.repeat(64)}`,
  } as const;
  const spec = { name: 'depot', version: '2.0.0', ingredients: [web] };
  const written = Buffer.from(toRecipeDocument('registry.example', spec));
  const artifact = toRecipeArtifact(written, parseRecipe(written, 'depot.yaml'), '2026-01-01T00:00:00Z');
  const { digest } = artifact.manifest.descriptor;
  const pushed = {
    ...{ ts: '2026-07-06T08:00:00.000Z', actor: 'token:zone-b', action: 'content.push', outcome: 'success' },
    ...{ target: 'cookbook/depot:2.0.0', digest },
  };
  await writeAudit(join(own.path, 'state'), [pushed]);
  await using registry = await startTestServer({
    folder: own.path,
    retriever: () => ({
      mode: 'passthrough',
      substitutions: [],
      relaxedScopes: [],
      anonymousFilesets: [],
      prune: false,
    }),
  });
  await pushAsClient(registry.store, 'cookbook/depot', { ...artifact, children: [] }, '2.0.0');
  const admin = await signInAs(registry, 'admin', 'ines');
  const textOf = async (path: string, language = 'en'): Promise<string> => {
    const text = await (await admin.get(path, { 'accept-language': language })).text();
    parseStrictHtml(text, path);
    return text;
  };
  const page = await textOf('/recipes/-/depot');
  assert.match(
    toPageText(page),
    /Here depot 2\.0\.0 is here, as it was pushed Its signature was not verified here: this instance has no source/,
  );
  assert.match(toPageText(page), /Pushed by token:zone-b, \d+ \w+ ago/);
  assert.match(await textOf('/recipes'), /badge badge-plain">[^>]*<\/?[\s\S]*?not verified here/);
  for (const markup of [page, await textOf('/recipes')]) assert.doesNotMatch(markup, /(?:stamp|badge)-warn/);
  const overview = toPageText(await textOf('/'));
  for (const text of [
    /Here 1 recipe is here Others push the content of this instance: it has no source and takes no disks\. The store has not been read again yet/,
    /Recipes here The last pushed one first\. depot 2\.0\.0 here Pushed by token:zone-b, 6 Jul 2026, 08:00:00 UTC/,
    /Pushed last Recipe depot 2\.0\.0 Pushed by token:zone-b, 6 Jul 2026, 08:00:00 UTC/,
    /Who may pull Every account and every valid token of this instance\. \d+ accounts, \d+ valid tokens Point nodes here/,
    /Origins and destination Origin Origin Share Repositories Size registry\.example 0/,
  ])
    assert.match(overview, text);
  assert.doesNotMatch(overview, /[Ww]anted|Nothing yet|No version|not known|has not run/);
  const french = toPageText(await textOf('/', 'fr'));
  assert.match(
    french,
    /Recettes présentes La dernière envoyée d’abord\. depot 2\.0\.0 ici Envoyée par token:zone-b/,
  );
});

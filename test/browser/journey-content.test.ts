import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Artifact, buildImage, buildIndex, digestsOf } from '../kit/content/content.ts';
import { pushArtifactOverHttp } from '../kit/content/push-artifact.ts';
import { listHeldAt } from '../kit/result/held-at.ts';
import { shareVisitedInstance, type VisitedInstance } from '../kit/scene/visited-instance.ts';
import { waysOf } from '../kit/web/visitor.ts';

const shared = shareVisitedInstance(async (world) => {
  await mkdir(world.path('packable'));
  return { files: { packRoots: [world.path('packable')] } };
});
after(shared.close);

const at = ({ instance }: VisitedInstance, repository: string) => ({
  registry: instance.url,
  repository,
  authorization: instance.authorization,
});

async function push(scene: VisitedInstance, repository: string, image: Artifact): Promise<void> {
  await pushArtifactOverHttp(at(scene, repository), image, '1.0');
}

for (const [index, way] of waysOf('by keyboard').entries()) {
  test(`${way}: one platform of an image is imported, and deleted again`, async (t) => {
    const scene = await shared.open(t);
    if (scene === undefined) return;
    const { origin, instance } = scene;
    const image = buildIndex(`tool ${index}`, ['linux/amd64', 'linux/arm64']);
    const [amd64, arm64] = image.children.map(({ artifact }) => artifact);
    await origin.put(`tools/tool-${index}`, image, '2.0');
    const repository = `${origin.host.replace(':', '_')}/tools/tool-${index}`;
    const visitor = await scene.visit(way);
    const { page } = visitor;

    await visitor.open('/recipes');
    await visitor.follow('Import one artifact');
    await visitor.fill('Reference', `${origin.host}/tools/tool-${index}:9.9`);
    await visitor.send('Inspect');
    await visitor.sees(/SVC-REG-\d+|SVC-IMP-\d+/);
    await visitor.fill('Reference', `${origin.host}/tools/tool-${index}:2.0`);
    await visitor.send('Inspect');
    await visitor.sees('Found');
    assert.equal((await instance.api('GET', `/content/${repository}`)).status, 404, 'asking brings nothing');
    await visitor.tick('linux/amd64');
    await visitor.send('Import');
    await visitor.sees('done');
    const place = at(scene, repository);
    assert.deepEqual(await listHeldAt(place, amd64!), digestsOf(amd64!).sort());
    assert.ok(!(await listHeldAt(place, arm64!)).includes(arm64!.manifest.descriptor.digest));

    await visitor.open(`/content/${repository}`);
    await visitor.follow('Delete imported content');
    await visitor.sees('2.0');
    assert.equal((await instance.api('GET', `/content/${repository}`)).status, 200);
    await visitor.send('Delete imported content');
    assert.equal((await instance.api('GET', `/content/${repository}`)).status, 404);
    assert.deepEqual(await listHeldAt(place, amd64!), []);
    assert.match(page.url(), /\/content/);
  });

  test(`${way}: a layout is planned, exported, and imported where its content is missing`, async (t) => {
    const scene = await shared.open(t);
    if (scene === undefined) return;
    const { world, instance } = scene;
    const image = buildImage(`layout ${index}`);
    const repository = `carried/app-${index}`;
    await push(scene, repository, image);
    const output = world.path(`layout-${index}.tar`);
    const visitor = await scene.visit(way);
    await visitor.open('/admin/oci-layout');
    const exporting = visitor.section('export');
    await visitor.fill('Output', output, exporting);
    await visitor.fill('Repositories', repository, exporting);
    await visitor.send('Work out the plan', exporting);
    await visitor.sees('Plan of the export');
    assert.equal(existsSync(output), false, 'a plan writes nothing');
    await visitor.send('Export now', exporting);
    await visitor.sees('done');
    assert.ok((await readFile(output)).includes(image.manifest.descriptor.digest.slice(7)));

    await instance.api('POST', '/store/reset', { confirmation: 'RESET' });
    await visitor.open('/admin/oci-layout');
    const importing = visitor.section('import');
    await visitor.fill('Input', output, importing);
    await visitor.send('Work out the plan', importing);
    await visitor.sees('Plan of the import');
    await visitor.sees(`${repository}:1.0`);
    assert.deepEqual(await listHeldAt(at(scene, repository), image), [], 'a plan brings nothing');
    await visitor.send('Import now', visitor.section('plan'));
    await visitor.sees('done');
    assert.deepEqual(await listHeldAt(at(scene, repository), image), digestsOf(image).sort());
  });

  test(`${way}: a folder is packed as a file set that clients can pull`, async (t) => {
    const scene = await shared.open(t);
    if (scene === undefined) return;
    const { world, instance } = scene;
    const folder = world.path('packable', `tree-${index}`);
    await mkdir(folder);
    await writeFile(join(folder, 'Release'), `release ${index}`);
    await mkdir(join(folder, 'pages'));
    const script = '<!doctype html><script>document.title = "run"</script>';
    await writeFile(join(folder, 'pages', 'start.html'), script);
    const visitor = await scene.visit(way);
    await visitor.open('/filesets');
    await visitor.follow('Pack a folder');
    await visitor.fill('Folder', world.path('elsewhere'));
    await visitor.fill('Name', `files-${index}`);
    await visitor.fill('Version', '12');
    await visitor.send('Pack a folder');
    await visitor.sees('What to do');
    await visitor.fill('Folder', folder);
    await visitor.send('Pack a folder');
    await visitor.sees(`Packed: files-${index}:12`);
    const { body } = await instance.api('GET', `/content/localhost/filesets/files-${index}`);
    assert.deepEqual(body.provenance, ['local-pack']);
    await visitor.sees(body.tags[0].digest);

    // three steps from the overview to a file, which is saved and never shown
    const { page } = visitor;
    const files = visitor.section('files');
    const save = async (name: string): Promise<string> => {
      const saving = page.waitForEvent('download');
      await visitor.use(files.getByRole('link', { name, exact: true }));
      const saved = await saving;
      assert.equal(saved.suggestedFilename(), name);
      return readFile(await saved.path(), 'utf8');
    };
    await visitor.open('/');
    await visitor.follow('File sets');
    await visitor.follow('12', page.getByRole('row', { name: `files-${index} ` }));
    assert.equal(await save('Release'), `release ${index}`);
    await visitor.follow(/pages/, files);
    assert.equal(await save('start.html'), script);
    assert.doesNotMatch(await page.title(), /run/);
    await visitor.follow('All files', files);
    await visitor.fill('Part of the name, in this folder and below', 'start');
    if (visitor.way === 'without scripts') await visitor.send('Filter');
    await files.getByRole('link', { name: 'pages/start.html', exact: true }).waitFor();
  });

  test(`${way}: the store is emptied by the typed word only`, async (t) => {
    const scene = await shared.open(t);
    if (scene === undefined) return;
    const { instance, world } = scene;
    const image = buildImage(`emptied ${index}`);
    await push(scene, 'some/app', image);
    const total = async () => (await instance.api('GET', '/content')).body.total;
    const before = await total();
    assert.ok(before > 0);
    const visitor = await scene.visit(way);
    await visitor.open('/admin/store');
    await visitor.fill('Type RESET to confirm', 'reset');
    await visitor.send('Empty the store');
    await visitor.sees(/SVC-STO-006/);
    assert.equal(await total(), before);
    await visitor.fill('Type RESET to confirm', 'RESET');
    await visitor.send('Empty the store');
    assert.equal(await total(), 0);
    assert.deepEqual(await readdir(world.path('visited', 'store', 'blobs', 'sha256')), []);
    await visitor.sees('The store is empty.');
  });

  test(`${way}: a task that hangs is cancelled`, async (t) => {
    const scene = await shared.open(t);
    if (scene === undefined) return;
    const { instance, origin, double } = scene;
    await origin.put(`slow/app-${index}`, buildImage(`slow ${index}`), '1.0');
    const visitor = await scene.visit(way);
    const { page } = visitor;
    await visitor.open('/import');
    await visitor.fill('Reference', `${origin.host}/slow/app-${index}:1.0`);
    await visitor.send('Inspect');
    const stop = double.intercept(({ method, path }) => method === 'GET' && /\/slow\/.*\/blobs\//.test(path));
    await visitor.send('Import');
    await visitor.sees('running');
    await visitor.send('Cancel the task');
    await visitor.sees(/SVC-TSK-004/);
    stop();
    const { task } = (await instance.api('GET', new URL(page.url()).pathname)).body;
    assert.deepEqual(
      [task.status, task.principalCode, task.cancelledBy],
      ['cancelled', 'SVC-TSK-004', 'admin'],
    );
  });
}

import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseRecipe } from '../../../src/recipe/document.ts';
import { buildIndex } from '../../kit/content/content.ts';
import { toOrigin } from '../../kit/content/origin.ts';
import { adminPassword } from '../../kit/instance/instance.ts';
import { openNames } from '../../kit/program/open-names.ts';
import { needs, onPath } from '../../kit/program/peers.ts';
import { runProgram } from '../../kit/program/run-program.ts';
import { openRehearsal } from '../../kit/scene/rehearsal.ts';
import { followPage, takeFreePort } from '../../kit/web/follow-page.ts';

const root = join(import.meta.dirname, '..', '..', '..');

test('a chart, a compose file and a list of images cross the gap in eight commands, as the page and the README say', async (t) => {
  const helm = needs(t, 'helm');
  if (helm === undefined) return;
  const start = performance.now();
  await using world = await openRehearsal();
  const origin = await world.start('origin');
  const zone = await world.start('zone');
  await using names = await openNames({
    'registry.example': origin,
    'registry-1.docker.io': origin,
    'registry.zone-b.example': zone,
  });
  const published = toOrigin(origin);
  const images = {
    'library/nginx:1.16.0': buildIndex('nginx', ['linux/amd64', 'linux/arm64']),
    'library/postgres:16.4': buildIndex('postgres', ['linux/amd64', 'linux/arm64']),
    'shop/worker:2.1.0': buildIndex('worker', ['linux/amd64']),
  };
  for (const [place, image] of Object.entries(images)) {
    const [repository, tag] = place.split(':');
    await published.put(repository!, image, tag!);
  }
  const made = await runProgram(helm, ['create', 'web'], {
    env: { HOME: world.folder, PATH: process.env.PATH ?? '' },
    cwd: world.folder,
  });
  assert.equal(made.exitCode, 0, made.stderr);
  await writeFile(
    world.path('compose.yaml'),
    `services:\n  db: {image: "postgres:\${POSTGRES:-16.4}"}\n  job: {build: ./job}\n`,
  );
  await writeFile(world.path('images.txt'), '# nightly\nregistry.example/shop/worker:2.1.0\n');
  const auth = Buffer.from(`admin:${adminPassword}`).toString('base64');
  const hosts = ['registry.example', 'registry.zone-b.example', 'docker.io'];
  await writeFile(
    world.path('docker.json'),
    JSON.stringify({ auths: Object.fromEntries(hosts.map((host) => [host, { auth }])) }),
    { mode: 0o600 },
  );
  await writeFile(world.path('password-file'), 'a good password\n', { mode: 0o600 });
  const before = await readdir(world.folder);

  const run = await followPage('docs/write-a-recipe.md', {
    folder: world.folder,
    env: {
      SVC_SERVER_ADDR: `127.0.0.1:${await takeFreePort()}`,
      SVC_NETWORK_PROXY_URL: names.url,
      SVC_REGISTRIES_INSECURE: hosts.join(','),
      HOME: world.folder,
    },
    endsServing: /^cp -r storage/,
  });

  const commands = run.filter((line) => !line.startsWith('cp '));
  assert.ok(commands.length <= 8, run.join('\n'));
  for (const line of commands) {
    assert.match(line, /^svc /, 'no other tool');
    assert.doesNotMatch(line, /sha256|sha512/, 'no digest is typed');
  }
  const added = (await readdir(world.folder)).filter(
    (name) => !before.includes(name) && name.endsWith('.yaml'),
  );
  assert.deepEqual(added.sort(), ['retriever.yaml', 'shop-1.4.0.yaml', 'shop.yaml', 'svc.yaml', 'zone.yaml']);
  const pinned = await readFile(world.path('shop-1.4.0.yaml'), 'utf8');
  const recipe = parseRecipe(Buffer.from(pinned), 'shop');
  assert.deepEqual(
    recipe.ingredients.map(({ name, kind }) => `${name} ${kind}`),
    ['nginx ContainerImage', 'web HelmChart', 'postgres ContainerImage', 'worker ContainerImage'],
  );
  assert.match(pinned, /# compose\.yaml: services\.db\.image/);
  for (const [place, image] of Object.entries(images)) {
    const [repository, tag] = place.split(':');
    const host = repository!.startsWith('library/') ? 'docker.io' : 'registry.example';
    const arrived = await fetch(`${zone.url}/v2/${host}/${repository}/manifests/${tag}`, {
      headers: { authorization: zone.authorization },
    });
    assert.equal(arrived.headers.get('docker-content-digest'), image.manifest.descriptor.digest, place);
  }
  const { host } = new URL(zone.url);
  const crane = onPath('crane');
  if (crane) {
    await writeFile(world.path('config.json'), JSON.stringify({ auths: { [host]: { auth } } }));
    const env = { HOME: world.folder, DOCKER_CONFIG: world.folder, PATH: process.env.PATH ?? '' };
    const place = `${host}/docker.io/library/nginx:1.16.0`;
    const pulled = await runProgram(crane, ['pull', '--insecure', place, world.path('pulled.tar')], { env });
    assert.equal(pulled.exitCode, 0, pulled.stderr);
  }
  const chart = await runProgram(
    helm,
    [
      'pull',
      `oci://${host}/registry.example/charts/web`,
      '--version',
      '0.1.0',
      '--plain-http',
      '--registry-config',
      world.path('config.json'),
    ],
    { env: { HOME: world.folder, PATH: process.env.PATH ?? '' }, cwd: world.folder },
  );
  if (crane) assert.equal(chart.exitCode, 0, chart.stderr);
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  for (const line of commands) assert.ok(readme.includes(`${line}\n`), line);
  const screen = readme.slice(0, readme.indexOf(commands.at(-1)!)).split('\n').length;
  assert.ok(screen <= 60, `the journey ends on line ${screen} of the README`);
  assert.ok(performance.now() - start < 600_000);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import { type Artifact, buildIndex, toManifest } from '../../kit/content/content.ts';
import { pushAsClient } from '../../kit/content/push-as-client.ts';
import { startTestServer } from '../../kit/instance/server.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { openClientHome } from '../../kit/program/client-home.ts';
import { writeCredentials } from '../../kit/program/credentials-file.ts';
import { needs } from '../../kit/program/peers.ts';
import { openBrowserSession } from '../../kit/web/browser-session.ts';

test('the command of skopeo on the page of a version pulls that version, by digest and by tag', async (context) => {
  const skopeo = needs(context, 'skopeo');
  if (skopeo === undefined) return;
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path });
  await server.accounts.create({ name: 'vera', role: 'viewer', password: 'a good password' });
  const session = openBrowserSession(server);
  await session.signIn('vera', 'a good password');
  const image = buildIndex('web', ['linux/amd64', 'linux/arm64']);
  await pushAsClient(server.store, 'registry.example/shop/web', image, '1.4.2');
  const auth = await writeCredentials(join(folder.path, 'auth.json'), {
    [new URL(server.url).host]: { username: 'vera', password: 'a good password' },
  });
  const home = await openClientHome(folder.path);
  for (const by of ['digest', 'tag']) {
    const page = await session.get(`/content/registry.example/shop/web/-/tags/1.4.2?by=${by}`);
    const [, command = ''] = /data-copy="skopeo (copy [^"]+)"/.exec(await page.text()) ?? [];
    const cwd = join(folder.path, by);
    await mkdir(cwd);
    await home.run(skopeo, ['--insecure-policy', ...command.split(' ')], {
      cwd,
      env: { REGISTRY_AUTH_FILE: auth },
    });
    const index = JSON.parse(readFileSync(join(cwd, 'web', 'index.json'), 'utf8'));
    assert.equal(index.manifests[0].digest, image.manifest.descriptor.digest);
  }
});

/** An index as docker makes it: manifests and configurations with Docker media types. */
function buildDockerList(seed: string): Artifact {
  const { children } = buildIndex(seed, ['linux/amd64', 'linux/arm64']);
  const converted = children.map(({ platform, artifact }) => {
    const { config, layers } = JSON.parse(artifact.manifest.bytes.toString());
    const manifest = toManifest({
      schemaVersion: 2,
      mediaType: mediaTypes.dockerManifest,
      config: { ...config, mediaType: mediaTypes.dockerConfig },
      layers: layers.map((layer: object) => ({
        ...layer,
        mediaType: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
      })),
    });
    return { platform, artifact: { ...artifact, manifest } };
  });
  const manifests = converted.map(({ platform, artifact }) => {
    const [os, architecture] = platform.split('/');
    return { ...artifact.manifest.descriptor, platform: { os, architecture } };
  });
  const manifest = toManifest({ schemaVersion: 2, mediaType: mediaTypes.dockerManifestList, manifests });
  return { manifest, children: converted, blobs: [] };
}

test('the command of skopeo keeps the digests of an image with Docker media types', async (context) => {
  const skopeo = needs(context, 'skopeo');
  if (skopeo === undefined) return;
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path });
  await server.accounts.create({ name: 'vera', role: 'viewer', password: 'a good password' });
  const session = openBrowserSession(server);
  await session.signIn('vera', 'a good password');
  const image = buildDockerList('web');
  await pushAsClient(server.store, 'registry.example/shop/web', image, '1.4.2');
  const auth = await writeCredentials(join(folder.path, 'auth.json'), {
    [new URL(server.url).host]: { username: 'vera', password: 'a good password' },
  });
  const home = await openClientHome(folder.path);
  const page = await session.get('/content/registry.example/shop/web/-/tags/1.4.2');
  const [, command = ''] = /data-copy="skopeo (copy [^"]+)"/.exec(await page.text()) ?? [];
  await home.run(skopeo, ['--insecure-policy', ...command.split(' ')], {
    cwd: folder.path,
    env: { REGISTRY_AUTH_FILE: auth },
  });
  const written = readFileSync(join(folder.path, 'web-1.4.2', 'manifest.json'));
  assert.equal(hashBytes(written), image.manifest.descriptor.digest);
});

test('the lines of the page sign crane in with a token from a file, without a terminal, and pull', async (context) => {
  const crane = needs(context, 'crane');
  if (crane === undefined) return;
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path });
  await server.accounts.create({ name: 'vera', role: 'viewer', password: 'a good password' });
  const { secret } = await server.accounts.tokens.create({ name: 'puller', role: 'viewer' });
  const session = openBrowserSession(server);
  await session.signIn('vera', 'a good password');
  await pushAsClient(server.store, 'registry.example/shop/web', buildIndex('web'), '1.4.2');
  const text = await (await session.get('/content/registry.example/shop/web/-/tags/1.4.2')).text();
  const [login, pull] = [/data-copy="(crane auth login [^"]+)"/, /data-copy="(crane pull [^"]+)"/].map(
    (line) => line.exec(text)![1]!.replaceAll('&lt;', '<'),
  );
  assert.match(text, /The file token contains an API token/);
  const home = await openClientHome(folder.path);
  await writeFile(join(home.path, 'token'), `${secret}\n`);
  const env = { PATH: `${dirname(crane)}:${process.env.PATH}` };
  await home.run('sh', ['-c', `${login!} && ${pull!}`], { env, input: '' });
  assert.ok(readFileSync(join(home.path, 'web', 'index.json')).length > 0);
});

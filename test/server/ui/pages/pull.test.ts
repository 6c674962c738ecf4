import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBrowserSession } from '../../../kit/browser-session.ts';
import { openClientHome } from '../../../kit/client-home.ts';
import { buildIndex } from '../../../kit/content.ts';
import { writeCredentials } from '../../../kit/credentials-file.ts';
import { needs } from '../../../kit/peers.ts';
import { pushAsClient } from '../../../kit/push-as-client.ts';
import { startTestServer } from '../../../kit/server.ts';
import { openTempFolder } from '../../../kit/temp-folder.ts';

test('the command of skopeo on the page of a version pulls that version, by digest and by tag', async (context) => {
  const skopeo = needs(context, 'skopeo');
  if (skopeo === undefined) return;
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path });
  await server.accounts.create({ name: 'vera', role: 'viewer', password: 'a password' });
  const session = openBrowserSession(server);
  await session.signIn('vera', 'a password');
  const image = buildIndex('web', ['linux/amd64', 'linux/arm64']);
  await pushAsClient(server.store, 'registry.example/shop/web', image, '1.4.2');
  const auth = await writeCredentials(join(folder.path, 'auth.json'), {
    [new URL(server.url).host]: { username: 'vera', password: 'a password' },
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

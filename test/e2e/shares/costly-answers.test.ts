import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { startInstance } from '../../kit/instance/instance.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { openBrowserSession } from '../../kit/web/browser-session.ts';
import { openTimer } from './in-time.ts';
import { pushWide } from './push-wide.ts';

/** Requests of the viewer that are open at any time. */
const many = 500;

for (const path of ['/api/v1/content/wide/-/tags/latest', '/help'])
  test(`a viewer who has ${many} requests of ${path} open keeps no administrator waiting`, async (t) => {
    await using folder = await openTempFolder();
    await using instance = await startInstance({ folder: folder.path });
    const viewer = await instance.createToken('viewer');
    await pushWide(instance.url, await instance.createToken('operator'));
    const ada = { name: 'ada', role: 'admin', password: 'a password of ada' };
    assert.equal((await instance.api('POST', '/accounts', ada)).status, 201);
    const doomed = await instance.api('POST', '/tokens', { name: 'doomed', role: 'viewer' });
    assert.equal(doomed.status, 201);

    const flood = spawn(
      process.execPath,
      [join(import.meta.dirname, 'keep-asking.ts'), new URL(path, instance.url).href, viewer, String(many)],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    await once(flood.stdout, 'data');
    const timed = openTimer(t);
    try {
      const admin = openBrowserSession(instance);
      await timed('signs in', () => admin.signIn(ada.name, ada.password));
      for (const page of ['/', '/tasks', '/content', '/admin/accounts', '/admin/network'])
        assert.equal((await timed(`opens ${page}`, () => admin.get(page))).status, 200);
      const revoked = await timed('revokes', () => instance.api('POST', '/tokens/doomed/revoke', {}));
      assert.equal(revoked.status, 200);
      const live = await timed('is live', () => fetch(new URL('/healthz', instance.url)));
      assert.equal(live.status, 200);
    } finally {
      flood.stdin.end();
      await once(flood, 'exit');
    }
  });

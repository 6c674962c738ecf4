import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { adminPassword } from '../kit/instance/instance.ts';
import { openClientHome } from '../kit/program/client-home.ts';
import { needs } from '../kit/program/peers.ts';
import { takeLine } from '../kit/program/type-printed-line.ts';
import { shareVisitedInstance } from '../kit/scene/visited-instance.ts';
import { waysOf } from '../kit/web/visitor.ts';

const shared = shareVisitedInstance();
after(shared.close);

for (const [index, way] of waysOf('without scripts').entries()) {
  test(`${way}: a token is created, a client signs in with it, and it is revoked`, async (t) => {
    const scene = await shared.open(t);
    if (scene === undefined) return;
    const { instance, world } = scene;
    const skopeo = needs(t, 'skopeo');
    if (skopeo === undefined) return;
    const name = `pipeline-${index}`;
    const visitor = await scene.visit(way);
    const { page } = visitor;
    await visitor.open('/');
    await visitor.follow('Administration', page.getByRole('navigation', { name: 'Main navigation' }));
    await visitor.follow('Accounts and tokens');
    await visitor.follow('New token');
    await visitor.fill('Name', name);
    await visitor.choose('Role', 'operator');
    await visitor.send('Create the token');
    const secret = await takeLine(visitor, visitor.section('secret'));
    const who = async () => {
      const answer = await fetch(`${instance.url}/api/v1/content`, {
        headers: { authorization: `Bearer ${secret}` },
      });
      return answer.status;
    };
    assert.equal(await who(), 200);
    const line = await takeLine(
      visitor,
      visitor.section('login').locator('.clients li', { hasText: 'skopeo' }),
    );
    const home = await openClientHome(world.folder, `token-${index}`);
    // the line reads the secret from this file
    await writeFile(join(home.path, 'token'), `${secret}\n`);
    await home.run('sh', ['-c', line]);

    await visitor.follow('Done');
    assert.ok(!(await page.content()).includes(secret), 'the secret is shown once');
    await visitor.follow(`Revoke the token ${name}`);
    await visitor.send('Revoke the token');
    assert.equal(await who(), 401);
    assert.notEqual((await home.try('sh', ['-c', line])).exitCode, 0);
  });

  test(`${way}: somebody changes the own password, and every session with the old one ends`, async (t) => {
    const scene = await shared.open(t);
    if (scene === undefined) return;
    const { instance } = scene;
    const account = `person-${index}`;
    await instance.api('POST', '/accounts', { name: account, role: 'viewer', password: adminPassword });
    const admits = async (password: string) => {
      // failures of another address, which do not count for that of the browser
      const from = { localAddress: `127.0.0.${2 + index}` };
      const asked = get(`${instance.url}/v2/`, { auth: `${account}:${password}`, ...from });
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode === 200;
    };
    await using visitor = await scene.meet(way);
    const { page, context } = visitor;
    await visitor.signIn(account);
    const session = (await context.cookies()).find((cookie) => cookie.name === 'svc_session')!;
    await visitor.unfold(account);
    await visitor.follow('Your account');
    await visitor.fill('Current password', 'not the password');
    await visitor.fill('New password', 'a new password');
    await visitor.send('Change the password');
    assert.ok(await admits(adminPassword));
    assert.equal(
      await page.getByLabel('New password', { exact: true }).inputValue(),
      '',
      'no secret comes back',
    );
    await visitor.fill('Current password', adminPassword);
    await visitor.fill('New password', 'a new password');
    await visitor.send('Change the password');
    assert.match(page.url(), /\/login/);
    const old = await fetch(`${instance.url}/account`, {
      headers: { cookie: `svc_session=${session.value}`, accept: 'text/html' },
      redirect: 'manual',
    });
    assert.equal(old.status, 303, 'the session has ended');
    await visitor.signIn(account, 'a new password');
    assert.match(page.url(), /\/$/);
    assert.deepEqual([await admits('a new password'), await admits(adminPassword)], [true, false]);
  });

  test(`${way}: the interval of the synchronization is changed and given back to the configuration`, async (t) => {
    const scene = await shared.open(t);
    if (scene === undefined) return;
    const read = async () => (await scene.instance.api('GET', '/retriever')).body.interval.effective;
    const visitor = await scene.visit(way);
    const { page } = visitor;
    await visitor.open('/admin/retriever');
    const configured = await read();
    await visitor.fill('New interval', 'soon');
    await visitor.send('Set the interval');
    assert.equal(await read(), configured);
    assert.equal(
      await page.locator('[aria-invalid="true"]').inputValue(),
      'soon',
      'it is shown to be mended',
    );
    await visitor.fill('New interval', '6h');
    await visitor.send('Set the interval');
    assert.equal(await read(), '6h');
    await visitor.send('Return to the configured interval');
    assert.equal(await read(), configured);
  });
}

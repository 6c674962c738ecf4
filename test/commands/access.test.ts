import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { needs } from '../kit/program/peers.ts';
import { runCommand } from '../kit/program/run-command.ts';
import type { SvcResult } from '../kit/program/svc.ts';
import { typeInto } from '../kit/program/type-into.ts';
import { assertCliDocument } from '../kit/result/cli-schema.ts';
import { openRehearsal } from '../kit/scene/rehearsal.ts';

test('tokens and roles that the command line changes count at the next request of a running instance', async () => {
  await using world = await openRehearsal({ inProcess: true });
  const instance = await world.start('instance');
  const at = ['--config', instance.configPath];
  const ask = async (secret: string, method = 'GET', path = '/api/v1/tasks'): Promise<number> =>
    (await fetch(`${instance.url}${path}`, { method, headers: { authorization: `Bearer ${secret}` } }))
      .status;

  const created = await world.svc(['token', 'create', 'pipeline', '--role', 'operator', ...at]);
  assert.equal(created.exitCode, 0, created.stderr);
  assert.match(created.stdout, /^svc_[A-Za-z0-9_-]{43}\n$/, 'the secret is alone on stdout');
  const secret = created.stdout.trim();
  assert.equal(await ask(secret), 200);
  assert.match(created.stderr, /token pipeline \(operator\); its secret is shown this once/);
  assert.match(created.stderr, /"action":"token\.create".*"role":"operator"/);

  const reading = await world.svc(['token', 'create', 'dashboard', '--output', 'json', ...at]);
  assertCliDocument('svc token create', reading.stdout);
  const token = JSON.parse(reading.stdout) as { name: string; role: string; secret: string };
  assert.deepEqual([token.name, token.role], ['dashboard', 'viewer'], 'a token may only read unless told');
  assert.equal(await ask(token.secret, 'POST', '/api/v1/sync'), 403);

  const revoked = await world.svc(['token', 'revoke', 'pipeline', ...at]);
  assert.deepEqual([revoked.exitCode, revoked.stdout], [0, 'pipeline (operator): token revoked\n']);
  assert.equal(await ask(secret), 401);
  const again = await world.svc(['token', 'revoke', 'pipeline', ...at]);
  assert.equal(again.exitCode, 0, 'revoking twice is no error');
  const taken = await world.svc(['token', 'create', 'pipeline', ...at]);
  assert.deepEqual([taken.exitCode, taken.stdout], [1, ''], 'the name of a revoked token stays in use');
  assert.match(taken.stderr, /SVC-AUTH-009/);

  const { stdout } = await world.svc(['token', 'list', ...at]);
  assert.match(stdout, /^NAME +ROLE +CREATED +LAST USED +STATE$/m);
  assert.match(stdout, /^dashboard +viewer +[0-9]+ \S+ 20[0-9]+, \S+ UTC +never +valid$/m);
  assert.match(stdout, /^pipeline +operator .* UTC +never +revoked [0-9]+ \S+ 20[0-9]+, \S+ UTC$/m);

  const byState = await world.svc(['token', 'list', '--sort', 'state', '--order', 'desc', ...at]);
  assert.match(byState.stdout, /\npipeline .* revoked [^\n]*\n(?:.*\n)*dashboard .* valid\n/);

  const kept: string[] = [];
  const stateRoot = join(dirname(instance.configPath), 'state');
  for (const name of await readdir(stateRoot)) {
    // its sockets and folders have no text
    kept.push(await readFile(join(stateRoot, name), 'utf8').catch(() => ''));
  }
  assert.ok(
    kept.some((text) => text.includes('dashboard')),
    'the accounts file was read',
  );
  for (const text of [instance.log(), created.stderr, reading.stderr, stdout, ...kept]) {
    assert.ok(!text.includes(secret) && !text.includes(token.secret), 'a secret is shown once and not kept');
  }

  await instance.api('POST', '/accounts', { name: 'ines', role: 'operator', password: 'words of ines' });
  const authorization = `Basic ${Buffer.from('ines:words of ines').toString('base64')}`;
  const asInes = async (method: string, path: string): Promise<number> =>
    (await fetch(`${instance.url}${path}`, { method, headers: { authorization } })).status;
  assert.equal(await asInes('POST', '/v2/some/where/blobs/uploads/'), 202);
  const demoted = await world.svc(['user', 'role', 'ines', 'viewer', '--output', 'json', ...at]);
  assertCliDocument('svc user role', demoted.stdout);
  assert.deepEqual(JSON.parse(demoted.stdout), { name: 'ines', role: 'viewer', formerRole: 'operator' });
  assert.match(demoted.stderr, /"action":"account\.role_change".*"formerRole":"operator"/);
  assert.equal(await asInes('POST', '/v2/some/where/blobs/uploads/'), 403);
  const removed = await world.svc(['user', 'remove', 'ines', ...at]);
  assert.deepEqual([removed.exitCode, removed.stdout], [0, 'ines (viewer): account deleted\n']);
  assert.equal(await asInes('GET', '/v2/'), 401);
  for (const change of [
    ['user', 'remove', 'admin'],
    ['user', 'role', 'admin', 'viewer'],
  ]) {
    const refused = await world.svc([...change, ...at]);
    assert.equal(refused.exitCode, 3, 'the last administrator stays');
    assert.match(refused.stderr, /SVC-AUTH-011/);
  }
});

test('unknown roles and names are refused before anything is changed, and in the language of the user', async () => {
  await using folder = await openTempFolder();
  const state = join(folder.path, 'state');
  const run = (args: readonly string[], language = 'en'): Promise<SvcResult> =>
    runCommand([...args, '--state-root', state], { env: { LC_ALL: `${language}_XX.UTF-8` } });
  const wrong = await run(['token', 'create', 'pipeline', '--role', 'root']);
  assert.equal(wrong.exitCode, 2);
  assert.match(wrong.stderr, /--role takes one of viewer, operator, admin/);
  assert.equal((await run(['token', 'create', 'no spaces'])).exitCode, 2);
  assert.equal((await run(['user', 'role', 'ines', 'root'])).exitCode, 2);
  for (const args of [
    ['token', 'revoke', 'ghost'],
    ['user', 'remove', 'ghost'],
    ['user', 'role', 'ghost', 'viewer'],
  ]) {
    const unknown = await run(args, 'fr');
    assert.deepEqual([unknown.exitCode, unknown.stdout], [1, '']);
    assert.match(unknown.stderr, /SVC-AUTH-010/);
    assert.match(unknown.stderr, /ghost/);
  }
  const none = await run(['token', 'list'], 'fr');
  assert.deepEqual([none.exitCode, none.stdout], [0, '']);
  assert.match(none.stderr, /aucun jeton/);
});

test('on a terminal, a new token is followed by the commands that keep and use it', async (t) => {
  const script = needs(t, 'script');
  if (!script) return;
  await using folder = await openTempFolder();
  const state = join(folder.path, 'state');
  const args = ['token', 'create', 'pipeline', '--state-root', state];
  const { exitCode, screen } = await typeInto(script, args, [], { columns: 200 });
  assert.equal(exitCode, 0, screen);
  const lines = screen.split('\r\n');
  assert.ok(
    lines.some((line) => /^svc_[\w-]{43}$/.test(line)),
    screen,
  );
  assert.match(screen, /save it in the file token \(umask 077; cat > token\)/);
  const next = lines.filter((line) => line.startsWith('  svc '));
  assert.deepEqual(next, [`  svc task list --token-file token --state-root ${state}`]);
});

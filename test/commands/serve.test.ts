import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSelfSigned } from '../../src/certificate/self-signed.ts';
import { startInstance, writeConfig } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { runCommand } from '../kit/program/run-command.ts';

function records(log: string): Record<string, any>[] {
  return log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}

test('an instance starts, logs its settings, answers, and exits with 0 on a signal', async () => {
  await using folder = await openTempFolder();
  await using instance = await startInstance({ folder: folder.path });
  assert.match(instance.url, /^http:\/\/127\.0\.0\.1:[1-9][0-9]*$/);
  assert.equal((await instance.api('GET', '/accounts')).status, 200);
  assert.equal(await instance.stop(), 0);
  const said = records(instance.log());
  const audits = said.filter(({ logType }) => logType === 'audit').map(({ action }) => action);
  assert.deepEqual([audits[0], audits.at(-1)], ['instance.start', 'instance.stop']);
  const messages = said.map(({ msg }) => msg).join('\n');
  assert.match(messages, /allowlist/);
  assert.match(messages, /The interval is 0: synchronization is manual/);
});

test('every relaxed setting is logged at the start', async () => {
  await using folder = await openTempFolder();
  await using instance = await startInstance({
    folder: folder.path,
    config: {
      auth: { disabled: true },
      preflight: { disabled: true },
      registries: { substitutions: { 'docker.io': 'mirror.example' }, insecure: ['plain.example'] },
      trust: { scopes: [{ name: 'lab', repositories: ['lab.example/**'], allowUnsigned: true }] },
      files: { filesets: [{ name: 'open', ref: 'host.example/files', anonymous: true }] },
      server: { addr: '127.0.0.1:0', tls: { enabled: true } },
    },
  }).catch((error) => {
    throw new Error(String(error));
  });
  const log = instance.log();
  for (const expected of [
    /authentication is disabled/,
    /"action":"auth\.override_active"/,
    /pre-flight gate is disabled/,
    /"source":"docker\.io","effective":"mirror\.example"/,
    /plain HTTP/,
    /"trustScope":"lab"/,
    /"fileset":"open"/,
    /"msg":"listener certificate",.*"fingerprint":"[0-9a-f]{2}(:[0-9a-f]{2}){31}"/,
  ])
    assert.match(log, expected);
  assert.match(instance.url, /^https:/);
});

test('an instance without account, or without where to keep one, refuses to start', async () => {
  await using folder = await openTempFolder();
  const config = await writeConfig(folder.path);
  const empty = await runCommand(['serve', '--config', config]);
  assert.equal(empty.exitCode, 3);
  assert.match(empty.stderr, /SVC-AUTH-001/);
  assert.ok(empty.stderr.includes(`svc user add <name> --config ${config}`), empty.stderr);
  const bare = await writeConfig(folder.path, { state: {} });
  const homeless = await runCommand(['serve', '--config', bare]);
  assert.equal(homeless.exitCode, 3);
  assert.match(homeless.stderr, /SVC-AUTH-001/);
});

test('the command in the refusal of an instance without account makes one that it starts with', async () => {
  await using folder = await openTempFolder();
  const at = (name: string): string => join(folder.path, name);
  const config = await writeConfig(folder.path, { state: {} });
  const mode = ['--mode', 'mirror', '--server-addr', '127.0.0.1:0'];
  for (const [args, flags] of [
    [
      [...mode, '--storage-root', at('bare'), '--state-root', at('my state')],
      `--state-root '${at('my state')}'`,
    ],
    [['--config', config, '--state-root', at('other')], `--config ${config} --state-root ${at('other')}`],
  ] as const) {
    const refused = await runCommand(['serve', ...args], { cwd: folder.path });
    assert.equal(refused.exitCode, 3, refused.stderr);
    assert.ok(
      refused.stderr.includes(`do: Create the first administrator with: svc user add <name> ${flags}. By`),
      refused.stderr,
    );
    const words = flags
      .split(/ (?=--)/)
      .flatMap((flag) => flag.replaceAll("'", '').split(/(?<=^--[a-z-]+) /));
    const added = await runCommand(['user', 'add', 'ines', '--password-stdin', ...words], {
      cwd: folder.path,
      input: 'a good password\n',
    });
    assert.equal(added.exitCode, 0, added.stderr);
  }
});

test('without state folder and authentication an instance serves, and logs what is not available', async () => {
  await using folder = await openTempFolder();
  await using instance = await startInstance({
    folder: folder.path,
    config: { state: {}, auth: { disabled: true } },
  });
  assert.match(instance.log(), /no state\.root/);
  for (const [method, path, body] of [
    ['GET', '/accounts', undefined],
    ['POST', '/tokens', { name: 'x', role: 'viewer' }],
    ['POST', '/account/password', { current: 'a', new: 'b' }],
    ['PUT', '/retriever/interval', { interval: '5m' }],
  ] as const) {
    const response = await instance.api(method, path, body);
    assert.deepEqual(
      [response.status, response.body.code, response.body.params.setting],
      [409, 'SVC-CFG-001', 'state.root'],
      path,
    );
  }
});

test('a taken port, a second instance and an unusable certificate each fail at once with their code', async () => {
  await using folder = await openTempFolder();
  await using instance = await startInstance({ folder: folder.path });
  const second = await runCommand(['serve', '--config', instance.configPath]);
  assert.equal(second.exitCode, 1);
  assert.match(second.stderr, /SVC-STO-007/);

  await using other = await openTempFolder();
  const taken = await writeConfig(other.path, { auth: { disabled: true }, server: { addr: instance.host } });
  const busy = await runCommand(['serve', '--config', taken]);
  assert.equal(busy.exitCode, 1);
  assert.match(busy.stderr, /SVC-CFG-001/);
  assert.match(busy.stderr, /server\.addr 127\.0\.0\.1:\d+ is used by another program/);
  assert.match(busy.stderr, /What to do: Stop the program that uses it/);
  assert.doesNotMatch(busy.stderr, /malformed/);
  assert.equal(existsSync(join(other.path, 'store')), false, 'nothing was created');
  const french = await runCommand(['serve', '--config', taken], { env: { LC_ALL: 'fr_FR' } });
  assert.match(french.stderr, /est utilisé par un autre programme/);
  const elsewhere = await writeConfig(other.path, {
    auth: { disabled: true },
    server: { addr: '192.0.2.1:8080' },
  });
  const absent = await runCommand(['serve', '--config', elsewhere]);
  assert.equal(absent.exitCode, 1);
  assert.match(absent.stderr, /SVC-CFG-001.*192\.0\.2\.1:8080 is not an address of this machine/);

  const certFile = join(other.path, 'cert.pem');
  const keyFile = join(other.path, 'key.pem');
  await writeFile(certFile, createSelfSigned(['a'], 1).cert);
  await writeFile(keyFile, createSelfSigned(['b'], 1).key);
  const mixed = await writeConfig(other.path, {
    auth: { disabled: true },
    server: { addr: '127.0.0.1:0', tls: { certFile, keyFile } },
  });
  const unusable = await runCommand(['serve', '--config', mixed]);
  assert.equal(unusable.exitCode, 1);
  assert.match(unusable.stderr, /SVC-NET-003/);
});

test('a storage.root that is a file, and a folder that holds other things, are refused at the start', async () => {
  await using folder = await openTempFolder();
  await writeFile(join(folder.path, 'file'), '');
  const config = await writeConfig(folder.path, {
    auth: { disabled: true },
    storage: { root: join(folder.path, 'file', 'store') },
  });
  const result = await runCommand(['serve', '--config', config]);
  assert.equal(result.exitCode, 1);
  assert.match(result.stderr, /SVC-CFG-001: .*storage\.root must be a folder/);
  await mkdir(join(folder.path, 'strange'));
  await writeFile(join(folder.path, 'strange', 'index.json'), '{}');
  const strange = await writeConfig(folder.path, {
    auth: { disabled: true },
    storage: { root: join(folder.path, 'strange') },
  });
  const refused = await runCommand(['serve', '--config', strange]);
  assert.equal(refused.exitCode, 1);
  assert.match(refused.stderr, /SVC-STO-013.*strange is not a store and contains other files: index\.json/);
  assert.match(refused.stderr, /svc store check --repair/);
  assert.deepEqual(await readdir(join(folder.path, 'strange')), ['index.json']);
});

test('what was pushed is there after a restart, and after a kill', async () => {
  await using folder = await openTempFolder();
  const push = async (instance: { url: string; authorization: string }, content: string) => {
    const { toBlob, toImage } = await import('../kit/content/oci-content.ts');
    const blob = toBlob(content);
    const headers = { authorization: instance.authorization };
    const created = await fetch(`${instance.url}/v2/kept/blobs/uploads/?digest=${blob.digest}`, {
      method: 'POST',
      headers,
      body: content,
    });
    assert.equal(created.status, 201);
    const image = toImage(blob, []);
    const put = await fetch(`${instance.url}/v2/kept/manifests/${content}`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': image.mediaType },
      body: image.bytes as never,
    });
    assert.equal(put.status, 201);
  };
  const tags = async (instance: { url: string; authorization: string }) => {
    const response = await fetch(`${instance.url}/v2/kept/tags/list`, {
      headers: { authorization: instance.authorization },
    });
    return ((await response.json()) as { tags: string[] }).tags;
  };
  {
    await using instance = await startInstance({ folder: folder.path });
    await push(instance, 'one');
    assert.equal(await instance.stop(), 0);
  }
  {
    await using instance = await startInstance({ folder: folder.path });
    assert.deepEqual(await tags(instance), ['one']);
    await push(instance, 'two');
    await instance.kill();
  }
  await using instance = await startInstance({ folder: folder.path });
  assert.deepEqual(await tags(instance), ['one', 'two']);
});

test('a style sheet of the operator that cannot be read, or is too large, is refused at the start', async () => {
  await using folder = await openTempFolder();
  const path = join(folder.path, 'theme.css');
  const config = await writeConfig(folder.path, { auth: { disabled: true }, ui: { themeOverride: path } });
  const absent = await runCommand(['serve', '--config', config]);
  assert.equal(absent.exitCode, 1);
  assert.match(absent.stderr, /SVC-CFG-001: .*ui\.themeOverride/);
  await writeFile(path, ' '.repeat(262_145));
  const large = await runCommand(['serve', '--config', config]);
  assert.equal(large.exitCode, 1);
  assert.match(large.stderr, /SVC-CFG-001: .*ui\.themeOverride names \S+, which is larger than 262144 bytes/);
});

test('plain HTTP on an address that other machines reach is warned about, and the log names the address that was asked for', async () => {
  const { selectAnnouncements } = await import('../../server/announcements.ts');
  const { loadConfig } = await import('../../src/config/load-config.ts');
  const warnings = async (flags: Record<string, string>): Promise<readonly string[]> => {
    const { config } = await loadConfig({ flags, env: {} });
    return selectAnnouncements(config).map(({ message }) => message);
  };
  const pattern = /plain HTTP on an address that other machines reach/;
  for (const addr of [':8080', '0.0.0.0:8080', '[::]:8080', '192.0.2.7:8080', 'svc.example:8080'])
    assert.match((await warnings({ 'server.addr': addr })).join('\n'), pattern, addr);
  for (const addr of ['127.0.0.1:8080', '127.1.2.3:8080', '[::1]:8080', 'localhost:8080'])
    assert.doesNotMatch((await warnings({ 'server.addr': addr })).join('\n'), pattern, addr);
  await using folder = await openTempFolder();
  await using instance = await startInstance({ folder: folder.path });
  assert.match(instance.log(), /"msg":"listening",.*"url":"[^"]+","address":"127\.0\.0\.1:0"/);
});

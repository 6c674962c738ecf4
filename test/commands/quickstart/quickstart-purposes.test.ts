import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { findMissingMedium } from '../../../commands/quickstart/checks/find-missing-medium.ts';
import { purposes } from '../../../commands/quickstart/purpose.ts';
import { toSettings } from '../../../commands/quickstart/written/to-settings.ts';
import { parsePublicKey, toFingerprint } from '../../../src/attest/public-key.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { needs } from '../../kit/program/peers.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { typeInto } from '../../kit/program/type-into.ts';
import { takeFreePort } from '../../kit/web/follow-page.ts';

const input = 'a good password\n';
const fingerprintOf = (pem: string): string => toFingerprint(parsePublicKey(pem));

/** A folder with the public key of a signer. */
async function openPlace() {
  const folder = await openTempFolder();
  const { publicKeyPem } = createSigner();
  await writeFile(join(folder.path, 'release.pub'), publicKeyPem);
  return {
    cwd: folder.path,
    path: (name: string): string => join(folder.path, name),
    fingerprint: fingerprintOf(publicKeyPem),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

const commandsIn = (stderr: string): string[] =>
  [...stderr.matchAll(/^ {2}(svc .*)$/gm)].map(([, command]) => command!);

const draft = ['--zone', 'zone-b', '--cookbook', 'registry.example/cookbook', '--recipe', 'shop@^1.4'];

test('a source gets its configuration, its Retriever, a token for svc sync, and the commands that follow', async () => {
  await using place = await openPlace();
  const { cwd, path } = place;
  const addr = `127.0.0.1:${await takeFreePort()}`;
  const args = ['quickstart', '--for', 'source', ...draft, '--trust-key', 'release.pub'];
  const more = ['--insecure', 'registry.example', '--server-addr', addr, '--password-stdin'];
  const { exitCode, stdout, stderr } = await runCommand([...args, ...more], { cwd, input });
  assert.equal(exitCode, 0, stderr);
  assert.equal(stdout, `${path('svc.yaml')}\n`);
  assert.ok(stderr.includes(place.fingerprint), stderr);
  const text = await readFile(path('svc.yaml'), 'utf8');
  assert.deepEqual(parse(text), {
    mode: 'mirror',
    storage: { root: path('storage') },
    state: { root: path('state') },
    server: { addr },
    retriever: { source: path('retriever.yaml') },
    registries: { insecure: ['registry.example'] },
    trust: { roots: [{ name: 'release', keyFile: path('release.pub') }] },
    zones: [{ name: 'zone-b', retriever: path('retriever.yaml') }],
  });
  assert.doesNotMatch(text, /Usually set next/);
  assert.deepEqual(parse(await readFile(path('retriever.yaml'), 'utf8')), {
    apiVersion: 'recipe.tobby.dev/v1alpha1',
    kind: 'Retriever',
    metadata: { name: 'zone-b' },
    spec: { cookbook: 'registry.example/cookbook', recipes: [{ name: 'shop', version: '^1.4' }] },
  });
  const at = `--config ${path('svc.yaml')}`;
  const token = path('state/sync.token');
  assert.deepEqual(commandsIn(stderr), [
    `svc serve ${at}`,
    `svc recipe init shop --from compose.yaml --out shop.yaml ${at}`,
    `svc recipe pin shop.yaml --set-version VERSION --out shop-VERSION.yaml ${at}`,
    `svc recipe push shop-VERSION.yaml registry.example/cookbook/shop:VERSION --sign-key release.key --key-password-file password-file ${at}`,
    `svc sync --wait --token-file ${token} ${at}`,
  ]);
  assert.equal((await stat(token)).mode & 0o777, 0o600);
  const tokens = await runCommand(['token', 'list', '--config', 'svc.yaml'], { cwd });
  assert.match(tokens.stdout, /^sync +operator/m);
});

test('a cookbook or a recipe that no Retriever can have is named by its flag', async () => {
  await using place = await openPlace();
  const { cwd } = place;
  const run = async (cookbook: string, recipe: string) => {
    const flags = [
      '--zone',
      'zone-b',
      '--cookbook',
      cookbook,
      '--recipe',
      recipe,
      '--trust-key',
      'release.pub',
    ];
    const ended = await runCommand(['quickstart', '--for', 'source', ...flags, '--password-stdin'], {
      cwd,
      input,
    });
    assert.notEqual(ended.exitCode, 0);
    assert.doesNotMatch(ended.stderr, /retriever\.yaml/);
    return ended.stderr;
  };
  assert.match(await run('http://registry.example/cookbook', 'shop'), /--cookbook is not valid/);
  assert.match(
    await run('registry.example/cookbook', 'shop@1.4'),
    /--recipe shop@1\.4 is not valid: must be an/,
  );
  assert.deepEqual(await readdir(cwd), ['release.pub']);
});

test('the command that publishes the recipe has the exact version of the Retriever', async () => {
  await using place = await openPlace();
  const { cwd } = place;
  const args = [
    'quickstart',
    '--for',
    'source',
    '--zone',
    'zone-b',
    '--cookbook',
    'registry.example/cookbook',
  ];
  const more = ['--recipe', 'shop@2.3.0-rc.1', '--trust-key', 'release.pub', '--password-stdin'];
  const { exitCode, stderr } = await runCommand([...args, ...more, '--server-addr', '127.0.0.1:0'], {
    cwd,
    input,
  });
  assert.equal(exitCode, 0, stderr);
  assert.match(
    stderr,
    / {2}svc recipe push shop-2\.3\.0-rc\.1\.yaml registry\.example\/cookbook\/shop:2\.3\.0-rc\.1 --sign-key release\.key --key-password-file password-file --config /,
  );
});

test('a zone of a carried medium gets a configuration that verifies at once, and no account', async () => {
  await using place = await openPlace();
  const { cwd, path } = place;
  const addr = `127.0.0.1:${await takeFreePort()}`;
  const args = ['quickstart', '--for', 'medium', '--zone', 'zone-b', '--storage-root', 'disk'];
  const more = ['--destination', 'registry.zone-b.example', '--trust-key', 'release.pub'];
  const { exitCode, stderr } = await runCommand([...args, ...more, '--server-addr', addr], { cwd });
  assert.equal(exitCode, 0, stderr);
  assert.deepEqual((await readdir(cwd)).sort(), ['release.pub', 'svc.yaml']);
  assert.deepEqual(parse(await readFile(path('svc.yaml'), 'utf8')), {
    mode: 'mirror',
    zone: 'zone-b',
    storage: { root: path('disk'), create: false },
    state: { root: path('state') },
    server: { addr },
    destination: { registry: 'registry.zone-b.example' },
    trust: { roots: [{ name: 'release', keyFile: path('release.pub') }] },
  });
  const at = `--config ${path('svc.yaml')}`;
  assert.deepEqual(commandsIn(stderr), [`svc media verify ${at}`, `svc media import ${at}`]);
  // the disk may come later, and a misspelt mount point must not be found only then
  assert.ok(stderr.includes(`svc: warning: ${path('disk')} does not exist: make the folder`), stderr);
});

test('an instance of every purpose listens on this machine only, unless a flag or a variable says otherwise', () => {
  for (const purpose of purposes) {
    assert.equal(toSettings({}, { for: purpose }, {})['server.addr'], '127.0.0.1:8080', purpose);
    const given = toSettings({ 'server.addr': ':8081' }, { for: purpose }, {});
    assert.equal(given['server.addr'], ':8081', purpose);
    assert.equal(toSettings({}, { for: purpose }, { SVC_SERVER_ADDR: ':1' })['server.addr'], undefined);
  }
});

test('a folder of a medium is missing, empty or complete, and quickstart says which', async () => {
  await using place = await openPlace();
  const disk = place.path('disk');
  assert.match((await findMissingMedium(disk))![0], /disk does not exist: .* or correct storage\.root$/);
  await mkdir(disk);
  assert.match((await findMissingMedium(disk))![0], /disk has no medium: mount the disk there/);
  assert.match((await findMissingMedium(disk))![1], /disk ne contient pas de support/);
  await writeFile(join(disk, 'media.jsonl'), '');
  assert.equal(await findMissingMedium(disk), undefined);
});

test('a passthrough zone gets its Retriever, destination and trust root', async () => {
  await using place = await openPlace();
  const { cwd, path } = place;
  await writeFile(path('docker.json'), '{"auths":{}}', { mode: 0o600 });
  const args = ['quickstart', '--for', 'passthrough', '--retriever', 'oci://registry.example/zones/b:v1'];
  const more = ['--destination', 'zone-b.example', '--trust-key', 'release.pub', '--password-stdin'];
  const last = ['--credentials-file', 'docker.json', '--server-addr', '127.0.0.1:0'];
  const { exitCode, stderr } = await runCommand([...args, ...more, ...last], { cwd, input });
  assert.equal(exitCode, 0, stderr);
  const { mode, retriever, destination, registries } = parse(await readFile(path('svc.yaml'), 'utf8'));
  assert.deepEqual([mode, retriever.source], ['passthrough', 'oci://registry.example/zones/b:v1']);
  assert.deepEqual(
    [destination.registry, registries.credentialsFile],
    ['zone-b.example', path('docker.json')],
  );
  // the query is a part of the address, although a dump leaves it out
  const url = 'https://registry.example/zone.yaml?version=2';
  const queried = ['--for', 'passthrough', '--retriever', url, '--config', 'queried.yaml'];
  const again = await runCommand(['quickstart', ...queried, ...more, ...last], { cwd, input });
  assert.equal(again.exitCode, 0, again.stderr);
  assert.equal(parse(await readFile(path('queried.yaml'), 'utf8')).retriever.source, url);
});

test('what a purpose lacks, contradicts or cannot use is refused before anything is written', async (t) => {
  await using place = await openPlace();
  const { cwd, path } = place;
  await writeFile(path('no-key.pub'), 'not a key\n');
  await writeFile(path('no-logins.json'), '{"auths":[]}\n');
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const port = (taken.address() as AddressInfo).port;
  const source = ['--for', 'source', ...draft, '--password-stdin'];
  const trusted = [...source, '--trust-key', 'release.pub'];
  const medium = ['--for', 'medium', '--zone', 'zone-b', '--destination', 'r.example'];
  const carried = [...medium, '--storage-root', 'disk', '--trust-key', 'release.pub'];
  const cases: readonly [args: readonly string[], exitCode: number, message: RegExp, addr?: string][] = [
    [['--for', 'mirror'], 2, /--for takes one of source, medium, passthrough/],
    [['--for', 'source'], 2, /--retriever, --trust-key and --password-stdin were not given/],
    [
      source,
      2,
      /--trust-key was not given[\s\S]* {2}svc quickstart .*--cookbook registry\.example\/cookbook/,
    ],
    [medium, 2, /--storage-root and --trust-key were not given/],
    [[...trusted, '--mode', 'passthrough'], 2, /--mode passthrough cannot be used with --for source/],
    [[...trusted, '--retriever', 'r.yaml'], 2, /--cookbook cannot be used with --retriever/],
    [
      [...medium, '--password-stdin'],
      2,
      /--password-stdin cannot be used with --for medium.*account.*svc user add/,
    ],
    [[...trusted, '--destination', 'r.example'], 2, /--destination cannot be used with --for source/],
    [[...medium, '--retriever', 'r.yaml'], 2, /--retriever cannot be used with --for medium/],
    [[...medium, '--admin', 'ana'], 2, /--admin cannot be used with --for medium.*account.*svc user add/],
    [['--for', 'passthrough', '--zone', 'b'], 2, /--zone cannot be used with --for passthrough/],
    [
      ['--for', 'source', '--retriever', 'r.yaml', '--zone', 'b'],
      2,
      /--zone cannot be used with --retriever/,
    ],
    [
      [...trusted, '--recipe', 'other:1.4.0'],
      2,
      /--recipe other:1\.4\.0 is not valid: .* write other@1\.4\.0/,
    ],
    [[...source, '--trust-key', 'no-key.pub'], 1, /SVC-VAL-001/],
    [[...source, '--trust-key', 'absent.pub'], 1, /SVC-FIL-005/],
    [[...trusted, '--credentials-file', 'absent.json'], 1, /SVC-FIL-005[\s\S]*absent\.json does not exist/],
    [[...trusted, '--credentials-file', '.'], 1, /SVC-FIL-005[\s\S]*is a folder, not a file/],
    [[...trusted, '--credentials-file', 'no-key.pub'], 1, /SVC-VAL-001[\s\S]*must be JSON/],
    [[...trusted, '--credentials-file', 'no-logins.json'], 1, /SVC-VAL-001[\s\S]*auths/],
    [[...trusted, '--recipe', 'No'], 2, /--recipe No is not valid: must be lower-case/],
    [[...trusted, '--recipe', 'other@2.3'], 2, /--recipe other@[\s\S]*: 2\.3\.0 or \^2\.3/],
    [[...trusted, '--recipe', 'other@latest'], 2, /--recipe other@/],
    [[...trusted, '--server-addr', `127.0.0.1:${port}`], 1, /is used by another program/],
    [[...carried, '--server-addr', `127.0.0.1:${port}`], 1, /is used by another program/],
    [carried, 1, /is used by another program/, `127.0.0.1:${port}`],
    [carried, 1, /SVC-CFG-001[\s\S]*nowhere/, 'nowhere'],
  ];
  for (const [args, expected, message, addr] of cases) {
    const env: Readonly<Record<string, string>> = addr === undefined ? {} : { SVC_SERVER_ADDR: addr };
    const { exitCode, stdout, stderr } = await runCommand(['quickstart', ...args], { cwd, input, env });
    assert.equal(exitCode, expected, `${args.join(' ')}\n${stderr}`);
    assert.equal(stdout, '');
    assert.match(stderr, message);
    assert.deepEqual(
      (await readdir(cwd)).sort(),
      ['no-key.pub', 'no-logins.json', 'release.pub'],
      args.join(' '),
    );
  }
});

test('another file with the name of the Retriever is kept', async () => {
  await using place = await openPlace();
  const { cwd, path } = place;
  await writeFile(path('retriever.yaml'), 'mine\n');
  const args = ['quickstart', '--for', 'source', ...draft, '--trust-key', 'release.pub', '--password-stdin'];
  const { exitCode, stderr } = await runCommand([...args, '--server-addr', '127.0.0.1:0'], { cwd, input });
  assert.equal(exitCode, 2, stderr);
  assert.match(stderr, /retriever\.yaml already exists and is not overwritten; use it with --retriever /);
  assert.equal(await readFile(path('retriever.yaml'), 'utf8'), 'mine\n');
  assert.deepEqual((await readdir(cwd)).sort(), ['release.pub', 'retriever.yaml']);
});

test('on a terminal, a medium is asked about: the fingerprint of the key is shown, and its refusal leads back', async (t) => {
  const script = needs(t, 'script');
  if (!script) return;
  await using place = await openPlace();
  const { cwd, path } = place;
  const other = createSigner().publicKeyPem;
  await writeFile(path('other.pub'), other);
  const { exitCode, screen } = await typeInto(
    script,
    ['quickstart', '--server-addr', '127.0.0.1:0'],
    [
      ['› Use', '\u001b[B\r'],
      ['› Zone', 'Zone\r'],
      ['must be the name of a Retriever', '\u0015zone-b\r'],
      ['› Medium', 'disk\r'],
      ['› Destination', '\r'],
      ['an answer is required', 'registry.example\r'],
      ['› Trust key', 'absent.pub\r'],
      ['absent.pub does not exist', '\u0015other.pub\r'],
      [fingerprintOf(other), 'n\r'],
      ['press Esc to name another file', '\u001b'],
      ['› Trust key', '\u0015release.pub\r'],
      [place.fingerprint, '\r'],
      ['Is registry.example reached over plain HTTP (no TLS)?', 'y\r'],
      ['› Logins', 'absent.json\r'],
      ['absent.json does not exist', '\u0015release.pub\r'],
      ['must be JSON', '\u0015\r'],
      ['› State folder', '\r'],
    ],
    { cwd, columns: 80 },
  );
  assert.equal(exitCode, 0, screen);
  const { zone, trust, registries } = parse(await readFile(path('svc.yaml'), 'utf8'));
  assert.deepEqual([zone, trust.roots[0].keyFile], ['zone-b', path('release.pub')]);
  assert.deepEqual(registries, { insecure: ['registry.example'] });
  assert.match(screen, /^ {2}svc media verify --config/m);
});

test('on a terminal, one question asks which of the registries named are reached over plain HTTP', async (t) => {
  const script = needs(t, 'script');
  if (!script) return;
  for (const [keys, shown, insecure] of [
    ['\r', 'no', undefined],
    ['\u001b[B\r', 'origin.example:5000', ['origin.example:5000']],
    ['b\r', 'both', ['origin.example:5000', 'zone-b.example']],
  ] as const) {
    await using place = await openPlace();
    const { exitCode, screen } = await typeInto(
      script,
      ['quickstart', '--server-addr', '127.0.0.1:0', '--for', 'passthrough'],
      [
        ['› Retriever', 'oci://origin.example:5000/zones/b:v1\r'],
        ['› Destination', 'zone-b.example\r'],
        ['› Trust key', '\r'],
        ['Is one of these registries reached over plain HTTP (no TLS)?', keys],
        ['› Logins', '\r'],
        ['› Store folder', '\r'],
        ['› State folder', '\r'],
        ['› Administrator', '\r'],
        ['› Start it now?', 'n\r'],
        ['Password: ', 'the good hunter2\r'],
        ['Password again: ', 'the good hunter2\r'],
      ],
      { cwd: place.cwd },
    );
    assert.equal(exitCode, 0, screen);
    assert.ok(screen.includes(`✓ Plain HTTP?     ${shown}`), screen);
    const { registries } = parse(await readFile(place.path('svc.yaml'), 'utf8'));
    assert.deepEqual(registries?.insecure, insecure);
  }
});

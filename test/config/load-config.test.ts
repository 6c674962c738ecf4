import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { dumpConfig } from '../../src/config/dump-config.ts';
import { type LoadOptions, loadConfig } from '../../src/config/load-config.ts';
import { renderConfigTable } from '../../src/config/render-config-table.ts';
import { configEntries } from '../../src/config/schema.ts';
import { scopes } from '../../src/config/scope.ts';
import { toConfigError } from '../../src/config/to-config-error.ts';
import { validateConfig } from '../../src/config/validate-config.ts';
import { checkPublicUrl } from '../../src/config/value-rules.ts';
import { sayDetail } from '../../src/text/message.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-config-'));
});
after(() => rm(folder, { recursive: true, force: true }));

let count = 0;
async function load(yaml: string, options: LoadOptions = {}) {
  count += 1;
  const configPath = join(folder, `c${count}.yaml`);
  await writeFile(configPath, yaml);
  return loadConfig({ configPath, ...options });
}

test('a missing document at the default place is no violation, and the defaults are the contract’s', async () => {
  const { config, violations, warnings } = await loadConfig({
    configPath: join(folder, 'absent.yaml'),
    explicit: false,
  });
  assert.deepEqual([violations, warnings], [[], []]);
  assert.deepEqual(config, {
    storage: {},
    state: {},
    server: { addr: ':8080', secureCookies: false, trustedProxies: [], tls: { enabled: false, hosts: [] } },
    auth: { disabled: false, sessionTTL: 43_200_000, passwordMinLength: 12, historyRole: 'admin' },
    network: { proxy: { noProxy: [] }, tls: { caFiles: [], exclusiveTrust: false } },
    registries: { insecure: [], substitutions: {} },
    retriever: {},
    destination: { cookbook: 'cookbook' },
    sync: { parallelism: 3, retries: 3, interval: 900_000, timeZone: 'UTC', prune: false },
    import: { inspectTimeout: 20_000 },
    transfer: { resumeThreshold: 67_108_864 },
    preflight: { safetyMarginPercent: 10, disabled: false },
    tasks: { keepFinished: 500 },
    audit: { keep: 67_108_864 },
    trust: { roots: [], scopes: [] },
    signing: {},
    peers: [],
    zones: [],
    custody: { enabled: false },
    media: { requirePassport: false },
    files: { packRoots: [], filesets: [], views: [] },
    ui: { showUpcoming: false },
    logging: {
      level: 'info',
      media: { file: '_svc/logs/operations.log', maxSize: 10_485_760, keep: 3, disabled: false },
    },
    shutdown: { gracePeriod: 30_000 },
  });
});

test('a document asked for by name must exist', async () => {
  const { violations } = await loadConfig({ configPath: join(folder, 'absent.yaml') });
  assert.deepEqual(
    violations.map(({ key, rule }) => [String(key), String(rule)]),
    [['configuration file', 'does not exist']],
  );
});

test('a key given twice is named, with the line of the second one', async () => {
  const { violations, isUnreadable } = await load('mode: mirror\nsync:\n  retries: 1\n  retries: 2\n');
  assert.deepEqual(
    violations.map(({ key, rule, origin }) => [key, String(rule), origin.line]),
    [['sync.retries', 'is given twice', 4]],
  );
  assert.equal(isUnreadable, true);
});

test('a document over 1 MiB and one that is not UTF-8 are refused', async () => {
  assert.match(String((await load(`# ${'x'.repeat(1 << 20)}`)).violations[0]!.rule), /at most 1 MiB/);
  const configPath = join(folder, 'latin.yaml');
  await writeFile(configPath, Buffer.from([0x7a, 0x3a, 0x20, 0xe9]));
  assert.match(String((await loadConfig({ configPath })).violations[0]!.rule), /UTF-8/);
});

test('an alias bomb is refused before it is expanded', async () => {
  const levels = Array.from(
    { length: 12 },
    (_, i) =>
      `${String.fromCharCode(98 + i)}: &${String.fromCharCode(98 + i)} [${`*${String.fromCharCode(97 + i)},`.repeat(9)}]`,
  );
  const { violations } = await load(`a: &a [x]\n${levels.join('\n')}`);
  assert.match(String(violations[0]!.rule), /aliases/);
});

test('flags win over variables, variables over the document, the document over defaults', async () => {
  const yaml = 'mode: mirror\nlogging: {level: error}\nshutdown: {gracePeriod: 5s}\nsync: {retries: 7}';
  const env = { SVC_LOGGING_LEVEL: 'warn', SVC_SHUTDOWN_GRACE_PERIOD: '6s' };
  const { config, origins } = await load(yaml, { env, flags: { 'shutdown.gracePeriod': '7s' } });
  assert.equal(config.mode, 'mirror');
  assert.equal(config.logging.level, 'warn');
  assert.equal(config.shutdown.gracePeriod, 7000);
  assert.equal(config.sync.retries, 7);
  assert.deepEqual(origins.get('shutdown.gracePeriod'), { layer: 'flag', name: '--shutdown-grace-period' });
  assert.deepEqual(origins.get('logging.level'), { layer: 'env', name: 'SVC_LOGGING_LEVEL' });
  assert.equal(origins.get('sync.retries')!.line, 4);
  assert.equal(origins.get('zone')!.layer, 'default');
});

test('an empty variable, an empty text and a key without value leave the layer below', async () => {
  const { config, violations } = await load('zone: ""\nmode:\nstorage:\nsync: {retries: 4}', {
    env: { SVC_SYNC_RETRIES: '', SVC_ZONE: '' },
  });
  assert.deepEqual(violations, []);
  assert.equal(config.zone, undefined);
  assert.equal(config.sync.retries, 4);
});

test('an absent allowlist and an empty one stay different', async () => {
  assert.equal((await load('registries: {}')).config.registries.allowlist, undefined);
  assert.deepEqual((await load('registries: {allowlist: []}')).config.registries.allowlist, []);
});

test('values are read in every syntax of the contract', async () => {
  const { config, violations } = await load(
    'storage: {occupancyThreshold: 512kB}\ntransfer: {resumeThreshold: 1048576}\nauth: {disabled: 1}\nsync: {interval: 1h30m, prune: "true"}\nregistries: {substitutions: {INDEX.docker.io: Zone1.example:5000/up}, insecure: ["A.example:5000"]}',
    {
      env: {
        SVC_NETWORK_TLS_CA_FILES: '/a.pem, /b.pem',
        SVC_NETWORK_PROXY_NO_PROXY: '.corp.example,10.0.0.0/8,*',
        SVC_SERVER_SECURE_COOKIES: '1',
      },
    },
  );
  assert.deepEqual(violations, []);
  assert.equal(config.storage.occupancyThreshold, 512_000);
  assert.equal(config.transfer.resumeThreshold, 1_048_576);
  assert.equal(config.auth.disabled, true);
  assert.equal(config.sync.interval, 5_400_000);
  assert.equal(config.sync.prune, true);
  assert.deepEqual(config.registries.substitutions, { 'docker.io': 'zone1.example:5000/up' });
  assert.deepEqual(config.registries.insecure, ['a.example:5000']);
  assert.deepEqual(config.network.tls.caFiles, ['/a.pem', '/b.pem']);
  assert.deepEqual(config.network.proxy.noProxy, ['.corp.example', '10.0.0.0/8', '*']);
  assert.equal(config.server.secureCookies, true);
});

test('a safety margin of 0 is the default of 10', async () => {
  assert.equal((await load('preflight: {safetyMarginPercent: 0}')).config.preflight.safetyMarginPercent, 10);
});

test('unknown variables are warnings, with the key or the variable that was meant', async () => {
  const { warnings, violations } = await load('{}', {
    env: {
      SVC_PORT: 'tcp://10.0.0.1:80',
      SVC_STORAGE_ROT: '/x',
      SVC_TRUST_ROOTS: 'x',
      SVC_INSTANCE_URL: 'http://x',
      SVC_API_TOKEN: 'svc_secret',
      SVC_EMPTY: '',
      OTHER: 'x',
    },
  });
  assert.deepEqual(violations, []);
  assert.equal(warnings.length, 3);
  assert.match(String(warnings[1]!), /SVC_STORAGE_ROT .*did you mean SVC_STORAGE_ROOT/);
  assert.match(
    String(warnings[2]!),
    /SVC_TRUST_ROOTS .*trust\.roots can be set in the configuration file only/,
  );
  assert.doesNotMatch(warnings.join(), /svc_secret|10\.0\.0\.1/);
});

test('the variable of each key is derived from its path, and file-only keys have none', () => {
  const names = new Map(configEntries.map(({ key, env }) => [key, env]));
  assert.equal(names.get('network.proxy.httpsURL'), 'SVC_NETWORK_PROXY_HTTPS_URL');
  assert.equal(names.get('auth.sessionTTL'), 'SVC_AUTH_SESSION_TTL');
  assert.equal(names.get('network.tls.caFiles'), 'SVC_NETWORK_TLS_CA_FILES');
  assert.equal(names.get('preflight.safetyMarginPercent'), 'SVC_PREFLIGHT_SAFETY_MARGIN_PERCENT');
  const fileOnly = configEntries.filter(({ env }) => env === undefined).map(({ key }) => key);
  assert.deepEqual(fileOnly, [
    'server.trustedProxies',
    'server.tls.hosts',
    'network.tls.ca',
    'network.tls.exclusiveTrust',
    'registries.substitutions',
    'registries.allowlist',
    'registries.credentialsFile',
    'sync.windows',
    'trust.roots',
    'trust.scopes',
    'peers',
    'zones',
    'media.requirePassport',
    'files.packRoots',
    'files.filesets',
    'files.views',
    'logging.media.file',
    'logging.media.maxSize',
    'logging.media.keep',
    'logging.media.disabled',
  ]);
});

test('the address for clients is a scheme, a host and a port, and nothing else', async () => {
  for (const url of ['https://instance.example', 'http://instance.example:8080/', 'https://10.0.0.1:8443'])
    assert.equal(checkPublicUrl(url), undefined, url);
  for (const url of [
    'instance.example',
    'ftp://instance.example',
    'https://',
    'https://user@instance.example',
    'https://instance.example/path',
    'https://instance.example?x',
    'https://instance.example"\n',
  ])
    assert.match(String(checkPublicUrl(url)), /no path/, url);
});

test('authentication is never turned off by a flag, and the proxy password is never one', () => {
  for (const key of ['auth.disabled', 'network.proxy.password']) {
    assert.equal(configEntries.find((entry) => entry.key === key)!.flag, undefined);
  }
});

test('no command demands a setting that it does not use', async () => {
  const demanded: Record<string, string[]> = {};
  for (const scope of scopes) {
    const violations = await validateConfig(await load('{}'), scope);
    demanded[scope] = violations.map(({ key }) => String(key));
  }
  assert.deepEqual(demanded, {
    serve: ['mode', 'storage.root', 'state.root'],
    'ask-instance': [],
    'sync-plan': ['storage.root', 'retriever.source'],
    'media-verify': ['zone', 'storage.root'],
    'media-import': ['zone', 'storage.root', 'state.root', 'destination.registry'],
    'recipe-push': [],
    'recipe-read': [],
    'recipe-sign': [],
    receipt: ['state.root'],
    'receipt-write': ['zone', 'state.root', 'destination.registry'],
    zones: ['state.root'],
    evidence: ['state.root'],
    history: ['state.root'],
    custody: ['state.root'],
    key: [],
    user: ['state.root'],
    export: ['storage.root'],
    import: ['storage.root'],
    'fileset-pack': ['storage.root'],
    'store-check': ['storage.root'],
    trust: [],
    'show-store': ['storage.root'],
    'media-status': ['state.root'],
    'media-prove': [],
    'media-write': ['storage.root', 'state.root'],
    dump: [],
  });
});

test('a rule on a setting of another command does not stop this one', async () => {
  const loaded = await load('sync: {interval: -1s}\ndestination: {basePath: x}\nstate: {root: /state}');
  assert.deepEqual(await validateConfig(loaded, 'user'), []);
  assert.equal((await validateConfig(loaded, 'serve')).length, 4);
});

test('a bad flag is a fault of the command line, the same value from elsewhere is one of the configuration', async () => {
  const flagged = await validateConfig(
    await load('{}', { flags: { 'shutdown.gracePeriod': '-1s' } }),
    'user',
  );
  assert.deepEqual(
    flagged.filter(({ usage }) => usage).map(({ key }) => key),
    ['shutdown.gracePeriod'],
  );
  const set = await validateConfig(await load('{}', { env: { SVC_SHUTDOWN_GRACE_PERIOD: '-1s' } }), 'serve');
  assert.ok(set.some(({ key, usage }) => key === 'shutdown.gracePeriod' && !usage));
});

test('half a TLS pair given by flag alone is a fault of the command line', async () => {
  const violations = await validateConfig(
    await load('{}', { flags: { 'server.tls.certFile': '/c.pem' } }),
    'dump',
  );
  assert.deepEqual(
    violations.map(({ key, usage }) => [key, usage]),
    [['server.tls.keyFile', true]],
  );
});

test('one error names every violation with its place; missing accounts speak only where all else is valid', async () => {
  const loaded = await load(`mode: mirror\nsync:\n  parallelism: 0\nzone: 7\nstorage: {root: ${folder}}`);
  const error = toConfigError(await validateConfig(loaded, 'serve'));
  assert.equal(error.code, 'SVC-CFG-001');
  const lines = error.detail?.split('\n') ?? [];
  assert.equal(lines.length, 3);
  assert.ok(lines.some((line) => /^zone must be a string; quote it \(.*:4\)$/.test(line)));
  assert.ok(lines.some((line) => /^sync\.parallelism must be at least 1 \(.*:3\)$/.test(line)));
  assert.match(
    sayDetail(error, 'fr')!,
    /^zone doit être un texte\u00a0; mettez la valeur entre guillemets \(.*:4\)$/m,
  );
  const valid = await load(`mode: mirror\nstorage: {root: ${folder}}`);
  assert.equal(toConfigError(await validateConfig(valid, 'serve')).code, 'SVC-AUTH-001');
  const single = toConfigError(await validateConfig(await load('{}'), 'user'));
  assert.deepEqual([single.code, single.params.setting], ['SVC-CFG-001', 'state.root']);
});

test('the dump hides secrets, shows absent ones as empty, and reads back as the same configuration', async () => {
  const yaml = `mode: mirror
network: {proxy: {url: "http://proxy.example:3128", username: u, password: hunter2}}
retriever: {source: "https://host.example/r.yaml?token=hunter2"}
storage: {occupancyThreshold: 1536MiB}
sync: {interval: 90s}
registries: {allowlist: [], substitutions: {docker.io: zone1.example}}
trust: {roots: [{name: a, keyFile: /k.pub}], scopes: [{name: s, repositories: ["**"], allowUnsigned: true}]}`;
  const { config } = await load(yaml);
  const dump: any = dumpConfig(config);
  assert.doesNotMatch(JSON.stringify(dump), /hunter2/);
  assert.equal(dump.network.proxy.password, 'REDACTED');
  assert.equal(dump.retriever.source, 'https://host.example/r.yaml?REDACTED');
  assert.equal(dump.storage.occupancyThreshold, '1536MiB');
  assert.equal(dump.sync.interval, '1m30s');
  assert.deepEqual(dump.registries.allowlist, []);
  const empty: any = dumpConfig((await load('{}')).config);
  assert.equal(empty.network.proxy.password, '');
  assert.equal('allowlist' in empty.registries, false);
  const again = await load(JSON.stringify(dump));
  assert.deepEqual(again.violations, []);
  assert.deepEqual(again.config.trust, config.trust);
  assert.deepEqual(again.config.sync, config.sync);
  assert.deepEqual(again.config.logging, config.logging);
});

test('credentials in a refused URL and a private key in the wrong place stay out of the dump', async () => {
  const { config } = await load(
    'network: {proxy: {url: "http://u:hunter2@proxy.example"}}\ntrust: {roots: [{name: a, key: "-----BEGIN PRIVATE KEY-----hunter2"}]}',
  );
  assert.doesNotMatch(JSON.stringify(dumpConfig(config)), /hunter2/);
});

test('the table has a row for each key and for the members of each list', () => {
  const table = renderConfigTable();
  for (const { key } of configEntries) assert.ok(table.includes(`| \`${key}\` |`), key);
  for (const key of ['trust.roots[].keyURL', 'trust.scopes[].repositories', 'files.filesets[].anonymous']) {
    assert.ok(table.includes(`| \`${key}\` |`), key);
  }
  const columns = new Set(
    table
      .trim()
      .split('\n')
      .map((line) => line.split(/(?<!\\)\|/).length),
  );
  assert.equal(columns.size, 1);
  assert.match(table, /\| `SVC_SYNC_INTERVAL` \|/);
});

test('a relative path counts from the folder of its document, and from the working directory elsewhere', async () => {
  const yaml = `storage: {root: ./store}
state: {root: ../state}
network: {tls: {caFiles: [ca.pem, /etc/ca.pem]}}
trust: {roots: [{name: a, keyFile: keys/a.pub}]}
`;
  const { config } = await load(yaml);
  assert.equal(config.storage.root, join(folder, 'store'));
  assert.equal(config.state.root, join(folder, '../state'));
  assert.deepEqual(config.network.tls.caFiles, [join(folder, 'ca.pem'), '/etc/ca.pem']);
  assert.equal(config.trust.roots[0]!.keyFile, join(folder, 'keys/a.pub'));
  const others = await load(yaml, {
    flags: { 'storage.root': './store' },
    env: { SVC_STATE_ROOT: './state', SVC_NETWORK_TLS_CAFILES: 'ca.pem' },
  });
  assert.equal(others.config.storage.root, resolve('store'));
  assert.equal(others.config.state.root, resolve('state'));
});

test('SVC_CONFIG names the document where no flag does, and the document must then exist', async () => {
  const path = join(folder, 'named.yaml');
  await writeFile(path, 'zone: b\n');
  const named = await loadConfig({ env: { SVC_CONFIG: path } });
  assert.deepEqual([named.config.zone, named.path, named.warnings], ['b', path, []]);
  const flagged = await load('zone: c\n', { env: { SVC_CONFIG: path } });
  assert.equal(flagged.config.zone, 'c');
  const absent = await loadConfig({ env: { SVC_CONFIG: join(folder, 'absent.yaml') } });
  assert.deepEqual(
    absent.violations.map(({ rule }) => String(rule)),
    ['does not exist'],
  );
});

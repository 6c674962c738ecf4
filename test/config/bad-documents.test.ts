import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { loadConfig } from '../../src/config/load-config.ts';
import type { Scope } from '../../src/config/scope.ts';
import { validateConfig } from '../../src/config/validate-config.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-config-'));
  await mkdir(join(folder, 'store', 'inner'), { recursive: true });
  await mkdir(join(folder, 'state', 'inner'), { recursive: true });
  await writeFile(join(folder, 'file'), '');
  await symlink(join(folder, 'store'), join(folder, 'link-to-store'));
});
after(() => rm(folder, { recursive: true, force: true }));

const publicKey = `-----BEGIN PUBLIC KEY-----\\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\\n-----END PUBLIC KEY-----`;
const root = `{name: a, key: "${publicKey}"}`;

interface Row {
  readonly yaml: string;
  readonly keys: readonly string[];
  readonly scope?: Scope;
  readonly env?: Record<string, string>;
  readonly flags?: Record<string, string>;
  readonly code?: string;
}

/** `@` stands for the test's folder. Unless the row is about them, mode, store and state are given by variables. */
const rows: readonly Row[] = [
  { yaml: 'media: {requirePassport: true}', keys: ['media.requirePassport'] },
  // unreadable documents
  { yaml: 'mode: [', keys: ['configuration file'] },
  { yaml: '- mode', keys: ['configuration file'] },
  { yaml: 'just text', keys: ['configuration file'] },
  { yaml: 'zone: a\nzone: b', keys: ['zone'] },
  {
    yaml: 'sync: {retries: 1}\ntrust:\n  roots:\n    - {name: a}\n    - name: b\n      name: c',
    keys: ['trust.roots[1].name'],
  },
  {
    yaml: 'sync:\n  retries: 1\n  prune: true\n  retries: 2\nzone: a\nzone: b',
    keys: ['sync.retries', 'zone'],
  },
  { yaml: 'zone: a\n---\nzone: b', keys: ['configuration file'] },
  { yaml: 'zone: *nobody', keys: ['configuration file'] },
  { yaml: 'zone: !secret a', keys: ['configuration file'] },
  { yaml: '1: x', keys: ['1'] },
  { yaml: 'storage:\n\troot: /x', keys: ['configuration file'] },
  // unknown keys
  { yaml: 'mod: mirror', keys: ['mod'] },
  { yaml: 'storage: {rot: /x}', keys: ['storage.rot'] },
  { yaml: 'server: {tls: {certfile: /x}}', keys: ['server.tls.certfile'] },
  { yaml: 'parallelism: 3', keys: ['parallelism'] },
  { yaml: 'sync: {paralellism: 3, retry: 2}', keys: ['sync.paralellism', 'sync.retry'] },
  { yaml: 'instance: {url: "http://x"}', keys: ['instance'] },
  { yaml: 'trust: {roots: [{name: a, kye: x}]}', keys: ['trust.roots[0].kye'] },
  {
    yaml: 'trust: {scopes: [{name: a, repositories: ["**"], allowUnsinged: true}]}',
    keys: ['trust.scopes[0].allowUnsinged'],
  },
  {
    yaml: 'files: {filesets: [{name: a, ref: host.example/a, digest: x}]}',
    keys: ['files.filesets[0].digest'],
  },
  // wrong shapes
  { yaml: 'storage: /x', keys: ['storage'] },
  { yaml: 'mode: 3', env: { SVC_MODE: '' }, keys: ['mode'] },
  { yaml: 'mode: miror', env: { SVC_MODE: '' }, keys: ['mode'] },
  { yaml: 'zone: 1.10', keys: ['zone'] },
  { yaml: 'zone: true', keys: ['zone'] },
  { yaml: 'zone: [a]', keys: ['zone'] },
  { yaml: 'zone: "a\\u001b[31m"', keys: ['zone'] },
  { yaml: 'zone: Not A Name', keys: ['zone'] },
  { yaml: 'server: {secureCookies: yes}', keys: ['server.secureCookies'] },
  { yaml: 'auth: {disabled: 2}', keys: ['auth.disabled'] },
  { yaml: 'auth: {historyRole: auditor}', keys: ['auth.historyRole'] },
  { yaml: 'auth: {sessionTTL: 12}', keys: ['auth.sessionTTL'] },
  { yaml: 'auth: {sessionTTL: 0s}', keys: ['auth.sessionTTL'] },
  { yaml: 'registries: {insecure: host.example}', keys: ['registries.insecure'] },
  { yaml: 'registries: {allowlist: }', keys: ['registries.allowlist'] },
  { yaml: 'registries: {insecure: ["a.example", 5]}', keys: ['registries.insecure[1]'] },
  { yaml: 'registries: {substitutions: [a]}', keys: ['registries.substitutions'] },
  { yaml: 'trust: {roots: {name: a}}', keys: ['trust.roots'] },
  { yaml: 'trust: {roots: [a]}', keys: ['trust.roots[0]'] },
  { yaml: 'storage: {occupancyThreshold: 10 apples}', keys: ['storage.occupancyThreshold'] },
  { yaml: 'transfer: {resumeThreshold: -1}', keys: ['transfer.resumeThreshold'] },
  // rules on one value
  { yaml: 'storage: {basePrefix: /leading}', keys: ['storage.basePrefix'] },
  { yaml: 'storage: {basePrefix: Upper/case}', keys: ['storage.basePrefix'] },
  { yaml: 'server: {addr: "8080"}', keys: ['server.addr'] },
  { yaml: 'server: {addr: "host:99999"}', keys: ['server.addr'] },
  // a URL has no such host, or another one than was written
  { yaml: 'server: {addr: "999.1.1.1:80"}', keys: ['server.addr'] },
  { yaml: 'server: {addr: "1.2.3:80"}', keys: ['server.addr'] },
  { yaml: 'server: {publicURL: "https://999.1.1.1"}', keys: ['server.publicURL'] },
  { yaml: 'server: {addr: "http://host:80"}', keys: ['server.addr'] },
  { yaml: 'server: {tls: {hosts: ["bad host"]}}', keys: ['server.tls.hosts[0]'] },
  { yaml: 'network: {proxy: {url: "proxy.example:3128"}}', keys: ['network.proxy.url'] },
  { yaml: 'network: {proxy: {url: "socks5://proxy.example"}}', keys: ['network.proxy.url'] },
  { yaml: 'network: {proxy: {url: "http://user:hunter2@proxy.example"}}', keys: ['network.proxy.url'] },
  { yaml: 'network: {proxy: {httpsURL: "http://:3128"}}', keys: ['network.proxy.httpsURL'] },
  { yaml: 'network: {proxy: {noProxy: ["10.0.0.0/40"]}}', keys: ['network.proxy.noProxy[0]'] },
  { yaml: 'network: {tls: {ca: not a certificate}}', keys: ['network.tls.ca'] },
  { yaml: 'registries: {insecure: ["http://a.example"]}', keys: ['registries.insecure[0]'] },
  { yaml: 'registries: {allowlist: ["a.example/team"]}', keys: ['registries.allowlist[0]'] },
  { yaml: 'registries: {allowlist: ["a.example", "b c"]}', keys: ['registries.allowlist[1]'] },
  {
    yaml: 'registries: {substitutions: {docker.io: "https://zone1.example"}}',
    keys: ['registries.substitutions["docker.io"]'],
  },
  {
    yaml: 'registries: {substitutions: {"docker.io/library": zone1.example}}',
    keys: ['registries.substitutions["docker.io/library"]'],
  },
  {
    yaml: 'registries: {substitutions: {docker.io: zone1.example, index.docker.io: zone2.example}}',
    keys: ['registries.substitutions["index.docker.io"]'],
  },
  { yaml: 'retriever: {source: relative/path.yaml}', keys: ['retriever.source'] },
  { yaml: 'retriever: {source: "http://host.example/r.yaml"}', keys: ['retriever.source'] },
  { yaml: 'retriever: {source: "https://u:hunter2@host.example/r.yaml"}', keys: ['retriever.source'] },
  { yaml: 'retriever: {source: "oci://host.example/r"}', keys: ['retriever.source'] },
  { yaml: 'retriever: {source: "oci://host/r:1"}', keys: ['retriever.source'] },
  { yaml: 'destination: {registry: "https://reg.example"}', keys: ['destination.registry'] },
  { yaml: 'destination: {registry: reg.example/path}', keys: ['destination.registry'] },
  { yaml: 'destination: {registry: user@reg.example}', keys: ['destination.registry'] },
  { yaml: 'destination: {cookbook: ../up}', keys: ['destination.cookbook'] },
  { yaml: 'sync: {parallelism: 0}', keys: ['sync.parallelism'] },
  { yaml: 'sync: {parallelism: 1.5}', keys: ['sync.parallelism'] },
  { yaml: 'sync: {retries: -1}', keys: ['sync.retries'] },
  { yaml: 'sync: {interval: -1m}', keys: ['sync.interval'] },
  { yaml: 'sync: {interval: soon}', keys: ['sync.interval'] },
  { yaml: 'import: {inspectTimeout: 0}', keys: ['import.inspectTimeout'] },
  { yaml: 'preflight: {safetyMarginPercent: 100}', keys: ['preflight.safetyMarginPercent'] },
  { yaml: 'preflight: {safetyMarginPercent: -1}', keys: ['preflight.safetyMarginPercent'] },
  { yaml: 'tasks: {keepFinished: -1}', keys: ['tasks.keepFinished'] },
  { yaml: 'audit: {keep: 1023KiB}', keys: ['audit.keep'] },
  { yaml: 'custody: {enabled: perhaps}', keys: ['custody.enabled'] },
  { yaml: 'custody: {site: Zone A}', keys: ['custody.site'] },
  {
    yaml: 'custody: {enabled: true}',
    keys: ['custody.enabled'],
  },
  { yaml: 'files: {packRoots: [relative]}', keys: ['files.packRoots[0]'] },
  { yaml: 'logging: {level: verbose}', keys: ['logging.level'] },
  { yaml: 'logging: {media: {maxSize: 0}}', keys: ['logging.media.maxSize'] },
  { yaml: 'logging: {media: {keep: -1}}', keys: ['logging.media.keep'] },
  { yaml: 'logging: {media: {file: logs/operations.log}}', keys: ['logging.media.file'] },
  { yaml: 'logging: {media: {file: /var/log/x}}', keys: ['logging.media.file'] },
  { yaml: 'logging: {media: {file: _svc/../blobs/x}}', keys: ['logging.media.file'] },
  { yaml: 'logging: {media: {file: _svc}}', keys: ['logging.media.file'] },
  { yaml: 'logging: {media: {file: _svc/lock}}', keys: ['logging.media.file'] },
  { yaml: 'shutdown: {gracePeriod: -1s}', keys: ['shutdown.gracePeriod'] },
  // trust and files
  { yaml: 'trust: {roots: [{key: x}]}', keys: ['trust.roots[0].name'] },
  { yaml: 'trust: {roots: [{name: a}]}', keys: ['trust.roots[0]'] },
  {
    yaml: `trust: {roots: [{name: a, keyFile: /k, keyURL: "https://x.example/k"}]}`,
    keys: ['trust.roots[0]'],
  },
  { yaml: 'trust: {roots: [{name: a, keyURL: "http://x.example/k"}]}', keys: ['trust.roots[0].keyURL'] },
  { yaml: 'trust: {roots: [{name: a, key: not a key}]}', keys: ['trust.roots[0].key'] },
  { yaml: 'trust: {roots: [{name: a, key: "-----BEGIN PRIVATE KEY-----"}]}', keys: ['trust.roots[0].key'] },
  { yaml: `trust: {roots: [${root}, ${root}]}`, keys: ['trust.roots[1].name'] },
  { yaml: 'trust: {scopes: [{name: s, repositories: ["**"]}]}', keys: ['trust.scopes[0]'] },
  { yaml: 'trust: {scopes: [{name: s, allowUnsigned: true}]}', keys: ['trust.scopes[0].repositories'] },
  {
    yaml: 'trust: {scopes: [{name: s, repositories: [], allowUnsigned: true}]}',
    keys: ['trust.scopes[0].repositories'],
  },
  {
    yaml: 'trust: {scopes: [{name: s, repositories: ["h.example:5000/**"], allowUnsigned: true}]}',
    keys: ['trust.scopes[0].repositories[0]'],
  },
  ...[
    'Registry.example/lab/**',
    'registry.example/Lab/*',
    'registry.example//lab',
    '/registry.example/lab',
    'registry.example/lab/',
    'registry.example/../lab',
    'registry.example/a..b/*',
    'registry.example/./lab',
    'registry.example/lab?',
    'registry.example',
    '*',
    'index.docker.io/library/**',
    'registry-1.docker.io/**',
  ].map((glob) => ({
    yaml: `trust: {scopes: [{name: s, repositories: ["**", "${glob}"], allowUnsigned: true}]}`,
    keys: ['trust.scopes[0].repositories[1]'],
  })),
  {
    yaml: 'trust: {scopes: [{name: s, repositories: ["**"], roots: [ghost]}]}',
    keys: ['trust.scopes[0].roots[0]'],
  },
  { yaml: 'trust: {scopes: [{name: s, repositories: ["**"], roots: []}]}', keys: ['trust.scopes[0].roots'] },
  { yaml: 'files: {filesets: [{name: a/b, ref: h.example/a}]}', keys: ['files.filesets[0].name'] },
  { yaml: 'files: {filesets: [{name: a, ref: "h.example/a:1"}]}', keys: ['files.filesets[0].ref'] },
  { yaml: 'files: {filesets: [{name: a, ref: short/a}]}', keys: ['files.filesets[0].ref'] },
  { yaml: 'files: {views: [{name: a/b, kind: helm, repositories: [x]}]}', keys: ['files.views[0].name'] },
  {
    yaml: 'files: {views: [{name: a, kind: helm, repositories: []}]}',
    keys: ['files.views[0].repositories'],
  },
  {
    yaml: 'files: {views: [{name: a, kind: helm, repositories: ["h:1/x"]}]}',
    keys: ['files.views[0].repositories[0]'],
  },
  { yaml: 'files: {views: [{name: a, kind: pip, repositories: [x]}]}', keys: ['files.views[0].kind'] },
  {
    yaml: 'files: {views: [{name: a, kind: helm, repositories: [x]}, {name: a, kind: helm, repositories: [x]}]}',
    keys: ['files.views[1].name'],
  },
  {
    yaml: 'files: {filesets: [{name: a, ref: h.example/a}], views: [{name: a, kind: helm, repositories: [x]}]}',
    keys: ['files.views[0].name'],
  },
  {
    yaml: 'files: {filesets: [{name: a, ref: h.example/a, version: "1 2"}]}',
    keys: ['files.filesets[0].version'],
  },
  {
    yaml: 'files: {filesets: [{name: a, ref: h.example/a, platform: linux}]}',
    keys: ['files.filesets[0].platform'],
  },
  {
    yaml: 'files: {filesets: [{name: a, ref: h.example/a}, {name: a, ref: h.example/b}]}',
    keys: ['files.filesets[1].name'],
  },
  // combinations
  { yaml: 'destination: {basePath: team}', keys: ['destination.basePath'] },
  {
    yaml: 'network: {proxy: {username: u, password: p}}',
    keys: ['network.proxy.username', 'network.proxy.password'],
  },
  { yaml: 'network: {tls: {exclusiveTrust: true}}', keys: ['network.tls.exclusiveTrust'] },
  { yaml: 'server: {tls: {certFile: /c.pem}}', keys: ['server.tls.keyFile'] },
  { yaml: 'server: {tls: {keyFile: /k.pem}}', keys: ['server.tls.certFile'] },
  {
    yaml: 'server: {tls: {certFile: /c.pem, keyFile: /k.pem, hosts: [a.example]}}',
    keys: ['server.tls.hosts'],
  },
  { yaml: 'sync: {prune: true}', env: { SVC_MODE: 'mirror' }, keys: ['sync.prune'] },
  { yaml: 'sync: {prune: false}', env: { SVC_MODE: 'mirror' }, keys: ['sync.prune'] },
  { yaml: 'state: {root: "@/store/inner"}', env: { SVC_STATE_ROOT: '' }, keys: ['state.root'] },
  { yaml: 'state: {root: "@/store"}', env: { SVC_STATE_ROOT: '' }, keys: ['state.root'] },
  { yaml: 'state: {root: "@/link-to-store/not-yet"}', env: { SVC_STATE_ROOT: '' }, keys: ['state.root'] },
  { yaml: 'storage: {root: "@/state/inner/deep"}', env: { SVC_STORAGE_ROOT: '' }, keys: ['storage.root'] },
  {
    yaml: 'registries: {credentialsFile: "@/link-to-store/auth.json"}',
    keys: ['registries.credentialsFile'],
    code: 'SVC-CFG-002',
  },
  {
    yaml: 'server: {tls: {certFile: /c.pem, keyFile: "@/store/k.pem"}}',
    keys: ['server.tls.keyFile'],
    code: 'SVC-CFG-002',
  },
  {
    yaml: 'trust: {roots: [{name: a, keyFile: "@/store/k.pub"}]}',
    keys: ['trust.roots[0].keyFile'],
    code: 'SVC-CFG-002',
  },
  { yaml: '{}', env: { SVC_STORAGE_ROOT: '@/file' }, keys: ['storage.root'] },
  {
    yaml: 'storage: {root: "@/file/below"}',
    env: { SVC_STORAGE_ROOT: '' },
    keys: ['storage.root'],
    scope: 'export',
  },
  { yaml: 'state: {root: "@/file"}', env: { SVC_STATE_ROOT: '' }, keys: ['state.root'], scope: 'user' },
  { yaml: '{}', env: { SVC_MODE: '' }, keys: ['mode'] },
  { yaml: '{}', env: { SVC_STORAGE_ROOT: '' }, keys: ['storage.root'] },
  { yaml: '{}', env: { SVC_STATE_ROOT: '' }, keys: ['state.root'], code: 'SVC-AUTH-001' },
  {
    yaml: 'trust: {roots: [{name: a, keyURL: "https://x.example/k"}]}',
    env: { SVC_STATE_ROOT: '', SVC_AUTH_DISABLED: '1' },
    keys: ['state.root'],
  },
  { yaml: '{}', scope: 'media-verify', keys: ['zone'] },
  {
    yaml: '{}',
    scope: 'media-import',
    env: { SVC_STATE_ROOT: '' },
    keys: ['zone', 'state.root', 'destination.registry'],
  },
  { yaml: '{}', scope: 'sync-plan', keys: ['retriever.source'] },
  { yaml: '{}', scope: 'user', env: { SVC_STATE_ROOT: '' }, keys: ['state.root'] },
  // the other layers
  { yaml: '{}', env: { SVC_SYNC_PARALLELISM: 'many' }, keys: ['sync.parallelism'] },
  { yaml: '{}', env: { SVC_NETWORK_PROXY_NO_PROXY: 'a.example,!' }, keys: ['network.proxy.noProxy[1]'] },
  { yaml: 'sync: {parallelism: 4}', flags: { 'logging.level': 'loud' }, keys: ['logging.level'] },
  { yaml: '{}', flags: { mode: '' }, keys: ['mode'] },
  // several at once, each named
  {
    yaml: 'mode: both\nsync: {parallelism: 0, interval: x}\nextra: 1\ndestination: {registry: "a/b", basePath: UP}',
    env: { SVC_MODE: '' },
    keys: [
      'extra',
      'mode',
      'sync.interval',
      'destination.registry',
      'destination.basePath',
      'sync.parallelism',
    ],
  },
];

test('there are at least sixty bad documents', () => {
  assert.ok(rows.length >= 60, String(rows.length));
});

for (const [index, row] of rows.entries()) {
  const given = [row.yaml, ...Object.entries(row.env ?? {}).map((pair) => pair.join('='))].join(' ');
  test(`refused, naming ${row.keys.join(', ')}: ${JSON.stringify(given)}`, async () => {
    const configPath = join(folder, `${index}.yaml`);
    await writeFile(configPath, row.yaml.replaceAll('@', folder));
    const loaded = await loadConfig({
      configPath,
      env: {
        SVC_MODE: 'passthrough',
        SVC_STORAGE_ROOT: join(folder, 'store'),
        SVC_STATE_ROOT: join(folder, 'state'),
        ...Object.fromEntries(
          Object.entries(row.env ?? {}).map(([name, value]) => [name, value.replaceAll('@', folder)]),
        ),
      },
      ...(row.flags === undefined ? {} : { flags: row.flags }),
    });
    const violations = await validateConfig(loaded, row.scope ?? 'serve');
    assert.deepEqual([...new Set(violations.map(({ key }) => String(key)))].sort(), [...row.keys].sort());
    const codes = new Set(violations.map(({ code }) => code));
    assert.deepEqual([...codes], [row.code ?? 'SVC-CFG-001']);
    assert.doesNotMatch(JSON.stringify(violations), /hunter2/);
    for (const { origin, usage } of violations) assert.equal(usage, origin.layer === 'flag');
  });
}

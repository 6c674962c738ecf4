import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { type ClientFacts, clientKinds } from '../../src/client/model.ts';
import { findAptRepositories, findRpmRepositories } from '../../src/client/package-repositories.ts';
import { renderClientConfig, toConfigText } from '../../src/client/render-client-config.ts';
import { isSvcError } from '../../src/text/error.ts';

const digest = `sha256:${'a'.repeat(64)}`;
const facts: ClientFacts = {
  zone: 'zone-b',
  revision: '3f9a12bc4d5e',
  registry: { scheme: 'https', host: 'zone.example:5443' },
  instance: { scheme: 'https', host: 'svc.example' },
  redirections: [
    { host: 'docker.io', prefix: 'docker.io' },
    { host: 'registry.example:5000', prefix: 'registry.example_5000' },
  ],
  references: [
    {
      kind: 'ContainerImage',
      nominal: 'docker.io/library/web:1.4.0',
      relocated: 'zone.example:5443/docker.io/library/web:1.4.0',
      digest,
    },
    {
      kind: 'HelmChart',
      nominal: 'registry.example:5000/charts/shop:1.0.0_7',
      relocated: 'zone.example:5443/registry.example_5000/charts/shop:1.0.0_7',
      digest,
    },
    { kind: 'ContainerImage', nominal: 'docker.io/library/long:1', digest },
  ],
  filesets: [
    {
      name: 'debian',
      anonymous: false,
      indexes: [
        'dists/stable/InRelease',
        'dists/stable/main/binary-amd64/Packages',
        'dists/stable/main/binary-amd64/Release',
        'dists/stable/non-free/extra/binary-arm64/Packages.gz',
        'dists/stable/updates/Release',
      ],
      unsigned: [],
    },
    {
      name: 'flat',
      anonymous: true,
      indexes: ['Packages', 'below/Packages.gz', 'below/Release.gpg'],
      unsigned: [],
    },
    {
      name: 'rpm',
      anonymous: false,
      indexes: ['9/repodata/repomd.xml', 'repodata/repomd.xml', 'repodata/repomd.xml.asc'],
      unsigned: [],
    },
  ],
  views: [{ name: 'charts', anonymous: false }],
};
const textOf = (client: (typeof clientKinds)[number], changes: Partial<ClientFacts> = {}): string =>
  toConfigText(renderClientConfig(client, { ...facts, ...changes }));

test('every file says which zone and revision it came from, and the same facts give the same bytes', () => {
  for (const client of clientKinds) {
    const config = renderClientConfig(client, facts);
    assert.ok(config.files.length > 0, client);
    for (const { content } of config.files)
      assert.equal(
        content.split('\n', 1)[0],
        `# Made by svc client config ${client}: zone zone-b, revision 3f9a12bc4d5e. The same content gives the same file.`,
      );
    assert.deepEqual(renderClientConfig(client, structuredClone(facts)), config);
  }
});

test('a prefix of registries.conf is replaced by its location, and OpenShift never asks the source', () => {
  const conf = textOf('podman');
  assert.match(
    conf,
    /prefix = "registry\.example:5000"\nlocation = "zone\.example:5443\/registry\.example_5000"/,
  );
  assert.doesNotMatch(conf, /insecure/);
  assert.match(textOf('crio', { registry: { scheme: 'http', host: 'zone.example' } }), /^insecure = true$/m);
  const [digests, tags] = parseAllDocuments(textOf('openshift')).map((document) => document.toJS());
  assert.deepEqual([digests.kind, tags.kind], ['ImageDigestMirrorSet', 'ImageTagMirrorSet']);
  for (const mirror of [...digests.spec.imageDigestMirrors, ...tags.spec.imageTagMirrors])
    assert.equal(mirror.mirrorSourcePolicy, 'NeverContactSource');
  assert.deepEqual(digests.spec.imageDigestMirrors[1].mirrors, ['zone.example:5443/registry.example_5000']);
});

test('Docker pulls by digest and tags again, and is told why', () => {
  const script = textOf('docker');
  assert.match(script, /cannot rewrite the path/);
  const pinned = `zone.example:5443/docker.io/library/web@${digest}`;
  assert.ok(script.includes(`docker pull ${pinned}\ndocker tag ${pinned} docker.io/library/web:1.4.0\n`));
  assert.match(script, /# The registry does not allow the name of docker\.io\/library\/long:1\./);
  assert.equal(spawnSync('sh', ['-n'], { input: script }).status, 0);
});

test('helm has a repository for each view, and is told the charts of the registry', () => {
  const text = textOf('helm');
  assert.deepEqual(parse(text).repositories, [
    { name: 'charts', url: 'https://svc.example/files/charts', username: 'reader', password: 'TOKEN' },
  ]);
  assert.match(
    text,
    /# helm pull oci:\/\/zone\.example:5443\/registry\.example_5000\/charts\/shop --version 1\.0\.0\+7$/m,
  );
});

test('repositories for apt and dnf are found by their indexes', () => {
  const [debian, flat, rpm] = facts.filesets;
  assert.deepEqual(findAptRepositories(debian!.indexes), [
    {
      folder: '',
      suites: [
        { suite: 'stable', components: ['main', 'non-free/extra'] },
        { suite: 'stable/updates', components: [] },
      ],
      isSigned: false,
    },
  ]);
  assert.deepEqual(
    findAptRepositories(flat!.indexes).map(({ folder, isSigned }) => [folder, isSigned]),
    [
      ['', false],
      ['below', true],
    ],
  );
  assert.deepEqual(findRpmRepositories(rpm!.indexes), [
    { folder: '9', isSigned: false, hasUnsigned: false },
    { folder: '', isSigned: true, hasUnsigned: false },
  ]);
  const apt = renderClientConfig('apt', facts).files;
  assert.deepEqual(
    apt.map(({ path, mode }) => [path, mode]),
    [
      ['auth.conf.d/svc.conf', '0600'],
      ['sources.list.d/svc-debian.sources', undefined],
      ['sources.list.d/svc-flat.sources', undefined],
    ],
  );
  assert.match(apt[0]!.content, /^machine svc\.example\/files\/debian\/ login reader password TOKEN$/m);
  assert.match(
    apt[2]!.content,
    /URIs: https:\/\/svc\.example\/files\/flat\/below\/\nSuites: \.\/\nSigned-By: \/usr\/share\/keyrings\/svc-flat\.gpg/,
  );
  const dnf = textOf('dnf');
  assert.match(
    dnf,
    /^\[svc-rpm-9\]\nname=rpm\/9 of zone-b\nbaseurl=https:\/\/svc\.example\/files\/rpm\/9\/\n/m,
  );
});

test('dnf checks the signatures of packages unless a signed index binds packages without one', () => {
  const indexes = ['9/repodata/repomd.xml', 'repodata/repomd.xml', 'repodata/repomd.xml.asc'];
  const sectionOf = (id: string, unsigned: readonly string[]): string => {
    const text = textOf('dnf', { filesets: [{ name: 'rpm', anonymous: true, indexes, unsigned }] });
    return text.split('\n\n').find((section) => section.includes(`[${id}]`))!;
  };
  const checks = (section: string): readonly string[] =>
    section.split('\n').filter((line) => /gpgcheck=/.test(line));
  for (const unsigned of [[], ['9/repodata/repomd.xml']]) {
    // nothing binds a package of an index that nobody signed
    assert.deepEqual(checks(sectionOf('svc-rpm-9', unsigned)), ['gpgcheck=1']);
    assert.deepEqual(checks(sectionOf('svc-rpm', unsigned)), ['repo_gpgcheck=1', 'gpgcheck=1']);
  }
  const bound = sectionOf('svc-rpm', ['repodata/repomd.xml']);
  assert.deepEqual(checks(bound), ['repo_gpgcheck=1', 'gpgcheck=0']);
  assert.match(bound, /^# .*SHA-256.*\ngpgcheck=0$/m);
});

test('a name that a file would read as more than a name is refused', () => {
  const hostile = [
    'evil.example"\nserver = "https://evil.example',
    'a b',
    '$(id)',
    "x'y",
    'x\ny',
    '../etc',
    '-rf',
    '',
  ];
  const refused = (error: unknown) => isSvcError(error, 'SVC-VAL-001') || isSvcError(error, 'SVC-REG-001');
  for (const text of hostile) {
    for (const client of clientKinds) {
      assert.throws(() => textOf(client, { redirections: [{ host: text, prefix: 'x' }] }), refused, text);
      assert.throws(() => textOf(client, { redirections: [{ host: 'x.example', prefix: text }] }), refused);
      assert.throws(() => textOf(client, { registry: { scheme: 'https', host: text } }), refused);
      assert.throws(() => textOf(client, { zone: text }), refused);
    }
    const indexes = [
      `dists/${text}/InRelease`,
      `${text}/repodata/repomd.xml`,
      `dists/stable/${text}/binary-amd64/Packages`,
    ];
    for (const client of ['apt', 'dnf'] as const) {
      if (text !== '')
        assert.throws(
          () =>
            textOf(client, {
              filesets: [
                { name: 'deb', anonymous: true, indexes: [...indexes, 'dists/stable/Release'], unsigned: [] },
              ],
            }),
          refused,
          text,
        );
      assert.throws(
        () => textOf(client, { filesets: [{ ...facts.filesets[client === 'apt' ? 0 : 2]!, name: text }] }),
        refused,
      );
      assert.throws(() => textOf(client, { instance: { scheme: 'https', host: text } }), refused);
    }
    assert.throws(() => textOf('helm', { views: [{ name: text, anonymous: true }] }), refused);
    for (const client of ['docker', 'helm'] as const) {
      const [image, chart] = facts.references;
      const reference = client === 'docker' ? image! : chart!;
      assert.throws(
        () => textOf(client, { references: [{ ...reference, relocated: `zone.example/${text}:1` }] }),
        refused,
      );
    }
    const [image] = facts.references;
    assert.throws(() => textOf('docker', { references: [{ ...image!, digest: text }] }), refused);
    assert.throws(() => textOf('docker', { references: [{ ...image!, nominal: text }] }), refused);
  }
});

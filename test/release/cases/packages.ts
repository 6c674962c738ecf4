import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { canOpenRoot, runInFreshRoot } from '../../kit/instance/fresh-root.ts';
import { needs } from '../../kit/program/peers.ts';
import { debName, judge, next, onlyFull, present, readBlocks, rpmName } from '../scene.ts';
import type { Shared } from './shared.ts';

/** Tests of the deb and the RPM. */
export function testPackages(shared: Shared): void {
  test('rpm reads the package, and nothing of the machine is in it', async (t) => {
    if (!shared.isMade(t)) return;
    const folder = join(shared.scene.releases, 'present');
    judge(t, ['dpkg-deb', '--info', debName(present)], folder);
    if (!needs(t, 'rpm')) return;
    judge(t, ['rpm', '-K', '--nosignature', rpmName(present)], folder);
    const format = '%{BUILDHOST} %{BUILDTIME}';
    const asked = judge(t, ['rpm', '-qp', '--nosignature', '--qf', format, rpmName(present)], folder);
    assert.equal(asked.trim(), `localhost ${Date.parse('2026-01-02T03:04:05Z') / 1000}`);
  });

  test('lintian has nothing to say against the deb', { skip: onlyFull }, async (t) => {
    const lintian = shared.isMade(t) && needs(t, 'lintian');
    if (!lintian) return;
    const args = ['--allow-root', '--fail-on', 'error,warning', debName(present)];
    const said = judge(t, [lintian, ...args], join(shared.scene.releases, 'present'));
    assert.doesNotMatch(said, /^[EW]:/m);
  });

  test('the deb installs without a network, keeps what is not its own on upgrade, removal and purge', async (t) => {
    if (!shared.isMade(t) || !canOpenRoot(t)) return;
    const { releases } = shared.scene;
    const [install, , begin] = readBlocks('installing.md', 'From a package', present);
    const [upgrade] = readBlocks('upgrading.md', 'Upgrade', next);
    const [goBack] = readBlocks('upgrading.md', 'Go back', present);
    const link = '/etc/systemd/system/multi-user.target.wants/svc.service';
    const script = `set -e
printf '#!/bin/sh\\n' > /usr/local/bin/systemctl; chmod 755 /usr/local/bin/systemctl
rm -f /var/lib/man-db/auto-update # the index of all manuals is not made again
HOME=/mnt/given; cd /mnt/given/present; ${install}
cd /root; echo 'a good password' > password-file
${begin}
mkdir -p $(dirname ${link}); ln -s /usr/lib/systemd/system/svc.service ${link}
svc version
svc config dump --config /etc/svc/config.yaml | grep 'root: /srv/svc/store'
[ "$(stat -c '%U %a' /srv/svc /var/lib/svc | tr '\\n' ' ')" = 'svc 750 svc 700 ' ]
echo 'mode: mirror' > /etc/svc/config.yaml; echo content > /srv/svc/file; echo state > /var/lib/svc/file
cd /mnt/given/next; ${upgrade}
svc version
cd /mnt/given/present; ${goBack}
svc version
dpkg -r svc
[ ! -e /usr/bin/svc ] && [ ! -L ${link} ]
cat /etc/svc/config.yaml /srv/svc/file /var/lib/svc/file
rm -r /var/lib/svc/*
# a single file with a unit of its own, which is enabled
echo '[Service]' > /etc/systemd/system/svc.service; ln -s /etc/systemd/system/svc.service ${link}
dpkg -P svc
[ -e ${link} ]
cat /etc/svc/config.yaml /srv/svc/file
[ ! -e /var/lib/svc ] && getent passwd svc
rm -r /srv/svc && ln -s /data /srv/svc # the volume is not mounted
dpkg -i /mnt/given/present/${debName(present)}
mount -t tmpfs tmpfs /var/lib/svc
dpkg -P svc
[ -L /srv/svc ] && grep -q ' /var/lib/svc ' /proc/mounts
umount /var/lib/svc; rm -r /srv/svc /etc/svc/*
dpkg -i /mnt/given/present/${debName(present)}
# neither is mounted at the moment
printf '#tmpfs /etc/svc tmpfs noauto 0 0\\ntmpfs //srv/svc/ tmpfs noauto 0 0' > /etc/fstab
touch /etc/systemd/system/var-lib-svc.mount
dpkg -P svc
[ -e ${link} ] && [ ! -e /etc/svc ] && [ -d /var/lib/svc ] && mount /srv/svc && echo end`;
    const { exitCode, output } = await runInFreshRoot(releases, script);
    assert.equal(exitCode, 0, output);
    const versions = [...output.matchAll(/^svc (\S+) \(commit/gm)].map(([, version]) => version);
    assert.deepEqual(versions, [present, next, present]);
    assert.match(output, /svc: \/srv\/svc is kept: it has content that this package did not install/);
    assert.match(output, /svc: \/srv\/svc is kept: it is a link, which this package did not make/);
    assert.match(output, /svc: \/var\/lib\/svc is kept: it is a mount point/);
    assert.match(output, /svc: \/srv\/svc is kept: \/etc\/fstab or a mount unit names it/);
    assert.match(output, /svc: \/var\/lib\/svc is kept: \/etc\/fstab or a mount unit names it/);
    assert.match(output, /end\n$/);
  });

  test('the rpm installs without a network, and keeps what is not its own on upgrade and removal', async (t) => {
    if (!shared.isMade(t) || !needs(t, 'rpm') || !canOpenRoot(t)) return;
    // the machine is no rpm system: its libraries are not in the database of rpm
    const here = (block: string | undefined): string =>
      block!.replace(/&& rpm -\S+/, '$& --nodeps --nosignature');
    const [, install] = readBlocks('installing.md', 'From a package', present);
    const [, upgrade] = readBlocks('upgrading.md', 'Upgrade', next);
    const [, goBack] = readBlocks('upgrading.md', 'Go back', present);
    const link = '/etc/systemd/system/multi-user.target.wants/svc.service';
    const script = `set -e
HOME=/mnt/given; cd /mnt/given/present; ${here(install)}
svc version
rpm -V --nodeps svc
echo 'mode: mirror' > /etc/svc/config.yaml; echo content > /srv/svc/file
mount -t tmpfs tmpfs /var/lib/svc
cd /mnt/given/next; ${here(upgrade)}
svc version
cd /mnt/given/present; ${here(goBack)}
svc version
mkdir -p $(dirname ${link}); ln -s /etc/systemd/system/svc.service ${link} # the unit of the administrator is lost
rpm -e --nodeps svc
[ ! -e /usr/bin/svc ] && [ -L ${link} ]
${here(install)}
ln -sf /usr/lib/systemd/system/svc.service ${link}
rpm -e --nodeps svc
[ ! -L ${link} ]
[ ! -e /usr/bin/svc ] && [ ! -e /usr/share/man/man1/svc.1.gz ]
find /usr/share -path '*/svc' -o -path '*/svc/*' | sed 's/^/left: /'
cat /etc/svc/config.yaml /srv/svc/file && echo end`;
    const { exitCode, output } = await runInFreshRoot(shared.scene.releases, script);
    assert.equal(exitCode, 0, output);
    const versions = [...output.matchAll(/^svc (\S+) \(commit/gm)].map(([, version]) => version);
    assert.deepEqual(versions, [present, next, present]);
    assert.doesNotMatch(output, /^left:/m);
    assert.match(output, /mode: mirror\ncontent\nend\n$/);
  });

  test('each link of an installed document leads to an installed file, and each example is beside its list', async (t) => {
    if (!shared.isMade(t) || !needs(t, 'dpkg-deb')) return;
    const { releases, path } = shared.scene;
    const root = path('unpacked');
    judge(t, ['dpkg-deb', '-x', join(releases, 'present', debName(present)), root], '/');
    const pages = globSync('usr/share/**/*.md', { cwd: root });
    assert.ok(pages.length > 20, pages.join());
    let links = 0;
    for (const page of pages) {
      const text = readFileSync(join(root, page), 'utf8');
      for (const [, target] of text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)) {
        if (/^[a-z]+:/.test(target!)) continue;
        links += 1;
        assert.ok(existsSync(join(root, dirname(page), target!)), `${page}: ${target}`);
      }
    }
    assert.ok(links > 100, String(links));
    const folder = join(root, 'usr', 'share', 'svc');
    const listed = [...readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/^\| `([^`]+)` \|/gm)];
    const names = globSync('**/*', { cwd: folder }).filter((name) => statSync(join(folder, name)).isFile());
    assert.deepEqual([...listed.map(([, name]) => name), 'README.md'].sort(), names.sort());
  });
}

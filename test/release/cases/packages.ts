import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { canOpenRoot, runInFreshRoot } from '../../kit/instance/fresh-root.ts';
import { needs } from '../../kit/program/peers.ts';
import { debName, judge, next, onlyFull, present, readCommands, rpmName } from '../scene.ts';
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
    const page = readFileSync(join(shared.scene.sources, 'docs', 'installing.md'), 'utf8');
    const block = /^```shell\n(dpkg -i svc_.*?)^```$/ms.exec(page)?.[1];
    assert.ok(block);
    const documented = block.replace('svc_<version>_amd64.deb', `/mnt/given/present/${debName(present)}`);
    const [upgrade] = readCommands('upgrading.md', 'Upgrade', next);
    const [goBack] = readCommands('upgrading.md', 'Go back', present);
    const script = `set -e
printf '#!/bin/sh\\n' > /usr/local/bin/systemctl; chmod 755 /usr/local/bin/systemctl
rm -f /var/lib/man-db/auto-update # the index of all manuals is not made again
cd /root; echo 'a good password' > password-file
${documented}
svc version
svc config dump --config /etc/svc/config.yaml | grep 'root: /srv/svc/store'
[ "$(stat -c '%U %a' /srv/svc /var/lib/svc | tr '\\n' ' ')" = 'svc 750 svc 700 ' ]
echo 'mode: mirror' > /etc/svc/config.yaml; echo content > /srv/svc/file; echo state > /var/lib/svc/file
cd /mnt/given/next; ${upgrade}
svc version
cd /mnt/given/present; ${goBack}
svc version
dpkg -r svc
[ ! -e /usr/bin/svc ]
cat /etc/svc/config.yaml /srv/svc/file /var/lib/svc/file
rm -r /var/lib/svc/*
dpkg -P svc
cat /etc/svc/config.yaml /srv/svc/file
[ ! -e /var/lib/svc ] && getent passwd svc
rm -r /srv/svc && ln -s /data /srv/svc # the volume is not mounted
dpkg -i /mnt/given/present/${debName(present)}
mount -t tmpfs tmpfs /var/lib/svc
dpkg -P svc
[ -L /srv/svc ] && grep -q ' /var/lib/svc ' /proc/mounts && echo end`;
    const { exitCode, output } = await runInFreshRoot(releases, script);
    assert.equal(exitCode, 0, output);
    const versions = [...output.matchAll(/^svc (\S+) \(commit/gm)].map(([, version]) => version);
    assert.deepEqual(versions, [present, next, present]);
    assert.match(output, /svc: \/srv\/svc is kept: it has content that this package did not install/);
    assert.match(output, /svc: \/srv\/svc is kept: it is a link, which this package did not make/);
    assert.match(output, /svc: \/var\/lib\/svc is kept: it is a mount point/);
    assert.match(output, /end\n$/);
  });

  test('the rpm installs without a network, and keeps what is not its own on upgrade and removal', async (t) => {
    if (!shared.isMade(t) || !needs(t, 'rpm') || !canOpenRoot(t)) return;
    // the machine is no rpm system: its libraries are not in the database of rpm
    const here = (line: string | undefined): string =>
      line!.replace(/^rpm -\S+/, '$& --nodeps --nosignature');
    const [, upgrade] = readCommands('upgrading.md', 'Upgrade', next);
    const [, goBack] = readCommands('upgrading.md', 'Go back', present);
    const script = `set -e
rpm -i --nodeps --nosignature /mnt/given/present/${rpmName(present)}
svc version
rpm -V --nodeps svc
echo 'mode: mirror' > /etc/svc/config.yaml; echo content > /srv/svc/file
mount -t tmpfs tmpfs /var/lib/svc
cd /mnt/given/next; ${here(upgrade)}
svc version
cd /mnt/given/present; ${here(goBack)}
svc version
rpm -e --nodeps svc
[ ! -e /usr/bin/svc ] && [ ! -e /usr/share/man/man1/svc.1.gz ]
cat /etc/svc/config.yaml /srv/svc/file && echo end`;
    const { exitCode, output } = await runInFreshRoot(shared.scene.releases, script);
    assert.equal(exitCode, 0, output);
    const versions = [...output.matchAll(/^svc (\S+) \(commit/gm)].map(([, version]) => version);
    assert.deepEqual(versions, [present, next, present]);
    assert.match(output, /mode: mirror\ncontent\nend\n$/);
  });
}

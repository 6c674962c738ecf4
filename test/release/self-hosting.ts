import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInFreshRoot } from '../kit/fresh-root.ts';
import { openRehearsal } from '../kit/rehearsal.ts';
import { debName } from './scene.ts';

interface Releases {
  /** Folder of both, by their names `present` and `next`. */
  readonly releases: string;
  readonly publicKey: string;
  readonly present: string;
  readonly next: string;
}

/**
 * The journey of a release by the one before it: its layout is imported where it was made, an instance of the present
 * version takes the recipe `svc ^0` from there and verifies it, and apt installs the new version from that instance.
 */
export async function arriveBySvc({ releases, publicKey, present, next }: Releases): Promise<void> {
  const outer = process.env.SVC_BIN;
  process.env.SVC_BIN = join(releases, 'present', 'svc-linux-x64');
  await using world = await openRehearsal();
  try {
    const origin = world.path('origin-store');
    const roots = ['--storage-root', origin, '--state-root', world.path('origin-state')];
    const imported = await world.svc(['import', join(releases, 'next', 'oci'), ...roots]);
    assert.equal(imported.exitCode, 0, imported.stderr);
    const registry = await world.start('origin', { storage: { root: origin } });
    const source = await world.retriever('zone', {
      cookbook: 'registry.example/svc/cookbook',
      recipes: [{ name: 'svc', version: '^0' }],
    });
    const key = await readFile(publicKey, 'utf8');
    const config = {
      mode: 'mirror',
      storage: { root: world.path('store') },
      retriever: { source },
      registries: await world.registries([registry.host], {
        substitutions: { 'registry.example': registry.host },
      }),
      trust: { roots: [{ name: 'release', key }] },
      files: { filesets: [{ name: 'svc-apt', ref: 'registry.example/svc/svc-apt', anonymous: true }] },
    };
    const zone = await world.start('zone', config);
    const { result } = await world.sync(zone);
    assert.equal(result.exitCode, 0, result.stderr);
    const { body } = await zone.api('GET', '/recipes');
    assert.match(JSON.stringify(body), new RegExp(`"version":"${next}"`));

    const script = `set -e
dpkg -i /mnt/given/present/${debName(present)}
echo 'mode: mirror' > /etc/svc/config.yaml
echo 'deb [trusted=yes] http://${zone.host}/files/svc-apt ./' > /etc/apt/svc.list
apt() { apt-get -q -y -o Dir::Etc::SourceList=/etc/apt/svc.list -o Dir::Etc::SourceParts=- \\
  -o Acquire::http::Proxy=DIRECT -o APT::Sandbox::User=root -o Acquire::Languages=none "$@"; }
apt update
apt install --only-upgrade svc
svc version
cat /etc/svc/config.yaml`;
    const { exitCode, output } = await runInFreshRoot(releases, script, { network: true });
    assert.equal(exitCode, 0, output);
    assert.match(output, new RegExp(`svc ${next} \\(commit.*\\nmode: mirror\\n$`));

    // the store and the state of the present version are those of the next
    assert.equal(await zone.stop(), 0);
    process.env.SVC_BIN = join(releases, 'next', 'svc-linux-x64');
    const upgraded = await world.start('zone', config);
    const version = await upgraded.api('GET', '/recipes');
    assert.deepEqual(version.body, body);
    assert.equal((await fetch(`${upgraded.url}/readyz`)).status, 200);
  } finally {
    if (outer === undefined) delete process.env.SVC_BIN;
    else process.env.SVC_BIN = outer;
  }
}

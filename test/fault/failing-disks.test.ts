import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Store } from '../../src/store/model.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { isSvcError } from '../../src/text/error.ts';
import { type Artifact, buildImage, buildIndex, digestsOf, pushArtifact } from '../kit/content/content.ts';
import { openStoreAt } from '../kit/instance/open-store-at.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { needs } from '../kit/program/peers.ts';
import { checkStoreAt } from './rig/check-store.ts';
import { seed, times } from './rig/form.ts';
import { toRandom } from './rig/random.ts';
import { cutPower, mountImage, needsVolume, type SmallVolume } from './rig/small-volume.ts';

const owner = { provenance: 'recipe', recipe: 'app@1.0.0' } as const;
const mib = 1 << 20;

/** Pushes in three lanes until the disk has failed them all; harms it after so many pushes. */
async function pushUntilHarmed(
  store: Store,
  round: number,
  after: number,
  harm: () => void,
): Promise<{ readonly acknowledged: Map<string, Artifact>; readonly codes: readonly string[] }> {
  const acknowledged = new Map<string, Artifact>();
  const codes: string[] = [];
  let pushes = 0;
  const lane = async (which: number): Promise<void> => {
    for (let n = 0; n < 40; n += 1) {
      const name = `r/${round}.${which}.${n}`;
      const image = n % 2 === 0 ? buildImage(name) : buildIndex(name, ['linux/amd64', 'linux/arm64']);
      try {
        await pushArtifact(openRepository(store, name, { owner }), image, 'v1');
        acknowledged.set(name, image);
      } catch (error) {
        assert.ok(isSvcError(error), String(error));
        codes.push(error.code);
      }
      pushes += 1;
      // in the middle of the work of the other lanes
      if (pushes === after) harm();
    }
  };
  await Promise.all([0, 1, 2].map(lane));
  return { acknowledged, codes };
}

interface Harm {
  readonly name: string;
  readonly kind: 'ext4' | 'xfs';
  readonly bytes: number;
  readonly options?: string;
  readonly program?: string;
  readonly harm: (volume: SmallVolume) => void;
  readonly codes: RegExp;
}

const harms: readonly Harm[] = [
  {
    name: 'an ext4 taken away under load',
    kind: 'ext4',
    bytes: 48 * mib,
    harm: (volume) => volume.unmount(),
    codes: /^SVC-STO-(?:00[12]|014|019)$/,
  },
  {
    name: 'an ext4 that turns read-only under load',
    kind: 'ext4',
    bytes: 48 * mib,
    options: 'errors=remount-ro',
    harm: (volume) => volume.remount('abort'),
    codes: /^SVC-STO-(?:00[12]|014|019)$/,
  },
  ...(['ext4', 'xfs'] as const).map((kind) => ({
    name: `an ${kind} that loses its power under load`,
    kind,
    bytes: (kind === 'xfs' ? 320 : 48) * mib,
    program: 'xfs_io',
    harm: cutPower,
    codes: /^SVC-STO-(?:00[12]|014|019)$/,
  })),
];

for (const { name, kind, bytes, options, program, harm, codes: expected } of harms)
  for (const isStateThere of [false, true])
    test(`${name}${isStateThere ? ', the state with it,' : ''} fails what is under way, and has everything acknowledged when it is back`, async (t) => {
      await using folder = await openTempFolder('svc-disk-');
      await mkdir(join(folder.path, 'state'));
      if (!needsVolume(t, kind, folder.path) || (program && !needs(t, program))) return;
      const volume = mountImage(join(folder.path, 'volume'), kind, bytes, options ? { options } : {});
      await using _volume = volume;
      const root = join(volume.path, 'store');
      const stateRoot = isStateThere ? join(volume.path, 'state') : join(folder.path, 'state');
      const acknowledged = new Map<string, Artifact>();
      let failures = 0;
      for (let round = 0; round < times(1, 12); round += 1) {
        const after = 1 + Math.floor(toRandom(`${seed} ${name} ${isStateThere} ${round}`)() * 60);
        const store = await openStoreAt({ root, stateRoot });
        const found = await pushUntilHarmed(store, round, after, () => harm(volume));
        await store[Symbol.asyncDispose]();
        for (const code of found.codes) assert.match(code, expected);
        failures += found.codes.length;
        for (const [repository, image] of found.acknowledged) acknowledged.set(repository, image);
        volume.unmount();
        volume.mountAgain();
        await checkStoreAt(root, stateRoot, ({ index }) => {
          for (const [repository, image] of acknowledged) {
            const { digest } = image.manifest.descriptor;
            assert.equal(index.tag(repository, 'v1')?.digest, digest, `${repository} was acknowledged`);
            assert.deepEqual([...index.reach(digest)].sort(), digestsOf(image).sort());
          }
        });
      }
      assert.ok(failures > 0 && acknowledged.size > 0);
      t.diagnostic(`${name}: ${acknowledged.size} acknowledged, ${failures} failed, lost: none`);
    });

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { Digest } from '../../src/base/digest.ts';
import type { Descriptor } from '../../src/oci/descriptor.ts';
import { signatureTag } from '../../src/oci/reference.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { recordUpload } from '../../src/store/record-upload.ts';
import { isSvcError } from '../../src/text/error.ts';
import { judgeSignatures } from '../../src/trust/judge.ts';
import type { SignatureEvidence } from '../../src/trust/model.ts';
import {
  createSigner,
  crowdClassic,
  type SignatureArtifact,
  type SignatureLayout,
  type Tamper,
} from '../kit/content/signer.ts';
import { type IngredientInput, type SyncScene, toIngredient } from '../kit/scene/sync-scene.ts';
import { openZoneScene, type ZoneScene } from '../kit/scene/zone-scene.ts';
import { times } from './rig/form.ts';
import { type Draw, type Histories, runHistories, type Step } from './rig/run-histories.ts';

// The verdict on a recipe depends on that recipe's content, its signatures and the roots alone.

const layouts = ['classic', 'bundle'] as const;
const tampers = [
  'other-subject',
  'changed-payload',
  'broken-signature',
  'no-base64',
  'wrong-type',
  'keyless',
] as const;

// ── at the level of trust: values only ──

const subject: Descriptor = {
  mediaType: 'application/vnd.oci.image.manifest.v1+json',
  digest: `sha256:${'a'.repeat(64)}`,
  size: 8,
};
const trusted = createSigner();
const others = [createSigner(), createSigner('p384'), createSigner('ed25519')];
const policy = {
  roots: [trusted, others[2]!].map(({ publicKey, fingerprint }, i) => ({
    name: `root-${i}`,
    key: publicKey,
    fingerprint,
  })),
  scopes: [
    { name: 'ours', repositories: ['r.example/cookbook/**'], allowUnsigned: false, roots: ['root-0'] },
  ],
  missing: [],
};

interface Pile extends AsyncDisposable {
  readonly evidence: SignatureEvidence[];
  isSigned: boolean;
}

function toEvidence({ layout, manifest, blobs }: SignatureArtifact): SignatureEvidence {
  const { layers } = JSON.parse(manifest.bytes.toString()) as { layers: Descriptor[] };
  return {
    layout,
    manifest,
    layers: layers.map(({ mediaType, digest, annotations = {} }) => ({
      mediaType,
      annotations,
      bytes: blobs.find(({ descriptor }) => descriptor.digest === digest)!.bytes,
    })),
  };
}

/** Puts one artifact somewhere into the pile. */
function drawArtifact(draw: Draw): Step<Pile> {
  const place = draw.below(1000) / 1000;
  const layout = draw.pick(layouts);
  const salt = draw.below(1_000_000);
  const insert = (world: Pile, one: SignatureEvidence): void => {
    world.evidence.splice(Math.floor(place * (world.evidence.length + 1)), 0, one);
  };
  if (draw.chance(0.08))
    return {
      name: `sign ${layout}`,
      run: async (world) => {
        insert(world, toEvidence(trusted.sign(subject, layout, { salt })));
        world.isSigned = true;
      },
    };
  if (draw.chance(0.05))
    return {
      name: 'withdraw',
      run: async (world) => {
        world.evidence.length = 0;
        world.isSigned = false;
      },
    };
  if (draw.chance(0.2))
    return {
      name: 'attest',
      run: async (world) => {
        const predicateType = `https://r.example/${salt % 3}`;
        insert(world, toEvidence(trusted.sign(subject, 'bundle', { salt, predicateType })));
      },
    };
  const tamper = draw.pick<Tamper | undefined>([undefined, ...tampers]);
  // a certificate beside a classic signature takes nothing from the key that made it
  const isSound = tamper === undefined || (tamper === 'keyless' && layout === 'classic');
  const signer = isSound || draw.chance(0.5) ? draw.pick(others) : trusted;
  return {
    name: `junk ${layout} ${tamper ?? 'foreign'}`,
    run: async (world) =>
      insert(world, toEvidence(signer.sign(subject, layout, { salt, ...(tamper ? { tamper } : {}) }))),
  };
}

const piles: Histories<Pile> = {
  name: 'verdict-of-signatures',
  count: times(6, 5000),
  length: times(30, 60),
  open: async () => ({ evidence: [], isSigned: false, [Symbol.asyncDispose]: async () => {} }),
  draw: drawArtifact,
  check: async ({ evidence, isSigned }) => {
    for (const order of [evidence, evidence.toReversed()]) {
      const { outcome } = await judgeSignatures(subject.digest, order, policy, 'r.example/cookbook/shop');
      assert.equal(outcome, isSigned ? 'verified' : 'refused');
    }
  },
};

test('whatever lies beside a signature, in whatever order, a recipe is passed exactly when an accepted key signed it', async (t) => {
  await runHistories(t, piles);
});

// ── at the level of a synchronization: neighbours, shared artifacts, pushes of operators ──

const stranger = createSigner();
const faulty = 'faulty';
const names = ['one', 'two', 'three', 'four'] as const;
type Name = (typeof names)[number];

/** A recipe, and where an accepted signature of it is. */
interface Signed {
  readonly descriptor: Descriptor;
  readonly origin: { classic: boolean; bundle: boolean };
  stored: boolean;
}

const isSigned = ({ origin, stored }: Signed): boolean => origin.classic || origin.bundle || stored;

interface Zone extends AsyncDisposable {
  readonly scene: SyncScene;
  readonly zone: ZoneScene;
  readonly recipes: Map<Name, Signed>;
  readonly order: Name[];
}

async function openZone(): Promise<Zone> {
  const zone = await openZoneScene({ inMemory: true });
  const { scene } = zone;
  const shared = scene.putImage('library/shared', '1.0', { platforms: ['linux/amd64', 'linux/arm64'] });
  const recipes: Zone['recipes'] = new Map();
  for (const name of names) {
    const own = scene.putImage(`library/${name}`, '1.0');
    const ingredients: IngredientInput[] = [
      toIngredient('shared', 'library/shared', '1.0', shared, {
        platforms: name === 'two' ? ['linux/arm64'] : ['linux/amd64', 'linux/arm64'],
      }),
      toIngredient('own', `library/${name}`, '1.0', own),
    ];
    const descriptor = scene.publish(name, '1.0.0', ingredients, { sign: 'none' });
    recipes.set(name, { descriptor, origin: { classic: false, bundle: false }, stored: false });
  }
  // a neighbour that names a tag of signatures is refused, and takes nothing from the others
  const { descriptor } = recipes.get('one')!;
  scene.publish(faulty, '1.0.0', [toIngredient('own', 'cookbook/one', '1.0', descriptor)], {
    rewrite: (document) =>
      document.replace('"version":"1.0"', `"version":"${signatureTag(descriptor.digest)}"`),
  });
  return {
    scene,
    zone,
    recipes,
    order: [...names],
    [Symbol.asyncDispose]: () => zone[Symbol.asyncDispose](),
  };
}

/** Puts an artifact into the store as a client of the registry surface does. */
async function pushLocally(
  { scene, store }: ZoneScene,
  name: Name,
  artifact: SignatureArtifact,
): Promise<void> {
  const path = `${scene.origin.host.replace(':', '_')}/cookbook/${name}`;
  const target = openRepository(store, path, { owner: { provenance: 'push' } });
  for (const { descriptor, bytes } of artifact.blobs) {
    await target.pushBlob(descriptor, Readable.from([bytes]));
    await recordUpload(store, path, descriptor.digest, 'operator');
  }
  try {
    await target.pushManifest(artifact.tag ?? artifact.manifest.descriptor.digest, artifact.manifest);
  } catch (error) {
    // signatures that a recipe rests on are not the operator's to replace
    if (!isSvcError(error, 'SVC-POL-002')) throw error;
  }
}

/** So many that a search reads no more, or so long that no others fit into the manifest. */
const crowds = [[20], [20], [20], [20], [20], [1023], [30, 3_000_000]] as const;

function drawZoneStep(draw: Draw): Step<Zone> {
  const name = draw.pick(names);
  const layout: SignatureLayout = draw.pick(layouts);
  const salt = draw.below(1_000_000);
  const kind = draw.below(9);
  const [crowd, bytes] = draw.pick<readonly [number, number?]>(crowds);
  if (kind <= 1)
    return {
      name: `sign ${name} ${layout}`,
      run: async ({ scene, recipes }) => {
        const recipe = recipes.get(name)!;
        scene.pushSignature(`cookbook/${name}`, scene.signer.sign(recipe.descriptor, layout, { salt }));
        recipe.origin[layout] = true;
      },
    };
  if (kind === 2) {
    const tamper = draw.pick<Tamper | undefined>([undefined, ...tampers]);
    return {
      name: `junk ${name} ${tamper ?? 'foreign'}`,
      run: async ({ scene, recipes }) => {
        const { descriptor } = recipes.get(name)!;
        for (let i = 0; i < 3; i += 1) {
          const options = { salt: salt + i, ...(tamper ? { tamper } : {}) };
          scene.pushSignature(`cookbook/${name}`, stranger.sign(descriptor, 'bundle', options));
        }
      },
    };
  }
  if (kind === 3)
    return {
      name: `attest ${name}`,
      run: async ({ scene, recipes }) => {
        const { descriptor } = recipes.get(name)!;
        const attestation = { salt, predicateType: 'https://slsa.dev/provenance/v1' };
        scene.pushSignature(`cookbook/${name}`, scene.signer.sign(descriptor, 'bundle', attestation));
      },
    };
  if (kind === 4)
    return {
      name: `push ${name}`,
      run: async ({ zone, recipes }) =>
        pushLocally(zone, name, stranger.sign(recipes.get(name)!.descriptor, 'bundle', { salt })),
    };
  if (kind === 7) {
    const isOurs = draw.chance(0.3);
    return {
      name: `crowd ${name} ${crowd} ${bytes ?? ''} ${isOurs ? 'behind ours' : ''}`,
      run: async ({ scene, recipes }) => {
        const recipe = recipes.get(name)!;
        const first = (isOurs ? scene.signer : stranger).sign(recipe.descriptor, 'classic', { salt });
        scene.pushSignature(`cookbook/${name}`, crowdClassic(first, crowd, bytes));
        recipe.origin.classic = isOurs;
      },
    };
  }
  if (kind === 8)
    return {
      name: `push-beside-sync ${name} ${crowd} ${bytes ?? ''}`,
      run: async ({ zone, recipes, order }) => {
        await zone.scene.setRetriever(order.map((one) => [one, '1.0.0']));
        const junk = crowdClassic(stranger.sign(recipes.get(name)!.descriptor, 'classic'), crowd, bytes);
        await Promise.all([zone.sync(false), pushLocally(zone, name, junk)]);
        for (const recipe of recipes.values()) recipe.stored = isSigned(recipe);
      },
    };
  if (kind === 5) return { name: 'restart', run: ({ zone }) => zone.restart() };
  return {
    name: `reorder ${name}`,
    run: async ({ order }) => {
      order.push(...order.splice(0, 1 + (salt % (names.length - 1))));
    },
  };
}

const zones: Histories<Zone> = {
  name: 'verdict-of-recipes',
  count: times(4, 1000),
  length: 8,
  open: openZone,
  draw: drawZoneStep,
  check: async ({ scene, zone, recipes, order }) => {
    await scene.setRetriever([...order, faulty].map((name) => [name, '1.0.0']));
    const verdictOn = (name: Name) => (isSigned(recipes.get(name)!) ? 'verified' : 'refused');
    const expected = [...order.map((name) => [name, verdictOn(name)]), [faulty, 'verified']];
    const before = await zone.plan(false);
    assert.deepEqual(
      before.plan.recipes.map(({ name, signature }) => [name, signature]),
      expected,
    );
    const { task } = await zone.sync(false);
    const settled = new Map(task.items.map(({ name, status }) => [name, status]));
    for (const name of order)
      assert.equal(settled.get(`${name}@1.0.0`), isSigned(recipes.get(name)!) ? 'done' : 'failed', name);
    assert.equal(settled.get(`${faulty}@1.0.0`), 'failed');
    const recorded = zone.store.index.recipes().map(({ digest }): Digest => digest);
    for (const recipe of recipes.values()) {
      recipe.stored = isSigned(recipe);
      assert.equal(recorded.includes(recipe.descriptor.digest), recipe.stored);
    }
  },
};

test('no neighbour, no junk, no order and no push of an operator changes the verdict on a recipe', async (t) => {
  await runHistories(t, zones);
});

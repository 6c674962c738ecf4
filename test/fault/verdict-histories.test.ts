import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { Digest } from '../../src/base/digest.ts';
import type { Descriptor } from '../../src/oci/descriptor.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { recordUpload } from '../../src/store/record-upload.ts';
import { judgeSignatures } from '../../src/trust/judge.ts';
import type { SignatureEvidence } from '../../src/trust/model.ts';
import { createSigner, type SignatureArtifact, type SignatureLayout, type Tamper } from '../kit/signer.ts';
import { type IngredientInput, type SyncScene, toIngredient } from '../kit/sync-scene.ts';
import { openZoneScene, type ZoneScene } from '../kit/zone-scene.ts';
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
  count: times(6, 120),
  length: times(30, 150),
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

// ── at the level of a synchronization: neighbours, shared artifacts, what operators push ──

const stranger = createSigner();
const names = ['one', 'two', 'three', 'four'] as const;
type Name = (typeof names)[number];

interface Zone extends AsyncDisposable {
  readonly scene: SyncScene;
  readonly zone: ZoneScene;
  readonly recipes: Map<Name, { readonly descriptor: Descriptor; signed: boolean }>;
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
    recipes.set(name, { descriptor, signed: false });
  }
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
  await target.pushManifest(artifact.manifest.descriptor.digest, artifact.manifest);
}

function drawZoneStep(draw: Draw): Step<Zone> {
  const name = draw.pick(names);
  const layout: SignatureLayout = draw.pick(layouts);
  const salt = draw.below(1_000_000);
  const kind = draw.below(7);
  if (kind <= 1)
    return {
      name: `sign ${name} ${layout}`,
      run: async ({ scene, recipes }) => {
        const recipe = recipes.get(name)!;
        scene.pushSignature(`cookbook/${name}`, scene.signer.sign(recipe.descriptor, layout, { salt }));
        recipe.signed = true;
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
  count: times(2, 12),
  length: times(8, 25),
  open: openZone,
  draw: drawZoneStep,
  check: async ({ scene, zone, recipes, order }) => {
    await scene.setRetriever(order.map((name) => [name, '1.0.0']));
    const expected = order.map((name) => [name, recipes.get(name)!.signed ? 'verified' : 'refused']);
    const before = await zone.plan(false);
    assert.deepEqual(
      before.plan.recipes.map(({ name, signature }) => [name, signature]),
      expected,
    );
    const { task } = await zone.sync(false);
    const settled = new Map(task.items.map(({ name, status }) => [name, status]));
    for (const name of order)
      assert.equal(settled.get(`${name}@1.0.0`), recipes.get(name)!.signed ? 'done' : 'failed', name);
    const recorded = zone.store.index.recipes().map(({ digest }): Digest => digest);
    for (const { descriptor, signed } of recipes.values())
      assert.equal(recorded.includes(descriptor.digest), signed);
  },
};

test('no neighbour, no junk, no order and no push of an operator changes the verdict on a recipe', async (t) => {
  await runHistories(t, zones);
});

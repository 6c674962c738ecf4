import assert from 'node:assert/strict';
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ProofFinding } from '../../../src/contract/proof.ts';
import { blobPath } from '../../../src/oci/layout.ts';
import type { ProveMediumInput } from '../../../src/operation/prove/prove-medium.ts';
import { buildImage } from '../../kit/content/content.ts';
import { createSigner, type Signer } from '../../kit/content/signer.ts';
import { type CarriedMedium, carry } from '../../kit/scene/carried-medium.ts';
import { type BuiltMedium, buildMedium, defaultRecipes, type MediumRecipe } from '../../kit/scene/medium.ts';
import { proveFolders } from '../../kit/scene/prove-folders.ts';

/** A delivery that is broken in one way. */
interface Broken {
  readonly folders: readonly string[];
  readonly options?: Partial<ProveMediumInput>;
}

/** The only finding about it. */
interface Expected extends Pick<ProofFinding, 'step' | 'code'> {
  /** Default: error. */
  readonly severity?: ProofFinding['severity'];
  /** Default: a folder of the delivery. */
  readonly subject?: string;
  readonly verdict: 'refused' | 'incomplete' | 'proved';
}

let medium: BuiltMedium;
let release: Signer;
const others: BuiltMedium[] = [];
before(async () => {
  release = createSigner();
  medium = await buildMedium({ signer: release, inMemory: true });
});
after(async () => {
  for (const each of [medium, ...others]) await each[Symbol.asyncDispose]();
});

/** Another medium of the same signer. */
async function build(options: Parameters<typeof buildMedium>[0]): Promise<BuiltMedium> {
  const built = await buildMedium({ signer: release, inMemory: true, ...options });
  others.push(built);
  return built;
}

/** A copy of the medium after a change of it. */
async function damage(change: (carried: CarriedMedium) => Promise<unknown>): Promise<Broken> {
  const carried = await carry(medium);
  await change(carried);
  return { folders: [carried.root] };
}

async function flip(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes[bytes.length >> 1]! ^= 1;
  await writeFile(path, bytes);
}

const [shop, depot] = defaultRecipes() as [MediumRecipe, MediumRecipe];
const [web] = shop.ingredients;

/** A recipe with one image under a tag. */
const withImage = (name: string, seed: string, options: Partial<MediumRecipe> = {}): MediumRecipe => ({
  name,
  version: '1.0.0',
  layout: 'bundle',
  ingredients: [{ ...web!, artifact: buildImage(seed) }],
  ...options,
});

const refused = { verdict: 'refused', step: 'media' } as const;

const table: Readonly<Record<string, readonly [() => Promise<Broken>, Expected]>> = {
  'a layer is absent': [
    () => damage(async ({ parts, blob }) => rm(blob((await parts('shop')).layer))),
    { ...refused, code: 'SVC-MED-010', subject: 'shop@1.4.0' },
  ],
  'a layer is cut off': [
    () => damage(async ({ parts, blob }) => truncate(blob((await parts('shop')).layer), 7)),
    { ...refused, code: 'SVC-MED-011', subject: 'shop@1.4.0' },
  ],
  'a bit of a layer is another': [
    () => damage(async ({ parts, blob }) => flip(blob((await parts('shop')).layer))),
    { ...refused, code: 'SVC-MED-012', subject: 'shop@1.4.0' },
  ],
  'a layer is not listed': [
    () =>
      damage(async ({ parts, editManifest }) => {
        const { layer } = await parts('shop');
        await editManifest((_, lines) => lines.filter(({ path }) => path !== blobPath(layer)));
      }),
    { ...refused, code: 'SVC-MED-013', subject: 'shop@1.4.0' },
  ],
  'the manifest of a platform is absent': [
    () => damage(async ({ parts, blob }) => rm(blob((await parts('depot')).manifest))),
    { ...refused, code: 'SVC-MED-010', subject: 'depot@2.0.0' },
  ],
  'the configuration of an image is damaged': [
    () => damage(async ({ parts, blob }) => flip(blob((await parts('shop')).config))),
    { ...refused, code: 'SVC-MED-012', subject: 'shop@1.4.0' },
  ],
  'the document of a recipe is absent': [
    () => damage(async ({ parts, blob }) => rm(blob((await parts('shop')).document))),
    { ...refused, code: 'SVC-MED-010', subject: 'shop@1.4.0' },
  ],
  'the medium has no manifest': [
    () => damage(({ root }) => rm(join(root, 'media.jsonl'))),
    { ...refused, code: 'SVC-MED-001' },
  ],
  'the manifest of the medium is cut off': [
    () => damage(({ root }) => truncate(join(root, 'media.jsonl'), 40)),
    { ...refused, code: 'SVC-MED-002' },
  ],
  'the medium has a format of a later version': [
    () =>
      damage(({ editManifest }) =>
        editManifest((header) => {
          header.mediaFormat = 9;
          return undefined;
        }),
      ),
    { ...refused, code: 'SVC-MED-003' },
  ],
  'the medium is addressed to another zone': [
    async () => ({ folders: [medium.root], options: { zone: 'zone-c' } }),
    { ...refused, code: 'SVC-MED-006' },
  ],
  'one of two media is addressed to another zone': [
    async () => {
      const other = await build({ recipes: [withImage('other', 'other')], zone: 'zone-c' });
      return { folders: [medium.root, other.root] };
    },
    { ...refused, code: 'SVC-MED-006' },
  ],
  'the ledger of the recipes is damaged': [
    () => damage(async ({ root, ledger }) => flip(join(root, await ledger('recipes')))),
    { ...refused, code: 'SVC-MED-005' },
  ],
  'the medium lists no recipe': [
    async () => ({ folders: [(await build({ recipes: [] })).root] }),
    { ...refused, code: 'SVC-MED-025' },
  ],
  'a recipe has no signature': [
    async () => ({ folders: [(await build({ recipes: [{ ...shop, unsigned: true }] })).root] }),
    { ...refused, step: 'trust', code: 'SVC-SIG-001', subject: 'shop@1.4.0' },
  ],
  'an unsigned recipe is admitted by a scope of this configuration only': [
    async () => {
      const { root } = await build({ recipes: [{ ...shop, unsigned: true }] });
      const scopes = [{ name: 'relaxed', repositories: ['**'], allowUnsigned: true }];
      const policy = { roots: [toRoot(release)], scopes, missing: [] };
      return { folders: [root], options: { policy } };
    },
    { ...refused, step: 'trust', code: 'SVC-SIG-001', subject: 'shop@1.4.0' },
  ],
  'a recipe is signed by a key that the zone does not trust': [
    async () => ({ folders: [(await build({ recipes: [{ ...depot, signer: createSigner() }] })).root] }),
    { ...refused, step: 'trust', code: 'SVC-SIG-001', subject: 'depot@2.0.0' },
  ],
  'the signature of a recipe is about another digest': [
    async () => {
      const sign: MediumRecipe['sign'] = (signer, subject) => [
        signer.sign(subject, 'bundle', { tamper: 'other-subject' }),
      ];
      return { folders: [(await build({ recipes: [{ ...depot, sign }] })).root] };
    },
    { ...refused, step: 'trust', code: 'SVC-SIG-001', subject: 'depot@2.0.0' },
  ],
  'recipes of two folders pin other content under one tag': [
    async () => {
      const one = await build({ recipes: [withImage('one', 'one')] });
      const two = await build({ recipes: [withImage('two', 'two')] });
      return { folders: [one.root, two.root] };
    },
    {
      verdict: 'refused',
      step: 'import',
      code: 'SVC-CLO-004',
      subject: 'registry.invalid/origin.example_5000/shop/web:1.4.0',
    },
  ],
  'two folders have other recipes of one version': [
    async () => {
      const one = await build({ recipes: [withImage('shop', 'one')] });
      const { ingredients } = withImage('shop', 'two');
      const recipe = withImage('shop', 'two', {
        ingredients: ingredients.map((each) => ({ ...each, tag: '2' })),
      });
      return { folders: [one.root, (await build({ recipes: [recipe] })).root] };
    },
    { verdict: 'refused', step: 'import', code: 'SVC-POL-004', subject: 'shop@1.0.0' },
  ],
};

function toRoot({ publicKey, fingerprint }: Signer) {
  return { name: 'release', key: publicKey, fingerprint };
}

for (const [name, [make, expected]] of Object.entries(table))
  test(`one finding when ${name}`, async () => {
    const { folders, options } = await make();
    const { verdict, findings } = await proveFolders(folders, [release], options);
    const { severity = 'error', subject, step, code } = expected;
    assert.deepEqual(
      findings.map((one) => [one.step, one.code, one.severity]),
      [[step, code, severity]],
      JSON.stringify(findings),
    );
    if (subject === undefined) assert.ok(folders.includes(findings[0]!.subject), findings[0]!.subject);
    else assert.equal(findings[0]!.subject, subject);
    assert.equal(verdict, expected.verdict);
  });

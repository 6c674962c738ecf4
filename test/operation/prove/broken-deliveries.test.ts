import assert from 'node:assert/strict';
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import type { ProofFinding } from '../../../src/contract/proof.ts';
import type { Receipt } from '../../../src/contract/receipt.ts';
import { blobPath } from '../../../src/oci/layout.ts';
import type { ProveMediumInput } from '../../../src/operation/prove/prove-medium.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { buildImage } from '../../kit/content/content.ts';
import { toFilesetImage, toLayer } from '../../kit/content/fileset-image.ts';
import { buildHelmChart } from '../../kit/content/helm-chart.ts';
import { createSigner, type Signer } from '../../kit/content/signer.ts';
import { toArchive } from '../../kit/content/tar-archive.ts';
import { type CarriedMedium, carry } from '../../kit/scene/carried-medium.ts';
import {
  type BuiltMedium,
  buildMedium,
  defaultRecipes,
  type MediumIngredient,
  type MediumRecipe,
} from '../../kit/scene/medium.ts';
import { carryPart } from '../../kit/scene/partial-medium.ts';
import { findImages, proveFolders } from '../../kit/scene/prove-folders.ts';
import { stampPassport } from '../../kit/scene/stamp-passport.ts';

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
      subject: 'origin.example_5000/shop/web:1.4.0',
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

const here = 'origin.example:5000';

/** A recipe with a chart, and the images that come with it. */
const withChart = (
  values: string,
  files: Readonly<Record<string, string>> = {},
  images: readonly MediumIngredient[] = [],
): MediumRecipe => ({
  name: 'shop',
  version: '1.0.0',
  layout: 'bundle',
  ingredients: [
    {
      name: 'chart',
      kind: 'HelmChart',
      ref: `${here}/charts/shop`,
      tag: '1.0.0',
      artifact: buildHelmChart('shop', '1.0.0', { files: { 'values.yaml': values, ...files } }),
    },
    ...images,
  ],
});

const image = (
  repository: string,
  tag: string,
  artifact = buildImage(`${repository} ${tag}`),
): MediumIngredient => ({
  name: repository,
  kind: 'ContainerImage',
  ref: `${here}/${repository}`,
  tag,
  artifact,
});

const app = `image: {registry: "${here}", repository: app, tag: "1.0"}\n`;

/** A recipe with a FileSet of these files. */
const withFiles = (files: Readonly<Record<string, string>>): MediumRecipe => ({
  name: 'tools',
  version: '1.0.0',
  layout: 'bundle',
  ingredients: [
    {
      name: 'tools',
      kind: 'FileSet',
      ref: `${here}/filesets/tools`,
      tag: '1.0.0',
      artifact: toFilesetImage([toLayer(toArchive(files))]),
    },
  ],
});

const sha256 = (text: string): string => hashBytes(text).slice('sha256:'.length);
const fileset = `${here}/filesets/tools:1.0.0`;

/** A flat repository of apt with one package. */
function aptFiles(change: Readonly<Record<string, string | undefined>> = {}): Record<string, string> {
  const deb = 'the bytes of a package';
  const packages = `Package: hello\nVersion: 1.0\nArchitecture: all\nFilename: ./hello.deb\nSize: ${deb.length}\nSHA256: ${sha256(deb)}\n`;
  const release = `Suite: stable\nSHA256:\n ${sha256(packages)} ${packages.length} Packages\n`;
  const files = { 'hello.deb': deb, Packages: packages, Release: release, ...change };
  return Object.fromEntries(
    Object.entries(files).flatMap(([path, text]) => (text === undefined ? [] : [[path, text]])),
  );
}

/** A repository of dnf with one package. */
function rpmFiles(rpm: string | undefined): Record<string, string> {
  const whole = 'the bytes of a package of rpm';
  const primary = `<metadata packages="1"><package type="rpm"><name>hello</name><checksum type="sha256" pkgid="YES">${sha256(whole)}</checksum><size package="${whole.length}" installed="1" archive="1"/><location href="hello.rpm"/></package></metadata>`;
  const repomd = `<repomd><data type="primary"><checksum type="sha256">${sha256(primary)}</checksum><location href="repodata/primary.xml"/><size>${primary.length}</size></data></repomd>`;
  return {
    'repodata/primary.xml': primary,
    'repodata/repomd.xml': repomd,
    ...(rpm === undefined ? {} : { 'hello.rpm': rpm }),
  };
}

/** Builds a medium of one recipe. */
const of = async (recipe: MediumRecipe, options: Partial<ProveMediumInput> = {}): Promise<Broken> => ({
  folders: [(await build({ recipes: [recipe] })).root],
  options,
});

const linux = (architecture: string) => ({ os: 'linux', architecture });
const incomplete = { verdict: 'incomplete', step: 'charts', code: 'SVC-CLO-001' } as const;
const lacking = { verdict: 'incomplete', step: 'packages', code: 'SVC-CLO-003' } as const;
const doubtful = { verdict: 'proved', severity: 'warning' } as const;

/** A receipt of the zone about its registry. */
const receipt = (destination: Receipt['destination'], recipes: Receipt['recipes'] = []): Receipt => ({
  zone: 'zone-b',
  sequence: 4,
  issuedAt: '2026-01-01T00:00:00Z',
  evidence: 'head',
  destination,
  recipes,
});

const sparse: MediumRecipe = {
  ...depot,
  ingredients: [{ ...depot.ingredients[0]!, platforms: ['linux/amd64'] }],
};
const worker = `${here.replace(':', '_')}/depot/worker:2.0.0`;

/** Deliveries that land, and lack content. */
const lackingTable: typeof table = {
  'an image has no content for a platform of the zone': [
    () => of(shop, { platforms: [linux('amd64'), linux('arm64')] }),
    { verdict: 'incomplete', step: 'platforms', code: 'SVC-CLO-002', subject: `${here}/shop/web:1.4.0` },
  ],
  'an index was delivered for another platform': [
    () =>
      of(sparse, {
        platforms: [linux('arm64')],
        base: { receipt: receipt({ sparse: 'accepted', freeBytes: 1e9 }) },
      }),
    { verdict: 'incomplete', step: 'platforms', code: 'SVC-CLO-002', subject: `${here}/depot/worker:2.0.0` },
  ],
  'an image of a chart is absent': [() => of(withChart(app)), { ...incomplete, subject: `${here}/app:1.0` }],
  'an image of a chart has another tag': [
    () => of(withChart(app, {}, [image('app', '1.1')])),
    { ...incomplete, subject: `${here}/app:1.0` },
  ],
  'an image of a chart has another digest': [
    () => {
      const digest = `sha256:${'0'.repeat(64)}`;
      return of(withChart(`image: "${here}/app:1.0@${digest}"\n`, {}, [image('app', '1.0')]));
    },
    { ...incomplete, subject: `${here}/app:1.0@sha256:${'0'.repeat(64)}` },
  ],
  'an image of an embedded chart is absent': [
    () =>
      of(
        withChart('{}\n', {
          'charts/cache/Chart.yaml': 'apiVersion: v2\nname: cache\nversion: 0.1.0\n',
          'charts/cache/values.yaml': app,
        }),
      ),
    { ...incomplete, subject: `${here}/app:1.0` },
  ],
  'an image of the annotation of a chart is absent': [
    () =>
      of(
        withChart('{}\n', {
          'Chart.yaml': `apiVersion: v2\nname: shop\nversion: 1.0.0\nannotations:\n  artifacthub.io/images: |\n    - image: ${here}/app:1.0\n`,
        }),
      ),
    { ...incomplete, subject: `${here}/app:1.0` },
  ],
  'an image that a value switches off is absent': [
    () => of(withChart(`exporter: {enabled: false, ${app.trim()}}\n`)),
    { ...incomplete, ...doubtful, subject: `${here}/app:1.0` },
  ],
  'an image that a template names literally is absent': [
    () => of(withChart('{}\n', { 'templates/hook.yaml': `spec:\n  image: ${here}/app:1.0\n` })),
    { ...incomplete, ...doubtful, subject: `${here}/app:1.0` },
  ],
  'a dependency of a chart is not embedded': [
    () =>
      of(
        withChart('{}\n', {
          'Chart.yaml':
            'apiVersion: v2\nname: shop\nversion: 1.0.0\ndependencies: [{name: cache, version: 1.0.0, repository: ""}]\n',
        }),
      ),
    { ...doubtful, step: 'charts', code: 'SVC-CHT-001', subject: `${here}/charts/shop:1.0.0` },
  ],
  'the values of a chart cannot be read': [
    () => of(withChart('a: [\n')),
    { ...doubtful, step: 'charts', code: 'SVC-VAL-001', subject: `${here}/charts/shop:1.0.0` },
  ],
  'a package of apt is absent': [
    () => of(withFiles(aptFiles({ 'hello.deb': undefined }))),
    { ...lacking, subject: `${fileset} hello.deb` },
  ],
  'a package of apt is another one': [
    () => of(withFiles(aptFiles({ 'hello.deb': 'The bytes of a package' }))),
    { ...lacking, subject: `${fileset} hello.deb` },
  ],
  'an index of apt is another one': [
    () => of(withFiles(aptFiles({ Packages: 'Package: other\n' }))),
    { ...lacking, subject: `${fileset} Packages` },
  ],
  'a package of dnf is absent': [
    () => of(withFiles(rpmFiles(undefined))),
    { ...lacking, subject: `${fileset} hello.rpm` },
  ],
  'a FileSet cannot be served': [
    () => of(withFiles({ '../outside': 'text' })),
    { ...doubtful, step: 'packages', code: 'SVC-FIL-004', subject: fileset },
  ],
  'the name of a repository of packages cannot be written into a file of apt': [
    () =>
      of(
        withFiles(
          Object.fromEntries(Object.entries(aptFiles()).map(([path, text]) => [`a b\n/${path}`, text])),
        ),
      ),
    { verdict: 'incomplete', step: 'clients', code: 'SVC-VAL-001', subject: 'apt' },
  ],
  'the registry of the zone may refuse an index without all platforms': [
    () => of(sparse),
    { ...doubtful, step: 'capacity', code: 'SVC-CLO-004', subject: worker },
  ],
  'the registry of the zone refuses an index without all platforms': [
    () => of(sparse, { base: { receipt: receipt({ sparse: 'refused' }) } }),
    { ...refused, step: 'import', code: 'SVC-DST-002', subject: 'depot@2.0.0/worker' },
  ],
  'the registry of the zone may not serve manifests by sha512': [
    () => {
      const long = buildImage('long', { algorithm: 'sha512' });
      return of(withImage('long', 'long', { ingredients: [{ ...web!, artifact: long }] }));
    },
    { ...doubtful, step: 'capacity', code: 'SVC-CLO-004' },
  ],
  'the registry of the zone has no room': [
    () => of(shop, { base: { receipt: receipt({ sparse: 'accepted', freeBytes: 2000 }) } }),
    { ...refused, step: 'capacity', code: 'SVC-CLO-004', subject: 'zone-b' },
  ],
  'the medium is older than the last import of the zone': [
    () =>
      of(shop, {
        base: {
          receipt: {
            ...receipt({ sparse: 'accepted' }),
            freshness: { mediaId: 'another', resolvedAt: '2026-02-02T00:00:00Z' },
          },
        },
      }),
    { ...refused, code: 'SVC-MED-007' },
  ],
};

const id = 'dlv_0123456789ab';

/** One part of a delivery of two parts, of a medium with one recipe. */
async function part(place: 'base' | readonly number[], ofDelivery = id): Promise<CarriedMedium> {
  const built = await build({ recipes: [shop] });
  const { layer } = await (await carry(built)).parts('shop');
  const delivery = { id: ofDelivery, part: 1, parts: 2 };
  const base = { zone: 'zone-b', receipt: hashBytes('receipt'), sequence: 4 };
  return carryPart(built, {
    delivery,
    absent: new Map([[layer, place]]),
    ...(place === 'base' ? { base } : {}),
  });
}

/** Deliveries of which a part is absent, or the content of the zone that they rely on. */
const partTable: typeof table = {
  'a part of a delivery is not given': [
    async () => ({ folders: [(await part([2])).root] }),
    { ...refused, step: 'import', code: 'SVC-MED-041', subject: 'shop@1.4.0' },
  ],
  'a delivery relies on content that an empty zone does not have': [
    async () => ({ folders: [(await part('base')).root] }),
    { ...refused, step: 'import', code: 'SVC-MED-040', subject: 'shop@1.4.0' },
  ],
};

function toRoot({ publicKey, fingerprint }: Signer) {
  return { name: 'release', key: publicKey, fingerprint };
}

for (const [name, [make, expected]] of Object.entries({ ...table, ...lackingTable, ...partTable }))
  test(`one finding when ${name}`, async () => {
    const { folders, options } = await make();
    const { verdict, findings } = await proveFolders(folders, [release], { findImages, ...options });
    const { severity = 'error', subject, step, code } = expected;
    assert.deepEqual(
      findings.map((one) => [one.step, one.code, one.severity]),
      [[step, code, severity]],
      JSON.stringify(findings),
    );
    if (subject === undefined && step === 'media')
      assert.ok(folders.includes(findings[0]!.subject), findings[0]!.subject);
    else if (subject !== undefined) assert.equal(findings[0]!.subject, subject);
    const { detail, remedy } = findings[0]!;
    assert.doesNotMatch(`${detail} ${remedy}`, /[[\]]|\{[a-z]+=/);
    assert.equal(verdict, expected.verdict);
  });

test('a proof asks for the folder and the base that were not named, and names a folder of another delivery', async () => {
  const say = async (...media: readonly CarriedMedium[]) => {
    const folders = media.map(({ root }) => root);
    const [found] = (await proveFolders(folders, [release], { findImages })).findings;
    return `${found?.detail} ${found?.remedy}`;
  };
  assert.match(await say(await part('base')), /svc media prove DIR --against RECEIPT/);
  const first = await part([2]);
  assert.match(await say(first), /\)\. Name the folder of part 2 too\./);
  const said = await say(first, await part([2], 'dlv_ba9876543210'));
  assert.ok(said.includes(`${first.root} is of another delivery.`), said);
});

test('the date of a medium with a passport counts beside that of another one with a passport only', async () => {
  const built = await build({ recipes: [shop] });
  const disk = await carryPart(built, { delivery: { id, part: 1, parts: 1 } });
  await stampPassport(disk, toSigner(createSigner().privateKey));
  const prove = async (root: string, vouched: boolean) => {
    const freshness = { mediaId: 'another', resolvedAt: '2026-02-02T00:00:00Z', vouched };
    const base = { receipt: { ...receipt({ sparse: 'accepted' }), freshness } };
    const { findings } = await proveFolders([root], [release], { findImages, base });
    return findings.map(({ code }) => code);
  };
  assert.deepEqual(await prove(disk.root, false), []);
  assert.deepEqual(await prove(disk.root, true), ['SVC-MED-007']);
  assert.deepEqual(await prove(built.root, false), ['SVC-MED-007']);
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { manifestAccept } from '../../../src/oci/media-types.ts';
import { buildImage } from '../../kit/content/content.ts';
import { buildHelmChart } from '../../kit/content/helm-chart.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { openClientHome } from '../../kit/program/client-home.ts';
import { startPeerRegistry } from '../../kit/program/peer-registry.ts';
import { needs } from '../../kit/program/peers.ts';
import { runSvc, svcCommand } from '../../kit/program/svc.ts';
import { importCarried } from '../../kit/scene/import-carried.ts';
import { type BuiltMedium, buildMedium, defaultRecipes, type MediumRecipe } from '../../kit/scene/medium.ts';

let medium: BuiltMedium;
let root: string;
before(async () => {
  medium = await buildMedium();
  root = join(medium.folder, 'release.pub');
  await writeFile(root, medium.signer.publicKeyPem);
});
after(() => medium[Symbol.asyncDispose]());

const here = 'origin.example:5000';
const image = (name: string, tag: string) =>
  ({ name, kind: 'ContainerImage', ref: `${here}/${name}`, tag, artifact: buildImage(name) }) as const;
const chart = (templates: Readonly<Record<string, string>>, values = '{}\n') =>
  ({
    name: 'chart',
    kind: 'HelmChart',
    ref: `${here}/charts/shop`,
    tag: '1.0.0',
    artifact: buildHelmChart('shop', '1.0.0', { files: { 'values.yaml': values, ...templates } }),
  }) as const;
const recipe = (name: string, ingredients: MediumRecipe['ingredients']): MediumRecipe => ({
  name,
  version: '1.0.0',
  layout: 'classic',
  ingredients,
});

/** Deliveries that are proved without a warning. */
const proved: Readonly<Record<string, readonly (readonly MediumRecipe[])[]>> = {
  'two recipes': [defaultRecipes()],
  'a chart with its image': [
    [
      recipe('shop', [
        chart({}, `image: {registry: "${here}", repository: app, tag: "1.0"}\n`),
        image('app', '1.0'),
      ]),
    ],
  ],
  'two folders that share an image': [
    [recipe('one', [image('app', '1.0')])],
    [recipe('two', [image('app', '1.0'), image('other', '2.0')])],
  ],
};

for (const [name, folders] of Object.entries(proved))
  test(`a delivery that is proved lands in an empty CNCF distribution: ${name}`, async (t) => {
    const program = needs(t, 'registry');
    if (!program) return;
    await using built = new AsyncDisposableStack();
    const media: BuiltMedium[] = [];
    for (const recipes of folders)
      media.push(built.use(await buildMedium({ recipes, signer: medium.signer })));
    const paths = media.map((one) => one.root);
    const said = await runSvc(['media', 'prove', ...paths, '--trust-root', root, '--strict']);
    assert.equal(said.exitCode, 0, said.stdout + said.stderr);
    const zone = built.use(await startPeerRegistry({ program, folder: join(medium.folder, `zone-${name}`) }));
    for (const [i, one] of media.entries()) {
      const state = join(medium.folder, `state-${name}-${i}`);
      const { items, error } = await importCarried(one.root, [medium.signer], zone, { state });
      assert.equal(error, undefined);
      for (const item of items) assert.equal(item.status, 'done', `${item.name} ${item.error?.code}`);
      for (const { digest, ingredients, name: own, version } of one.records) {
        const tags = [
          [`cookbook/${own}`, version, digest] as const,
          ...ingredients.map((each) => [each.repository, each.tag, each.digest] as const),
        ];
        for (const [place, at, wanted] of tags) {
          const response = await fetch(`${zone.url}/v2/${place}/manifests/${at}`, {
            headers: { accept: manifestAccept },
          });
          assert.equal(hashBytes(Buffer.from(await response.arrayBuffer())), wanted, `${place}:${at}`);
        }
      }
    }
  });

test('a proof opens no connection: it succeeds in a network without interfaces', async (t) => {
  const unshare = needs(t, 'unshare');
  if (!unshare) return;
  const alone = ['--user', '--map-root-user', '--net'];
  if (spawnSync(unshare, [...alone, 'true']).status !== 0)
    return t.skip('not run: needs the privilege to make a network namespace');
  const [program = '', ...args] = svcCommand();
  const { status, stdout, stderr } = spawnSync(
    unshare,
    [...alone, '--', program, ...args, 'media', 'prove', medium.root, '--trust-root', root],
    { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: medium.folder } },
  );
  assert.equal(status, 0, stderr);
  assert.match(stdout, /verdict +proved/);
});

test('cosign verifies the statement about a proved medium, and none about another file', async (t) => {
  const cosign = needs(t, 'cosign');
  if (!cosign) return;
  const home = await openClientHome(medium.folder);
  const gate = createSigner();
  const [key, pub] = ['gate.key', 'gate.pub'].map((name) => join(medium.folder, name)) as [string, string];
  await writeFile(key, gate.privateKeyPem, { mode: 0o600 });
  await writeFile(pub, gate.publicKeyPem);
  const carried = await medium.carry();
  const { exitCode, stderr } = await runSvc([
    ...['media', 'prove', carried, '--trust-root', root, '--sign-key', key],
  ]);
  assert.equal(exitCode, 0, stderr);
  const verify = async (file: string, type: string): Promise<boolean> => {
    const flags = ['--key', pub, '--bundle', join(carried, '_svc/proof.sigstore.json'), '--type', type];
    const rest = ['--insecure-ignore-tlog', join(carried, file)];
    return (await home.try(cosign, ['verify-blob-attestation', ...flags, ...rest])).exitCode === 0;
  };
  const type = 'https://slsa.dev/verification_summary/v1';
  assert.equal(await verify('media.jsonl', type), true);
  assert.equal(await verify('index.json', type), false);
  assert.equal(await verify('media.jsonl', 'https://slsa.dev/provenance/v1'), false);
});

test('an image that only a rendered chart names is an error with --render, by the values of the zone', async (t) => {
  if (!needs(t, 'helm')) return;
  const pod = `apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  containers:\n    - {name: app, image: "${here}/{{ .Values.name }}:1.0"}\n`;
  await using built = await buildMedium({
    recipes: [recipe('shop', [chart({ 'templates/pod.yaml': pod }, 'name: app\n'), image('app', '1.0')])],
    signer: medium.signer,
  });
  const values = join(medium.folder, 'zone.yaml');
  await writeFile(values, 'name: other\n');
  const prove = (...flags: string[]) =>
    runSvc(['media', 'prove', built.root, '--trust-root', root, '--output', 'json', ...flags], {
      env: { PATH: process.env.PATH ?? '' },
    });
  assert.equal((await prove('--render')).exitCode, 0);
  const { exitCode, stdout } = await prove('--render', '--values', `chart=${values}`);
  assert.equal(exitCode, 4);
  assert.deepEqual(
    JSON.parse(stdout).findings.map(({ code, severity, subject }: Record<string, string>) => [
      code,
      severity,
      subject,
    ]),
    [['SVC-CLO-001', 'error', `${here}/other:1.0`]],
  );
});

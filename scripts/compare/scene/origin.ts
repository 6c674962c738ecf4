import { buildImage, buildIndex } from '../../../test/kit/content/content.ts';
import { publishRecipe, toOrigin } from '../../../test/kit/content/origin.ts';
import { createSigner } from '../../../test/kit/content/signer.ts';
import { createRegistryDouble } from '../../../test/kit/result/registry-double.ts';

/** The source of both instances: one registry, so that digests, names and the port are the same. */
export interface SceneOrigin extends AsyncDisposable {
  /** `127.0.0.1:<port>` */
  readonly host: string;
  /** PEM of the key that signs the recipes. */
  readonly publicKey: string;
}

/** Starts a registry with two versions of a signed recipe, and a recipe that nobody signed. */
export async function openSceneOrigin(): Promise<SceneOrigin> {
  const double = await createRegistryDouble();
  const origin = toOrigin(double);
  const signer = createSigner();
  for (const version of ['7.30.0', '7.31.0']) {
    const web = buildIndex(`web ${version}`);
    const worker = buildImage(`worker ${version}`);
    await origin.put('shop/web', web, version);
    await origin.put('shop/worker', worker, version);
    const ingredients = [
      { name: 'web', repository: 'shop/web', version, digest: web.manifest.descriptor.digest },
      { name: 'worker', repository: 'shop/worker', version, digest: worker.manifest.descriptor.digest },
    ];
    await publishRecipe(origin, { name: 'shop', version, ingredients, signatures: [{ signer }] });
  }
  const tool = buildImage('tool');
  await origin.put('tool', tool, '7.31.0');
  await publishRecipe(origin, {
    name: 'unsigned',
    version: '7.31.0',
    ingredients: [
      { name: 'tool', repository: 'tool', version: '7.31.0', digest: tool.manifest.descriptor.digest },
    ],
  });
  return {
    host: double.host,
    publicKey: signer.publicKeyPem,
    [Symbol.asyncDispose]: () => double[Symbol.asyncDispose](),
  };
}

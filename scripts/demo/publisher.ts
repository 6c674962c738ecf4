// The side of the publisher: an origin registry with content, and signed recipes in its cookbook.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatByteSize } from '../../src/text/size.ts';
import type { Instance } from '../../test/kit/instance/instance.ts';
import { type Artifact, nextContent, originContent, push } from './content.ts';
import { type DemoSigner, openSigner } from './signer.ts';
import type { Stage } from './stage.ts';
import { printDetail, printLine } from './story.ts';

/** Name of the ingredient, its kind, its content, and a further member of its entry. */
export type Ingredient = readonly [name: string, kind: string, artifact: Artifact, member?: string];

export interface Publisher {
  readonly origin: Instance;
  readonly content: ReturnType<typeof originContent>;
  /** Public key of the recipes, in PEM. */
  readonly publicKey: string;
  /** File with the logins of the registries, in the format of `docker login`. */
  readonly credentials: string;
  publish(
    name: string,
    version: string,
    layout: 'classic' | 'bundle',
    parts: readonly Ingredient[],
  ): Promise<void>;
}

/** Formats the logins of `admin` at registries, in the format of `docker login`. */
export function toDockerConfig(hosts: readonly string[], password: string): string {
  const auth = Buffer.from(`admin:${password}`).toString('base64');
  return JSON.stringify({ auths: Object.fromEntries(hosts.map((host) => [host, { auth }])) });
}

function toRecipe(name: string, version: string, host: string, parts: readonly Ingredient[]): string {
  return [
    'apiVersion: recipe.tobby.dev/v1alpha1',
    'kind: Recipe',
    `metadata: { name: ${name}, version: ${version} }`,
    'spec:',
    '  ingredients:',
    ...parts.flatMap(([ingredient, kind, artifact, member]) => [
      `    - name: ${ingredient}`,
      `      kind: ${kind}`,
      `      ref: ${host}/${artifact.repository}`,
      `      version: ${JSON.stringify(artifact.tag)}`,
      `      digest: ${artifact.manifests.at(-1)!.descriptor.digest}`,
      ...(member ? [`      ${member}`] : []),
    ]),
    '',
  ].join('\n');
}

/** Starts the origin registry and fills it. */
export async function openPublisher(stage: Stage): Promise<Publisher> {
  const signer: DemoSigner = await openSigner(stage.folder);
  const origin = await stage.start('origin', {});
  printLine(`recipes are signed with ${signer.name}`);
  printLine(`svc serve is the origin, at ${origin.url}`);
  const content = originContent();
  let pushed = 0;
  for (const artifact of Object.values(content))
    pushed += await push(artifact, origin.url, origin.authorization);
  printLine(
    `pushed through /v2/: two images of three platforms that share layers, a chart and a FileSet, ${formatByteSize(pushed)}`,
  );
  const credentials = join(stage.folder, 'docker.json');
  await writeFile(credentials, toDockerConfig([origin.host], stage.password), { mode: 0o600 });
  const config = join(stage.folder, 'publisher.yaml');
  const registries = { insecure: [origin.host], credentialsFile: credentials };
  await writeFile(config, JSON.stringify({ registries }));
  return {
    origin,
    content,
    publicKey: signer.publicKey,
    credentials,
    async publish(name, version, layout, parts) {
      const file = join(stage.folder, `${name}-${version}.yaml`);
      await writeFile(file, toRecipe(name, version, origin.host, parts));
      const reference = `${origin.host}/cookbook/${name}:${version}`;
      const published = await stage.run(
        `publish ${name} ${version}`,
        ['recipe', 'push', file, reference, '--config', config],
        0,
      );
      await signer.sign({
        registry: origin.url,
        authorization: origin.authorization,
        repository: `cookbook/${name}`,
        host: origin.host,
        digest: published.stdout.trim() as `sha256:${string}`,
        layout,
      });
      printDetail(`signed in the ${layout} layout`);
    },
  };
}

/** Publishes the second release of `shop`. @returns its content */
export async function publishNext({ origin, publish }: Publisher): Promise<readonly Artifact[]> {
  const { web, chart } = nextContent();
  for (const artifact of [web, chart]) await push(artifact, origin.url, origin.authorization);
  await publish('shop', '1.5.0', 'classic', [
    ['web', 'ContainerImage', web, 'platforms: [linux/amd64, linux/arm64]'],
    ['chart', 'HelmChart', chart],
  ]);
  return [web, chart];
}

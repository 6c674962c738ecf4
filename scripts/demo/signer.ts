// Signs the published recipes: with cosign when it is on PATH, otherwise with the signer of the test kit, in
// the same formats.
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Digest } from '../../src/base/digest.ts';
import type { Descriptor } from '../../src/oci/descriptor.ts';
import { createSigner } from '../../test/kit/content/signer.ts';
import { trackChild } from '../../test/kit/program/svc.ts';
import { push } from './content.ts';

export interface SignRequest {
  /** Base URL of the registry; `host` is its host in references. */
  readonly registry: string;
  readonly host: string;
  /** `Basic`, as an administrator. */
  readonly authorization: string;
  readonly repository: string;
  readonly digest: Digest;
  readonly layout: 'classic' | 'bundle';
}

export interface DemoSigner {
  readonly name: string;
  /** Public key in PEM. */
  readonly publicKey: string;
  sign(request: SignRequest): Promise<void>;
}

async function cosign(
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const running = promisify(execFile)('cosign', [...args], options);
  trackChild(running.child);
  return (await running).stdout;
}

/**
 * Returns the version of cosign on PATH; undefined when there is none, or one without the flags used here.
 */
async function findCosign(): Promise<string | undefined> {
  try {
    const version = /GitVersion:\s*(v(\d+)\S*)/.exec(await cosign(['version']));
    return Number(version?.[2]) >= 3 ? version![1] : undefined;
  } catch {
    return undefined;
  }
}

async function createCosignSigner(folder: string, version: string): Promise<DemoSigner> {
  const home = join(folder, 'cosign');
  await mkdir(home);
  const env = { ...process.env, COSIGN_PASSWORD: '', DOCKER_CONFIG: home, HOME: home };
  await cosign(['generate-key-pair'], { cwd: home, env });
  return {
    name: `cosign ${version}`,
    publicKey: await readFile(join(home, 'cosign.pub'), 'utf8'),
    sign: async ({ host, authorization, repository, digest, layout }) => {
      const auth = authorization.replace(/^Basic /, '');
      await writeFile(join(home, 'config.json'), JSON.stringify({ auths: { [host]: { auth } } }));
      const classic = layout === 'classic' ? ['--new-bundle-format=false'] : [];
      const offline = ['--use-signing-config=false', '--tlog-upload=false', '--allow-http-registry', '--yes'];
      await cosign(
        ['sign', '--key', 'cosign.key', ...offline, ...classic, `${host}/${repository}@${digest}`],
        {
          cwd: home,
          env,
        },
      );
    },
  };
}

/** Reads the descriptor of a manifest from its registry; it is the subject of a signature. */
async function describe({ registry, authorization, repository, digest }: SignRequest): Promise<Descriptor> {
  const answer = await fetch(`${registry}/v2/${repository}/manifests/${digest}`, {
    method: 'HEAD',
    headers: { authorization },
  });
  if (!answer.ok) throw new Error(`${repository}@${digest}: ${answer.status}`);
  return {
    mediaType: answer.headers.get('content-type')!,
    digest,
    size: Number(answer.headers.get('content-length')),
  };
}

function createKitSigner(): DemoSigner {
  const signer = createSigner();
  return {
    name: "the test kit's signer, in cosign's formats (no cosign 3 on PATH)",
    publicKey: signer.publicKeyPem,
    sign: async (request) => {
      const { manifest, blobs, tag } = signer.sign(await describe(request), request.layout);
      const { registry, authorization, repository } = request;
      const artifact = { repository, tag: tag ?? manifest.descriptor.digest, blobs, manifests: [manifest] };
      await push(artifact, registry, authorization);
    },
  };
}

/** Creates a key pair in the folder and returns its signer. */
export async function openSigner(folder: string): Promise<DemoSigner> {
  const version = await findCosign();
  return version === undefined ? createKitSigner() : createCosignSigner(folder, version);
}

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { parsePublicKey, toFingerprint } from '../../../src/attest/public-key.ts';
import { toRecipeArtifact } from '../../../src/recipe/artifact.ts';
import { parseRecipe } from '../../../src/recipe/document.ts';
import { collectSignatures } from '../../../src/trust/discover.ts';
import { judgeSignatures } from '../../../src/trust/judge.ts';
import type { SignatureVerdict } from '../../../src/trust/model.ts';
import { pushArtifactOverHttp, putManifestOverHttp } from '../../kit/content/push-artifact.ts';
import {
  createSigner,
  type KeyType,
  mergeClassic,
  type SignatureLayout,
  type Signer,
} from '../../kit/content/signer.ts';
import { openRemoteRegistry } from '../../kit/instance/remote-registry.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { needs } from '../../kit/program/peers.ts';
import { createRegistryDouble, type RegistryDouble } from '../../kit/result/registry-double.ts';

const run = promisify(execFile);
const layouts = ['classic', 'bundle'] as const;
const keyTypes = ['p256', 'p384', 'rsa'] as const;
const repository = 'cookbook/web';

const document = Buffer.from(`apiVersion: recipe.tobby.dev/v1alpha1
kind: Recipe
metadata: {name: web, version: 1.0.0}
spec:
  ingredients:
    - {name: a, kind: OCIArtifact, ref: r.example/a, version: "1", digest: "sha256:${'a'.repeat(64)}"}
`);
const recipe = toRecipeArtifact(document, parseRecipe(document, 'web.yaml'), '2026-01-02T03:04:05Z');
const subject = recipe.manifest.descriptor;

/** cosign with a home, a key and a registry of its own, and nothing of the network. */
async function openCosign(
  cosign: string,
  home: string,
  registry: RegistryDouble,
  signer: Signer,
  type: KeyType,
) {
  const env = { PATH: process.env.PATH, HOME: home, DOCKER_CONFIG: home, COSIGN_PASSWORD: '' };
  const reference = `${registry.host}/${repository}@${subject.digest}`;
  const call = (args: readonly string[]) => run(cosign, [...args], { cwd: home, env, timeout: 60_000 });
  await writeFile(join(home, 'key.pem'), signer.privateKeyPem);
  await writeFile(join(home, 'key.pub'), signer.publicKeyPem);
  const toFlags = (layout: SignatureLayout) => (layout === 'classic' ? ['--new-bundle-format=false'] : []);
  const offline = ['--use-signing-config=false', '--tlog-upload=false', '--allow-http-registry', '--yes'];
  const digest = type === 'p384' ? ['--signature-digest-algorithm=sha384'] : [];
  return {
    sign: async (layout: SignatureLayout) => {
      await call(['import-key-pair', '--key', 'key.pem', '--output-key-prefix', 'imported', '--yes']);
      await call(['sign', '--key', 'imported.key', ...offline, ...toFlags(layout), reference]);
    },
    verify: (layout: SignatureLayout) =>
      call([
        'verify',
        '--key',
        'key.pub',
        '--insecure-ignore-tlog=true',
        '--allow-http-registry',
        ...digest,
        ...toFlags(layout),
        reference,
      ]),
  };
}

async function judge(t: TestContext, registry: RegistryDouble, signer: Signer): Promise<SignatureVerdict> {
  const source = openRemoteRegistry(t, [registry.host]).repository({ host: registry.host, repository });
  const { evidence } = await collectSignatures(source, subject.digest);
  const key = parsePublicKey(signer.publicKeyPem);
  const roots = [{ name: 'main', key, fingerprint: toFingerprint(key) }];
  return judgeSignatures(subject.digest, evidence, { roots, scopes: [], missing: [] }, 'r.example/cookbook');
}

/** Runs `work` against a registry with a referrers API, and one without. */
async function forEachRegistry(
  t: TestContext,
  type: KeyType,
  work: (
    cosign: Awaited<ReturnType<typeof openCosign>>,
    registry: RegistryDouble,
    signer: Signer,
    referrers: boolean,
  ) => Promise<void>,
): Promise<void> {
  const cosign = needs(t, 'cosign');
  if (!cosign) return;
  for (const referrers of [true, false]) {
    await using folder = await openTempFolder();
    await using registry = await createRegistryDouble({ referrers });
    await pushArtifactOverHttp({ registry: registry.origin, repository }, recipe, '1.0.0');
    const signer = createSigner(type);
    await work(await openCosign(cosign, folder.path, registry, signer, type), registry, signer, referrers);
  }
}

for (const type of keyTypes) {
  for (const layout of layouts) {
    test(`what cosign signs in the ${layout} layout with ${type} verifies here`, (t) =>
      forEachRegistry(t, type, async (cosign, registry, signer) => {
        await cosign.sign(layout);
        const verdict = await judge(t, registry, signer);
        assert.equal(verdict.outcome === 'verified' && verdict.layout, layout);
        assert.equal(verdict.outcome === 'verified' && verdict.keyFingerprint, signer.fingerprint);
        const stranger = await judge(t, registry, createSigner(type));
        assert.equal(stranger.outcome === 'refused' && stranger.reason, 'untrusted');
        if (layout === 'bundle')
          assert.deepEqual(stranger.outcome === 'refused' && stranger.fingerprints, [signer.fingerprint]);
      }));
  }
}

for (const type of [...keyTypes, 'ed25519'] as const) {
  for (const layout of layouts) {
    test(`what the test signer signs in the ${layout} layout with ${type} verifies with cosign and here`, (t) =>
      forEachRegistry(t, type, async (cosign, registry, signer, referrers) => {
        const at = { registry: registry.origin, repository };
        await assert.rejects(cosign.verify(layout), 'an unsigned recipe must not verify');
        const artifact = signer.sign(subject, layout);
        await pushArtifactOverHttp(at, artifact, artifact.tag);
        if (artifact.fallback && !referrers)
          await putManifestOverHttp(at, artifact.fallback.manifest, artifact.fallback.tag);
        await cosign.verify(layout);
        assert.equal((await judge(t, registry, signer)).outcome, 'verified');
      }));
  }
}

test('what the test signer makes wrong is refused by cosign and here alike', (t) =>
  forEachRegistry(t, 'p256', async (cosign, registry, signer, referrers) => {
    const at = { registry: registry.origin, repository };
    for (const tamper of ['other-subject', 'changed-payload', 'broken-signature'] as const) {
      for (const layout of layouts) {
        const artifact = signer.sign(subject, layout, { tamper });
        await pushArtifactOverHttp(at, artifact, artifact.tag);
        if (artifact.fallback && !referrers)
          await putManifestOverHttp(at, artifact.fallback.manifest, artifact.fallback.tag);
        await assert.rejects(cosign.verify(layout), `${layout} ${tamper}`);
        assert.equal((await judge(t, registry, signer)).outcome, 'refused', `${layout} ${tamper}`);
      }
    }
  }));

test('several classic signatures in one artifact verify with cosign and here', (t) =>
  forEachRegistry(t, 'p256', async (cosign, registry, signer) => {
    const at = { registry: registry.origin, repository };
    const artifact = mergeClassic(subject, [
      createSigner().sign(subject, 'classic'),
      signer.sign(subject, 'classic'),
    ]);
    await pushArtifactOverHttp(at, artifact, artifact.tag);
    await cosign.verify('classic');
    assert.equal((await judge(t, registry, signer)).outcome, 'verified');
  }));

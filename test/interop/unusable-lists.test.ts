import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { buildImage, buildIndex } from '../kit/content/content.ts';
import { openCosign } from '../kit/content/cosign.ts';
import { publishRecipe } from '../kit/content/origin.ts';
import { openClientHome } from '../kit/program/client-home.ts';
import { startPeerRegistry, toPeerOrigin } from '../kit/program/peer-registry.ts';
import { needs } from '../kit/program/peers.ts';
import { openRehearsal } from '../kit/scene/rehearsal.ts';

// neither registry has a referrers API: the fallback tag counts, and everyone with the right to push may point it anywhere

for (const make of ['registry', 'docker-registry'] as const) {
  test(`${make}: tags that crane, skopeo and oras put beside the signatures of cosign stop no recipe, and let no unsigned one pass`, async (t) => {
    const [program, crane, skopeo, oras, cosign] = [make, 'crane', 'skopeo', 'oras', 'cosign'].map((name) =>
      needs(t, name),
    );
    if (!program || !crane || !skopeo || !oras || !cosign) return;
    await using world = await openRehearsal();
    const home = await openClientHome(world.folder);
    await using peer = await startPeerRegistry({ program, folder: world.path('peer') });
    const origin = toPeerOrigin(peer);
    const signer = await openCosign(cosign, home, 'signer');
    const fallback = (digest: string): string => digest.replace(':', '-');
    const at = (repository: string, tag: string): string => `${peer.host}/${repository}:${tag}`;

    const parts = [buildImage('a'), buildIndex('b', ['linux/amd64', 'linux/arm64']), buildImage('c')];
    const ingredients = await Promise.all(
      parts.map(async (part, i) => {
        const repository = `shop/${'abc'[i]}`;
        await origin.put(repository, part, '1.0.0');
        return { name: 'abc'[i]!, repository, version: '1.0.0', digest: part.manifest.descriptor.digest };
      }),
    );
    const [a, b, c] = ingredients as [
      (typeof ingredients)[0],
      (typeof ingredients)[0],
      (typeof ingredients)[0],
    ];
    const publish = (name: string) =>
      publishRecipe(origin, { name, version: '1.0.0', ingredients }).then(
        ({ descriptor }) => descriptor.digest,
      );
    const [classic, bundle, plain] = [
      await publish('classic'),
      await publish('bundle'),
      await publish('plain'),
    ];
    await signer.sign(`${peer.host}/cookbook/classic@${classic}`, 'classic');
    await signer.sign(`${peer.host}/cookbook/bundle@${bundle}`, 'bundle');
    await signer.sign(`${peer.host}/${a.repository}@${a.digest}`, 'classic');

    // an image becomes its own list of referrers, an image the list of another one, an artifact the list of a third
    for (const [repository, digest] of [
      ['cookbook/classic', classic],
      ['cookbook/plain', plain],
      [a.repository, a.digest],
    ] as const)
      await home.run(crane, ['tag', '--insecure', at(repository, '1.0.0'), fallback(digest)]);
    await home.run(crane, ['tag', '--insecure', at('cookbook/bundle', '1.0.0'), `${fallback(bundle)}.sig`]);
    await home.run(skopeo, [
      'copy',
      '--quiet',
      '--src-tls-verify=false',
      '--dest-tls-verify=false',
      `docker://${at(a.repository, '1.0.0')}`,
      `docker://${at(b.repository, fallback(b.digest))}`,
    ]);
    await writeFile(world.path('note.txt'), 'a note');
    const push = ['--plain-http', '--disable-path-validation'];
    await home.run(oras, [
      'push',
      ...push,
      at(c.repository, fallback(c.digest)),
      `${world.path('note.txt')}:text/plain`,
    ]);
    await home.run(oras, [
      'attach',
      ...push,
      '--artifact-type',
      'text/plain',
      `${peer.host}/cookbook/bundle@${bundle}`,
      `${world.path('note.txt')}:text/plain`,
    ]);

    const retriever = await world.retriever('zone', {
      cookbook: `${peer.host}/cookbook`,
      recipes: ['classic', 'bundle', 'plain'].map((name) => ({ name, version: '1.0.0' })),
    });
    const mirror = await world.start('mirror', {
      mode: 'mirror',
      retriever: { source: retriever },
      registries: { insecure: [peer.host] },
      trust: { roots: [{ name: 'signer', key: signer.publicKey }] },
    });
    for (const round of ['the first run', 'the next run']) {
      const { result, task } = await world.sync(mirror);
      assert.equal(result.exitCode, 4, `${round}: ${result.stderr}`);
      const failed = task.items
        .filter(({ status }) => status === 'failed')
        .map(({ name, error }) => [name, error?.code]);
      assert.deepEqual(failed, [['plain@1.0.0', 'SVC-SIG-001']], round);
    }
    assert.equal(await mirror.stop(), 0);
  });
}

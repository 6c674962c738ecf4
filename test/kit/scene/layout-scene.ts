import { join } from 'node:path';
import type { Digest } from '../../../src/base/digest.ts';
import type { Store } from '../../../src/store/model.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { buildImage, buildIndex, buildReferrer, pushArtifact } from '../content/content.ts';
import { openStoreAt } from '../instance/open-store-at.ts';
import { runCommand } from '../program/run-command.ts';
import { runSvc, type SvcOptions, type SvcResult } from '../program/svc.ts';
import { type BuiltMedium, buildMedium } from './medium.ts';

/** An image of three platforms of which one was carried. */
export const sparse = buildIndex('sparse', ['linux/amd64', 'linux/arm64', 'linux/s390x']);
/** Addressed by sha512, with a name too long for the header of an archive. */
export const strong = buildImage('strong', { algorithm: 'sha512' });
/** Large enough to be copied by threads. */
export const heavy = buildImage('heavy', { ownLayers: 3, layerSize: 300_000 });
export const attested = buildImage('attested');
export const attestation = buildReferrer(attested.manifest.descriptor);
export const attestationOfIt = buildReferrer(
  attestation.manifest.descriptor,
  'application/vnd.example.second',
);

/** A store with every kind of content, and a program to run on it. */
export interface LayoutScene extends AsyncDisposable {
  readonly medium: BuiltMedium;
  readonly folder: string;
  path(...names: string[]): string;
  /** `svc` with a store of this name, made when it is needed; `medium` is the one with content. */
  svc(store: string, args: readonly string[], options?: SvcOptions): Promise<SvcResult>;
  /** The same, with the document that it printed. */
  json(store: string, args: readonly string[], options?: SvcOptions): Promise<any>;
  read<T>(store: string, look: (store: Store) => Promise<T> | T): Promise<T>;
}

async function putMore(store: Store): Promise<void> {
  const open = (name: string) => openRepository(store, name, { owner: { provenance: 'import' } });
  const carried = sparse.children[0]!.artifact;
  await pushArtifact(open('registry.example/sparse'), carried);
  await open('registry.example/sparse').pushManifest('1', sparse.manifest);
  await pushArtifact(open('local/strong'), strong, 'v1');
  await pushArtifact(open('registry.example_5000/heavy'), heavy, '2.0');
  await pushArtifact(open('registry.example_5000/heavy'), heavy, 'again');
  await pushArtifact(open('other/heavy'), heavy, '2.0');
  await pushArtifact(open('local/attested'), attested, '1');
  await pushArtifact(open('local/attested'), attestation);
  await pushArtifact(open('local/attested'), attestationOfIt);
}

/** @param inProcess whether commands run in the process of the test, without the properties of a process of their own */
export async function openLayoutScene({
  inProcess = false,
  ...options
}: Parameters<typeof buildMedium>[0] & { readonly inProcess?: boolean } = {}): Promise<LayoutScene> {
  const medium = await buildMedium({ also: putMore, ...options });
  const run = inProcess ? runCommand : runSvc;
  const path = (...names: string[]): string => join(medium.folder, ...names);
  const stateOf = (store: string): string => path(store === 'medium' ? 'maker' : `${store}-state`);
  const svc: LayoutScene['svc'] = (store, [command = '', ...args], more = {}) =>
    run([command, ...args, '--storage-root', path(store), '--state-root', stateOf(store)], {
      cwd: medium.folder,
      ...more,
    });
  return {
    medium,
    folder: medium.folder,
    path,
    svc,
    json: async (store, args, more) => {
      const result = await svc(store, [...args, '--output', 'json'], more);
      if (result.stdout === '') throw new Error(`exit ${result.exitCode}: ${result.stderr}`);
      return { exitCode: result.exitCode, ...JSON.parse(result.stdout) };
    },
    read: async (store, look) => {
      await using opened = await openStoreAt(
        { root: path(store), stateRoot: stateOf(store) },
        { access: 'read' },
      );
      return await look(opened);
    },
    [Symbol.asyncDispose]: () => medium[Symbol.asyncDispose](),
  };
}

/** The tagged content of a store, and every digest that the tags reach. */
export function describeStore({ index }: Store): {
  readonly tags: string[];
  readonly digests: readonly Digest[];
} {
  const tags: string[] = [];
  const digests = new Set<Digest>();
  for (const repository of index.repositories()) {
    for (const { tag, digest } of index.tags(repository)) {
      tags.push(`${repository}:${tag} ${digest}`);
      const todo = [digest];
      for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
        if (digests.has(next)) continue;
        for (const one of index.reach(next)) digests.add(one);
        for (const { digest: referrer } of index.referrers(repository, next)) todo.push(referrer);
      }
    }
  }
  return { tags: tags.sort(), digests: [...digests].sort() };
}

import { type StatementSubject, toStatementBytes } from '../../src/attest/statement.ts';
import { type Architecture, architectures } from './arch.ts';
import { toDebUrl } from './bill/to-bill.ts';
import { listDebianPackages } from './inputs.ts';
import { listBuildPackages } from './npm-packages.ts';
import type { Source } from './source.ts';

/** Predicate type of SLSA provenance v1. */
export const provenanceType = 'https://slsa.dev/provenance/v1';

/**
 * Makes the statement of provenance (SLSA v1.0, Provenance). It names the inputs of the release. It claims level 1, that
 * there is a provenance: the builder is the machine of the signer, which can claim anything.
 *
 * @param subjects every file of the release
 * @param platforms processors that the release is for
 */
export function toProvenance(
  source: Source,
  subjects: readonly StatementSubject[],
  platforms: readonly Architecture[],
  registry: string,
): Buffer {
  const { root, version, commit, lockfile } = source;
  const placed = listBuildPackages(root, platforms, [process.arch as Architecture]);
  // one that is in two places of the tree is one input
  const npm = [...new Map(placed.map((one) => [one.integrity, one])).values()];
  const debian = new Map(
    platforms.flatMap((platform) => listDebianPackages(platform)).map((one) => [one.sha256, one]),
  );
  return toStatementBytes({
    subjects,
    predicateType: provenanceType,
    predicate: {
      buildDefinition: {
        buildType: 'urn:svc:release:v1',
        externalParameters: { version, registry },
        internalParameters: {
          platforms: platforms.map((platform) => `linux/${architectures[platform].oci}`),
        },
        resolvedDependencies: [
          { name: 'sources', digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha256: lockfile } },
          ...npm.map(({ name, version, integrity }) => ({
            uri: `pkg:npm/${name.replace('@', '%40')}@${version}`,
            digest: { sha512: Buffer.from(integrity.slice(7), 'base64').toString('hex') },
          })),
          ...[...debian.values()].map(({ name, version, architecture, sha256 }) => ({
            uri: toDebUrl({ name, version, architecture }),
            digest: { sha256 },
          })),
        ],
      },
      runDetails: {
        builder: { id: 'urn:svc:builder:workstation:v1', version: { node: process.version } },
        metadata: { invocationId: `${version}-${commit}` },
      },
    },
  });
}

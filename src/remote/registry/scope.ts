import { type Digest, isDigest } from '../../base/digest.ts';
import { isSvcError, type SvcError, svcError } from '../../base/error.ts';
import type { Report } from '../../base/report.ts';
import { formatReference, type RepositoryReference } from '../../oci/reference.ts';
import type { Client } from './client.ts';

/** One repository as its operations see it: where it is, under which names, with which scopes. */
export interface RepositoryScope {
  readonly client: Client;
  readonly nominal: RepositoryReference;
  readonly effective: RepositoryReference;
  readonly substituted: boolean;
  readonly access: 'pull' | 'push';
  readonly report: Report;
  /** What a read needs, and what a write needs. */
  readonly pull: string;
  readonly push: string;
}

function withReference(repository: RepositoryReference, reference: string | undefined): string {
  if (reference === undefined) return formatReference(repository);
  return isDigest(reference)
    ? formatReference({ ...repository, digest: reference as Digest })
    : formatReference({ ...repository, tag: reference });
}

/** How errors name content: always by its nominal name. */
export function toName(scope: RepositoryScope, reference?: string): string {
  return withReference(scope.nominal, reference);
}

/** A path below the repository at the registry's API. */
export function toPath(scope: RepositoryScope, rest: string): string {
  return `/v2/${scope.effective.repository}/${rest}`;
}

function isShortHubName({ effective }: RepositoryScope): boolean {
  return effective.host === 'docker.io' && !effective.repository.includes('/');
}

/** Docker Hub refuses who asks for a repository that is not there: where the name lacks its `library/`, that is said. */
export async function withHint<T>(
  scope: RepositoryScope,
  reference: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isSvcError(error, 'SVC-REG-003') && isShortHubName(scope)) throw toNotFound(scope, reference);
    throw error;
  }
}

/** Content that is not there, under both its names, with the name that was probably meant. */
export function toNotFound(scope: RepositoryScope, reference?: string): SvcError {
  const { nominal, effective, substituted } = scope;
  return svcError('SVC-REG-005', {
    reference: toName(scope, reference),
    effective: substituted ? withReference(effective, reference) : undefined,
    hint: isShortHubName(scope)
      ? withReference({ ...nominal, repository: `library/${nominal.repository}` }, reference)
      : undefined,
  });
}

/** Says which name was contacted instead, on every substituted read. */
export function logSubstitution(scope: RepositoryScope, reference?: string): void {
  if (!scope.substituted) return;
  scope.report.log('info', 'read from a substituted source', {
    source: toName(scope, reference),
    effective: withReference(scope.effective, reference),
  });
}

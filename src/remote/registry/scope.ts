import { type Digest, isDigest } from '../../base/digest.ts';
import type { Report } from '../../base/report.ts';
import { formatReference, type RepositoryReference } from '../../oci/reference.ts';
import { isSvcError, type SvcError, svcError } from '../../text/error.ts';
import type { Rule } from '../../text/rule.ts';
import type { Client } from './client.ts';

/** One repository for the functions that access it: client, names, and token scopes. */
export interface RepositoryScope {
  readonly client: Client;
  readonly nominal: RepositoryReference;
  readonly effective: RepositoryReference;
  readonly substituted: boolean;
  readonly access: 'pull' | 'push';
  readonly report: Report;
  /** Token scopes for reading and for writing. */
  readonly pull: string;
  readonly push: string;
}

function withReference(repository: RepositoryReference, reference: string | undefined): string {
  if (reference === undefined) return formatReference(repository);
  return isDigest(reference)
    ? formatReference({ ...repository, digest: reference as Digest })
    : formatReference({ ...repository, tag: reference });
}

/** The nominal name of content, for errors. */
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

/** Docker Hub refuses requests for a missing repository: a name without `library/` is SVC-REG-005. */
export async function withHint<T>(
  scope: RepositoryScope,
  reference: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isSvcError(error, 'SVC-REG-003') && isShortHubName(scope))
      throw scope.access === 'push' ? toNoPlace(scope) : toNotFound(scope, reference);
    throw error;
  }
}

/** Creates the SVC-REG-005 of missing content, with both names and the probably intended one. */
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

/** Creates the SVC-REG-005 of a repository that takes no push, because it is not there or is hidden from its sender. */
export function toNoPlace(scope: RepositoryScope, detail?: Rule): SvcError {
  const push = toName(scope);
  return svcError('SVC-REG-005', { reference: push, push }, { detail });
}

/** Logs the name that is contacted instead, for every substituted read. */
export function logSubstitution(scope: RepositoryScope, reference?: string): void {
  if (!scope.substituted) return;
  scope.report.log('info', 'read from a substituted source', {
    source: toName(scope, reference),
    effective: withReference(scope.effective, reference),
  });
}

import type { CallOptions } from '../../oci/ports.ts';
import { formatReference, type Reference } from '../../oci/reference.ts';
import type { RemoteRepository } from '../../remote/model.ts';
import { type ReadManifest, readManifest } from '../copy/read-manifest.ts';

/** Reads the manifest that a reference names. @throws SVC-REG-005 when there is none */
export async function readRoot(
  remote: RemoteRepository,
  reference: Reference,
  call: CallOptions,
): Promise<ReadManifest> {
  const wanted = reference.digest ?? reference.tag!;
  const content = await remote.fetchManifest(wanted, call);
  if (!content) throw remote.toNotFound(wanted);
  return readManifest(remote, content, formatReference(reference), call);
}

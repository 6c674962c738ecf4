import { buffer } from 'node:stream/consumers';
import { listSignatures } from '../../fileset/package-check/list-signatures.ts';
import { documentBytes, type PackageFinding, type PackageTree } from '../../fileset/package-check/model.ts';

/** The keys that sign the package repositories of a zone. */
export interface PackageKeys {
  /** Whether one of the keys signed. @param files a clear-signed file; or a signature, and the file that it signs */
  verify(files: readonly Buffer[]): Promise<boolean>;
}

/** Requires of each index of the package repositories in a tree that one of the keys signed it. */
export async function checkSignatures(
  tree: Pick<PackageTree, 'paths' | 'read' | 'sizeOf'>,
  keys: PackageKeys,
): Promise<readonly PackageFinding[]> {
  const findings: PackageFinding[] = [];
  for (const { paths, signature } of listSignatures(tree.paths)) {
    const at = signature ?? paths[0]!;
    if (signature === undefined) {
      findings.push({ path: at, fault: 'unsigned' });
      continue;
    }
    const files: Buffer[] = [];
    for (const path of paths) {
      const size = await tree.sizeOf(path);
      const bytes = size !== undefined && size <= documentBytes ? await tree.read(path) : undefined;
      if (bytes !== undefined) files.push(await buffer(bytes));
    }
    if (files.length < paths.length || !(await keys.verify(files)))
      findings.push({ path: at, fault: 'signer' });
  }
  return findings;
}

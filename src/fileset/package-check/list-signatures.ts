/** The files that one signature is verified with. */
export interface SignedFiles {
  /** A clear-signed file; or the signature, then the file that it signs. Without `signature`, the unsigned file. */
  readonly paths: readonly string[];
  readonly signature?: string;
}

/** Lists the indexes of package repositories that are to be signed, with their signatures. @param paths of a tree */
export function listSignatures(paths: readonly string[]): readonly SignedFiles[] {
  const known = new Set(paths);
  return paths.flatMap((path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const isArchitecture = /(?:^|\/)binary-[^/]+\/Release$/.test(path);
    if (name === 'InRelease') return [{ paths: [path], signature: path }];
    if ((name !== 'Release' || isArchitecture) && !/(?:^|\/)repodata\/repomd\.xml$/.test(path)) return [];
    const signature = name === 'Release' ? `${path}.gpg` : `${path}.asc`;
    if (known.has(signature)) return [{ paths: [signature, path], signature }];
    const clear = `${path.slice(0, -name.length)}InRelease`;
    return name === 'Release' && known.has(clear) ? [] : [{ paths: [path] }];
  });
}

import type { Compression } from './inflate.ts';

// layer types of the OCI image specification and of Docker's schema 2, distributable or not
const layerType =
  /^application\/vnd\.(?:oci\.image\.layer\.(?:nondistributable\.)?v1\.tar|docker\.image\.rootfs\.(?:foreign\.)?diff\.tar)(?:[.+](gzip|zstd))?$/;

/** Returns the compression of a layer; undefined when the media type is not that of a layer of files. */
export function compressionOf(mediaType: string): Compression | 'none' | undefined {
  const match = layerType.exec(mediaType);
  return match === null ? undefined : ((match[1] as Compression | undefined) ?? 'none');
}

import type { Compression } from './inflate.ts';

// of the image specification and of Docker's schema 2, distributable or not
const layerType =
  /^application\/vnd\.(?:oci\.image\.layer\.(?:nondistributable\.)?v1\.tar|docker\.image\.rootfs\.(?:foreign\.)?diff\.tar)(?:[.+](gzip|zstd))?$/;

/** How a layer is packed; undefined when it is no layer of files. */
export function compressionOf(mediaType: string): Compression | 'none' | undefined {
  const match = layerType.exec(mediaType);
  return match === null ? undefined : ((match[1] as Compression | undefined) ?? 'none');
}

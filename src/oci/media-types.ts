/** Media types of the OCI image specification 1.1, of Docker's schema 2, and of the artifacts this product handles. */
export const mediaTypes = {
  ociManifest: 'application/vnd.oci.image.manifest.v1+json',
  ociIndex: 'application/vnd.oci.image.index.v1+json',
  ociConfig: 'application/vnd.oci.image.config.v1+json',
  ociEmpty: 'application/vnd.oci.empty.v1+json',
  ociLayer: 'application/vnd.oci.image.layer.v1.tar',
  ociLayerGzip: 'application/vnd.oci.image.layer.v1.tar+gzip',
  dockerManifest: 'application/vnd.docker.distribution.manifest.v2+json',
  dockerManifestList: 'application/vnd.docker.distribution.manifest.list.v2+json',
  dockerConfig: 'application/vnd.docker.container.image.v1+json',
  dockerSchema1: 'application/vnd.docker.distribution.manifest.v1+json',
  dockerSchema1Signed: 'application/vnd.docker.distribution.manifest.v1+prettyjws',
  withdrawnArtifact: 'application/vnd.oci.artifact.manifest.v1+json',
  helmConfig: 'application/vnd.cncf.helm.config.v1+json',
  helmChart: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
  helmProvenance: 'application/vnd.cncf.helm.chart.provenance.v1.prov',
  recipe: 'application/vnd.tobby.recipe.v1+yaml',
  simpleSigning: 'application/vnd.dev.cosign.simplesigning.v1+json',
  fileSetConfig: 'application/vnd.oci.image.config.v1+json',
} as const;

/** Prefix of the `artifactType` of Sigstore bundles of any minor version. */
export const bundleTypePrefix = 'application/vnd.dev.sigstore.bundle.v0.';

/** A media type without its parameters, in lower case (RFC 9110, section 8.3.1). */
export function toPlainType(mediaType: string): string {
  return mediaType.split(';', 1)[0]!.trim().toLowerCase();
}

export function isBundleType(mediaType: string | undefined): boolean {
  if (mediaType === undefined) return false;
  const plain = toPlainType(mediaType);
  return plain.startsWith(bundleTypePrefix) && plain.endsWith('+json');
}

export function isIndexType(mediaType: string | undefined): boolean {
  return mediaType === mediaTypes.ociIndex || mediaType === mediaTypes.dockerManifestList;
}

export function isImageType(mediaType: string | undefined): boolean {
  return mediaType === mediaTypes.ociManifest || mediaType === mediaTypes.dockerManifest;
}

/** Returns whether a layer need not be distributed (OCI image specification, Non-Distributable Layers). */
export function isNonDistributable(mediaType: string): boolean {
  return (
    mediaType.startsWith('application/vnd.oci.image.layer.nondistributable.') ||
    mediaType === 'application/vnd.docker.image.rootfs.foreign.diff.tar.gzip'
  );
}

/** `Accept` header for every manifest that this product understands. */
export const manifestAccept: string = [
  mediaTypes.ociIndex,
  mediaTypes.ociManifest,
  mediaTypes.dockerManifestList,
  mediaTypes.dockerManifest,
].join(', ');

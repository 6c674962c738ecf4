/** The processors of a release, by the name of the single file, with their names elsewhere. */
export const architectures = {
  x64: { deb: 'amd64', rpm: 'x86_64', oci: 'amd64', triplet: 'x86_64-linux-gnu' },
  arm64: { deb: 'arm64', rpm: 'aarch64', oci: 'arm64', triplet: 'aarch64-linux-gnu' },
} as const;

export type Architecture = keyof typeof architectures;

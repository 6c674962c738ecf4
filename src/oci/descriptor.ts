import type { Digest } from '../base/digest.ts';

/** OCI content descriptor; `size` in bytes. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: Digest;
  readonly size: number;
  readonly artifactType?: string;
  readonly platform?: DescriptorPlatform;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly urls?: readonly string[];
}

export interface DescriptorPlatform {
  readonly os: string;
  readonly architecture: string;
  readonly variant?: string;
  readonly 'os.version'?: string;
  readonly 'os.features'?: readonly string[];
}

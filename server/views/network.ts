import type { CertificateDescription } from '../../src/certificate/tls-pair.ts';
import type { EgressRecord } from '../operations.ts';
import type { ViewParts } from './parts.ts';

export interface NetworkView {
  readonly tls: boolean;
  readonly certificate?: CertificateDescription;
  readonly certificateFile?: string;
  readonly keyFile?: string;
  /** Whether a pair may be uploaded. */
  readonly replaceable: boolean;
  readonly egress: EgressRecord;
}

/** Shows the listener with its certificate, and outbound connections. */
export function showNetwork({
  certificate,
  certificateFiles,
  operations,
}: Pick<ViewParts, 'certificate' | 'certificateFiles' | 'operations'>): NetworkView {
  return {
    tls: certificate !== undefined,
    ...(certificate === undefined ? {} : { certificate: certificate.description }),
    ...(certificateFiles === undefined
      ? {}
      : { certificateFile: certificateFiles.certFile, keyFile: certificateFiles.keyFile }),
    replaceable: certificate?.replaceable ?? false,
    egress: operations.egress(),
  };
}

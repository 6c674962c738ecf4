import { svcError } from '../../src/base/error.ts';
import { showNetwork } from '../views/network.ts';
import type { ApiRoute } from './api-route.ts';
import { audited } from './audited.ts';
import { writing } from './openapi/error-codes.ts';
import { described, object, ref } from './schema.ts';

const pem = { type: 'string', minLength: 1, maxLength: 1_000_000 };

export const networkRoutes: readonly ApiRoute[] = [
  {
    id: 'getNetwork',
    method: 'GET',
    path: '/network',
    floor: 'admin',
    errors: [],
    summary: 'The listener with its certificate, outbound connections, and the hosts that they need',
    success: { status: 200, description: 'The record', schema: ref('Network') },
    handler: async (call) => ({ json: await showNetwork(call) }),
  },
  {
    id: 'replaceCertificate',
    method: 'PUT',
    path: '/network/certificate',
    floor: 'admin',
    errors: [...writing, 'SVC-CFG-001', 'SVC-NET-004'],
    summary: 'Replaces the serving certificate',
    audit: 'config.certificate',
    body: {
      schema: object({
        certificate: described('Certificate, and those of its issuers after it (PEM)', pem),
        key: described('Private key of the certificate (PEM)', pem),
      }),
      required: true,
      examples: {
        pair: {
          summary: 'Replaces the pair',
          value: {
            certificate: '-----BEGIN CERTIFICATE-----\nMIIB…\n-----END CERTIFICATE-----\n',
            key: '-----BEGIN PRIVATE KEY-----\nMIGH…\n-----END PRIVATE KEY-----\n',
          },
        },
      },
    },
    success: {
      status: 200,
      description: 'The new certificate',
      schema: object({ certificate: ref('Certificate') }),
    },
    handler: async (call) => {
      const replace = async () => {
        if (call.certificate === undefined) {
          throw svcError('SVC-CFG-001', {
            setting: 'server.tls.enabled',
            detail: 'is false: the listener uses plain HTTP',
          });
        }
        return call.certificate.replace({
          cert: String(call.body.certificate),
          key: String(call.body.key),
        });
      };
      const replaced = call.certificate?.description.fingerprintSha256;
      const certificate = await audited(
        call,
        'config.certificate',
        undefined,
        replace,
        replaced === undefined ? {} : { replaced },
        ({ fingerprintSha256 }) => ({ fingerprint: fingerprintSha256 }),
      );
      return { json: { certificate } };
    },
  },
];

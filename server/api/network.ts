import { svcError } from '../../src/base/error.ts';
import { showNetwork } from '../views/network.ts';
import type { ApiRoute } from './api-route.ts';
import { audited } from './audited.ts';
import { closed, object, ref } from './schema.ts';

const pem = { type: 'string', minLength: 1, maxLength: 1_000_000, description: 'PEM' };

export const networkRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/network',
    floor: 'admin',
    summary: 'The listener with its certificate, and outbound connections',
    success: { status: 200, description: 'The record', schema: ref('Network') },
    handler: (call) => ({ json: showNetwork(call) }),
  },
  {
    method: 'PUT',
    path: '/network/certificate',
    floor: 'admin',
    summary: 'Replaces the serving certificate',
    audit: 'config.certificate',
    body: { schema: closed({ certificate: pem, key: pem }), required: true },
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
      return { json: { certificate: await audited(call, 'config.certificate', undefined, replace) } };
    },
  },
];

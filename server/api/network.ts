import { Certificate, Network, RateLimit, Windows } from '../../src/contract/access.ts';
import { described, digest, list, object, text } from '../../src/contract/schema.ts';
import { svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import { showNetwork } from '../views/network.ts';
import { type ApiRoute, route } from './api-route.ts';
import { audited } from './audited.ts';
import { writing } from './openapi/error-codes.ts';
import { exampleFingerprint } from './openapi/example-documents.ts';

const pem = text({ minLength: 1, maxLength: 1_000_000 });

const line = text({ minLength: 1, maxLength: 64 });
const clearing = {
  schema: object({ 'fingerprint?': digest }),
  examples: {
    now: { summary: 'Removes the override', value: {} },
    shown: { summary: 'Removes the override that was shown', value: { fingerprint: exampleFingerprint } },
  },
} as const;
const errors = [...writing, 'SVC-CFG-001'] as const;

/** The cap on transfers with other hosts, and the daily windows in which they run. */
const linkRoutes: readonly ApiRoute[] = [
  route({
    id: 'setRateLimit',
    method: 'PUT',
    path: '/network/rate-limit',
    floor: 'admin',
    errors,
    summary: 'Overrides the cap on transfers with other hosts; survives restarts',
    audit: 'config.rate-limit',
    body: {
      schema: object({
        rateLimit: described('Bytes a second, from 1KiB to 1TiB, or `unlimited`', line),
      }),
      required: true,
      examples: {
        thin: { summary: 'At most 2 MiB a second', value: { rateLimit: '2MiB' } },
        none: { summary: 'No cap', value: { rateLimit: 'unlimited' } },
      },
    },
    success: { status: 200, description: 'The cap now', schema: object({ rateLimit: RateLimit }) },
    handler: async (call) => {
      const value = call.body.rateLimit;
      const before = call.link.record.rateLimit.effective;
      const rateLimit = await audited(
        call,
        'config.rate-limit',
        'network.rateLimit',
        () => call.link.overrideRate(value, { fingerprint: call.shown }),
        { before, after: value },
      );
      return { json: { rateLimit } };
    },
  }),
  route({
    id: 'resetRateLimit',
    method: 'DELETE',
    path: '/network/rate-limit',
    floor: 'admin',
    errors: [...errors, 'SVC-SRV-007'],
    summary: 'Returns to the configured cap',
    audit: 'config.rate-limit',
    body: clearing,
    success: { status: 204, description: 'The override was removed' },
    handler: async (call) => {
      const { effective, configured } = call.link.record.rateLimit;
      await audited(call, 'config.rate-limit', 'network.rateLimit', () => call.link.clearRate(call.body), {
        before: effective,
        after: configured,
      });
      return { empty: true };
    },
  }),
  route({
    id: 'setWindows',
    method: 'PUT',
    path: '/network/windows',
    floor: 'admin',
    errors,
    summary: 'Overrides the daily windows of transfers; survives restarts',
    audit: 'config.windows',
    body: {
      schema: object({
        windows: described('Windows `HH:MM-HH:MM`, which do not overlap; the whole day is `00:00-24:00`', {
          ...list(line),
          minItems: 1,
          maxItems: 24,
        }),
        'timeZone?': described('Time zone of the windows. Default: the one that applies now', line),
      }),
      required: true,
      examples: {
        nights: {
          summary: 'From ten to six, and at noon',
          value: { windows: ['22:00-06:00', '12:00-13:00'], timeZone: 'Europe/Paris' },
        },
        always: { summary: 'At any time', value: { windows: ['00:00-24:00'] } },
      },
    },
    success: { status: 200, description: 'The windows now', schema: object({ windows: Windows }) },
    handler: async (call) => {
      const { windows: given, timeZone } = call.body;
      const windows = await audited(
        call,
        'config.windows',
        'sync.windows',
        () => call.link.overrideWindows(given, timeZone, { fingerprint: call.shown }),
        { before: call.link.record.windows.effective.join(','), after: String(given).slice(0, 1024) },
      );
      return { json: { windows } };
    },
  }),
  route({
    id: 'resetWindows',
    method: 'DELETE',
    path: '/network/windows',
    floor: 'admin',
    errors: [...errors, 'SVC-SRV-007'],
    summary: 'Returns to the configured windows',
    audit: 'config.windows',
    body: clearing,
    success: { status: 204, description: 'The override was removed' },
    handler: async (call) => {
      const { effective, configured } = call.link.record.windows;
      await audited(call, 'config.windows', 'sync.windows', () => call.link.clearWindows(call.body), {
        before: effective.join(','),
        after: configured.join(','),
      });
      return { empty: true };
    },
  }),
];

export const networkRoutes: readonly ApiRoute[] = [
  route({
    id: 'getNetwork',
    method: 'GET',
    path: '/network',
    floor: 'admin',
    errors: [],
    summary: 'The listener with its certificate, outbound connections, and the hosts that they need',
    success: { status: 200, description: 'The record', schema: Network },
    handler: async (call) => ({ json: await showNetwork(call) }),
  }),
  route({
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
      schema: object({ certificate: Certificate }),
    },
    handler: async (call) => {
      const replace = async () => {
        if (call.certificate === undefined) {
          throw svcError('SVC-CFG-001', {
            setting: 'server.tls.enabled',
            detail: rule([
              'is false: the listener uses plain HTTP',
              fr`vaut false : l’écoute est en HTTP simple`,
            ]),
          });
        }
        const pair = { cert: call.body.certificate, key: call.body.key };
        return call.certificate.replace(pair, { fingerprint: call.shown });
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
  }),
  ...linkRoutes,
];

import { Certificate, Network, RateLimit, Windows } from '../access.ts';
import { operation } from '../operation.ts';
import { described, digest, list, object, text } from '../schema.ts';
import { writing } from './error-codes.ts';
import { exampleFingerprint } from './example-documents.ts';

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

export const setRateLimit = operation({
  id: 'setRateLimit',
  method: 'PUT',
  path: '/network/rate-limit',
  floor: 'admin',
  errors,
  summary: 'Overrides the cap on transfers with other hosts; survives restarts',
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
  answer: { status: 200, description: 'The cap now', schema: object({ rateLimit: RateLimit }) },
});

export const resetRateLimit = operation({
  id: 'resetRateLimit',
  method: 'DELETE',
  path: '/network/rate-limit',
  floor: 'admin',
  errors: [...errors, 'SVC-SRV-007'],
  summary: 'Returns to the configured cap',
  body: clearing,
  answer: { status: 204, description: 'The override was removed' },
});

export const setWindows = operation({
  id: 'setWindows',
  method: 'PUT',
  path: '/network/windows',
  floor: 'admin',
  errors,
  summary: 'Overrides the daily windows of transfers; survives restarts',
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
  answer: { status: 200, description: 'The windows now', schema: object({ windows: Windows }) },
});

export const resetWindows = operation({
  id: 'resetWindows',
  method: 'DELETE',
  path: '/network/windows',
  floor: 'admin',
  errors: [...errors, 'SVC-SRV-007'],
  summary: 'Returns to the configured windows',
  body: clearing,
  answer: { status: 204, description: 'The override was removed' },
});

export const getNetwork = operation({
  id: 'getNetwork',
  method: 'GET',
  path: '/network',
  floor: 'admin',
  errors: [],
  summary: 'The listener with its certificate, outbound connections, and the hosts that they need',
  answer: { status: 200, description: 'The record', schema: Network },
});

export const replaceCertificate = operation({
  id: 'replaceCertificate',
  method: 'PUT',
  path: '/network/certificate',
  floor: 'admin',
  errors: [...writing, 'SVC-CFG-001', 'SVC-NET-004'],
  summary: 'Replaces the serving certificate',
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
  answer: {
    status: 200,
    description: 'The new certificate',
    schema: object({ certificate: Certificate }),
  },
});

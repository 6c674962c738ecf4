import * as api from '../../src/contract/operations/network.ts';
import { svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import { showNetwork } from '../views/network.ts';
import { type ApiRoute, route } from './api-route.ts';
import { audited } from './audited.ts';

/** The cap on transfers with other hosts, and the daily windows in which they run. */
const linkRoutes: readonly ApiRoute[] = [
  route(
    api.setRateLimit,
    async (call) => {
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
    { audit: 'config.rate-limit' },
  ),
  route(
    api.resetRateLimit,
    async (call) => {
      const { effective, configured } = call.link.record.rateLimit;
      await audited(call, 'config.rate-limit', 'network.rateLimit', () => call.link.clearRate(call.body), {
        before: effective,
        after: configured,
      });
      return { empty: true };
    },
    { audit: 'config.rate-limit' },
  ),
  route(
    api.setWindows,
    async (call) => {
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
    { audit: 'config.windows' },
  ),
  route(
    api.resetWindows,
    async (call) => {
      const { effective, configured } = call.link.record.windows;
      await audited(call, 'config.windows', 'sync.windows', () => call.link.clearWindows(call.body), {
        before: effective.join(','),
        after: configured.join(','),
      });
      return { empty: true };
    },
    { audit: 'config.windows' },
  ),
];

export const networkRoutes: readonly ApiRoute[] = [
  route(api.getNetwork, async (call) => ({ json: await showNetwork(call) })),
  route(
    api.replaceCertificate,
    async (call) => {
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
        'server.tls',
        replace,
        replaced === undefined ? {} : { replaced },
        ({ fingerprintSha256 }) => ({ fingerprint: fingerprintSha256 }),
      );
      return { json: { certificate } };
    },
    { audit: 'config.certificate' },
  ),
  ...linkRoutes,
];

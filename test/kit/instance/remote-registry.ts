import type { TestContext } from 'node:test';
import { silentReport } from '../../../src/base/report.ts';
import type {
  Credential,
  RegistryOptions,
  RemoteRegistry,
  TransportOptions,
} from '../../../src/remote/model.ts';
import { noCredentials } from '../../../src/remote/registry/credentials.ts';
import { createRegistry } from '../../../src/remote/registry/registry.ts';
import { createTransport } from '../../../src/remote/transport/transport.ts';

/** The real registry client over a real transport, for one test; plain HTTP to the hosts named. */
export function openRemoteRegistry(
  t: TestContext,
  hosts: readonly string[],
  options: Partial<Omit<RegistryOptions, 'transport' | 'credentials'>> & {
    readonly transport?: Partial<TransportOptions>;
    readonly credentials?: Readonly<Record<string, Credential>>;
  } = {},
): RemoteRegistry {
  const { transport: transportOptions, credentials, ...rest } = options;
  const report = rest.report ?? silentReport;
  const transport = createTransport({ report, insecure: hosts, ...transportOptions });
  t.after(() => transport[Symbol.asyncDispose]());
  return createRegistry({
    retries: 2,
    retryDelay: 1,
    report,
    ...rest,
    transport,
    credentials: credentials === undefined ? noCredentials : { lookup: (host) => credentials[host] },
  });
}

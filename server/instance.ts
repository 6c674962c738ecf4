import type { FilesetDesk } from '../src/operation/filesets.ts';
import type { ListenerCertificate } from '../src/operation/listener-certificate.ts';
import { createApi } from './api/api.ts';
import type { ApiParts } from './api/api-route.ts';
import { apiRoutes } from './api/routes.ts';
import { type App, createApp } from './app.ts';
import { createFiles } from './files/files.ts';
import { createIdentify } from './identity.ts';
import { type Listener, listen } from './listen.ts';
import type { ListenAddress } from './listen-address.ts';
import type { Metrics } from './probe/metrics.ts';
import { createProbes } from './probe/probes.ts';
import { BlobHomes } from './registry/blob-homes.ts';
import { createRegistry } from './registry/registry.ts';
import { UploadSessions } from './registry/upload-sessions.ts';

export interface InstanceParts extends Omit<ApiParts, 'names'> {
  readonly address: ListenAddress;
  /** Names by which the instance may be addressed while authentication is disabled, besides its address. */
  readonly hosts: readonly string[];
  readonly filesets: FilesetDesk;
  readonly metrics: Metrics;
  /** Free bytes on the store's volume. */
  readonly freeBytes: () => Promise<number>;
  /** What `/readyz` tells besides being ready. */
  readonly reasons: () => readonly string[];
  /** Told when a push or a delete has changed content. */
  readonly onChange: () => void;
}

export interface RunningInstance {
  readonly url: string;
  readonly app: App;
  /** Readiness turns 503, what is under way gets the grace period (milliseconds), then every socket is closed. */
  stop(grace: number): Promise<void>;
}

/** Names that lead here, in the order in which somebody has chosen them. */
function toNames({ hosts, address: { host } }: InstanceParts): readonly string[] {
  const isEverywhere = host === undefined || host === '0.0.0.0' || host === '::';
  return isEverywhere ? hosts : [...hosts, host];
}

function watchCertificate(certificate: ListenerCertificate | undefined, listener: Listener): () => void {
  return certificate?.watch((pair) => listener.setPair(pair)) ?? (() => {});
}

/**
 * Puts the surfaces together and opens the listener.
 *
 * @throws SVC-CFG-001 when the address cannot be had, SVC-NET-003 when the certificate cannot serve
 */
export async function startInstance(parts: InstanceParts): Promise<RunningInstance> {
  const { address, authenticator, report, metrics, store, gate, certificate } = parts;
  const identify = createIdentify({
    authenticator,
    hosts: [...parts.hosts, ...(address.host === undefined ? [] : [address.host])].map((host) =>
      host.toLowerCase(),
    ),
    report,
  });
  const uploads = new UploadSessions();
  const app = createApp({
    report,
    registry: createRegistry({
      identify,
      store,
      gate,
      uploads,
      homes: new BlobHomes(),
      report,
      freeBytes: parts.freeBytes,
      onChange: parts.onChange,
    }),
    api: createApi({ ...parts, names: toNames(parts), identify }, apiRoutes),
    files: createFiles({ desk: parts.filesets, gate, identify, report }),
    probes: createProbes({ metrics, report, isDraining: () => app.draining, reasons: parts.reasons }),
    observe: ({ req, surface }, status, milliseconds) =>
      metrics.observeRequest(surface, req.method ?? '', status, milliseconds / 1000),
  });
  let listener: Listener;
  try {
    listener = await listen({ address, handler: app.handler, tls: certificate?.pair });
  } catch (error) {
    await uploads[Symbol.asyncDispose]();
    throw error;
  }
  const unwatch = watchCertificate(certificate, listener);
  return {
    url: listener.url,
    app,
    stop: async (grace) => {
      app.drain();
      unwatch();
      if (!(await app.settled(grace))) {
        report.log('warn', 'requests were still under way when the grace period ended');
      }
      await listener.close();
      await uploads[Symbol.asyncDispose]();
    },
  };
}

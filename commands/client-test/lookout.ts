import { silentReport } from '../../src/base/report.ts';
import { readerName } from '../../src/client/model.ts';
import type { RegistryBase } from '../../src/client/node-mirrors.ts';
import { blobsOf, parseManifest } from '../../src/oci/manifest.ts';
import { parseReachedReference } from '../../src/oci/reference.ts';
import type { RemoteRepository } from '../../src/remote/model.ts';
import { createRegistry } from '../../src/remote/registry/registry.ts';
import { isNowhere } from '../../src/remote/transport/failure.ts';
import { dropBody } from '../../src/remote/transport/read-body.ts';
import { createTransport } from '../../src/remote/transport/transport.ts';
import { isSvcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { type Rule, rule } from '../../src/text/rule.ts';
import { textParam } from '../../src/text/text-param.ts';

/** Most manifests below an index that are looked at. */
const mostChildren = 20;

/**
 * Follows the answers of the addresses that the operator gave before a client does. Clients ask hosts on loopback beside
 * the gate, so a redirect to this machine would not be seen there. A peer that redirects the client alone is not found
 * out. A peer that gives it other content is, by the digest of the received content.
 */
export interface Lookout extends AsyncDisposable {
  /**
   * Asks an address that the operator gave whether something answers there.
   *
   * @param asRegistry whether it must be a registry
   * @returns why it is of no use to a client; undefined: it answers
   */
  reach(place: RegistryBase, asRegistry: boolean): Promise<Rule | undefined>;
  /** @returns the host that the answer leads to and that the operator did not give; undefined: it leads nowhere else */
  followUrl(url: string): Promise<string | undefined>;
  /**
   * Follows the requests of a client that pulls an artifact: tokens, manifests, and the blobs of images where they are pulled too.
   *
   * @param reference `<host>/<path>:<tag>` in the registry
   * @returns as {@link followUrl}
   */
  followPull(reference: string, digest: string, withBlobs: boolean): Promise<string | undefined>;
}

interface LookoutOptions {
  /** The only hosts that are asked. */
  readonly places: readonly RegistryBase[];
  readonly token: string | undefined;
  /** PEM texts: those of the system, and those of the settings. */
  readonly roots: readonly string[];
  readonly ca: readonly string[];
  readonly signal: AbortSignal;
}

/** Answers of a registry to its base path, by whether it knows the client. */
const registryAnswers: ReadonlySet<number> = new Set([200, 401, 403]);

const thisMachine = ['localhost', '127.0.0.1', '[::1]'];

/** The names under which clients reach a place: this machine has several. */
function toNames(host: string): readonly string[] {
  const { hostname, port } = new URL(`http://${host}`);
  const end = port === '' ? '' : `:${port}`;
  return thisMachine.includes(hostname) ? thisMachine.map((name) => name + end) : [host];
}

export function openLookout({ places, token, roots, ca, signal }: LookoutOptions): Lookout {
  const hosts = places.flatMap(({ scheme, host }) => toNames(host).map((name) => ({ scheme, name })));
  const transport = createTransport({
    allowlist: hosts.map(({ name }) => name),
    insecure: hosts.flatMap(({ scheme, name }) => (scheme === 'http' ? [name] : [])),
    tls: { roots, ca },
    report: silentReport,
    stallTimeout: 30_000,
  });
  const credential =
    token === undefined ? undefined : ({ kind: 'basic', username: readerName, password: token } as const);
  const credentials = { lookup: () => credential };
  const registry = createRegistry({ transport, credentials, retries: 0, report: silentReport });
  const authorization =
    token === undefined ? undefined : `Basic ${Buffer.from(`${readerName}:${token}`).toString('base64')}`;

  /** The address that the policy refused during work. Work that fails for another reason fails for the client too. */
  const follow = async (work: () => Promise<void>): Promise<string | undefined> => {
    try {
      await work();
    } catch (error) {
      signal.throwIfAborted();
      if (isSvcError(error, 'SVC-POL-001')) return String(error.params.host);
      // such as more redirects than are followed here
      if (isSvcError(error, 'SVC-REG-007') && /redirect/.test(String(error.params.detail)))
        return 'another host';
    }
    return undefined;
  };

  return {
    reach: async ({ scheme, host }, asRegistry) => {
      try {
        const url = new URL(`${scheme}://${host}/v2/`);
        const response = await transport.request({ method: 'GET', url, headers: {}, signal });
        dropBody(response);
        return asRegistry && !registryAnswers.has(response.status)
          ? rule(
              [
                'the address of --registry is no registry: status {status}',
                fr`l’adresse de --registry n’est pas celle d’un registre : réponse {status}`,
              ],
              { status: response.status },
            )
          : undefined;
      } catch (error) {
        signal.throwIfAborted();
        // the client may trust other authorities or speak other versions of TLS, and its redirects are judged when it follows them
        if (!isSvcError(error, 'SVC-REG-002') || !isNowhere(error)) return undefined;
        return rule(
          [
            'the address of --registry does not answer: {detail}',
            fr`l’adresse de --registry ne répond pas : {detail}`,
          ],
          { detail: textParam(error, 'detail') ?? error.code },
        );
      }
    },
    followUrl: (url) =>
      follow(async () => {
        const headers: Readonly<Record<string, string>> =
          authorization === undefined ? {} : { authorization };
        dropBody(await transport.request({ method: 'GET', url: new URL(url), headers, signal }));
      }),
    followPull: (reference, digest, withBlobs) =>
      follow(async () => {
        const repository = registry.repository(parseReachedReference(reference), { substitute: false });
        await readPull(repository, digest, withBlobs, signal);
      }),
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}

async function readPull(
  repository: RemoteRepository,
  digest: string,
  withBlobs: boolean,
  signal: AbortSignal,
): Promise<void> {
  // each once: an index may name one child any number of times. Iteration includes entries added meanwhile
  const todo = new Set([digest]);
  let count = 0;
  for (const next of todo) {
    if (count > mostChildren) return;
    count += 1;
    const found = await repository.fetchManifest(next, { signal });
    if (found === undefined) continue;
    const manifest = parseManifest(found.bytes, found.descriptor.mediaType);
    if (manifest.kind === 'index') for (const child of manifest.manifests) todo.add(child.digest);
    else if (withBlobs)
      for (const blob of blobsOf(manifest)) (await repository.fetchBlob(blob, { signal })).destroy();
  }
}

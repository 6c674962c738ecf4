import { hashBytes } from '../../base/digest.ts';
import { readBounded } from '../../disk/named-file.ts';
import { canonicalHost, formatReference, parseReference } from '../../oci/reference.ts';
import type { Retriever } from '../../recipe/model.ts';
import { readRetrieverDocument } from '../../recipe/read-document.ts';
import { fetchDocument } from '../../remote/fetch-document.ts';
import type { RemoteReading, RemoteRegistry } from '../../remote/model.ts';
import { isSvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { readBlob } from '../copy/read-blob.ts';
import { readManifest } from '../copy/read-manifest.ts';

/** Source of the document: a configured source, or bytes sent by a client. */
export type RetrieverSource = string | { readonly document: Buffer; readonly name: string };

const limit = 4_194_304;

/** The source for display, without the query of a URL, which may contain a secret. */
export function toShownSource(source: RetrieverSource): string {
  if (typeof source !== 'string') return source.name;
  const url = source.startsWith('https://') && URL.canParse(source) ? new URL(source) : undefined;
  return url === undefined ? source : `${url.origin}${url.pathname}`;
}

/** The host that serves a Retriever; undefined for a file or a given document. */
export function sourceHost(
  source: RetrieverSource,
  registry: Pick<RemoteRegistry, 'effective'>,
): { readonly host: string; readonly nominal: string } | undefined {
  if (typeof source !== 'string') return undefined;
  if (source.startsWith('oci://')) {
    const nominal = canonicalHost(source.slice('oci://'.length).split('/')[0]!);
    return { host: registry.effective({ host: nominal, repository: 'x' }).host, nominal };
  }
  if (!source.startsWith('https://') || !URL.canParse(source)) return undefined;
  const { host } = new URL(source);
  return { host, nominal: host };
}

async function readLocal(path: string): Promise<Buffer> {
  try {
    return await readBounded(path, limit);
  } catch (error) {
    if (isSvcError(error) && error.params.absent !== undefined)
      throw svcError('SVC-REG-005', { reference: path, file: path }, { cause: error });
    throw error;
  }
}

async function readArtifact(source: string, options: RemoteReading): Promise<Buffer> {
  const reference = parseReference(source.slice('oci://'.length));
  const name = formatReference(reference);
  const wanted = reference.digest ?? reference.tag;
  if (wanted === undefined)
    throw svcError('SVC-REG-001', {
      reference: source,
      rule: rule(['must name a tag or a digest', fr`doit nommer une étiquette ou une empreinte`]),
    });
  const repository = options.registry.repository(reference);
  const call = options.signal ? { signal: options.signal } : {};
  const found = await repository.fetchManifest(wanted, call);
  if (!found) throw repository.toNotFound(wanted);
  const { manifest } = await readManifest(repository, found, name, call);
  const refuse = (actual: Rule) =>
    svcError('SVC-SIG-003', {
      expected: rule(
        [
          'an image manifest with one layer of at most {limit} bytes',
          fr`un manifeste d’image à une couche d’au plus {limit} octets`,
        ],
        { limit },
      ),
      actual,
      reference: name,
    });
  if (manifest.kind === 'index') throw refuse(rule(['an index', fr`un index`]));
  const [layer] = manifest.layers;
  if (layer === undefined || manifest.layers.length !== 1)
    throw refuse(rule(['{count} layers', fr`{count} couches`], { count: manifest.layers.length }));
  if (layer.size > limit)
    throw refuse(rule(['a layer of {size} bytes', fr`une couche de {size} octets`], { size: layer.size }));
  return readBlob(repository, layer, name, call);
}

/**
 * Reads and parses the Retriever. It is not signed, so its digest is logged each time.
 *
 * @param source an absolute path, an https URL, `oci://<registry>/<repository>:<tag>`, or the document
 * @throws SVC-REG-001, SVC-REG-005, SVC-FIL-005, SVC-STO-001 when it cannot be read; SVC-VAL-001,
 *   SVC-VAL-002, SVC-SIG-003 when it is invalid; errors of the transport
 */
export async function readRetriever(source: RetrieverSource, options: RemoteReading): Promise<Retriever> {
  const { report, signal } = options;
  const name = toShownSource(source);
  let bytes: Buffer;
  if (typeof source !== 'string') {
    bytes = source.document;
    if (bytes.length > limit) throw svcError('SVC-VAL-002', { limit, file: name });
  } else {
    if (source.startsWith('oci://')) bytes = await readArtifact(source, options);
    else if (/^[a-z][a-z0-9+.-]*:\/\//i.test(source))
      bytes = await fetchDocument(options.transport, {
        url: source,
        limit,
        purpose: 'Retriever',
        signal,
        credentials: options.credentials,
        retries: options.retries,
      });
    else bytes = await readLocal(source);
  }
  const retriever = await readRetrieverDocument(bytes, name, { signal });
  report.log('info', 'Retriever read', {
    source: name,
    digest: hashBytes(bytes),
    retriever: retriever.metadata.name,
    recipes: retriever.recipes.length,
  });
  return retriever;
}

import { pipeline } from 'node:stream/promises';
import { verified } from '../../base/stream/verified.ts';
import { selectChartLayer, toChartTag } from '../../chart/chart-artifact.ts';
import type { ChartReference } from '../../chart/chart-reference.ts';
import { chartLimits } from '../../chart/read-archive.ts';
import { type FoundChart, findChart, streamChart } from '../../engine/import/chart-repository.ts';
import { readRoot } from '../../engine/import/read-root.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { canonicalHost, formatReference, parseReference, type Reference } from '../../oci/reference.ts';
import { isConstraint } from '../../recipe/constraint.ts';
import type { RemoteReading, RemoteRepository } from '../../remote/model.ts';
import { svcError } from '../../text/error.ts';
import { selectOneTag } from '../draft/select-tags.ts';

const toCall = ({ signal }: RemoteReading): CallOptions => ({ signal });

/** Fetches the archive of a chart of a classic repository. @throws errors of the repository */
export async function fetchClassicChart(
  reference: ChartReference,
  access: RemoteReading,
): Promise<{ readonly archive: Buffer; readonly found: FoundChart }> {
  const { transport, credentials, retries, report, signal } = access;
  const at = { transport, credentials, retries, report, signal };
  const found = await findChart(reference, at);
  const { archive } = await streamChart(found, at, async (bytes) => {
    const chunks: Buffer[] = [];
    for await (const chunk of bytes) chunks.push(chunk);
    return { archive: Buffer.concat(chunks) };
  });
  return { archive, found };
}

/**
 * Fetches the archive of a chart of a registry.
 *
 * @param place `oci://<host>/<path>[:<version or constraint>]`; without a version, the highest release
 * @throws SVC-REG-001, SVC-REG-005, SVC-REG-006, SVC-SIG-003 when it is no chart, errors of the registry
 */
export async function fetchOciChart(
  place: string,
  access: RemoteReading,
): Promise<{ readonly archive: Buffer; readonly reference: Reference }> {
  const { reference, wanted } = splitVersion(place.slice('oci://'.length));
  const call = toCall(access);
  const remote = access.registry.repository(reference);
  const tag =
    reference.digest === undefined && (wanted === undefined || isConstraint(wanted))
      ? selectOneTag(await remote.listTags(call), wanted ?? '*', formatReference(reference))
      : wanted;
  const tagged: Reference = { ...reference, ...(tag === undefined ? {} : { tag }) };
  const shown = formatReference(tagged);
  const { manifest, content } = await readRoot(remote, tagged, call);
  const layer = selectChartLayer(content.descriptor, manifest, shown);
  return { archive: await readChartLayer(remote, layer, shown, call), reference: tagged };
}

function splitVersion(text: string): { readonly reference: Reference; readonly wanted: string | undefined } {
  const at = text.indexOf('@');
  const named = at < 0 ? text : text.slice(0, at);
  const colon = named.lastIndexOf(':');
  const hasVersion = colon > named.lastIndexOf('/');
  const wanted = hasVersion ? toChartTag(named.slice(colon + 1)) : undefined;
  const bare = `${hasVersion ? named.slice(0, colon) : named}${at < 0 ? '' : text.slice(at)}`;
  const reference = parseReference(bare.replace(/\/+$/, ''));
  return { reference: { ...reference, host: canonicalHost(reference.host) }, wanted };
}

/**
 * Reads the archive of a chart of a registry.
 *
 * @param layer of the manifest of the chart
 * @param reference names the chart in errors
 * @param limit bytes of the archive
 * @throws SVC-SIG-002, SVC-VAL-002, errors of the registry
 */
export async function readChartLayer(
  remote: RemoteRepository,
  layer: Descriptor,
  reference: string,
  call: CallOptions,
  limit: number = chartLimits.unpackedBytes,
): Promise<Buffer> {
  if (layer.size > limit) throw svcError('SVC-VAL-002', { limit, file: reference });
  const chunks: Buffer[] = [];
  const { digest, size } = layer;
  await pipeline(
    await remote.fetchBlob(layer, call),
    verified({ digest, size, reference }),
    async (bytes: AsyncIterable<Buffer>) => {
      for await (const chunk of bytes) chunks.push(Buffer.from(chunk));
    },
  );
  return Buffer.concat(chunks);
}

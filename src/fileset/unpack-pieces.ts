import { TarError } from '../disk/tar/error.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { fr } from '../text/language.ts';
import { RuleError, rule } from '../text/rule.ts';
import { type Compression, inflate } from './inflate.ts';
import { filesetLimits } from './limits.ts';

/** Returns the maximum number of bytes that a compressed layer may unpack to. */
export function unpackedLimit({ size }: Pick<Descriptor, 'size'>): number {
  const { ratio, ratioFloor, unpackedBytes } = filesetLimits;
  return Math.min(unpackedBytes, Math.max(ratioFloor, size * ratio));
}

/**
 * Unpacks a layer in pieces, within its limit.
 *
 * @param layer its size limits the unpacked bytes
 * @throws TarError for invalid or too many bytes; the errors of the source unchanged
 */
export async function* unpackPieces(
  source: AsyncIterable<Buffer>,
  compression: Compression,
  layer: Pick<Descriptor, 'size'>,
): AsyncGenerator<Buffer> {
  const { frameBytes, framesFloor } = filesetLimits;
  const most = unpackedLimit(layer);
  let unpacked = 0;
  let failure: unknown;
  const watched = (async function* () {
    try {
      yield* source;
    } catch (error) {
      failure = error;
      throw error;
    }
  })();
  const pieces = inflate(watched, compression, Math.max(framesFloor, Math.floor(layer.size / frameBytes)));
  try {
    for (;;) {
      const { done, value } = await pieces.next().catch((error: unknown) => {
        if (failure !== undefined) throw failure;
        throw new TarError(
          rule(
            [
              'it is not a whole {compression} stream: {why}',
              fr`ce n’est pas un flux {compression} complet : {why}`,
            ],
            { compression, why: error instanceof RuleError ? error.rule : (error as Error).message },
          ),
        );
      });
      if (done) return;
      unpacked += value.length;
      if (unpacked > most)
        throw new TarError(
          rule(['the layer grows beyond {most} bytes', fr`la couche dépasse {most} octets`], { most }),
        );
      yield value;
    }
  } finally {
    await pieces.return(undefined);
  }
}

import { once } from 'node:events';
import type { Transform } from 'node:stream';
import { constants, createGunzip, createZstdDecompress } from 'node:zlib';
import { fr } from '../text/language.ts';
import { RuleError, rule } from '../text/rule.ts';
import { filesetLimits } from './limits.ts';

export type Compression = 'gzip' | 'zstd';

/** Bytes of one uncompressed piece, of large frames and of the smallest. Each frame takes memory for one. */
const pieceBytes = { most: 1 << 18, least: 1 << 12 };

type Engine = Transform & { readonly bytesWritten: number };

function createEngine(compression: Compression, chunkSize: number): Engine {
  if (compression === 'gzip') return createGunzip({ chunkSize });
  return createZstdDecompress({
    chunkSize,
    params: { [constants.ZSTD_d_windowLogMax]: filesetLimits.zstdWindowLog },
  });
}

/**
 * Decompresses a stream. A zstd stream can have many frames (RFC 8878, section 3); the engine of the runtime reads one
 * frame at a time.
 *
 * @param source its chunks are not changed and must not be reused
 * @param frames the most that the stream may have: each costs as much as some KiB of content
 * @throws the error of the engine for invalid or truncated bytes; RuleError for too many frames
 */
export async function* inflate(
  source: AsyncIterable<Buffer>,
  compression: Compression,
  frames: number,
): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  let chunk = await nextChunk(chunks);
  let unpacked: number = pieceBytes.most;
  try {
    for (let count = 1; chunk !== undefined; count += 1) {
      if (count > frames)
        throw new RuleError(rule(['more than {frames} frames', fr`plus de {frames} trames`], { frames }));
      // frames are mostly as large as the one before
      const engine = createEngine(
        compression,
        Math.max(pieceBytes.least, Math.min(unpacked, pieceBytes.most)),
      );
      unpacked = 0;
      const feeding = feed(engine, chunk, chunks);
      try {
        for await (const piece of engine as AsyncIterable<Buffer>) {
          unpacked += piece.length;
          yield piece;
        }
        chunk = await feeding;
      } finally {
        engine.destroy();
        // a consumer that stops also stops the feeding
        await feeding.catch(() => undefined);
      }
    }
  } finally {
    await chunks.return?.();
  }
}

async function nextChunk(chunks: AsyncIterator<Buffer>): Promise<Buffer | undefined> {
  for (;;) {
    const { done, value } = await chunks.next();
    if (done) return undefined;
    if (value.length > 0) return value;
  }
}

/** @returns the bytes of the last chunk after the end of the frame */
async function feed(
  engine: Engine,
  first: Buffer,
  chunks: AsyncIterator<Buffer>,
): Promise<Buffer | undefined> {
  const ended = once(engine, 'close');
  ended.catch(() => undefined);
  let given = 0;
  for (let chunk: Buffer | undefined = first; chunk !== undefined; chunk = await nextChunk(chunks)) {
    given += chunk.length;
    const taken = new Promise<void>((resolve) => engine.write(chunk, () => resolve()));
    await Promise.race([taken, ended]);
    if (engine.destroyed) return undefined;
    const left = given - engine.bytesWritten;
    if (left > 0) return chunk.subarray(chunk.length - left);
  }
  engine.end();
  return undefined;
}

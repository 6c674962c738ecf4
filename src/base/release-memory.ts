import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Releases the memory of received bytes at once. Otherwise the chunks of a large stream wait for the garbage collector.
 * It walks the whole heap repeatedly, because few objects hold much memory: a third of the time of an upload. The
 * buffer is empty afterwards; a buffer that shares its memory with others is left alone.
 */
export function releaseMemory(bytes: Buffer): void {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength && bytes.byteLength > 0) {
    buffer.transfer(0);
  }
}

/** Treatment of a used chunk: `false`: none; `true`: release its memory; a function: call it. */
export type Disposal = boolean | (() => void);

/** Disposes of a used chunk: releases its memory, or calls the function. */
export function disposeOf(chunk: Buffer, disposal: Disposal): void {
  if (typeof disposal === 'function') disposal();
  else if (disposal) releaseMemory(chunk);
}

let collect: (() => void) | undefined;

/** Collects the garbage of this thread now. The runtime would first let its heap grow: call it between two large tasks. */
export function collectNow(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}

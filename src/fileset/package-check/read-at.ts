/** Reads bytes of a file; fewer only at its end. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>;

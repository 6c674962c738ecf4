/** Counts the bytes of a chunked body (RFC 9112, section 7.1) and keeps none. */
export class ChunkedBody {
  /** Bytes of the body so far. */
  length = 0;
  /** Bytes that are left of the present chunk. */
  #left = 0;
  /** The line that is being received: the size of a chunk, the end of one, or a trailer. */
  #line = '';
  #isLast = false;

  /**
   * Takes the next received bytes.
   *
   * @param onBody sees the body
   * @returns whether the body has ended
   */
  take(received: Buffer, onBody?: (part: Buffer) => void): boolean {
    let rest = received;
    while (rest.length > 0) {
      if (this.#left > 0) {
        const part = rest.subarray(0, this.#left);
        onBody?.(part);
        this.#left -= part.length;
        this.length += part.length;
        rest = rest.subarray(part.length);
        continue;
      }
      const at = rest.indexOf(0x0a);
      this.#line += rest.toString('latin1', 0, at < 0 ? rest.length : at);
      if (at < 0) return false;
      rest = rest.subarray(at + 1);
      const line = this.#line.trim();
      this.#line = '';
      if (line === '' && this.#isLast) return true;
      // the empty line after a chunk
      if (line === '' || this.#isLast) continue;
      this.#left = Number.parseInt(line, 16);
      this.#isLast = this.#left === 0;
    }
    return false;
  }
}

import { promisify } from 'node:util';
import { constants, crc32, deflateRaw as deflateRawCallback, type ZlibOptions } from 'node:zlib';
import { Once } from '../../src/base/once.ts';
import type { Conceal } from '../conceal.ts';
import { html, renderHtml } from './html.ts';
import { toSection } from './parts/shell.ts';
import type { Page, PageCall } from './ui-route.ts';

const deflateRaw = promisify(deflateRawCallback);
/** RFC 1952, section 2.3: deflate, no name, no time, system not known. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** The sections of a page that never changes, ready to be sent. */
export interface FixedBody {
  readonly plain: Buffer;
  /** Whole blocks of a deflate stream, which refer to nothing before them (RFC 1951, section 3.2). */
  readonly deflated: Buffer;
}

/** Conceals nothing: the reader is an administrator. */
const nothing: Conceal = (text) => text;

/** The sections of fixed pages, as long as the page itself is kept, for each kind of reader. */
export class FixedBodies {
  readonly #made = new WeakMap<Page, Once<Conceal, FixedBody>>();

  of(call: PageCall, page: Page, conceal: Conceal = nothing): Promise<FixedBody> {
    const made = this.#made.get(page) ?? new Once<Conceal, FixedBody>();
    this.#made.set(page, made);
    return made.run(conceal, async () => {
      const markup = html`${page.sections.map((section) => toSection(call, section, ''))}`;
      const plain = Buffer.from(renderHtml(markup, conceal));
      return { plain, deflated: await deflateRaw(plain, { finishFlush: constants.Z_FULL_FLUSH }) };
    });
  }
}

/** A fixed body, and the parts of the page before and after it. */
interface Around {
  readonly head: Buffer;
  readonly body: FixedBody;
  readonly tail: Buffer;
}

/** Gzips a page around a body that is already compressed. */
export async function gzipAround({ head, body, tail }: Around, options: ZlibOptions): Promise<Buffer> {
  const [first, last] = await Promise.all([
    deflateRaw(head, { ...options, finishFlush: constants.Z_FULL_FLUSH }),
    deflateRaw(tail, options),
  ]);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(tail, crc32(body.plain, crc32(head))), 0);
  trailer.writeUInt32LE(head.length + body.plain.length + tail.length, 4);
  return Buffer.concat([gzipHeader, first, body.deflated, last, trailer]);
}

import { type Readable, Transform } from 'node:stream';
import { svcError } from '../base/error.ts';
import type { Descriptor } from '../oci/descriptor.ts';

/**
 * The same bytes, counted on their way; more than were announced end the stream. Whether they are the right ones is the
 * duty of whoever takes them. Destroying what is returned ends the source too.
 *
 * @param reference names the content's root in errors
 * @throws SVC-SIG-002 on the stream
 */
export function counted(
  from: Readable,
  blob: Descriptor,
  reference: string,
  onBytes: (count: number) => void,
): Readable {
  let seen = 0;
  const through = new Transform({
    highWaterMark: 1 << 20,
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      if (seen > blob.size) {
        const actual = `more than ${blob.size} bytes`;
        done(svcError('SVC-SIG-002', { reference, expected: blob.digest, actual }));
        return;
      }
      onBytes(chunk.length);
      done(null, chunk);
    },
  });
  // the source may fail before anybody reads: whoever reads then is told, and an unheard event would end the process
  through.on('error', () => {});
  from.once('error', (error) => through.destroy(error));
  through.once('close', () => from.destroy());
  return from.pipe(through);
}

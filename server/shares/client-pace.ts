import type { IncomingMessage, ServerResponse } from 'node:http';
import { isBodyAwaited } from '../body.ts';

/** Milliseconds between two measurements. */
const interval = 1000;
/** A client below this pace is slow, in bytes per second. */
const slow = 16_384;
/** Number of measurements that the pace is the mean of. A pause of a few seconds does not make a fast client slow. */
const kept = 5;

interface UnderWay {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** Bytes moved at the last measurement; undefined before the first one. */
  moved: number | undefined;
  /** Bytes moved between the last measurements at which the client was waited for, the latest last. */
  readonly paces: number[];
}

/** Bytes received on a connection, plus bytes passed to the kernel for sending. */
function toMoved({ socket }: IncomingMessage): number {
  return socket.bytesRead + socket.bytesWritten - socket.writableLength;
}

/** Whether a request waits for its client, which must send more of the body or read the answer. */
function waitsForClient({ req, res }: UnderWay): boolean {
  const { socket } = req;
  if (socket.writableLength > 0) return true;
  const isRead = req.readableLength === 0 && !req.isPaused() && !socket.isPaused();
  return !req.complete && !res.writableEnded && isRead && isBodyAwaited(req);
}

/** Bytes per second; undefined until the client was once measured. */
function toPace({ paces }: UnderWay): number | undefined {
  if (paces.length === 0) return undefined;
  return (paces.reduce((sum, bytes) => sum + bytes) * 1000) / (paces.length * interval);
}

/** Measures how fast clients send the bodies of their requests and read the answers. */
export class ClientPace implements Disposable {
  readonly #underWay = new Map<IncomingMessage, UnderWay>();
  readonly #timer: NodeJS.Timeout;

  /** @param onMeasured called after each measurement, once a second */
  constructor(onMeasured: () => void) {
    this.#timer = setInterval(() => {
      this.#measure();
      onMeasured();
    }, interval);
    this.#timer.unref();
  }

  /** Measures a request until {@link delete}. Nothing is asked of the connection yet: most requests end before that. */
  add(req: IncomingMessage, res: ServerResponse): void {
    this.#underWay.set(req, { req, res, moved: undefined, paces: [] });
  }

  delete(req: IncomingMessage): void {
    this.#underWay.delete(req);
  }

  /**
   * The requests of the slowest client of each group that the server waits for. A group without a slow client is absent.
   *
   * @param toGroup undefined: the request is passed over
   */
  slowest(toGroup: (req: IncomingMessage) => unknown): ReadonlyMap<unknown, IncomingMessage> {
    const least = new Map<unknown, number>();
    const found = new Map<unknown, IncomingMessage>();
    for (const request of this.#underWay.values()) {
      if (request.req.socket.destroyed || !waitsForClient(request)) continue;
      const pace = toPace(request) ?? slow;
      const group = toGroup(request.req);
      if (group === undefined || pace >= (least.get(group) ?? slow)) continue;
      least.set(group, pace);
      found.set(group, request.req);
    }
    return found;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #measure(): void {
    for (const request of this.#underWay.values()) {
      const moved = toMoved(request.req);
      if (request.moved !== undefined && waitsForClient(request)) request.paces.push(moved - request.moved);
      if (request.paces.length > kept) request.paces.shift();
      request.moved = moved;
    }
  }
}

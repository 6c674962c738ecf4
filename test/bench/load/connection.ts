import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { ChunkedBody } from './chunked-body.ts';

export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Bytes of the body, which are counted and dropped. */
  readonly length: number;
}

const end = Buffer.from('\r\n\r\n');
const receiveBytes = 1 << 20;

/**
 * One HTTP/1.1 connection that does as little as possible: answers are read into one reused buffer, headers are looked
 * at once and bodies are counted. One request at a time.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #host: string;
  readonly #authorization: string;
  #head: Buffer | undefined;
  #answer: { status: number; headers: Map<string, string> } | undefined;
  #length = 0;
  #left = 0;
  /** Of an answer without a length. */
  #chunks: ChunkedBody | undefined;
  #onBody: ((chunk: Buffer) => void) | undefined;
  #settle: { resolve(answer: Answer): void; reject(error: Error): void } | undefined;

  private constructor(socket: Socket, host: string, authorization: string | undefined) {
    this.#socket = socket;
    this.#host = host;
    this.#authorization = authorization === undefined ? '' : `Authorization: ${authorization}\r\n`;
  }

  static async open(host: string, authorization?: string, tls = false): Promise<Connection> {
    const [name, port] = host.split(':');
    let connection: Connection | undefined;
    const options: NetConnectOpts = {
      host: name!,
      port: Number(port),
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafeSlow(receiveBytes),
        callback: (count, buffer) => {
          connection!.#onData((buffer as Buffer).subarray(0, count));
          return true;
        },
      },
    };
    // the certificate is that of the tests
    const socket = tls
      ? connectSecurely({ ...options, servername: name!, rejectUnauthorized: false })
      : connect(options);
    connection = new Connection(socket, host, authorization);
    const fail = (error: Error): void => {
      const settle = connection.#settle;
      connection.#settle = undefined;
      settle?.reject(error);
    };
    await new Promise<void>((resolve, reject) => {
      socket.once(tls ? 'secureConnect' : 'connect', resolve);
      socket.once('error', reject);
    });
    socket.on('error', fail);
    socket.on('close', () => fail(new Error('the connection was closed')));
    return connection;
  }

  /** The bytes of a request line with headers, for a request that is made many times. */
  toHead(method: string, path: string, headers: Readonly<Record<string, string | number>> = {}): string {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return `${method} ${path} HTTP/1.1\r\nHost: ${this.#host}\r\n${this.#authorization}${lines.join('')}\r\n`;
  }

  /** Sends the head from `toHead` and reads the answer. @param onBody sees the body, in a buffer that is used again */
  exchange(head: string, body?: Buffer, onBody?: (chunk: Buffer) => void): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#onBody = onBody;
      if (body === undefined) this.#socket.write(head, 'latin1');
      else {
        this.#socket.cork();
        this.#socket.write(head, 'latin1');
        this.#socket.write(body);
        this.#socket.uncork();
      }
    });
  }

  /** Sends a request whose body is made of blocks, as fast as the peer takes them. */
  async stream(head: string, blocks: Iterable<Buffer>): Promise<Answer> {
    const answer = this.exchange(head);
    // an answer that comes early (a refusal) ends the body
    let over = false;
    const stop = (): void => {
      over = true;
    };
    answer.then(stop, stop);
    for (const block of blocks) {
      if (over) break;
      await new Promise<void>((resolve) => this.#socket.write(block, () => resolve()));
    }
    return answer;
  }

  close(): void {
    this.#socket.destroy();
  }

  #onData(chunk: Buffer): void {
    let rest = chunk;
    if (this.#answer === undefined) {
      // The buffer is used again by the next read: kept bytes are copied.
      const all = this.#head === undefined ? rest : Buffer.concat([this.#head, rest]);
      const at = all.indexOf(end);
      if (at < 0) {
        this.#head = this.#head === undefined ? Buffer.from(all) : all;
        return;
      }
      this.#head = undefined;
      const [first = '', ...lines] = all.toString('latin1', 0, at).split('\r\n');
      const status = Number(first.slice(9, 12));
      if (status === 100) {
        this.#onData(all.subarray(at + 4));
        return;
      }
      const headers = new Map(
        lines.map((line) => {
          const colon = line.indexOf(':');
          return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
        }),
      );
      this.#answer = { status, headers };
      this.#left = status === 204 || status === 304 ? 0 : Number(headers.get('content-length') ?? Number.NaN);
      this.#length = this.#left;
      rest = all.subarray(at + 4);
      if (Number.isNaN(this.#left)) {
        if (headers.get('transfer-encoding') !== 'chunked') {
          this.#socket.destroy(new Error(`an answer without a length: ${first}`));
          return;
        }
        this.#chunks = new ChunkedBody();
      }
    }
    if (this.#chunks !== undefined) {
      const isOver = this.#chunks.take(rest, this.#onBody);
      if (!isOver) return;
      this.#length = this.#chunks.length;
      this.#chunks = undefined;
      this.#left = 0;
      rest = rest.subarray(rest.length);
    }
    if (rest.length > 0) {
      this.#onBody?.(rest);
      this.#left -= rest.length;
    }
    if (this.#left > 0) return;
    const settle = this.#settle;
    const { status, headers } = this.#answer;
    const answer: Answer = { status, headers, length: this.#length };
    this.#answer = undefined;
    this.#settle = undefined;
    settle?.resolve(answer);
  }
}

/** The answer, if it has one of these statuses. */
export function expectStatus(answer: Answer, what: string, ...statuses: readonly number[]): Answer {
  if (!statuses.includes(answer.status)) throw new Error(`${what}: status ${answer.status}`);
  return answer;
}

import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { trackChild } from './svc.ts';

/** A bucket of an engine, in the form for the configuration of a registry. */
export interface S3Bucket {
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

/**
 * An object storage that speaks S3: versitygw over a folder, a real process, behind a relay that makes it slow or full. The
 * engine can be killed and started again; its content stays.
 */
export interface S3Engine extends AsyncDisposable {
  readonly bucket: S3Bucket;
  /** Requests that write, with any outcome. */
  readonly writes: number;
  /** Called with the number of each write before it is sent on: for events half-way. */
  onWrite: ((count: number) => unknown) | undefined;
  /** From this write on, counted from now, every write is answered with 507 Insufficient Storage; undefined: none. */
  fillAfter(writes: number | undefined): void;
  /** Milliseconds that each request waits from now on before it is sent on. */
  slowBy(milliseconds: number): void;
  /** Kills the process: its unfinished writes are lost. */
  kill(): Promise<void>;
  /** Starts the process again over the same folder. */
  start(): Promise<void>;
}

const account = { accessKey: 'peer', secretKey: 'a peer of the tests' } as const;
const bucket = 'registry';
const writing = new Set(['PUT', 'POST']);
const full = `<?xml version="1.0" encoding="UTF-8"?>
<Error><Code>InsufficientStorage</Code><Message>The storage is full.</Message></Error>`;

/** @param options `program`: path of `versitygw`; `folder`: one of its own */
export async function startS3Engine(options: {
  readonly program: string;
  readonly folder: string;
}): Promise<S3Engine> {
  const { program, folder } = options;
  const socketPath = join(folder, 'engine.sock');
  const storage = join(folder, 'storage');
  await mkdir(join(storage, bucket), { recursive: true });
  let engine: { readonly kill: () => Promise<void> } | undefined;
  const agent = new Agent({ keepAlive: true });
  let writes = 0;
  let fullFrom = Number.POSITIVE_INFINITY;
  let wait = 0;

  const start = async (): Promise<void> => {
    const { accessKey, secretKey } = account;
    const child = trackChild(
      spawn(
        program,
        // it would close each connection after its answer, which may then be lost
        [
          '--quiet',
          '--keep-alive',
          ...['--access', accessKey, '--secret', secretKey],
          '--port',
          socketPath,
          'posix',
          storage,
        ],
        { env: { PATH: process.env.PATH ?? '', HOME: folder }, stdio: ['ignore', 'ignore', 'pipe'] },
      ),
    );
    let said = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const exited = new Promise<void>((resolve) => child.on('close', () => resolve()));
    engine = {
      kill: async () => {
        child.kill('SIGKILL');
        await exited;
      },
    };
    while (!(await listens(socketPath))) {
      if (child.exitCode !== null || child.pid === undefined)
        throw new Error(`${program} did not start: ${said}`);
      await delay(10);
    }
  };

  const relay = createServer(async (asked, answer) => {
    const isWrite = writing.has(asked.method!);
    if (isWrite) {
      writes += 1;
      self.onWrite?.(writes);
    }
    if (wait > 0) await delay(wait);
    if (isWrite && writes >= fullFrom) {
      answer.writeHead(507, { 'content-type': 'application/xml', 'content-length': Buffer.byteLength(full) });
      asked.resume();
      answer.end(full);
      return;
    }
    forward(asked, answer, { agent, socketPath });
  });
  // the registry keeps its connections: none is closed under a request that it is about to send
  relay.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const { port } = relay.address() as AddressInfo;

  const self: S3Engine = {
    bucket: { endpoint: `http://127.0.0.1:${port}`, bucket, ...account },
    get writes() {
      return writes;
    },
    onWrite: undefined,
    fillAfter: (count) => {
      fullFrom = count === undefined ? Number.POSITIVE_INFINITY : writes + count;
    },
    slowBy: (milliseconds) => {
      wait = milliseconds;
    },
    kill: async () => {
      await engine?.kill();
      engine = undefined;
    },
    start,
    [Symbol.asyncDispose]: async () => {
      relay.closeAllConnections();
      await new Promise((resolve) => relay.close(resolve));
      agent.destroy();
      await engine?.kill();
    },
  };
  await start();
  return self;
}

function forward(
  asked: IncomingMessage,
  answer: ServerResponse,
  to: { readonly agent: Agent; readonly socketPath: string },
): void {
  const { method, url: path, rawHeaders: headers } = asked;
  const onward = request({ ...to, method, path, headers, setHost: false });
  const fail = (): void => {
    onward.destroy();
    answer.destroy();
  };
  // also after the whole request was sent: an engine that is killed then answers nothing
  onward.on('error', fail);
  onward.on('response', (got) => {
    answer.writeHead(got.statusCode!, got.rawHeaders);
    pipeline(got, answer).catch(fail);
  });
  pipeline(asked, onward).catch(fail);
}

function listens(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
    socket.once('connect', () => socket.end());
  });
}

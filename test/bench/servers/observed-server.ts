import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type SvcServer, startSvcServer } from './svc-server.ts';

/** Answers of one kind, by the header `x-bench` of their requests. Times in milliseconds, from the head of the request. */
export interface AnswerFigures {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  /** Processor time of the main thread between begin and end: of the request alone where nothing else is asked for. */
  readonly cpu50: number;
  readonly cpu99: number;
  /** Number of answers of each status. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** Observations of a server on itself since the last request for them. */
export interface ProbeFigures {
  /** Milliseconds that the event loop was held at most, with the processor time of other programs. */
  readonly held: number;
  /** The same as processor time of the main thread. */
  readonly heldCpu: number;
  /** Milliseconds of the longest garbage collection. */
  readonly collected: number;
  readonly memory: NodeJS.MemoryUsage;
  readonly answers: Readonly<Record<string, AnswerFigures>>;
}

export interface ObservedServer extends SvcServer {
  /** The figures since the last call, which begins them anew. */
  takeFigures(): Promise<ProbeFigures>;
}

/** A `svc serve` that is observed from inside. */
export async function startObservedServer(
  folder: string,
  options: Parameters<typeof startSvcServer>[1] = {},
): Promise<ObservedServer> {
  const path = join(folder, 'probe.socket');
  const probe = pathToFileURL(join(import.meta.dirname, 'server-probe.ts')).href;
  const env = {
    ...options.env,
    NODE_OPTIONS: `${options.env?.NODE_OPTIONS ?? ''} --disable-warning=ExperimentalWarning --import=${probe}`,
    SVC_BENCH_PROBE: path,
  };
  const server = await startSvcServer(folder, { ...options, env });
  return Object.assign(server, {
    takeFigures: async (): Promise<ProbeFigures> => {
      const socket = connect(path);
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      await once(socket, 'end');
      return JSON.parse(text);
    },
  });
}

// Loaded into a measured server before its own modules (NODE_OPTIONS=--import). It observes the answers and the event
// loop from inside, by the diagnostics channels of the runtime. A connection to its socket asks for the figures.
import { subscribe } from 'node:diagnostics_channel';
import { rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { createHistogram, PerformanceObserver } from 'node:perf_hooks';
import { env, memoryUsage, threadCpuUsage } from 'node:process';
import { isMainThread } from 'node:worker_threads';
import type { ProbeFigures } from './observed-server.ts';

/** Milliseconds between two looks at the loop. */
const tick = 1;

interface Answers {
  readonly wall: ReturnType<typeof createHistogram>;
  readonly cpu: ReturnType<typeof createHistogram>;
  readonly statuses: Map<number, number>;
}

const cpuMicroseconds = (): number => {
  const { user, system } = threadCpuUsage();
  return user + system;
};

function observe(path: string): void {
  let answers = new Map<string, Answers>();
  const open = new WeakMap<IncomingMessage, { name: string; at: number; cpu: number }>();
  let held = 0;
  let heldCpu = 0;
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage };
    const name = request.headers['x-bench'];
    if (typeof name === 'string') open.set(request, { name, at: performance.now(), cpu: cpuMicroseconds() });
  });
  subscribe('http.server.response.finish', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: { statusCode: number } };
    const began = open.get(request);
    if (began === undefined) return;
    const { name, at, cpu } = began;
    const known = answers.get(name) ?? {
      wall: createHistogram(),
      cpu: createHistogram(),
      statuses: new Map(),
    };
    answers.set(name, known);
    // a histogram takes no zero
    known.wall.record(Math.max(1, Math.round((performance.now() - at) * 1000)));
    known.cpu.record(Math.max(1, Math.round(cpuMicroseconds() - cpu)));
    known.statuses.set(response.statusCode, (known.statuses.get(response.statusCode) ?? 0) + 1);
  });
  let collected = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) collected = Math.max(collected, duration);
  }).observe({ entryTypes: ['gc'] });
  let last = { at: performance.now(), cpu: cpuMicroseconds() };
  setInterval(() => {
    const now = { at: performance.now(), cpu: cpuMicroseconds() };
    held = Math.max(held, now.at - last.at - tick);
    heldCpu = Math.max(heldCpu, (now.cpu - last.cpu) / 1000);
    last = now;
  }, tick).unref();

  const take = (): ProbeFigures => {
    const figures = {
      held,
      heldCpu,
      collected,
      memory: memoryUsage(),
      answers: Object.fromEntries(
        [...answers].map(([name, { wall, cpu, statuses }]) => [
          name,
          {
            count: wall.count,
            p50: wall.percentile(50) / 1000,
            p99: wall.percentile(99) / 1000,
            longest: wall.max / 1000,
            cpu50: cpu.percentile(50) / 1000,
            cpu99: cpu.percentile(99) / 1000,
            statuses: Object.fromEntries(statuses),
          },
        ]),
      ),
    };
    answers = new Map();
    held = 0;
    heldCpu = 0;
    collected = 0;
    return figures;
  };
  rmSync(path, { force: true });
  createServer((socket) => {
    socket.on('error', () => {});
    socket.end(JSON.stringify(take()));
  })
    .listen(path)
    .unref();
}

if (isMainThread && env.SVC_BENCH_PROBE !== undefined) observe(env.SVC_BENCH_PROBE);

import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { svcError } from '../base/error.ts';
import { findProgram } from '../program/find-program.ts';

export const renderLimits = {
  /** Milliseconds until the program is killed. */
  time: 60_000,
  /** Bytes of rendered manifests. */
  bytes: 67_108_864,
  /** Bytes of its messages that are kept. */
  messageBytes: 16_384,
} as const;

interface RenderOptions {
  /** Files of values in order, as absolute paths. */
  readonly valueFiles: readonly string[];
  /** `PATH` of the user. */
  readonly path: string;
  readonly signal?: AbortSignal | undefined;
  /** For tests: milliseconds until the program is killed. */
  readonly timeout?: number | undefined;
}

/**
 * Renders a chart with the user's `helm template`: no shell, an empty home of its own, no network where the system allows
 * to take it away, at most 60 s and 64 MiB.
 *
 * @param chart absolute path of the folder or archive
 * @param name name of the chart in errors
 * @returns the manifests
 * @throws SVC-CHT-002 when helm is not there or fails; SVC-VAL-002 beyond 64 MiB
 */
export async function renderChart(chart: string, name: string, options: RenderOptions): Promise<string> {
  const helm = findProgram('helm', { PATH: options.path });
  if (helm === undefined) throw svcError('SVC-CHT-002', { chart: name, problem: 'absent' });
  const home = await mkdtemp(join(tmpdir(), 'svc-render-'));
  try {
    const folders = ['home', 'cache', 'config', 'data', 'plugins', 'work'];
    for (const folder of folders) await mkdir(join(home, folder));
    const at = (folder: string): string => join(home, folder);
    // nothing of the caller's environment but PATH: a chart reads no variables, and helm finds no cluster
    const env = {
      PATH: options.path,
      HOME: at('home'),
      TMPDIR: at('work'),
      HELM_CACHE_HOME: at('cache'),
      HELM_CONFIG_HOME: at('config'),
      HELM_DATA_HOME: at('data'),
      HELM_PLUGINS: at('plugins'),
      KUBECONFIG: join(at('home'), 'none'),
      // for a system that keeps its network: a port that no program answers
      HTTP_PROXY: 'http://127.0.0.1:9',
      HTTPS_PROXY: 'http://127.0.0.1:9',
    };
    const values = options.valueFiles.flatMap((file) => ['--values', file]);
    const args = ['template', 'release', chart, '--include-crds', ...values];
    const unshare = findProgram('unshare', { PATH: options.path });
    const isolated = ['--user', '--map-root-user', '--net', '--'];
    const canIsolate =
      unshare !== undefined &&
      (await run(
        unshare,
        [...isolated, helm, 'version', '--short'],
        { env, cwd: at('work') },
        options,
        name,
      ).then(({ code }) => code === 0));
    const [program, all] = canIsolate ? [unshare, [...isolated, helm, ...args]] : [helm, args];
    const { code, stdout, stderr, isLate } = await run(program, all, { env, cwd: at('work') }, options, name);
    if (code === 0) return stdout.toString('utf8');
    throw svcError('SVC-CHT-002', {
      chart: name,
      ...(isLate ? { problem: 'late' } : { detail: toMessage(stderr, chart, name) || undefined }),
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** The message of helm on one line, with the name of the chart instead of a temporary path. */
function toMessage(stderr: Buffer, chart: string, name: string): string {
  const lines = stderr
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('walk.go') && !line.startsWith('WARNING'));
  return lines.join(' ').replaceAll(chart, name).slice(0, 600);
}

interface Run {
  /** undefined: ended by a signal */
  readonly code: number | undefined;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly isLate: boolean;
}

async function run(
  program: string,
  args: readonly string[],
  { env, cwd }: { readonly env: Readonly<Record<string, string>>; readonly cwd: string },
  { signal, timeout = renderLimits.time }: RenderOptions,
  name: string,
): Promise<Run> {
  signal?.throwIfAborted();
  const child = spawn(program, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const kill = (): void => {
    // the whole group: a post-renderer or plugin would otherwise stay
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // it has ended
    }
  };
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let bytes = 0;
  let messageBytes = 0;
  let isLate = false;
  let isTooLarge = false;
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, timeout);
  signal?.addEventListener('abort', kill, { once: true });
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > renderLimits.bytes) {
      isTooLarge = true;
      kill();
    } else stdout.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    if (messageBytes < renderLimits.messageBytes) stderr.push(chunk);
    messageBytes += chunk.length;
  });
  try {
    const code = await new Promise<number | undefined>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (ended) => resolve(ended ?? undefined));
    });
    signal?.throwIfAborted();
    if (isTooLarge) throw svcError('SVC-VAL-002', { limit: renderLimits.bytes, file: name });
    return { code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr), isLate };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', kill);
  }
}

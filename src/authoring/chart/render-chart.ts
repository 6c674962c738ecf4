import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../../program/find-program.ts';
import { watchMemory } from '../../program/watch-memory.ts';
import { svcError } from '../../text/error.ts';

const renderLimits = {
  /** Milliseconds until the program is killed. */
  time: 60_000,
  /** Bytes of data that the program may have, and bytes that it and its children may have in memory. */
  memory: 1_073_741_824,
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
  /** For tests: bytes of data that the program may have in memory. */
  readonly memory?: number | undefined;
}

/**
 * Renders the archive of a chart with the user's `helm template`. It has an empty home and, where possible, no network.
 * Limits: 60 s, 1 GiB of memory and 64 MiB of manifests. Where helm allows it, the values are not checked against the
 * schema of the chart: a schema may refer to any file of the machine.
 *
 * @param archive absolute path of an archive whose entries are safe. Never a folder, in which helm follows each link
 * @param name name of the chart in errors
 * @returns the manifests
 * @throws SVC-CHT-002 when helm is not there, cannot be limited, or fails; SVC-VAL-002 beyond 64 MiB
 */
export async function renderChart(archive: string, name: string, options: RenderOptions): Promise<string> {
  const { path, memory = renderLimits.memory } = options;
  const helm = findProgram('helm', { PATH: path });
  if (helm === undefined) throw svcError('SVC-CHT-002', { chart: name, problem: 'absent' });
  const home = await mkdtemp(join(tmpdir(), 'svc-render-'));
  try {
    const folders = ['home', 'cache', 'config', 'data', 'plugins', 'work'];
    for (const folder of folders) await mkdir(join(home, folder));
    const at = (folder: string): string => join(home, folder);
    // nothing of the caller's environment but PATH: a chart reads no variables, and helm finds no cluster
    const env = {
      PATH: path,
      HOME: at('home'),
      TMPDIR: at('work'),
      HELM_CACHE_HOME: at('cache'),
      HELM_CONFIG_HOME: at('config'),
      HELM_DATA_HOME: at('data'),
      HELM_PLUGINS: at('plugins'),
      // its collector works harder near the limit, which only memory in use can exceed
      GOMEMLIMIT: `${Math.floor((memory * 3) / 4)}`,
      KUBECONFIG: join(at('home'), 'none'),
      // for a system that keeps its network: a port that no program answers
      HTTP_PROXY: 'http://127.0.0.1:9',
      HTTPS_PROXY: 'http://127.0.0.1:9',
    };
    const where = { env, cwd: at('work') };
    const start = (program: readonly string[], args: readonly string[]): Promise<Run> =>
      run(shell, [...limitMemory(memory), ...program, ...args], where, { ...options, memory }, name);
    const unshare = findProgram('unshare', { PATH: path });
    const alone =
      unshare === undefined ? undefined : [unshare, '--user', '--map-root-user', '--net', '--', helm];
    const isolated = alone && (await start(alone, ['version', '--short']));
    const canIsolate = isolated?.code === 0;
    const program = canIsolate ? alone! : [helm];
    const version = canIsolate ? isolated : await start(program, ['version', '--short']);
    const values = options.valueFiles.flatMap((file) => ['--values', file]);
    const unchecked = mayLeaveOutSchema(version.stdout) ? ['--skip-schema-validation'] : [];
    const args = ['template', 'release', archive, '--include-crds', ...unchecked, ...values];
    const { code, stdout, stderr, isLate, isTooBig } = await start(program, args);
    if (code === 0) return stdout.toString('utf8');
    const problem = isLate
      ? 'late'
      : isTooBig || isOutOfMemory(stderr, code)
        ? 'memory'
        : code === 125 && stderr.includes(notLimited)
          ? 'unlimited'
          : undefined;
    throw svcError('SVC-CHT-002', {
      chart: name,
      ...(problem === undefined ? { detail: toMessage(stderr, archive, name) || undefined } : { problem }),
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** A shell of POSIX, only to set a limit: the words of the command are its parameters and are never read as a script. */
const shell = '/bin/sh';

/** Text of the shell before it ends without a command, since it cannot set the limit. */
const notLimited = 'its memory cannot be limited with ulimit -d';

/**
 * The parameters of the shell before a command that may have this much data. Data, not addresses: a Go program reserves
 * many more addresses than it uses. A command whose data cannot be limited is not run.
 *
 * @param bytes of data
 */
function limitMemory(bytes: number): readonly string[] {
  const limit = Math.ceil(bytes / 1024);
  // a limit of the user that is lower stays
  const script = [
    'had=$(ulimit -H -d)',
    `if [ "$had" = unlimited ] || ! [ "$had" -le ${limit} ] 2>/dev/null; then`,
    `ulimit -d ${limit} 2>/dev/null; [ "$(ulimit -d)" = ${limit} ] || { echo '${notLimited}' >&2; exit 125; }`,
    'fi',
    'exec "$@"',
  ].join('\n');
  return ['-c', script, 'sh'];
}

/** Whether this helm has `--skip-schema-validation`: since 3.16. */
function mayLeaveOutSchema(version: Buffer): boolean {
  const [, major = '0', minor = '0'] = /^v(\d+)\.(\d+)/.exec(version.toString('latin1')) ?? [];
  return Number(major) > 3 || (Number(major) === 3 && Number(minor) >= 16);
}

/** Whether the runtime of Go ended the program for lack of memory. A chart cannot choose this exit code. */
function isOutOfMemory(stderr: Buffer, code: number | undefined): boolean {
  return code === 2 && /^(?:fatal error|runtime): .*memory/m.test(stderr.toString('latin1'));
}

/** The message of helm on one line, with the name of the chart instead of a temporary path. */
function toMessage(stderr: Buffer, archive: string, name: string): string {
  const lines = stderr
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('walk.go') && !line.startsWith('WARNING'));
  return lines.join(' ').replaceAll(archive, name).slice(0, 600);
}

interface Run {
  /** undefined: ended by a signal */
  readonly code: number | undefined;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly isLate: boolean;
  /** Ended because it had more in memory than the limit. */
  readonly isTooBig: boolean;
}

async function run(
  program: string,
  args: readonly string[],
  { env, cwd }: { readonly env: Readonly<Record<string, string>>; readonly cwd: string },
  { signal, timeout = renderLimits.time, memory }: RenderOptions & { readonly memory: number },
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
  let isTooBig = false;
  using _watch =
    child.pid === undefined
      ? undefined
      : watchMemory(child.pid, memory, () => {
          isTooBig = true;
          kill();
        });
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
    return { code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr), isLate, isTooBig };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', kill);
  }
}

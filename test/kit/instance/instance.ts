import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { openAccounts } from '../../../src/account/accounts.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { runSvc, svcCommand, svcEnvironment, trackChild } from '../program/svc.ts';
import { listening, watchOutput } from '../program/watch-output.ts';
import { requireDocumented } from '../result/documented.ts';

/** The account that every instance has. */
export const adminName = 'admin';
export const adminPassword = 'correct horse battery staple';

export interface InstanceOptions {
  /** A folder of its own: configuration, store (unless configured elsewhere) and state go below it. */
  readonly folder: string;
  /** Merged over defaults that listen on a free loopback port. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Of `admin`; `adminPassword` unless given. */
  readonly password?: string;
  /** Files that the process may have open at once; by prlimit(1). */
  readonly openFiles?: number;
}

/** A running `svc serve`, a real process on a free port of 127.0.0.1. */
export interface Instance extends AsyncDisposable {
  readonly url: string;
  /** `127.0.0.1:<port>`, as references name it. */
  readonly host: string;
  readonly configPath: string;
  readonly process: ChildProcess;
  /** `Authorization` of the administrator. */
  readonly authorization: string;
  /** Everything it logged so far. */
  log(): string;
  api(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }>;
  createToken(role: 'viewer' | 'operator' | 'admin'): Promise<string>;
  /** SIGTERM, and the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

/** The default configuration of an instance in a folder, written to `config.yaml`. */
export async function writeConfig(
  folder: string,
  config: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const path = join(folder, 'config.yaml');
  const merged = {
    mode: 'passthrough',
    storage: { root: join(folder, 'store') },
    state: { root: join(folder, 'state') },
    server: { addr: '127.0.0.1:0' },
    sync: { interval: '0' },
    ...config,
  };
  await writeFile(path, stringify(merged));
  return path;
}

/**
 * Creates the account `admin`, unless the state has one. Neither a process nor the cost of a real hash: the commands of
 * accounts have tests of their own.
 */
async function addAdmin({ folder, config }: InstanceOptions, password: string): Promise<void> {
  const { root = join(folder, 'state') } = (config?.state ?? {}) as { readonly root?: string };
  await using accounts = openAccounts({
    stateRoot: root,
    hashing: { memoryCost: 1024, timeCost: 1, parallelism: 1 },
  });
  try {
    await accounts.create({ name: adminName, password });
  } catch (error) {
    // an account of an earlier start, or a state that the instance itself shall refuse
    if (!isSvcError(error)) throw error;
  }
}

/** Starts an instance; its first administrator `admin` is created when the state has none. */
export async function startInstance(options: InstanceOptions): Promise<Instance> {
  const configPath = await writeConfig(options.folder, options.config);
  const env = options.env ?? {};
  const password = options.password ?? adminPassword;
  const disabled = (options.config?.auth as { disabled?: boolean } | undefined)?.disabled === true;
  // with an environment of its own, a program in that environment adds the account
  if (!disabled && options.env)
    await runSvc(['user', 'add', adminName, '--config', configPath, '--password-stdin'], {
      input: `${password}\n`,
      env,
    });
  else if (!disabled) await addAdmin(options, password);
  const limit = options.openFiles;
  const limited = limit === undefined ? [] : ['prlimit', `--nofile=${limit}:${limit}`];
  const [command, ...first] = [...limited, ...svcCommand()] as [string, ...string[]];
  const child = trackChild(
    spawn(command, [...first, 'serve', '--config', configPath], {
      env: svcEnvironment(env),
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  );
  const exited = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)));
  const { found, text } = watchOutput(child, listening);
  const url = (await found)[1]!;
  const authorization = `Basic ${Buffer.from(`${adminName}:${password}`).toString('base64')}`;
  const api: Instance['api'] = async (method, path, body) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await requireDocumented(method, `/api/v1${path}`, response);
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return exited;
  };
  return {
    url,
    host: new URL(url).host,
    configPath,
    process: child,
    authorization,
    log: text,
    api,
    createToken: async (role) => {
      const { status, body } = await api('POST', '/tokens', { name: `${role}-${Date.now()}`, role });
      if (status !== 201) throw new Error(`no token: ${status} ${JSON.stringify(body)}`);
      return body.token?.secret ?? body.secret;
    },
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL');
    },
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) await end('SIGTERM');
    },
  };
}

import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { connectsTo } from './connects-to.ts';

/** Address of the proxy's own outgoing connections: other clients of a server on loopback come from 127.0.0.1. */
export const proxyAddress = '127.0.0.2';

/** A real tinyproxy on a free port of 127.0.0.1, admitting one account only. */
export interface Tinyproxy extends AsyncDisposable {
  readonly url: string;
  /** Every `host:port` that it was asked for so far, sorted. */
  targets(): Promise<readonly string[]>;
  log(): Promise<string>;
}

export interface TinyproxyOptions {
  readonly program: string;
  /** A folder of its own. */
  readonly folder: string;
  /** Letters and digits only: the configuration file has no quoting. */
  readonly username: string;
  readonly password: string;
  /** Where it listens, and from where it is asked; 127.0.0.1 by default. */
  readonly listen?: string;
  readonly allow?: string;
}

async function findFreePort(address: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export async function startTinyproxy(options: TinyproxyOptions): Promise<Tinyproxy> {
  const { folder, program, username, password, listen = '127.0.0.1', allow = listen } = options;
  await mkdir(folder, { recursive: true });
  const port = await findFreePort(listen);
  const logFile = join(folder, 'tinyproxy.log');
  const configFile = join(folder, 'tinyproxy.conf');
  const config = [
    `Port ${port}`,
    `Listen ${listen}`,
    `Bind ${proxyAddress}`,
    'Timeout 60',
    'MaxClients 100',
    `LogFile "${logFile}"`,
    'LogLevel Connect',
    `Allow ${listen}`,
    `Allow ${allow}`,
    `BasicAuth ${username} ${password}`,
  ];
  await writeFile(configFile, `${config.join('\n')}\n`);
  const child = spawn(program, ['-d', '-c', configFile], { stdio: ['ignore', 'ignore', 'pipe'] });
  let failure = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    failure += text;
  });
  const exited = new Promise<void>((resolve) => child.on('close', () => resolve()));
  child.on('error', (error) => {
    failure += error.message;
  });
  // it says nowhere that it listens: the port is asked, the process watched
  while (!(await connectsTo(port, listen))) {
    if (child.exitCode !== null || child.pid === undefined)
      throw new Error(`${program} did not start: ${failure}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const log = (): Promise<string> => readFile(logFile, 'utf8');
  return {
    url: `http://${listen}:${port}`,
    log,
    targets: async () => {
      const requests = (await log()).matchAll(
        /Request \(file descriptor \d+\): (?:CONNECT ([^\s/]+)|[A-Z]+ http:\/\/([^\s/]+)\S*) HTTP/g,
      );
      return [...new Set([...requests].map(([, tunnel, forwarded]) => (tunnel ?? forwarded)!))].sort();
    },
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exited;
    },
  };
}

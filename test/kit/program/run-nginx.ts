import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectsTo } from './connects-to.ts';
import { trackChild } from './svc.ts';

/** A real nginx with one file of sites. */
export interface RunningNginx extends AsyncDisposable {
  readonly child: ChildProcess;
  /** Its complaints. */
  complaints(): string;
}

export interface NginxSites {
  readonly program: string;
  /** A folder of its own. */
  readonly folder: string;
  /** The text of the file of sites, which is included in `http`. */
  readonly sites: string;
  /** A port of 127.0.0.1 that it listens on: it is ready when somebody answers there. */
  readonly port: number;
}

/** An example of `deploy/`. */
export const readExample = (name: string): Promise<string> =>
  readFile(join(import.meta.dirname, '..', '..', '..', 'deploy', name), 'utf8');

/** Replaces names of another machine; each must occur, so that the tested example is the documented one. */
export function fitExample(text: string, changes: readonly (readonly [string, string])[]): string {
  return changes.reduce((result, [there, here]) => {
    if (!result.includes(there)) throw new Error(`the example does not say ${there}`);
    return result.replaceAll(there, here);
  }, text);
}

/** The records of an access log in JSON. */
export async function readRecords(path: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line));
}

export async function runNginx({ program, folder, sites, port }: NginxSites): Promise<RunningNginx> {
  await mkdir(folder, { recursive: true });
  const path = (name: string): string => join(folder, name);
  await writeFile(path('site.conf'), sites);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const main = [
    'daemon off;',
    // the test reads its files, under any user
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    'worker_processes 1;',
    `pid ${path('pid')};`,
    'error_log stderr info;',
    'events { worker_connections 1024; }',
    'http {',
    ...temporary.map((name) => `${name}_temp_path ${path('temporary')}/${name};`),
    `include ${path('site.conf')};`,
    '}',
  ];
  await mkdir(path('temporary'), { recursive: true });
  await writeFile(path('nginx.conf'), `${main.join('\n')}\n`);
  const child = trackChild(
    spawn(program, ['-c', path('nginx.conf'), '-p', folder, '-e', 'stderr'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  );
  let said = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const exited = once(child, 'close');
  while (!(await connectsTo(port))) {
    if (child.exitCode !== null || child.pid === undefined) throw new Error(`nginx did not start: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  // a worker that would buffer on disk now has no place for it, and fails
  await rm(path('temporary'), { recursive: true });
  return {
    child,
    complaints: () => said,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectsTo } from './connects-to.ts';
import { takeFreePort } from './follow-page.ts';
import { trackChild } from './svc.ts';
import { tlsPair } from './tls-pair.ts';

const example = join(import.meta.dirname, '..', '..', 'deploy', 'nginx.conf');

/** A real nginx that serves the example of the project on free ports of 127.0.0.1, as localhost. */
export interface Nginx extends AsyncDisposable {
  readonly port: number;
  /** Where plain HTTP is sent on from. */
  readonly plainPort: number;
  readonly url: string;
  readonly child: ChildProcess;
  /** Records of its access log. */
  records(): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** What it complained about. */
  complaints(): string;
}

export interface NginxOptions {
  readonly program: string;
  /** A folder of its own. */
  readonly folder: string;
  /** Port of the instance. */
  readonly upstream: number;
}

/** Replaces what names another machine; each must occur, so that the example that is tested is the one that is read. */
function fit(text: string, changes: readonly (readonly [string, string])[]): string {
  return changes.reduce((result, [there, here]) => {
    if (!result.includes(there)) throw new Error(`nginx.conf does not say ${there}`);
    return result.replaceAll(there, here);
  }, text);
}

export async function startNginx({ program, folder, upstream }: NginxOptions): Promise<Nginx> {
  await mkdir(folder, { recursive: true });
  const path = (name: string): string => join(folder, name);
  const [port, plainPort] = [await takeFreePort(), await takeFreePort()];
  await writeFile(path('instance.crt'), tlsPair.cert);
  await writeFile(path('instance.key'), tlsPair.key, { mode: 0o600 });
  const site = fit(await readFile(example, 'utf8'), [
    ['127.0.0.1:8080;', `127.0.0.1:${upstream};`],
    ['  listen [::]:443 ssl default_server;\n', ''],
    ['  listen [::]:443 ssl;\n', ''],
    ['  listen [::]:80;\n', ''],
    ['listen 443', `listen 127.0.0.1:${port}`],
    ['listen 80', `listen 127.0.0.1:${plainPort}`],
    ['https://instance.example', `https://localhost:${port}`],
    ['server_name instance.example', 'server_name localhost'],
    ['/etc/nginx/tls/', `${folder}/`],
    ['/var/log/nginx/svc.log', path('access.log')],
  ]);
  await writeFile(path('site.conf'), site);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const main = [
    'daemon off;',
    // the test reads its files, whoever runs it
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    'worker_processes 1;',
    `pid ${path('pid')};`,
    'error_log stderr info;',
    'events { worker_connections 1024; }',
    'http {',
    ...temporary.map((name) => `${name}_temp_path ${path('temporary')}/${name};`),
    `include ${path('site.conf')};`,
    // as the packages of distributions bring one
    `server { listen 127.0.0.1:${plainPort} default_server; server_name _; return 404; }`,
    '}',
  ];
  await mkdir(path('temporary'));
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
  // whoever would buffer on disk now has no place for it, and fails
  await rm(path('temporary'), { recursive: true });
  return {
    port,
    plainPort,
    url: `https://localhost:${port}`,
    child,
    records: async () =>
      (await readFile(path('access.log'), 'utf8'))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    complaints: () => said,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

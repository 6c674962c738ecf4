import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { takeFreePort } from '../web/follow-page.ts';
import { fitExample, type RunningNginx, readExample, readRecords, runNginx } from './run-nginx.ts';
import { tlsPair } from './tls-pair.ts';

/** A real nginx that serves the example of the project on free ports of 127.0.0.1, as localhost. */
export interface Nginx extends RunningNginx {
  readonly port: number;
  /** Where plain HTTP is sent on from. */
  readonly plainPort: number;
  readonly url: string;
  /** Records of its access log. */
  records(): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

export interface NginxOptions {
  readonly program: string;
  /** A folder of its own. */
  readonly folder: string;
  /** Port of the instance. */
  readonly upstream: number;
  /** Further changes of the example. */
  readonly changes?: readonly (readonly [string, string])[];
}

export async function startNginx({ program, folder, upstream, changes = [] }: NginxOptions): Promise<Nginx> {
  await mkdir(folder, { recursive: true });
  const path = (name: string): string => join(folder, name);
  const [port, plainPort] = [await takeFreePort(), await takeFreePort()];
  await writeFile(path('instance.crt'), tlsPair.cert);
  await writeFile(path('instance.key'), tlsPair.key, { mode: 0o600 });
  const example = fitExample(await readExample('nginx.conf'), [
    ...changes,
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
  // as the packages of distributions bring one
  const first = `server { listen 127.0.0.1:${plainPort} default_server; server_name _; return 404; }\n`;
  const running = await runNginx({ program, folder, sites: `${example}${first}`, port });
  return {
    ...running,
    port,
    plainPort,
    url: `https://localhost:${port}`,
    records: () => readRecords(path('access.log')),
  };
}

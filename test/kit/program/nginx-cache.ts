import { mkdir, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { takeFreePort } from '../web/follow-page.ts';
import { fitExample, type RunningNginx, readExample, readRecords, runNginx } from './run-nginx.ts';
import { tlsPair } from './tls-pair.ts';

export interface CacheAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface CacheRequest {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Sent as it is: the headers say its length or its coding. */
  readonly body?: string;
  /** Address of the client. Default 127.0.0.1. */
  readonly from?: string;
  /** Called with each part of the body as it arrives, also of an answer that ends early. */
  readonly onPart?: (part: Buffer, status: number) => void;
}

/** A real nginx that serves the example of a cache on a free port of 127.0.0.1, as localhost. */
export interface NginxCache extends RunningNginx {
  readonly port: number;
  /** Where the slices lie. */
  readonly slices: string;
  /** Records of its access log. */
  records(): Promise<readonly Readonly<Record<string, unknown>>[]>;
  ask(path: string, options?: CacheRequest): Promise<CacheAnswer>;
}

export interface NginxCacheOptions {
  readonly program: string;
  /** A folder of its own. */
  readonly folder: string;
  /** Port of the instance, which speaks TLS as localhost. */
  readonly upstream: number;
  /** Further changes of the example. */
  readonly changes?: readonly (readonly [string, string])[];
}

/** A request with a connection of its own, whose path is sent as it is. Rejects when the answer ends early. */
function askCache(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body, from = '127.0.0.1', onPart }: CacheRequest = {},
): Promise<CacheAnswer> {
  return new Promise((resolve, reject) => {
    request(
      {
        host: 'localhost',
        port,
        path,
        method,
        headers,
        ca: tlsPair.ca,
        servername: 'localhost',
        localAddress: from,
        family: 4,
        agent: false,
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => {
          parts.push(part);
          onPart?.(part, response.statusCode!);
        });
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(parts) }),
        );
      },
    )
      .on('error', reject)
      .end(body);
  });
}

export interface CachePlaces {
  /** Where certificates, slices and the log go. */
  readonly folder: string;
  readonly port: number;
  /** Port of the instance, which speaks TLS as localhost. */
  readonly upstream: number;
  /** Names in the text. Default: those of the example. */
  readonly names?: { readonly instance: string; readonly cache: string };
}

/** Makes the example fit this machine, and writes the certificates that it names. */
export async function fitCache(
  text: string,
  { folder, port, upstream, names = { instance: 'instance.example', cache: 'cache.example' } }: CachePlaces,
): Promise<string> {
  const path = (name: string): string => join(folder, name);
  await mkdir(folder, { recursive: true });
  await writeFile(path('cache.crt'), tlsPair.cert);
  await writeFile(path('cache.key'), tlsPair.key, { mode: 0o600 });
  await writeFile(path('instance-ca.crt'), tlsPair.ca);
  return fitExample(text, [
    [`server ${names.instance}:443;`, `server 127.0.0.1:${upstream};`],
    [`proxy_ssl_name ${names.instance}`, 'proxy_ssl_name localhost'],
    ['  listen [::]:443 ssl default_server;\n', ''],
    ['  listen [::]:443 ssl;\n', ''],
    ['listen 443', `listen 127.0.0.1:${port}`],
    [`server_name ${names.cache}`, 'server_name localhost'],
    ['/etc/nginx/tls/', `${folder}/`],
    ['/var/cache/nginx-svc', path('slices')],
    ['/var/log/nginx/svc-cache.log', path('access.log')],
  ]);
}

export async function startNginxCache({
  program,
  folder,
  upstream,
  changes = [],
}: NginxCacheOptions): Promise<NginxCache> {
  const port = await takeFreePort();
  const text = fitExample(await readExample('nginx-cache.conf'), changes);
  const sites = await fitCache(text, { folder, port, upstream });
  return openCache(await runNginx({ program, folder, sites, port }), folder, port);
}

/** A cache that runs, as clients see it. */
export function openCache(running: RunningNginx, folder: string, port: number): NginxCache {
  return {
    ...running,
    port,
    slices: join(folder, 'slices'),
    records: () => readRecords(join(folder, 'access.log')),
    ask: (target, options) => askCache(port, target, options),
  };
}

import { join } from 'node:path';
import { fitExample, readExample, readRecords, runNginx } from '../../kit/program/run-nginx.ts';
import { findFreePort } from './free-port.ts';

/** The cache of `deploy/nginx-cache.conf` in front of an instance, both without TLS, as on the other side. */
export interface CacheServer extends AsyncDisposable {
  /** `127.0.0.1:<port>`. */
  readonly host: string;
  /** The process whose child answers. */
  readonly pid: number;
  /** Bytes of the layers that it fetched from the instance, those of the layers that nodes got from its disk aside. */
  countFetched(): Promise<number>;
}

export async function startCacheServer(options: {
  readonly program: string;
  /** A folder of its own. */
  readonly folder: string;
  /** `127.0.0.1:<port>` of the instance. */
  readonly instance: string;
}): Promise<CacheServer> {
  const { program, folder, instance } = options;
  const host = `127.0.0.1:${await findFreePort()}`;
  const log = join(folder, 'access.log');
  const sites = fitExample(await readExample('nginx-cache.conf'), [
    ['server instance.example:443;', `server ${instance};`],
    ['https://svc_instance', 'http://svc_instance'],
    [
      'server {\n  listen 443 ssl default_server;\n  listen [::]:443 ssl default_server;\n  ssl_reject_handshake on;\n  server_tokens off;\n  return 444;\n}\n',
      '',
    ],
    ['  listen 443 ssl;\n  listen [::]:443 ssl;\n', `  listen ${host};\n`],
    ['  ssl_certificate /etc/nginx/tls/cache.crt;\n', ''],
    ['  ssl_certificate_key /etc/nginx/tls/cache.key;\n', ''],
    ['  proxy_ssl_verify on;\n', ''],
    ['  proxy_ssl_trusted_certificate /etc/nginx/tls/instance-ca.crt;\n', ''],
    ['server_name cache.example', 'server_name 127.0.0.1'],
    ['/var/cache/nginx-svc', join(folder, 'slices')],
    ['/var/log/nginx/svc-cache.log', log],
  ]);
  const running = await runNginx({ program, folder, sites, port: Number(host.split(':')[1]) });
  return {
    host,
    pid: running.child.pid!,
    countFetched: async () =>
      (await readRecords(log))
        .filter(({ cache }) => cache === 'MISS' || cache === 'EXPIRED')
        .reduce((sum, { sent }) => sum + Number(sent), 0),
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

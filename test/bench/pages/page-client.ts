import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { gunzipSync } from 'node:zlib';

export interface PageAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A browser's connection: one request after the other, as the same person. */
export interface PageClient extends Disposable {
  /** @param name under which the server counts the answer */
  get(name: string, path: string, headers?: Readonly<Record<string, string>>): Promise<PageAnswer>;
}

export function openPageClient(server: {
  readonly host: string;
  readonly authorization?: string | undefined;
}): PageClient {
  const { hostname, port } = new URL(`http://${server.host}`);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    get: (name, path, headers = {}) =>
      new Promise((resolve, reject) => {
        const asked = request(
          {
            agent,
            hostname,
            port,
            path,
            headers: {
              ...(server.authorization === undefined ? {} : { authorization: server.authorization }),
              accept: 'text/html',
              'accept-encoding': 'gzip',
              'x-bench': name,
              ...headers,
            },
          },
          (answer) => {
            const chunks: Buffer[] = [];
            answer.on('data', (chunk: Buffer) => chunks.push(chunk));
            answer.on('error', reject);
            answer.on('end', () => {
              const bytes = Buffer.concat(chunks);
              const isGzip = answer.headers['content-encoding'] === 'gzip';
              const text = (isGzip ? gunzipSync(bytes) : bytes).toString();
              resolve({ status: answer.statusCode!, headers: answer.headers, text });
            });
          },
        );
        asked.on('error', reject);
        asked.end();
      }),
    [Symbol.dispose]: () => agent.destroy(),
  };
}

/** The headers with which a browser polls the live section of a page that it has. */
export function toPoll(text: string): Readonly<Record<string, string>> {
  const [, attributes = ''] = /<section ([^>]*hx-trigger[^>]*)>/.exec(text) ?? [];
  const attributeOf = (name: string): string => new RegExp(`${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
  if (attributeOf('hx-ptag') === '') throw new Error(`no live section in:\n${text.slice(0, 500)}`);
  return {
    'hx-request': 'true',
    'hx-target': `section#${attributeOf('id')}`,
    'hx-ptag': attributeOf('hx-ptag'),
  };
}

import { type IncomingHttpHeaders, request } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As it was sent, still compressed. */
  readonly body: Buffer;
}

/** A request with exactly these headers: `fetch` sets or drops some, and decompresses. */
export function requestRaw(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers });
    asked.on('error', reject);
    asked.on('response', async (response) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of response) chunks.push(chunk as Buffer);
      } catch (error) {
        reject(error);
        return;
      }
      resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) });
    });
    asked.end();
  });
}

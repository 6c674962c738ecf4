import { request } from 'node:http';
import type { Socket } from 'node:net';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import type { Route } from './connect.ts';
import { destroyOnAbort } from './destroy-on-abort.ts';
import { toPort } from './proxy-route.ts';
import { markTransient } from './transience.ts';

/**
 * Asks a proxy for a tunnel to the host of a URL (RFC 9110, section 9.3.6).
 *
 * @param socket connection to the proxy; destroyed on failure
 * @throws SVC-NET-001 when the proxy refuses, SVC-REG-002 when it does not reach the host; the error of the socket
 */
export function openTunnel(
  socket: Socket,
  target: URL,
  proxy: NonNullable<Route['proxy']>,
  signal: AbortSignal,
): Promise<Socket> {
  const authority = `${target.hostname}:${toPort(target)}`;
  return new Promise<Socket>((resolve, reject) => {
    const asking = request({
      method: 'CONNECT',
      path: authority,
      createConnection: () => socket,
      headers: {
        host: authority,
        ...(proxy.authorization === undefined ? {} : { 'proxy-authorization': proxy.authorization }),
      },
    });
    const release = destroyOnAbort(socket, signal);
    const fail = (error: Error) => {
      release();
      socket.destroy();
      reject(error);
    };
    // drains an answer without a tunnel, and ignores its error when the socket is destroyed
    asking.once('response', (answer) => answer.on('error', () => {}).resume());
    asking.once('error', fail);
    const closed = () =>
      fail(Object.assign(new Error('closed before the tunnel was open'), { code: 'ECONNRESET' }));
    asking.once('close', closed);
    asking.once('connect', (answer, tunnelled: Socket, head: Buffer) => {
      const status = answer.statusCode ?? 0;
      if (status >= 200 && status < 300) {
        release();
        asking.off('close', closed);
        if (head.length > 0) tunnelled.unshift(head);
        resolve(tunnelled);
        return;
      }
      const detail = rule(
        [
          'the proxy answered {status} for {authority}',
          fr`le mandataire a répondu {status} pour {authority}`,
        ],
        { status, authority },
      );
      // a gateway error concerns the target; other statuses concern the proxy
      const error =
        status >= 502 && status <= 504
          ? markTransient(svcError('SVC-REG-002', { host: target.host, detail }))
          : svcError('SVC-NET-001', { proxy: proxy.url.host, detail });
      fail(error);
    });
    asking.end();
  });
}

import type { Interceptor } from '../../result/registry-double.ts';
import { misbehave } from '../misbehave.ts';
import { type Attack, anything, on } from './attack.ts';

function attackHost(name: string, code: string, answer: (...args: Parameters<Interceptor>) => void): Attack {
  return { name, code, host: (host) => on(host, anything, answer) };
}
/** Attacks by statuses, retries, and bytes that are no HTTP. */
export function attackTransport(): readonly Attack[] {
  return [
    ...[500, 502, 503, 429, 408].map((status) =>
      attackHost(`always-${status}`, 'SVC-REG-002', (_request, response) =>
        misbehave.reply(response, status, {}),
      ),
    ),
    ...(
      [
        ['storm-1-second', '1'],
        ['storm-11-days', '999999'],
        ['storm-past', 'Thu, 01 Jan 1970 00:00:00 GMT'],
        ['storm-nonsense', 'soon'],
        ['storm-negative', '-1'],
      ] as const
    ).map(([name, after]) =>
      attackHost(name, 'SVC-REG-002', (_request, response) =>
        misbehave.reply(response, 429, { 'retry-after': after }),
      ),
    ),
    attackHost('storm-endless-body', 'SVC-REG-002', (_request, response) =>
      misbehave.endlessly(response, 429, {}, Buffer.alloc(65_536)),
    ),
    attackHost('teapot', 'SVC-REG-007', (_request, response) => misbehave.reply(response, 418, {})),
    attackHost('forbidden', 'SVC-REG-003', (_request, response) => misbehave.reply(response, 403, {})),
    attackHost('status-999', 'SVC-REG-002', (_request, response) =>
      misbehave.rawly(response, 'HTTP/1.1 999 No\r\ncontent-length: 0\r\n\r\n'),
    ),
    attackHost('garbage', 'SVC-REG-002', (_request, response) =>
      misbehave.rawly(response, `${'\u0000\u0001garbage'.repeat(1000)}\r\n\r\n`),
    ),
    attackHost('other-protocol', 'SVC-REG-002', (_request, response) =>
      misbehave.rawly(response, 'SSH-2.0-OpenSSH_9.2\r\n'),
    ),
    attackHost('two-lengths', 'SVC-REG-002', (_request, response) =>
      misbehave.rawly(response, 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello!'),
    ),
    attackHost('length-and-chunks', 'SVC-REG-002', (_request, response) =>
      misbehave.rawly(
        response,
        'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
      ),
    ),
    attackHost('header-bomb', 'SVC-REG-002', (_request, response) =>
      misbehave.rawly(response, `HTTP/1.1 200 OK\r\n${'x-a: bbbbbbbbbbbbbbbb\r\n'.repeat(20_000)}\r\n`),
    ),
    attackHost('endless-header', 'SVC-REG-002', (_request, response) =>
      misbehave.rawEndlessly(response, 'HTTP/1.1 200 OK\r\nx-a: ', 'b'.repeat(4096)),
    ),
    attackHost('endless-hints', 'SVC-REG-002', (_request, response) =>
      misbehave.rawEndlessly(response, '', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'),
    ),
    attackHost('upgrade', 'SVC-REG-002', (_request, response) =>
      misbehave.rawly(response, 'HTTP/1.1 101 No\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n'),
    ),
    attackHost('reset-at-once', 'SVC-REG-002', (_request, response) => misbehave.resetAfter(response, '')),
    attackHost('reset-in-headers', 'SVC-REG-002', (_request, response) =>
      misbehave.resetAfter(response, 'HTTP/1.1 200 OK\r\ncontent-len'),
    ),
    attackHost('reset-in-manifest', 'SVC-REG-007', (_request, response) =>
      misbehave.resetAfter(response, 'HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"schema'),
    ),
    attackHost('closed-in-chunk', 'SVC-REG-007', (_request, response) =>
      misbehave.rawly(response, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\nshort'),
    ),
  ];
}

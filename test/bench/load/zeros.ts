// A server that only reads bytes and writes zeros: the throughput of the load client against it is its ceiling.
import { createServer, type Socket } from 'node:net';

const end = Buffer.from('\r\n\r\n');
const zeros = Buffer.alloc(1 << 20);

/** Answers all requests: bodies are dropped, and the path `/zeros/<n>` gets so many zeros. */
function serve(socket: Socket): void {
  let head: Buffer = Buffer.alloc(0);
  let left = 0;
  let line = '';
  const answer = (): void => {
    const [method = '', path = ''] = line.split(' ');
    if (method === 'GET') {
      let length = Number(path.slice(path.lastIndexOf('/') + 1));
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`);
      const more = (): void => {
        while (length > 0) {
          const part = length < zeros.length ? zeros.subarray(0, length) : zeros;
          length -= part.length;
          if (!socket.write(part)) {
            socket.once('drain', more);
            return;
          }
        }
      };
      more();
      return;
    }
    const status = method === 'PUT' ? '201 Created' : '202 Accepted';
    socket.write(`HTTP/1.1 ${status}\r\nLocation: /upload\r\nContent-Length: 0\r\n\r\n`);
  };
  const onData = (chunk: Buffer): void => {
    let rest = chunk;
    while (rest.length > 0) {
      if (left > 0) {
        const taken = Math.min(left, rest.length);
        left -= taken;
        rest = rest.subarray(taken);
        if (left === 0) answer();
        continue;
      }
      head = Buffer.concat([head, rest]);
      const at = head.indexOf(end);
      if (at < 0) return;
      const text = head.toString('latin1', 0, at);
      rest = head.subarray(at + 4);
      head = Buffer.alloc(0);
      line = text.split('\r\n', 1)[0]!;
      left = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (left === 0) answer();
    }
  };
  socket.setNoDelay(true);
  socket.on('data', onData);
  socket.on('error', () => socket.destroy());
}

const server = createServer(serve);
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send!({ host: `127.0.0.1:${typeof address === 'object' ? address!.port : 0}` });
});
process.on('disconnect', () => process.exit());

import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { listen } from '../../server/listen.ts';
import { createSelfSigned } from '../../src/certificate/self-signed.ts';
import { isSvcError } from '../../src/text/error.ts';

const loopback = { host: '127.0.0.1', port: 0 };

test('port 0 is a real port of the system, named by the URL', async () => {
  const listener = await listen({ address: loopback, handler: (_req, res) => res.end('here') });
  try {
    assert.ok(listener.port > 0 && listener.port !== 3000);
    assert.equal(await (await fetch(listener.url)).text(), 'here');
  } finally {
    await listener.close();
  }
});

test('a taken port is an error that names the setting, and no other port is tried', async () => {
  const first = await listen({ address: loopback, handler: () => {} });
  try {
    await assert.rejects(
      listen({ address: { host: '127.0.0.1', port: first.port }, handler: () => {} }),
      (error) =>
        isSvcError(error, 'SVC-CFG-001') &&
        error.params.setting === 'server.addr' &&
        String(error.params.detail).includes('is used by another program'),
    );
  } finally {
    await first.close();
  }
});

test('closing the listener closes open connections, idle or not', async () => {
  const listener = await listen({ address: loopback, handler: () => {} });
  const socket = connect(listener.port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await listener.close();
  await closed;
});

test('too many or too large headers are refused by the listener', async () => {
  const listener = await listen({ address: loopback, handler: (_req, res) => res.end() });
  try {
    const response = await fetch(listener.url, { headers: { 'x-large': 'a'.repeat(40_000) } });
    assert.equal(response.status, 431);
  } finally {
    await listener.close();
  }
});

test('a body that is announced is asked for only when the handler wants it', async () => {
  const listener = await listen({
    address: loopback,
    handler: (_req, res) => {
      res.writeHead(413);
      res.end();
    },
  });
  const socket = connect(listener.port, '127.0.0.1').setEncoding('latin1');
  try {
    socket.write('PUT / HTTP/1.1\r\nhost: x\r\ncontent-length: 9999\r\nexpect: 100-continue\r\n\r\n');
    const [answer] = await once(socket, 'data');
    assert.match(String(answer), /^HTTP\/1\.1 413 /);
  } finally {
    socket.destroy();
    await listener.close();
  }
});

function fingerprintAt(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

test('a new pair serves the next connection without a restart', async () => {
  const before = createSelfSigned(['localhost', '127.0.0.1'], 1);
  const after = createSelfSigned(['localhost', '127.0.0.1'], 1);
  const listener = await listen({ address: loopback, handler: (_req, res) => res.end(), tls: before });
  try {
    assert.match(listener.url, /^https:\/\/127\.0\.0\.1:/);
    assert.equal(await fingerprintAt(listener.port), new X509Certificate(before.cert).fingerprint256);
    listener.setPair(after);
    assert.equal(await fingerprintAt(listener.port), new X509Certificate(after.cert).fingerprint256);
  } finally {
    await listener.close();
  }
});

test('a pair that cannot serve is refused before anything is bound', async () => {
  await assert.rejects(
    listen({ address: loopback, handler: () => {}, tls: { cert: 'no', key: 'no' } }),
    (error) => isSvcError(error, 'SVC-NET-003'),
  );
});

test('TLS 1.2 has suites with authenticated encryption only, also after a change of the pair', async () => {
  const { cert, key } = createSelfSigned(['localhost'], 1);
  const listener = await listen({
    address: loopback,
    handler: (_req, res) => res.end(),
    tls: { cert, key },
  });
  const handshake = async (cipher: string): Promise<string> => {
    const options = { port: listener.port, host: '127.0.0.1', ca: cert, servername: 'localhost' };
    const socket = connectTls({ ...options, maxVersion: 'TLSv1.2', ciphers: `${cipher}:@SECLEVEL=0` });
    try {
      await once(socket, 'secureConnect');
      return socket.getCipher().name;
    } catch {
      return 'refused';
    } finally {
      socket.destroy();
    }
  };
  try {
    for (const isChanged of [false, true]) {
      if (isChanged) listener.setPair({ cert, key });
      const accepted = 'ECDHE-ECDSA-AES128-GCM-SHA256';
      assert.equal(await handshake(accepted), accepted);
      for (const size of ['AES128-SHA', 'AES128-SHA256', 'AES256-SHA', 'AES256-SHA384'])
        assert.equal(await handshake(`ECDHE-ECDSA-${size}`), 'refused', size);
    }
  } finally {
    await listener.close();
  }
});

test('a chunked body in HTTP/1.0 is refused, and nothing after it is read', async () => {
  let answered = 0;
  const handler = (_req: unknown, res: { end(): void }) => {
    answered += 1;
    res.end();
  };
  const listener = await listen({ address: loopback, handler });
  try {
    const socket = connect(listener.port, '127.0.0.1').setEncoding('latin1');
    let text = '';
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    const body = '0\r\n\r\n';
    socket.write(
      `POST / HTTP/1.0\r\nhost: x\r\nconnection: keep-alive\r\ntransfer-encoding: chunked\r\n\r\n${body}GET / HTTP/1.1\r\nhost: x\r\n\r\n`,
    );
    await once(socket, 'close');
    assert.match(text, /^HTTP\/1\.1 400 /);
    assert.equal(text.split('HTTP/1.1 ').length, 2);
    assert.equal(answered, 0);
  } finally {
    await listener.close();
  }
});

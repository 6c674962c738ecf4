import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import type { Credential, RemoteRepository } from '../../../src/remote/model.ts';
import { isSvcError, type SvcError } from '../../../src/text/error.ts';
import { renderError } from '../../../src/text/message.ts';
import { openRemoteRegistry } from '../../kit/instance/remote-registry.ts';
import { tlsPair } from '../../kit/program/tls-pair.ts';
import {
  createRegistryDouble,
  type RegistryDouble,
  type RegistryDoubleOptions,
} from '../../kit/result/registry-double.ts';

const pair: Credential = { kind: 'basic', username: 'reader', password: 'pass:word' };
const account = { username: 'reader', password: 'pass:word' };

async function open(t: TestContext, options: RegistryDoubleOptions): Promise<RegistryDouble> {
  const double = await createRegistryDouble(options);
  t.after(() => double.close());
  double.putManifest('team/app', { schemaVersion: 2, n: 1 }, { tag: 'v1' });
  return double;
}

function reach(
  t: TestContext,
  double: RegistryDouble,
  options: NonNullable<Parameters<typeof openRemoteRegistry>[2]> = {},
  hosts: readonly string[] = [double.host],
): RemoteRepository {
  return openRemoteRegistry(t, hosts, options).repository({ host: double.host, repository: 'team/app' });
}

const isRefused = (error: unknown) => isSvcError(error, 'SVC-REG-003');

test('a password is sent once it is asked for, and from then on at once', async (t) => {
  const double = await open(t, { auth: { kind: 'basic', ...account } });
  const repository = reach(t, double, { credentials: { [double.host]: pair } });
  assert.ok(await repository.resolve('v1'));
  assert.ok(await repository.resolve('v1'));
  assert.deepEqual(
    double.requests.map(({ status }) => status),
    [401, 200, 200],
  );
});

test('a wrong password, and none, are refused once and not tried again', async (t) => {
  const double = await open(t, { auth: { kind: 'basic', ...account } });
  const wrong: Credential = { ...pair, password: 'wrong' };
  await assert.rejects(reach(t, double, { credentials: { [double.host]: wrong } }).resolve('v1'), (error) => {
    assert.ok(isRefused(error));
    assert.equal((error as { params: { host?: unknown } }).params.host, double.host);
    return true;
  });
  assert.equal(double.requests.length, 2);
  await assert.rejects(reach(t, double).resolve('v1'), isRefused);
});

test('credentials are looked up by host and port and go nowhere else', async (t) => {
  const double = await open(t, { auth: { kind: 'basic', ...account } });
  await assert.rejects(reach(t, double, { credentials: { '127.0.0.1': pair } }).resolve('v1'), isRefused);
  assert.ok(double.requests.every(({ headers }) => headers.authorization === undefined));
});

test('a token is asked for with our own scope, kept, and shared by those who ask at once', async (t) => {
  const double = await open(t, { auth: { kind: 'bearer', ...account } });
  // the challenge asks for the world
  double.intercept((request, response) => {
    if (request.path.startsWith('/token') || request.headers.authorization !== undefined) return false;
    response
      .writeHead(401, {
        'www-authenticate': `Bearer realm="${double.origin}/token",service="double",scope="registry:catalog:* repository:team/app:*"`,
      })
      .end();
    return true;
  });
  const repository = reach(t, double, { credentials: { [double.host]: pair } });
  await Promise.all([repository.resolve('v1'), repository.resolve('v1'), repository.listTags()]);
  await repository.resolve('v1');
  const tokens = double.requests.filter(({ path }) => path.startsWith('/token'));
  assert.equal(tokens.length, 1);
  const query = new URL(tokens[0]!.path, double.origin).searchParams;
  assert.deepEqual(query.getAll('scope'), ['repository:team/app:pull']);
  assert.equal(query.get('service'), 'double');
  await repository.pushBlob(double.putBlob('other', 'x'), Readable.from([Buffer.from('x')]));
  const later = double.requests.filter(({ path }) => path.startsWith('/token')).slice(1);
  assert.deepEqual(
    later.map(({ path }) => new URL(path, double.origin).searchParams.get('scope')),
    ['repository:team/app:pull,push'],
  );
});

test('a token that is refused is renewed once, and only once', async (t) => {
  const double = await open(t, { auth: { kind: 'bearer', ...account } });
  const repository = reach(t, double, { credentials: { [double.host]: pair } });
  await repository.resolve('v1');
  double.tokens.clear();
  assert.ok(await repository.resolve('v1'));
  assert.equal(double.count(/^GET \/token/), 2);
  double.intercept((request, response) => {
    if (request.path.startsWith('/token')) return false;
    response
      .writeHead(401, { 'www-authenticate': `Bearer realm="${double.origin}/token",service="double"` })
      .end();
    return true;
  });
  const before = double.requests.length;
  await assert.rejects(repository.resolve('v1'), isRefused);
  assert.equal(double.count(/^GET \/token/), 3);
  assert.equal(double.requests.length - before, 3);
});

test('a token is not used beyond its life', async (t) => {
  const double = await open(t, { auth: { kind: 'bearer', ...account, lifetime: 0.001 } });
  const repository = reach(t, double, { credentials: { [double.host]: pair } });
  await repository.resolve('v1');
  await new Promise((resolve) => setTimeout(resolve, 1050));
  await repository.resolve('v1');
  assert.equal(double.count(/^GET \/token/), 2);
  assert.equal(double.count(/manifests/), 3);
});

test('a client without credentials gets an anonymous token', async (t) => {
  const double = await open(t, { auth: { kind: 'bearer', ...account, anonymousPull: true } });
  assert.ok(await reach(t, double).resolve('v1'));
  assert.ok(double.requests.every(({ headers }) => !headers.authorization?.startsWith('Basic')));
});

test('an identity token is exchanged, a registry token is sent as it is', async (t) => {
  const double = await open(t, { auth: { kind: 'bearer', ...account } });
  const identity = reach(t, double, {
    credentials: { [double.host]: { kind: 'identity', token: account.password } },
  });
  assert.ok(await identity.resolve('v1'));
  assert.equal(double.count(/^POST \/token/), 1);
  assert.ok(double.requests.every(({ path }) => !path.includes('pass')));

  double.tokens.set('ready-made', ['repository:team/app:pull']);
  const ready = reach(t, double, {
    credentials: { [double.host]: { kind: 'registry', token: 'ready-made' } },
  });
  assert.ok(await ready.resolve('v1'));
  assert.equal(double.count(/\/token/), 1);
});

for (const bearer of ['Bearer', 'Bearer realm=""', 'Bearer error="invalid_token"', 'Bearer realm="http://["'])
  test(`a password is sent to a host that offers Basic beside a ${bearer} without a usable realm`, async (t) => {
    for (const challenge of [`${bearer}, Basic realm="here"`, `Basic realm="here", ${bearer}`]) {
      const double = await open(t, { auth: { kind: 'basic', ...account } });
      double.intercept((request, response) => {
        if (request.headers.authorization !== undefined) return false;
        response.writeHead(401, { 'www-authenticate': challenge }).end();
        return true;
      });
      assert.ok(await reach(t, double, { credentials: { [double.host]: pair } }).resolve('v1'), challenge);
      assert.deepEqual(
        double.requests.map(({ method, path }) => `${method} ${path}`),
        ['HEAD /v2/team/app/manifests/v1', 'HEAD /v2/team/app/manifests/v1'],
      );
      assert.equal(
        double.requests[1]!.headers.authorization,
        `Basic ${Buffer.from('reader:pass:word').toString('base64')}`,
      );
    }
  });

test('a Bearer challenge without a realm and nothing beside it is a refusal, unless a token is configured for the host', async (t) => {
  const double = await open(t, {});
  double.intercept((request, response) => {
    if (request.headers.authorization === 'Bearer ready-made') return false;
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    return true;
  });
  const none = {};
  const token = (value: string) => ({ [double.host]: { kind: 'registry', token: value } }) as const;
  for (const [credentials, requests] of [
    [none, 1],
    [{ [double.host]: pair }, 1],
    [token('wrong'), 2],
  ] as const) {
    const before = double.requests.length;
    await assert.rejects(reach(t, double, { credentials }).resolve('v1'), isRefused);
    assert.equal(double.requests.length - before, requests);
  }
  assert.ok(await reach(t, double, { credentials: token('ready-made') }).resolve('v1'));
  assert.equal(double.count(/undefined/), 0);
});

test('a realm that answers with too much, with nonsense or with a poisoned token is refused', async (t) => {
  const double = await open(t, { auth: { kind: 'bearer', ...account } });
  let answer = '';
  double.intercept((request, response) => {
    if (!request.path.startsWith('/token')) return false;
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    return true;
  });
  const ask = () => reach(t, double, { credentials: { [double.host]: pair } }).resolve('v1');
  answer = JSON.stringify({ token: 'x'.repeat(65_536) });
  await assert.rejects(ask(), (error) => isSvcError(error, 'SVC-VAL-002'));
  for (const bad of ['', 'null', '{"token":7}', '{}', JSON.stringify({ token: 'a\r\nx-evil: 1' })]) {
    answer = bad;
    await assert.rejects(ask(), isRefused, bad);
  }
});

test('a realm on another host gets the password over https', async (t) => {
  const realm = await open(t, { tls: tlsPair, auth: { kind: 'bearer', ...account } });
  const double = await open(t, { auth: { kind: 'bearer', ...account, realm: `${realm.origin}/token` } });
  const repository = reach(t, double, {
    credentials: { [double.host]: pair },
    transport: { tls: { ca: [tlsPair.ca] } },
  });
  // its tokens are the realm's: hand them over as an authority would
  realm.intercept((_request, response) => {
    double.tokens.set('granted', ['repository:team/app:pull']);
    response.writeHead(200).end(JSON.stringify({ access_token: 'granted' }));
    return true;
  });
  assert.ok(await repository.resolve('v1'));
  assert.match(realm.requests[0]!.headers.authorization ?? '', /^Basic /);
});

test('a realm on another host over http gets no password: the request is refused, the hop named', async (t) => {
  const realm = await open(t, { auth: { kind: 'bearer', ...account } });
  const double = await open(t, { auth: { kind: 'bearer', ...account, realm: `${realm.origin}/token` } });
  const hosts = [double.host, realm.host];
  const repository = reach(t, double, { credentials: { [double.host]: pair } }, hosts);
  await assert.rejects(repository.resolve('v1'), (error) => {
    assert.ok(isSvcError(error, 'SVC-POL-001'));
    assert.equal(error.params.host, realm.host);
    assert.equal(error.params.hop, `token realm of ${double.host}`);
    return true;
  });
  assert.equal(realm.requests.length, 0);
});

test('a realm that is no http URL is refused by its scheme, also for a host with a password', async (t) => {
  const double = await open(t, { auth: { kind: 'bearer', ...account, realm: 'file:///etc/passwd' } });
  const repository = reach(t, double, { credentials: { [double.host]: pair } });
  await assert.rejects(repository.resolve('v1'), (error) => {
    assert.ok(isSvcError(error, 'SVC-POL-001'));
    assert.match(renderError(error, 'en').what, /^file: was not contacted \(reason: scheme\)/);
    return true;
  });
});

test('a realm off the allowlist is refused before a socket opens, the hop named', async (t) => {
  const realm = await open(t, { tls: tlsPair, auth: { kind: 'bearer', ...account } });
  const double = await open(t, { auth: { kind: 'bearer', ...account, realm: `${realm.origin}/token` } });
  let connections = 0;
  realm.intercept(() => {
    connections += 1;
    return false;
  });
  const repository = reach(t, double, {
    credentials: { [double.host]: pair },
    transport: { allowlist: [double.host], tls: { ca: [tlsPair.ca] } },
  });
  await assert.rejects(repository.resolve('v1'), (error) => {
    assert.ok(isSvcError(error, 'SVC-POL-001'));
    assert.equal(error.params.hop, `token realm of ${double.host}`);
    return true;
  });
  assert.equal(connections, 0);
});

test('a challenge from the target of a redirect is not answered', async (t) => {
  const away = await open(t, { auth: { kind: 'basic', ...account } });
  const double = await open(t, {});
  double.intercept((_request, response) => {
    response.writeHead(307, { location: `${away.origin}/v2/team/app/manifests/v1` }).end();
    return true;
  });
  const hosts = [double.host, away.host];
  const credentials = { [double.host]: pair, [away.host]: pair };
  await assert.rejects(reach(t, double, { credentials }, hosts).resolve('v1'), (error) => {
    assert.ok(isSvcError(error, 'SVC-REG-003'));
    assert.equal(error.params.host, away.host);
    return true;
  });
  assert.ok(away.requests.every(({ headers }) => headers.authorization === undefined));
});

test('a refusal contains the errors of the registry', async (t) => {
  const double = await open(t, {});
  double.intercept((_request, response) => {
    response.writeHead(403, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ errors: [{ code: 'DENIED', message: 'quota spent' }] }));
    return true;
  });
  await assert.rejects(reach(t, double).listTags(), (error) => {
    assert.ok(isSvcError(error, 'SVC-REG-003'));
    assert.match(String(error.params.detail), /403.*DENIED \(quota spent\)/);
    return true;
  });
  assert.equal(double.requests.length, 1);
});

test('credentials that a registry returns in its answer appear in no error', async (t) => {
  for (const kind of ['basic', 'bearer'] as const) {
    const double = await open(t, { auth: { kind, ...account } });
    const repository = reach(t, double, { credentials: { [double.host]: pair } });
    assert.ok(await repository.resolve('v1'));
    const secrets = ['pass:word', 'pass%3Aword', Buffer.from('reader:pass:word').toString('base64')].concat([
      ...double.tokens.keys(),
    ]);
    for (const status of [403, 400, 422]) {
      double.intercept((request, response) => {
        const said = `${'x'.repeat(190)} ${request.headers.authorization} ${secrets.join(' ')}`;
        const code = `NO ${request.headers.authorization}`;
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify({
            errors: [
              { code, message: said, detail: said },
              { code, message: secrets.join(' ') },
            ],
          }),
        );
        return true;
      });
      const bytes = Buffer.from('{"schemaVersion":2}');
      const digest = hashBytes(bytes);
      const descriptor = {
        mediaType: 'application/vnd.oci.image.manifest.v1+json',
        digest,
        size: bytes.length,
      };
      for (const attempt of [
        () => repository.resolve('v1'),
        () => repository.fetchManifest('v1'),
        () => repository.listTags(),
        () => repository.pushManifest('v2', { descriptor, bytes }),
        () => repository.pushBlob(descriptor, () => Readable.from([bytes])),
      ])
        await assert.rejects(attempt(), (error) => {
          const { params, detail } = error as SvcError;
          const text = JSON.stringify({ params, detail });
          for (const secret of secrets) assert.ok(!text.includes(secret.slice(0, 8)), text);
          return true;
        });
    }
  }
});

test('a credential that a registry returns as a host appears in no error, in no case', async (t) => {
  const double = await open(t, { auth: { kind: 'basic', username: 'reader', password: 'PassWordOfOurs' } });
  const credential: Credential = { kind: 'basic', username: 'reader', password: 'PassWordOfOurs' };
  const repository = openRemoteRegistry(t, [double.host], {
    credentials: { [double.host]: credential },
    transport: { allowlist: [double.host] },
  }).repository({ host: double.host, repository: 'team/app' }, { access: 'push' });
  assert.ok(await repository.resolve('v1'));
  const bytes = Buffer.from('x');
  const blob = { mediaType: 'text/plain', digest: hashBytes(bytes), size: 1 };
  const elsewhere = 'https://PassWordOfOurs.evil.example/next';
  for (const [status, headers] of [
    [307, { location: elsewhere }],
    [202, { location: elsewhere }],
    [200, { link: `<${elsewhere}>; rel="next"` }],
    [401, { 'www-authenticate': `Bearer realm="${elsewhere}",service="x"` }],
  ] as const) {
    const end = double.intercept((_request, response) => {
      response.writeHead(status, headers);
      response.end('{"tags":["v1"]}');
      return true;
    });
    const attempt = {
      307: () => repository.fetchManifest('v1'),
      202: () => repository.pushBlob(blob, () => Readable.from([bytes])),
      200: () => repository.listTags(),
      401: () => repository.fetchManifest('v1'),
    }[status];
    await assert.rejects(attempt(), (error) => {
      assert.ok(isSvcError(error, 'SVC-POL-001'), `${status} ${error}`);
      const { params, detail } = error;
      assert.equal(params.host, 'REDACTED.evil.example');
      assert.doesNotMatch(JSON.stringify({ params, detail }), /passwordofours/i);
      return true;
    });
    end();
  }
});

test('a failed token realm does not disable a registry: the next request queries it again', async (t) => {
  for (const status of [404, 500]) {
    const double = await open(t, {});
    let failing = true;
    double.intercept((request, response) => {
      if (!failing) return false;
      if (request.path.startsWith('/token')) response.writeHead(status).end();
      else
        response
          .writeHead(401, { 'www-authenticate': `Bearer realm="${double.origin}/token",service="s"` })
          .end();
      return true;
    });
    const repository = reach(t, double, { retries: 0 });
    await assert.rejects(repository.resolve('v1'));
    failing = false;
    assert.ok(await repository.resolve('v1'), `a realm that answered ${status}`);
  }
});

test('a realm that is refused or broken for a while is forgotten with its challenge', async (t) => {
  const double = await open(t, {});
  let challenge: string | undefined = 'Bearer realm="http://not-listed.test/token"';
  double.intercept((_request, response) => {
    if (challenge === undefined) return false;
    response.writeHead(401, { 'www-authenticate': challenge }).end();
    return true;
  });
  const repository = reach(t, double, { retries: 0 });
  await assert.rejects(repository.resolve('v1'), (error) => isSvcError(error, 'SVC-POL-001'));
  challenge = 'Basic realm="x"';
  await assert.rejects(repository.resolve('v1'), isRefused);
  challenge = undefined;
  assert.ok(await repository.resolve('v1'));
});

test('control characters and direction marks in the answer of a registry are escaped in the error', async (t) => {
  const double = await open(t, {});
  double.intercept((_request, response) => {
    response.writeHead(403, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ errors: [{ code: 'DE\u001bNIED', message: 'a\u001b[31m\u202e' }] }));
    return true;
  });
  await assert.rejects(reach(t, double).listTags(), (error) => {
    assert.ok(isSvcError(error, 'SVC-REG-003'));
    assert.match(String(error.params.detail), /DE\\u001bNIED \(a\\u001b\[31m\\u202e\)/);
    return true;
  });
});

test('a redirect to a URL without a host is refused by its scheme, not as a host off the allowlist', async (t) => {
  const double = await open(t, {});
  double.intercept((_request, response) => {
    response.writeHead(307, { location: 'file:///etc/passwd' }).end();
    return true;
  });
  await assert.rejects(reach(t, double).resolve('v1'), (error) => {
    assert.ok(isSvcError(error, 'SVC-POL-001'));
    assert.match(renderError(error, 'en').what, /^file: was not contacted \(reason: scheme\)/);
    return true;
  });
});

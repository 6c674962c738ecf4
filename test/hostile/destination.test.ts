import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { misbehave } from '../kit/hostile/misbehave.ts';
import { createRegistryDouble, type Interceptor } from '../kit/result/registry-double.ts';
import { openSyncScene, toIngredient } from '../kit/scene/sync-scene.ts';

type Answer = (...args: Parameters<Interceptor>) => void;

interface Attack {
  readonly name: string;
  /** The code of the recipe's failure; undefined where it must be completed all the same. */
  readonly code: string | undefined;
  /** Requests below the ingredient's repository that are answered so, as `METHOD rest`. */
  readonly pattern: RegExp;
  readonly answer: Answer;
  /** Only so many times. */
  readonly times?: number;
  /** A layer that is streamed: over a mebibyte. */
  readonly large?: boolean;
}

const begin = /^POST blobs\/uploads\//;
const finish = /^PUT blobs\/uploads\//;
const stream = /^PATCH blobs\/uploads\//;
const put = /^PUT manifests\//;
const anything = /^/;

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}, body = ''): Answer =>
  (_request, response, raw) => {
    raw.resume();
    misbehave.reply(response, code, headers, body);
  };

const refusal = (code: string): string => JSON.stringify({ errors: [{ code, message: 'no', detail: null }] });

/** Told the host of a socket that nobody may reach. */
const attacks = (trap: string): readonly Attack[] => [
  { name: 'refuses-uploads', code: 'SVC-REG-007', pattern: begin, answer: status(405) },
  { name: 'forbids-uploads', code: 'SVC-REG-003', pattern: begin, answer: status(403) },
  {
    name: 'knows-no-name',
    code: 'SVC-DST-001',
    pattern: begin,
    answer: status(400, {}, refusal('NAME_INVALID')),
  },
  { name: 'no-location', code: 'SVC-REG-007', pattern: begin, answer: status(202) },
  {
    name: 'location-nonsense',
    code: 'SVC-REG-007',
    pattern: begin,
    answer: status(202, { location: 'http://[' }),
  },
  {
    name: 'location-file',
    code: 'SVC-POL-001',
    pattern: begin,
    answer: status(202, { location: 'file:///etc/x' }),
  },
  {
    name: 'location-elsewhere',
    code: 'SVC-POL-001',
    pattern: begin,
    answer: status(202, { location: `http://${trap}/upload` }),
  },
  {
    name: 'location-moves',
    code: 'SVC-POL-001',
    pattern: stream,
    large: true,
    answer: (_request, response, raw) => {
      raw.resume();
      raw.once('end', () => misbehave.reply(response, 202, { location: `http://${trap}/upload` }));
    },
  },
  {
    name: 'redirects-the-upload',
    code: 'SVC-POL-001',
    pattern: finish,
    answer: status(307, { location: `http://${trap}/upload` }),
  },
  {
    name: 'redirects-as-reading',
    code: 'SVC-REG-007',
    pattern: finish,
    answer: status(302, { location: '/x' }),
  },
  {
    name: 'redirects-the-stream',
    code: 'SVC-REG-007',
    pattern: stream,
    large: true,
    answer: status(307, { location: '/x' }),
  },
  {
    name: 'finds-another-digest',
    code: 'SVC-REG-007',
    pattern: finish,
    answer: status(400, {}, refusal('DIGEST_INVALID')),
  },
  {
    name: 'forgets-the-upload',
    code: 'SVC-REG-007',
    pattern: finish,
    answer: status(404, {}, refusal('BLOB_UPLOAD_UNKNOWN')),
  },
  {
    name: 'ends-too-early',
    code: 'SVC-REG-007',
    pattern: stream,
    large: true,
    answer: status(202, { location: '/x' }),
  },
  {
    name: 'breaks-the-stream',
    code: 'SVC-REG-002',
    pattern: stream,
    large: true,
    answer: (_request, response, raw) => raw.once('data', () => misbehave.resetAfter(response, '')),
  },
  {
    name: 'breaks-once',
    code: undefined,
    pattern: stream,
    large: true,
    times: 1,
    answer: (_request, response, raw) => raw.once('data', () => misbehave.resetAfter(response, '')),
  },
  {
    name: 'full',
    code: 'SVC-REG-007',
    pattern: stream,
    large: true,
    answer: status(413, {}, refusal('SIZE_INVALID')),
  },
  {
    name: 'names-another-manifest',
    code: 'SVC-SIG-002',
    pattern: put,
    answer: status(201, { 'docker-content-digest': `sha256:${'0'.repeat(64)}` }),
  },
  {
    name: 'lost-the-blobs',
    code: 'SVC-REG-007',
    pattern: put,
    answer: status(400, {}, refusal('MANIFEST_BLOB_UNKNOWN')),
  },
  {
    name: 'keeps-nothing-but-says-so',
    code: 'SVC-REG-007',
    pattern: /^HEAD blobs\//,
    answer: (_request, response) => misbehave.rawly(response, 'HTTP/1.1 200 OK\r\n\r\n'),
  },
  { name: 'storms', code: 'SVC-REG-002', pattern: anything, answer: status(429) },
  {
    name: 'storms-politely',
    code: 'SVC-REG-002',
    pattern: begin,
    answer: status(429, { 'retry-after': '1' }),
  },
  {
    name: 'storms-for-days',
    code: 'SVC-REG-002',
    pattern: begin,
    answer: status(429, { 'retry-after': '86400' }),
  },
  {
    name: 'storms-once',
    code: undefined,
    pattern: begin,
    times: 1,
    answer: status(429, { 'retry-after': '1' }),
  },
  { name: 'fails', code: 'SVC-REG-002', pattern: put, answer: status(500) },
  { name: 'fails-once', code: undefined, pattern: put, times: 1, answer: status(503) },
  {
    name: 'asks-for-ever',
    code: 'SVC-REG-003',
    pattern: anything,
    answer: status(401, { 'www-authenticate': 'Negotiate' }),
  },
  {
    name: 'talks-without-end',
    code: 'SVC-DST-004',
    pattern: put,
    answer: (_request, response, raw) => {
      raw.resume();
      misbehave.endlessly(response, 400, {}, Buffer.alloc(65_536, 'x'));
    },
  },
  {
    name: 'speaks-garbage',
    code: 'SVC-REG-002',
    pattern: begin,
    answer: (_request, response) => misbehave.rawly(response, 'garbage\r\n\r\n'),
  },
  {
    name: 'manifest-nowhere',
    code: 'SVC-REG-007',
    pattern: put,
    answer: status(404, {}, refusal('NAME_UNKNOWN')),
  },
  { name: 'refuses-referrers', code: 'SVC-REG-003', pattern: /^PUT manifests\/sha256-/, answer: status(403) },
];

test('a destination that misbehaves fails the recipe it misbehaves on, and the others land', async (t) => {
  await using scene = await openSyncScene();
  await using zone = await createRegistryDouble();
  let connections = 0;
  const trap = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
  const trapHost = `127.0.0.1:${(trap.address() as { port: number }).port}`;
  try {
    const prefix = `/v2/mirror/${scene.origin.host.replace(':', '_')}/`;
    const all = attacks(trapHost);
    const recipes: [string, string][] = [];
    const ends: (() => void)[] = [];
    const publish = (name: string, large = false) => {
      const layers = large ? [Buffer.alloc(3 << 20, name)] : [];
      const image = scene.putImage(`library/${name}`, '1.0', { layers });
      if (name === 'refuses-referrers')
        scene.pushSignature(`library/${name}`, scene.signer.sign(image, 'classic'));
      scene.publish(name, '1.0.0', [toIngredient('app', `library/${name}`, '1.0', image)]);
      recipes.push([name, '1.0.0']);
    };
    publish('aaa');
    for (const { name, large, pattern, answer, times = Number.POSITIVE_INFINITY } of all) {
      publish(name, large);
      let left = times;
      const end = zone.intercept((request, response, raw) => {
        const own = `${prefix}library/${name}/`;
        if (!request.path.startsWith(own)) return false;
        const asked = `${request.method} ${request.path.slice(own.length)}`;
        if (left === 0 || !pattern.test(asked)) return false;
        left -= 1;
        answer(request, response, raw);
        return true;
      });
      ends.push(end);
    }
    publish('zzz');
    await scene.setRetriever(recipes);
    const change = {
      mode: 'passthrough' as const,
      sync: { retries: 1 },
      registries: {
        insecure: [scene.origin.host, zone.host, trapHost],
        allowlist: [scene.origin.host, zone.host],
      },
      destination: { registry: zone.host, basePath: 'mirror', cookbook: 'our/cookbook' },
    };
    const started = performance.now();
    const { task } = await scene.run({ change });
    const seconds = (performance.now() - started) / 1000;
    t.diagnostic(`${all.length} attacks, ${seconds.toFixed(1)} s`);

    const codes = new Map(task.items.flatMap(({ name, error }) => (error ? [[name, error.code]] : [])));
    const wrong = all.flatMap(({ name, code }) => {
      const found = codes.get(`${name}@1.0.0`);
      return found === code ? [] : [`${name}: ${found} instead of ${code}`];
    });
    assert.deepEqual(wrong, []);
    const landed = ['aaa', 'zzz', ...all.filter(({ code }) => code === undefined).map(({ name }) => name)];
    assert.deepEqual(
      zone
        .repositories()
        .filter((name) => name.startsWith('our/cookbook/') && zone.tags(name).includes('1.0.0')),
      landed.map((name) => `our/cookbook/${name}`).sort(),
      'a recipe lands when all of it has, and only then',
    );
    assert.equal(connections, 0);
    assert.equal(zone.uploads.size, 0, 'an upload was left open');
    assert.ok(seconds < 60, `${seconds} s`);

    await t.test('when it behaves again everything lands, and what was there does not move', async () => {
      zone.requests.length = 0;
      for (const end of ends) end();
      const again = await scene.run({ change });
      assert.deepEqual(
        again.task.items.filter(({ error }) => error !== undefined).map(({ name, error }) => [name, error]),
        [],
      );
      assert.equal(zone.count(new RegExp(`^(?:POST|PUT|PATCH) ${prefix}library/(?:aaa|zzz)/`)), 0);
    });
  } finally {
    await new Promise((resolve) => trap.close(resolve));
  }
});

import type { Interceptor, RegistryDouble } from '../../result/registry-double.ts';
import { misbehave } from '../misbehave.ts';
import { type Attack, anything, on, type Place } from './attack.ts';

/** Challenges with a realm of the host's own that answers as told. */
function attackToken(name: string, code: string, answer: (...args: Parameters<Interceptor>) => void): Attack {
  return {
    name,
    code,
    host: (host) => {
      challenge(host, `Bearer realm="${host.origin}/token",service="s"`);
      on(host, /\/token/, answer);
    },
  };
}

function challenge(host: RegistryDouble, field: string): void {
  on(host, anything, (_request, response) =>
    misbehave.reply(response, 401, { 'www-authenticate': field }, '{}'),
  );
}

function attackChallenge(name: string, code: string, field: (host: RegistryDouble) => string): Attack {
  return { name, code, host: (host) => challenge(host, field(host)) };
}
/** Challenges and tokens. */
export function attackTokens({ trap }: Place): readonly Attack[] {
  return [
    attackChallenge('no-scheme', 'SVC-REG-003', () => ''),
    attackChallenge('negotiate', 'SVC-REG-003', () => 'Negotiate, NTLM TlRMTVNTUAAC'),
    attackChallenge('basic-unasked', 'SVC-REG-003', () => 'Basic realm="x"'),
    attackChallenge('malformed-challenge', 'SVC-REG-003', () => `Bearer realm="${'\\'.repeat(5000)}`),
    attackChallenge('realm-nonsense', 'SVC-REG-003', () => 'Bearer realm="http://["'),
    attackChallenge('realm-file', 'SVC-POL-001', () => 'Bearer realm="file:///etc/passwd"'),
    attackChallenge('realm-off-the-list', 'SVC-POL-001', () => `Bearer realm="http://${trap.host}/token"`),
    attackChallenge(
      'realm-unlisted-plain',
      'SVC-POL-001',
      () => 'Bearer realm="http://unlisted.example/token"',
    ),
    attackChallenge('realm-userinfo', 'SVC-POL-001', ({ host }) => `Bearer realm="http://u:p@${host}/token"`),
    attackToken('token-endless', 'SVC-VAL-002', (_request, response) =>
      misbehave.endlessly(response, 200, {}, Buffer.alloc(65_536, ' ')),
    ),
    attackToken('token-oversized', 'SVC-VAL-002', (_request, response) =>
      misbehave.reply(response, 200, {}, JSON.stringify({ token: 'x'.repeat(70_000) })),
    ),
    attackToken('token-html', 'SVC-REG-002', (_request, response) =>
      misbehave.reply(response, 200, { 'content-type': 'text/html' }, '<html></html>'),
    ),
    attackToken('token-nested', 'SVC-REG-003', (_request, response) =>
      misbehave.reply(response, 200, {}, '['.repeat(60_000)),
    ),
    attackToken('token-poisoned', 'SVC-REG-003', (_request, response) =>
      misbehave.reply(response, 200, {}, JSON.stringify({ token: 'a\r\nx-injected: 1' })),
    ),
    attackToken('token-number', 'SVC-REG-003', (_request, response) =>
      misbehave.reply(response, 200, {}, '{"token":7}'),
    ),
    attackToken('token-never-good', 'SVC-REG-003', (_request, response) =>
      misbehave.reply(response, 200, {}, '{"token":"abc","expires_in":-5}'),
    ),
    attackToken('token-refused', 'SVC-REG-003', (_request, response) => misbehave.reply(response, 401, {})),
    attackToken('token-failing', 'SVC-REG-002', (_request, response) => misbehave.reply(response, 503, {})),
    attackToken('token-redirect-loop', 'SVC-REG-007', (request, response) =>
      misbehave.reply(response, 302, { location: request.path }),
    ),
    attackToken('token-redirect-off-the-list', 'SVC-POL-001', (_request, response) =>
      misbehave.reply(response, 302, { location: `http://${trap.host}/token` }),
    ),
  ];
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SessionAccount, Sessions } from '../../src/account/sessions.ts';
import { createManualClock } from '../kit/instance/clock.ts';

const ana: SessionAccount = { name: 'ana', role: 'operator', hash: '$argon2id$1' };
const only = (account: SessionAccount | undefined) => (name: string) =>
  account?.name === name ? account : undefined;

function createSessions(maxSessions?: number) {
  const clock = createManualClock();
  return {
    clock,
    sessions: new Sessions({ ttl: 60_000, now: clock.monotonic, ...(maxSessions ? { maxSessions } : {}) }),
  };
}

test('a session is found by its secret of 32 random bytes until it expires', () => {
  const { clock, sessions } = createSessions();
  const { secret, maxAgeSeconds } = sessions.start(ana);
  assert.equal(Buffer.from(secret, 'base64url').length, 32);
  assert.equal(maxAgeSeconds, 60);
  clock.advance(59_999);
  assert.equal(sessions.find(secret, only(ana)), ana);
  clock.advance(1);
  assert.equal(sessions.find(secret, only(ana)), undefined);
  assert.equal(sessions.size, 0);
});

test('a session secret chosen by the client is not accepted', () => {
  const { sessions } = createSessions();
  sessions.start(ana);
  assert.equal(sessions.find('chosen-by-the-client', only(ana)), undefined);
  assert.equal(sessions.find('x'.repeat(100_000), only(ana)), undefined);
});

test('a session ends permanently when the password or role changes or the account is deleted', () => {
  for (const changed of [{ ...ana, hash: '$argon2id$2' }, { ...ana, role: 'viewer' as const }, undefined]) {
    const { sessions } = createSessions();
    const { secret } = sessions.start(ana);
    assert.equal(sessions.find(secret, only(changed)), undefined);
    assert.equal(sessions.find(secret, only(ana)), undefined);
  }
});

test('signing out ends one session and no other', () => {
  const { sessions } = createSessions();
  const first = sessions.start(ana);
  const second = sessions.start(ana);
  sessions.end(first.secret);
  assert.equal(sessions.find(first.secret, only(ana)), undefined);
  assert.equal(sessions.find(second.secret, only(ana)), ana);
});

test('sessions are bounded, and the oldest ends first', () => {
  const { sessions } = createSessions(2);
  const [first, second, third] = [sessions.start(ana), sessions.start(ana), sessions.start(ana)];
  assert.equal(sessions.size, 2);
  assert.equal(sessions.find(first.secret, only(ana)), undefined);
  assert.equal(sessions.find(second.secret, only(ana)), ana);
  assert.equal(sessions.find(third.secret, only(ana)), ana);
});

test('expired sessions are forgotten when new ones start', () => {
  const { clock, sessions } = createSessions();
  for (let i = 0; i < 5; i += 1) sessions.start(ana);
  clock.advance(60_000);
  sessions.start(ana);
  assert.equal(sessions.size, 1);
});

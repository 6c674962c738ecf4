import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOverload, isRefusal, planRetry, toWait } from '../../../src/remote/transport/retry-policy.ts';

const now = Date.UTC(2026, 0, 1);
const wait = (field: string, date?: string) => toWait({ 'retry-after': field, date }, now);
const at = (milliseconds: number) => new Date(now + milliseconds).toUTCString();

test('Retry-After counts in seconds or as an HTTP date in its three forms, and in no other form', () => {
  assert.equal(toWait({}, now), 0);
  for (const [field, expected] of [
    ['0', 0],
    ['7', 7_000],
    [' 7 ', 7_000],
    [at(90_000), 90_000],
    ['Thursday, 01-Jan-26 00:01:30 GMT', 90_000],
    ['Thu Jan  1 00:01:30 2026', 90_000],
    [at(-90_000), 0],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    // `Date.parse` makes dates of all of these
    ['-1', 0],
    ['-3600', 0],
    ['1.5', 0],
    ['2027', 2_027_000],
    ['soon 2030', 0],
    ['2030-01-01T00:00:00Z', 0],
    ['1 Jan 2030', 0],
    ['Thu, 01 Jan 2026 25:61:61 GMT', 0],
    ['1, 120', 0],
    ['1e3', 0],
    ['0x10', 0],
    ['', 0],
    ['soon', 0],
  ] as const)
    assert.equal(wait(field), expected, JSON.stringify(field));
});

test('a date counts from the Date of the answer, so that a wrong clock here changes no wait', () => {
  assert.equal(wait(at(3_600_000 + 5_000), at(3_600_000)), 5_000);
  assert.equal(wait(at(5_000), 'yesterday'), 5_000);
});

test('a wait without end is told as a year, so that its end is a date', () => {
  for (const field of ['9'.repeat(400), '31622400000', 'Fri, 31 Dec 9999 23:59:59 GMT'])
    assert.equal(wait(field), 366 * 86_400_000, field.slice(0, 40));
});

test('each status is one to repeat, one that refuses, or one that another request may change', () => {
  for (const status of [408, 425, 429, 500, 502, 503, 504, 507]) {
    assert.ok(isOverload(status), `${status}`);
    assert.ok(!isRefusal(status), `${status}`);
  }
  for (const status of [400, 401, 403, 405, 409, 412, 413, 415, 422, 451, 501]) {
    assert.ok(!isOverload(status), `${status}`);
    assert.ok(isRefusal(status), `${status}`);
  }
  for (const status of [200, 206, 304, 404, 416]) {
    assert.ok(!isOverload(status), `${status}`);
    assert.ok(!isRefusal(status), `${status}`);
  }
});

test('waits double up to half a minute, are at least as long as the peer asks for, and end with the retries', () => {
  const plan = (failures: number, least: number | false, random = 1) =>
    planRetry(failures, least, { retries: 20 }, random);
  assert.deepEqual(
    [0, 1, 2, 10].map((failures) => plan(failures, 0)),
    [250, 500, 1_000, 30_000],
  );
  assert.equal(plan(0, 0, 0), 125);
  assert.equal(plan(0, 60_000), 60_000);
  assert.equal(plan(3, 1), 2_000);
  assert.equal(plan(0, false), undefined);
  assert.equal(plan(20, 0), undefined);
  assert.equal(planRetry(0, 0, { retries: 0 }), undefined);
});

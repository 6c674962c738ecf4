import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';

/** Milliseconds in which each request of the administrator is answered. */
const patience = 2000;

/** Makes the function that does something for the administrator, and fails when it takes too long. */
export const openTimer =
  (t: TestContext) =>
  async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const before = performance.now();
    const result = await work();
    const took = performance.now() - before;
    t.diagnostic(`${what}: ${took.toFixed(0)} ms`);
    assert.ok(took < patience, `${what}: ${took} ms`);
    return result;
  };

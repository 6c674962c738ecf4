import type { TestContext } from 'node:test';
import type { ReleaseScene } from '../scene.ts';

/** The common parts of the tests of finished releases: both are made once, by the tests before. */
export interface Shared {
  readonly scene: ReleaseScene;
  /** Whether the releases are there; otherwise the test is skipped, or fails when they could not be made. */
  isMade(t: TestContext): boolean;
}

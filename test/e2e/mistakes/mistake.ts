import type { TestContext } from 'node:test';
import type { LogLevel } from '../../../src/base/report.ts';
import type { Rehearsal } from '../../kit/scene/rehearsal.ts';

/** Where mistakes are made: registries, instances and a carried disk in one folder. */
export interface MistakeWorld {
  readonly rehearsal: Rehearsal;
  /** A fresh copy of a medium that was made well, of two recipes, and the configuration of the zone that reads it. */
  carry(settings?: Readonly<Record<string, unknown>>): Promise<CarriedDisk>;
}

export interface CarriedDisk {
  readonly root: string;
  readonly config: string;
}

/** What is typed, and what must come of it. */
export interface Typed {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Text on stdin; the command is then a process of its own. */
  readonly input?: string;
  /** Working folder; the command is then a process of its own. */
  readonly cwd?: string;
  readonly exitCode: number;
  /** Code that names the mistake; absent for a command line that means nothing. */
  readonly code?: string;
  /** What the operator must be able to read. */
  readonly says: RegExp;
  /** Highest level of the records that are written to the log; absent: none is written. */
  readonly record?: LogLevel;
  /** Addresses and folders of this run, each with what the page shows in its place. */
  readonly shown?: readonly (readonly [own: string, shown: string])[];
  /** Undoes what the situation needs. */
  readonly after?: () => PromiseLike<unknown>;
}

export interface Mistake {
  /** The heading of its section. */
  readonly title: string;
  /** What the operator did, one or two sentences. */
  readonly situation: string;
  /** Whether this machine can make the situation; otherwise the mistake is listed as not run. */
  readonly needs?: (t: TestContext, folder: string) => boolean;
  /** Makes the situation. */
  make(world: MistakeWorld): Promise<Typed>;
}

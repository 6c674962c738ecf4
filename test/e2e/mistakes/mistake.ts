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

/** A typed command, and its required result. */
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
  /** Text that the operator must be able to read. */
  readonly says: RegExp;
  /** Highest level of the records that are written to the log; absent: none is written. */
  readonly record?: LogLevel;
  /** Addresses and folders of this run, each with its replacement on the page. */
  readonly shown?: readonly (readonly [own: string, shown: string])[];
  /** Undoes the preparations of the situation. */
  readonly after?: () => PromiseLike<unknown>;
}

export interface Mistake {
  /** The heading of its section. */
  readonly title: string;
  /** The mistake of the operator, in one or two sentences. */
  readonly situation: string;
  /** Whether this machine can make the situation; otherwise the mistake is listed as not run. */
  readonly needs?: (t: TestContext, folder: string) => boolean;
  /** Makes the situation. */
  make(world: MistakeWorld): Promise<Typed>;
}

import type { Readable, Writable } from 'node:stream';
import type { Worker } from 'node:worker_threads';
import type { BaseContext } from 'clipanion';

/** Access of a command to its process. Commands use nothing else of the process. */
export interface CommandContext extends BaseContext {
  readonly env: Record<string, string | undefined>;
  readonly stdin: Readable & {
    readonly isTTY?: boolean;
    ref?(): unknown;
    setRawMode?(mode: boolean): unknown;
  };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly fd?: number };
  /** The thread that the index entry of the command has started. */
  readonly thread?: Worker;
  /**
   * Aborted by SIGINT or SIGTERM: the command cleans up and ends, then the process is terminated by that
   * signal.
   */
  readonly signal: AbortSignal;
  /** Leaves the handling of signals to the command, which ends by itself. */
  readonly ownSignals: () => void;
  /**
   * Terminates the process by this signal after the clean-up of the command, as if the signal had been sent.
   */
  readonly interrupt: (signal: NodeJS.Signals) => void;
  /** Runs another command of the program in this process. @returns its exit code */
  readonly run: (args: readonly string[]) => Promise<number>;
}

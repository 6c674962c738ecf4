import type { Readable, Writable } from 'node:stream';
import type { Worker } from 'node:worker_threads';
import type { BaseContext } from 'clipanion';

/** What a command gets of the process it runs in; commands reach for nothing else. */
export interface CommandContext extends BaseContext {
  readonly env: Record<string, string | undefined>;
  readonly stdin: Readable & {
    readonly isTTY?: boolean;
    ref?(): unknown;
    setRawMode?(mode: boolean): unknown;
  };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** What the command's entry in the index has started. */
  readonly thread?: Worker;
  /** Aborted by SIGINT or SIGTERM: the command cleans up and ends, then the process dies of that signal. */
  readonly signal: AbortSignal;
  /** Hands the signals over to the command, which ends by itself. */
  readonly ownSignals: () => void;
  /** Ends the process by this signal after the command's clean-up, as though it had been sent. */
  readonly interrupt: (signal: NodeJS.Signals) => void;
  /** Runs another command of the program in this process. @returns its exit code */
  readonly run: (args: readonly string[]) => Promise<number>;
}

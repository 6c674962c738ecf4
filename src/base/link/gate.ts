/** Tells transfers whether they may go on. */
export interface TransferGate {
  readonly isOpen: boolean;
  /**
   * Waits until transfers may go on.
   *
   * @param signal ends the wait
   * @returns undefined when they may now
   * @throws the reason of the signal
   */
  whenOpen(signal?: AbortSignal): Promise<void> | undefined;
}

/** Ends the answer that a transfer reads, so that no connection is held while the gate is closed. It is no failure. */
export class TransferPaused extends Error {
  constructor() {
    super('the transfer pauses');
    this.name = 'TransferPaused';
  }
}

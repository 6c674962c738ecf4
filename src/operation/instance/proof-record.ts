import { toStamp } from '../../base/clock.ts';
import { Rate } from '../../base/rate.ts';
import type { MediumProof, ProofProgress, ProofState } from '../../contract/proof.ts';
import { toProblem } from '../../engine/sync/plan-sync.ts';
import { svcError, toSvcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';

/** What a proof was asked for. */
export interface ProofInput {
  /** Absolute paths. Default: the store of the instance. */
  readonly folders?: readonly string[] | undefined;
  readonly zone?: string | undefined;
  /** `empty`, `zone:` and the name of a zone whose last known receipt is meant, or the absolute path of a receipt. */
  readonly against?: string | undefined;
  /** Public keys in PEM. */
  readonly trustRoots?: readonly string[] | undefined;
  /** `os/arch[/variant]` */
  readonly platforms?: readonly string[] | undefined;
  readonly strict?: boolean | undefined;
}

/** The proof that runs without a client that waits for it, and the last one. */
export class ProofRecord {
  #state: ProofState = {};
  #input: ProofInput = {};
  #stop = new AbortController();
  /** Of the folder that is looked at and hashed. */
  #rate = new Rate();
  readonly #now: () => number;

  /** @param now milliseconds of a monotonic clock */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** What the last proof was asked for: the form shows it again. */
  get input(): ProofInput {
    return this.#input;
  }

  get state(): ProofState {
    const { running } = this.#state;
    if (running === undefined) return this.#state;
    const { bytes, totalBytes, step = 'media' } = running;
    // a disk may hang before the first byte; later steps compute, and have no bytes
    if (step !== 'media' || (totalBytes !== undefined && bytes >= totalBytes)) return this.#state;
    this.#rate.add(this.#now(), bytes);
    const left = totalBytes === undefined ? undefined : totalBytes - bytes;
    return { running: { ...running, ...this.#rate.toPace(left) } };
  }

  /**
   * Begins a proof, and records how it ends.
   *
   * @param input without folders: the store of the instance
   * @throws SVC-SRV-006 while another one runs
   */
  begin(
    input: ProofInput,
    prove: (onProgress: (progress: ProofProgress) => void, signal: AbortSignal) => Promise<MediumProof>,
  ): void {
    if (this.#state.running !== undefined)
      throw svcError(
        'SVC-SRV-006',
        {},
        {
          detail: rule([
            'another delivery is being proved',
            fr`une autre livraison est en train d’être prouvée`,
          ]),
        },
      );
    this.#input = input;
    const { folders = [] } = input;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const running = { folders, startedAt: toStamp(), files: 0, bytes: 0 };
    this.#state = { running };
    const end = (outcome: Pick<ProofState, 'proof' | 'failure'>): void => {
      this.#state = { folders, finishedAt: toStamp(), ...outcome };
    };
    const fail = (error: unknown): void => end({ failure: toProblem(toSvcError(error)) });
    this.#rate = new Rate();
    this.#rate.add(this.#now(), 0);
    prove((progress) => {
      if (progress.bytes !== undefined) this.#rate.add(this.#now(), progress.bytes);
      this.#rate.touch(this.#now());
      this.#state = { running: { ...running, ...this.#state.running, ...progress } };
    }, signal).then(
      // a cancelled proof may have findings about content that it did not read any more
      (proof) => (signal.aborted ? fail(signal.reason) : end({ proof })),
      (error: unknown) => fail(signal.aborted ? signal.reason : error),
    );
  }

  /** Cancels the proof that runs, if one does. It ends with SVC-TSK-004 when its work has stopped. */
  cancel(actor: string): void {
    const { running } = this.#state;
    if (running === undefined || this.#stop.signal.aborted) return;
    this.#state = { running: { ...running, cancelledBy: actor } };
    this.#stop.abort(svcError('SVC-TSK-004', { work: 'proof', actor }));
  }
}

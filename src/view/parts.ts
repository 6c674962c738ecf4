import type { Digest } from '../base/digest.ts';
import type { GateRefusal, WithholdingGate } from '../base/gate-refusal.ts';
import type { Config } from '../config/model.ts';
import type { ServedFilesets } from '../engine/fileset/served-model.ts';
import type { Store } from '../store/model.ts';
import type { TrustPolicy } from '../trust/model.ts';

/** Decides which content of the store may be shown. */
export interface ViewGate extends WithholdingGate {
  /** Whether content must be verified before it is shown. */
  readonly guarded: boolean;
  /** Returns the reason why the gate is closed, undefined when it is open. */
  refusal(): GateRefusal | undefined;
  /** Closes when the medium was replaced or changed since it was opened; returns whether it was. Absent: it is not watched. */
  closeIfChanged?(): boolean;
  allowsRepository(repository: string): boolean;
  allowsTag(repository: string, tag: string): boolean;
  allowsManifest(repository: string, digest: Digest): boolean;
}

/** The inputs of the views besides the store: of a running instance, or of the configuration of a command. */
export interface ViewedInstance {
  readonly context: {
    readonly config: Pick<Config, 'storage' | 'destination' | 'registries' | 'zone' | 'files'>;
    /** The trusted public keys, each with the predicate types that it may approve. */
    readonly policy: Pick<TrustPolicy, 'roots'>;
  };
  /** Absent where no instance serves them. */
  readonly filesets?: Pick<ServedFilesets, 'listIndexes'>;
}

/** Inputs of the views of content: an instance passes its own, a command those of a store that it opened. */
export interface ViewParts {
  readonly store: Store;
  readonly gate: ViewGate;
  readonly instance: ViewedInstance;
}

import type { Accounts } from '../../src/account/accounts.ts';
import type { Identity } from '../../src/account/model.ts';
import type { ListenerCertificate } from '../../src/certificate/listener-certificate.ts';
import type { RegistryBase } from '../../src/client/node-mirrors.ts';
import type { Link } from '../../src/link/link.ts';
import type { Instance } from '../../src/operation/instance/instance.ts';
import type { Schedule } from '../../src/task/schedule.ts';
import type { Gate } from '../gate.ts';
import type { Operations } from '../operations.ts';
import type { ReadConditions } from '../probe/conditions.ts';
import type { VolumeLook } from '../probe/volume-look.ts';

/** The caller of work that callers share. */
export interface ViewCaller {
  readonly identity: Pick<Identity, 'actor'>;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** The sources of the views. The API and the pages pass the same parts to the same views. */
export interface ViewParts extends Pick<Instance, 'store' | 'tasks'> {
  readonly version: string;
  readonly gate: Gate;
  /** Which of the conditions of `/readyz` apply now. */
  readonly conditions: ReadConditions;
  /** Looks at the folder of the store. */
  readonly volumes: { readonly store: VolumeLook };
  /** Configured names of this instance; the first one is preferred. */
  readonly names: readonly string[];
  /** Configured address by which clients reach this instance. Default: that of the listener. */
  readonly publicBase?: RegistryBase | undefined;
  readonly instance: Instance;
  readonly operations: Operations;
  /** Absent in mirror mode. */
  readonly schedule: Schedule | undefined;
  readonly link: Pick<
    Link,
    'record' | 'isDamaged' | 'limiter' | 'overrideRate' | 'clearRate' | 'overrideWindows' | 'clearWindows'
  >;
  /** Absent without a state root. */
  readonly accounts: Accounts | undefined;
  /** Absent when the listener serves plain HTTP. */
  readonly certificate: ListenerCertificate | undefined;
  readonly certificateFiles?: { readonly certFile: string; readonly keyFile: string } | undefined;
}

/** Client of a view, for views that depend on its role. */
export type Viewer = Pick<Identity, 'role'>;

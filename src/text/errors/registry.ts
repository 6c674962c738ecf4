import { authErrors } from './auth.ts';
import { cfgErrors } from './cfg.ts';
import { chtErrors } from './cht.ts';
import { cloErrors } from './clo.ts';
import { cusErrors } from './cus.ts';
import { drfErrors } from './drf.ts';
import { dstErrors } from './dst.ts';
import type { Entry, ParamKinds } from './entry.ts';
import { filErrors } from './fil.ts';
import { layErrors } from './lay.ts';
import { medErrors } from './med.ts';
import { netErrors } from './net.ts';
import { polErrors } from './pol.ts';
import { rcpErrors } from './rcp.ts';
import { regErrors } from './reg.ts';
import { sgnErrors } from './sgn.ts';
import { sigErrors } from './sig.ts';
import { srvErrors } from './srv.ts';
import { stoErrors } from './sto.ts';
import { tskErrors } from './tsk.ts';
import { valErrors } from './val.ts';

export type { ErrorClass, ParamValue } from './entry.ts';

const entries = {
  ...authErrors,
  ...cfgErrors,
  ...netErrors,
  ...valErrors,
  ...regErrors,
  ...polErrors,
  ...sigErrors,
  ...sgnErrors,
  ...dstErrors,
  ...filErrors,
  ...chtErrors,
  ...drfErrors,
  ...stoErrors,
  ...medErrors,
  ...rcpErrors,
  ...layErrors,
  ...cloErrors,
  ...cusErrors,
  ...tskErrors,
  ...srvErrors,
};

/** Every error code. A code never changes its meaning; one that is no longer reported is not used again. */
export type ErrorCode = keyof typeof entries;

type Params<C extends ErrorCode> = (typeof entries)[C]['params'];
type Kind<P, N extends keyof P> = P[N] extends keyof ParamKinds ? ParamKinds[P[N]] : never;
type MandatoryName<P> = Exclude<keyof P, `${string}?`>;
type OptionalName<P> = keyof P extends infer N ? (N extends `${infer Bare}?` ? Bare : never) : never;

/** The typed parameters of one code. */
export type ErrorParams<C extends ErrorCode> = {
  readonly [N in MandatoryName<Params<C>>]: Kind<Params<C>, N>;
} & {
  readonly [N in OptionalName<Params<C>>]?: Kind<Params<C>, `${N}?` & keyof Params<C>> | undefined;
};

/** The properties and sentences of every error code, in the order in which they are listed. */
export const errorRegistry: Readonly<Record<ErrorCode, Entry>> = entries;

import type { Config } from './model.ts';
import type { Scope } from './scope.ts';

type OptionalKey<T> = {
  [K in keyof T]-?: undefined extends T[K] ? K : never;
}[keyof T] &
  string;

type SectionPath = {
  [S in keyof Config & string]: NonNullable<Config[S]> extends string | readonly unknown[]
    ? never
    : `${S}.${OptionalKey<NonNullable<Config[S]>>}`;
}[keyof Config & string];

/** Path of a setting that may be absent from a merged configuration, at most one section deep. */
export type OptionalSetting = OptionalKey<Config> | SectionPath;

type Having<P> = P extends `${infer S extends keyof Config & string}.${infer K}`
  ? { readonly [Section in S]: { readonly [Key in K]: NonNullable<Config[S][K & keyof Config[S]]> } }
  : P extends keyof Config
    ? { readonly [Key in P]: NonNullable<Config[P]> }
    : never;

type Intersection<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void
  ? I
  : never;

/** A configuration in which these settings are present. */
export type ConfigWith<P extends OptionalSetting> = Config & Intersection<Having<P>>;

/** Settings that a command requires. */
export const requirements = {
  serve: ['mode', 'storage.root'],
  'ask-instance': [],
  'sync-plan': ['storage.root', 'retriever.source'],
  'media-verify': ['zone', 'storage.root'],
  'media-import': ['zone', 'storage.root', 'state.root', 'destination.registry'],
  'recipe-push': [],
  'recipe-read': [],
  'recipe-sign': [],
  receipt: ['state.root'],
  'receipt-write': ['zone', 'state.root', 'destination.registry'],
  zones: ['state.root'],
  evidence: ['state.root'],
  key: [],
  user: ['state.root'],
  history: ['state.root'],
  custody: ['state.root'],
  export: ['storage.root'],
  import: ['storage.root'],
  'fileset-pack': ['storage.root'],
  'store-check': ['storage.root'],
  trust: [],
  'show-store': ['storage.root'],
  'media-status': ['state.root'],
  'media-prove': [],
  'media-write': ['storage.root', 'state.root'],
  dump: [],
} as const satisfies Readonly<Record<Scope, readonly OptionalSetting[]>>;

/** The validated configuration of a command: the settings that the command requires are present. */
export type ConfigFor<S extends Scope> = ConfigWith<(typeof requirements)[S][number]>;

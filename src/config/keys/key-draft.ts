import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import type { ConfigEntry } from '../config-entry.ts';
import type { Scope } from '../scope.ts';

export const atLeast =
  (minimum: number, label: string) =>
  (value: number): Rule | undefined =>
    value < minimum
      ? rule(['must be at least {label}', fr`doit valoir au moins {label}`], { label })
      : undefined;
export const atMost =
  (n: number) =>
  (value: number): Rule | undefined =>
    value > n ? rule(['must be at most {n}', fr`doit valoir au plus {n}`], { n }) : undefined;
export const notNegative = atLeast(0, '0');
export const positive = (value: number): Rule | undefined =>
  value <= 0 ? rule(['must be more than 0', fr`doit être supérieur à 0`]) : undefined;

/** A key as defined in its section; members that follow from its name are added where all keys are collected. */
export type KeyDraft = Omit<ConfigEntry, 'env' | 'scopes'> & {
  readonly fileOnly?: true;
  readonly scopes?: readonly Scope[];
};

/** Scopes of settings that only a running instance uses. */
export const serve: readonly Scope[] = ['serve', 'dump'];
/** Scopes of settings for bringing content in. */
export const moving: readonly Scope[] = ['serve', 'sync-plan', 'media-import', 'receipt-write', 'dump'];

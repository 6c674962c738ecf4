import type { Entry } from './entry.ts';
import { type ErrorCode, errorRegistry } from './registry.ts';

/**
 * Class and status of every error code, in the order in which they are listed. The build computes them, so that a program
 * loads the sentences only when it shows some.
 */
export const errorKinds: Readonly<Record<ErrorCode, Pick<Entry, 'class' | 'status'>>> = Object.fromEntries(
  Object.entries(errorRegistry).map(([code, { class: kind, status }]) => [code, { class: kind, status }]),
) as Record<ErrorCode, Pick<Entry, 'class' | 'status'>>;

export const errorCodes: readonly ErrorCode[] = Object.keys(errorKinds) as ErrorCode[];

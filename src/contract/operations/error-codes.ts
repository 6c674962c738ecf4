import type { ErrorCode } from '../../text/errors/registry.ts';

/** Codes of an operation that reads manifests or files of the store or the state; a medium may have been replaced. */
export const reading = ['SVC-STO-001', 'SVC-SIG-002', 'SVC-MED-033'] as const satisfies readonly ErrorCode[];

/** Codes of an operation that writes to the volume of the store or the state. */
export const writing = ['SVC-STO-002', 'SVC-STO-004', 'SVC-STO-005'] as const satisfies readonly ErrorCode[];

/** Codes of an operation that changes the store: it may be foreign, read-only, locked or under another key. */
export const changing = [
  ...reading,
  ...writing,
  'SVC-CFG-001',
  'SVC-MED-030',
  'SVC-STO-007',
] as const satisfies readonly ErrorCode[];

/** Codes of an operation that creates a task. */
export const queueing = [...writing, 'SVC-TSK-002'] as const satisfies readonly ErrorCode[];

/** Codes of an operation that shows content: the gate of a medium may be closed. */
export const showing = [
  ...reading,
  'SVC-REG-005',
  'SVC-MED-030',
  'SVC-MED-032',
] as const satisfies readonly ErrorCode[];

/** Codes of an operation that reads from other registries and chart repositories. */
export const contacting = [
  'SVC-NET-001',
  'SVC-POL-001',
  'SVC-REG-001',
  'SVC-REG-002',
  'SVC-REG-003',
  'SVC-REG-005',
  'SVC-REG-006',
  'SVC-REG-007',
  'SVC-REG-008',
  'SVC-REG-009',
  'SVC-SIG-002',
  'SVC-SIG-003',
  'SVC-DST-001',
  'SVC-DST-005',
  'SVC-VAL-002',
] as const satisfies readonly ErrorCode[];

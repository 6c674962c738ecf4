import { join } from 'node:path';
import { requireAble } from '../disk/read-error.ts';
import type { CopyJob, CopyOutcome } from '../disk/threads/copy-range.ts';
import { toWriteError } from '../disk/write-error.ts';
import { svcError } from '../text/error.ts';
import type { Rule } from '../text/rule.ts';
import type { LayoutContent } from './model.ts';

/**
 * Checks that a blob was copied completely and has its digest.
 *
 * @param options `unreadable` is the code for a source that cannot be read
 * @throws SVC-SIG-002 when the blob has other bytes, the given code, SVC-STO-014, SVC-STO-002, SVC-STO-004, SVC-STO-005
 */
export function requireCopied(
  outcome: CopyOutcome,
  { digest, size }: LayoutContent,
  options: {
    readonly source: CopyJob['source'];
    readonly target: string;
    readonly unreadable: 'SVC-STO-001' | 'SVC-LAY-001';
  },
): void {
  const differs = (actual: string | Rule) =>
    svcError('SVC-SIG-002', { reference: digest, expected: digest, actual });
  if (!('problem' in outcome)) {
    if (outcome.digest !== digest) throw differs(outcome.digest);
    return;
  }
  const { problem, detail } = outcome;
  switch (problem) {
    case 'unwritten':
      throw toWriteError(Object.assign(new Error(detail), { code: outcome.code }), options.target, { size });
    case 'size':
      throw differs(detail);
    default: {
      const { root, path } = options.source;
      requireAble(detail, join(root, path));
      throw svcError(options.unreadable, { path: join(root, path), detail });
    }
  }
}

import { toSvcError } from '../text/error.ts';
import { createLedgerWriter, type WriterOptions } from './append.ts';
import type { Custody, CustodyOutcome, OpenIntent } from './model.ts';
import { toLines } from './to-lines.ts';

const openIntent: OpenIntent = { end: async () => {}, fail: async () => {} };

/** Keeps no lines. */
export const noCustody: Custody = {
  open: async () => {},
  record: async () => undefined,
  begin: async () => openIntent,
  during: (_entry, work) => work(undefined),
};

/** Opens the ledger of a site. Nothing is opened before the first line. */
export function openCustody(options: WriterOptions): Custody {
  const writer = createLedgerWriter(options);

  const begin: Custody['begin'] = async (entry) => {
    const lines = toLines(entry, { step: 'intent' });
    const head = await writer.append(lines);
    const of = head.seq - lines.length + 1;
    const end = async ({ subjects = entry.subjects, details, result = 'success' }: CustodyOutcome) => {
      const outcome = { ...entry, subjects, details: { ...entry.details, ...details } };
      await writer.append(toLines(outcome, { step: 'outcome', of, result }));
    };
    return {
      head,
      end,
      fail: async (error, signal) => {
        const { code, class: kind } = toSvcError(error);
        const details = signal?.aborted ? { interrupted: true } : { code };
        await end({ details, result: kind === 'policy' ? 'denied' : 'failure' }).catch(() => undefined);
      },
    };
  };

  return {
    stateRoot: options.stateRoot,
    open: async () => {
      await writer.append([]);
    },
    record: (entry) => writer.append(toLines(entry, { step: 'event', result: entry.result })),
    begin,
    during: async (entry, work, describe = () => ({}), signal) => {
      const intent = await begin(entry);
      let result: Awaited<ReturnType<typeof work>>;
      try {
        result = await work(intent.head);
      } catch (error) {
        await intent.fail(error, signal);
        throw error;
      }
      await intent.end(describe(result));
      return result;
    },
  };
}

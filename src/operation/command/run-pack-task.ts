import type { TaskJournal } from '../../task/model.ts';
import { toErrorRecord } from '../../text/error.ts';
import type { Context } from '../context.ts';
import { type PackFilesetInput, type PackOutcome, packFileset } from '../pack-fileset.ts';
import { type PushedFileset, type PushFilesetInput, pushFileset } from '../push-fileset.ts';
import type { CommandWork } from './run-command-task.ts';

type PackContext = Parameters<typeof packFileset>[0];
type PushContext = Pick<Context, 'config' | 'registry' | 'report'>;

/** Packs a folder into the store as a task with one item, the FileSet. */
export async function runPack(
  context: PackContext,
  input: PackFilesetInput,
  { task, journal, signal }: CommandWork,
): Promise<PackOutcome> {
  return track(journal, task.reference, (onBytes) =>
    packFileset(withTask(context, task), {
      ...input,
      signal,
      onBytes: (done, total) => {
        onBytes(done, total);
        input.onBytes?.(done, total);
      },
    }),
  );
}

/** Packs a folder into a registry as a task with one item, the FileSet. */
export async function runPackPush(
  context: PushContext,
  input: PushFilesetInput,
  { task, journal, signal }: CommandWork,
): Promise<{ readonly fileset: PushedFileset; readonly unchanged: boolean }> {
  return track(journal, task.reference, (onBytes) =>
    pushFileset(withTask(context, task), {
      ...input,
      signal,
      onBytes: (stage, done, total) => {
        if (stage === 'push') onBytes(done, total);
        input.onBytes?.(stage, done, total);
      },
    }),
  );
}

function withTask<C extends { readonly report: PackContext['report'] }>(
  context: C,
  { id, runId }: CommandWork['task'],
): C {
  return { ...context, report: context.report.child({ runId, taskId: id }) };
}

async function track<R extends { readonly fileset: PackOutcome['fileset'] | PushedFileset }>(
  journal: TaskJournal,
  name: string,
  pack: (onBytes: (done: number, total: number) => void) => Promise<R>,
): Promise<R> {
  // written down at once, so that others see it while the command runs
  await journal.settleItems([{ name, status: 'running', transferredBytes: 0 }], { durable: false });
  let reported = 0;
  try {
    const packed = await pack((done, total) => {
      if (reported === 0) journal.setTotalBytes(total);
      journal.addBytes(done - reported);
      reported = done;
    });
    const { digest, bytes, files } = packed.fileset;
    journal.line(`${name}: ${digest}, ${files} files`);
    await journal.updateItem(name, { status: 'done', digest, sizeBytes: bytes, transferredBytes: reported });
    return packed;
  } catch (error) {
    journal.line(`${name}: ${toErrorRecord(error).code}`);
    throw error;
  }
}

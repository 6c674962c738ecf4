import { openArchiveWriter, type WriterOptions } from './archive-writer.ts';
import { requireDestination } from './destination.ts';
import { openFolderWriter } from './folder-writer.ts';
import type { LayoutWriter } from './layout-writer.ts';
import type { LayoutContents } from './model.ts';

/**
 * Opens a layout for writing.
 *
 * @throws SVC-LAY-003 when the path exists and may not be replaced, SVC-STO-00x
 */
export async function openLayoutWriter(
  contents: LayoutContents,
  format: 'tar' | 'directory',
  options: WriterOptions,
  signal?: AbortSignal,
): Promise<LayoutWriter> {
  await requireDestination(options.path, format, options.overwrite);
  return format === 'tar'
    ? openArchiveWriter(contents, options)
    : openFolderWriter(contents, options, signal);
}

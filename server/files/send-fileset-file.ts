import type { Exchange } from '../exchange.ts';
import { filesetPatience, findFilesetFile, toText } from '../views/fileset-files.ts';
import type { ViewParts } from '../views/parts.ts';
import { sendFile } from './send-file.ts';

/**
 * Sends a file of a version of a FileSet to be saved, and never shown: conditions and ranges as below `/files/`.
 *
 * @param path `file` has one character for each byte
 * @param platform `os/architecture[/variant]` of an index
 * @throws the errors of `findFilesetFile`, of opening and of sending the file
 */
export async function sendFilesetFile(
  parts: Pick<ViewParts, 'store' | 'gate' | 'instance'> & { readonly exchange: Exchange },
  { repo: repository, tag, file }: { readonly repo: string; readonly tag: string; readonly file: string },
  platform: string | undefined,
): Promise<void> {
  const { exchange, instance, gate } = parts;
  const found = await findFilesetFile(parts, { repository, tag, platform, patience: filesetPatience }, file);
  const saveAs = toText(file.slice(file.lastIndexOf('/') + 1));
  await sendFile({ exchange, found, filesets: instance.filesets, gate, isPublic: false, saveAs });
}

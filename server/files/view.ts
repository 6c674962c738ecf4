import type { ChartViews, ViewSetting } from '../../src/engine/fileset/chart-views.ts';
import type { Exchange } from '../exchange.ts';
import type { Gate } from '../gate.ts';
import { sendDocument, sendFile } from './send-file.ts';

interface ViewAnswer {
  readonly exchange: Exchange;
  readonly views: ChartViews;
  readonly view: ViewSetting;
  /** Decoded path below the view, one character for each byte. */
  readonly path: string;
  readonly gate: Gate;
}

/**
 * Answers GET and HEAD of a file of a view: its index, or a chart that the index names.
 *
 * @returns false when the view has no such file
 * @throws what making the index and sending a file throws
 */
export async function sendViewFile({ exchange, views, view, path, gate }: ViewAnswer): Promise<boolean> {
  const isPublic = view.anonymous;
  if (path === 'index.yaml') {
    const { bytes, digest } = await views.index(view);
    sendDocument(exchange, { bytes, digest, type: 'application/yaml', isPublic });
    return true;
  }
  const found = await views.find(view, path);
  if (found === undefined) return false;
  await sendFile({ exchange, found, filesets: views, gate, isPublic });
  return true;
}

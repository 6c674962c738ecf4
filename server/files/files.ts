import { isSvcError, svcError } from '../../src/base/error.ts';
import type { Report } from '../../src/base/report.ts';
import type { ChartViews } from '../../src/engine/fileset/chart-views.ts';
import type { ServedFilesets } from '../../src/operation/filesets.ts';
import type { Conceal } from '../conceal.ts';
import type { Exchange } from '../exchange.ts';
import type { Gate } from '../gate.ts';
import type { Identify } from '../identity.ts';
import { sendProblem } from '../problem.ts';
import { parseFilesPath } from './parse-files-path.ts';
import { sendFile } from './send-file.ts';
import { sendViewFile } from './view.ts';

/** Maximum time that a client waits for the first read of a FileSet, in milliseconds. */
const patience = 20_000;

interface FilesParts {
  readonly filesets: ServedFilesets;
  readonly views: ChartViews;
  readonly gate: Gate;
  readonly identify: Identify;
  readonly report: Report;
  readonly conceal: Conceal;
}

/**
 * Makes the surface below `/files/`: read-only files of FileSets and views, without listings. The client is
 * authenticated before anything is looked up, unless the FileSet is anonymous, so that unauthenticated
 * clients cannot find out which FileSets exist.
 */
export function createFiles({
  filesets,
  views,
  gate,
  identify,
  report,
  conceal,
}: FilesParts): (exchange: Exchange) => Promise<void> {
  const answer = async (exchange: Exchange): Promise<void> => {
    const asked = parseFilesPath(exchange.path);
    const setting = asked && filesets.settings.get(asked.name);
    const view = asked && views.settings.get(asked.name);
    const isPublic = (setting ?? view)?.anonymous === true;
    // sessions are refused: another site could otherwise make a signed-in browser fetch files
    if (!isPublic) await identify(exchange, { floor: 'viewer', session: false });
    const unknown = () => svcError('SVC-SRV-002', { path: exchange.path.slice(0, 512) });
    if (asked?.path === undefined || (setting ?? view) === undefined) throw unknown();
    const method = exchange.req.method ?? '';
    if (method !== 'GET' && method !== 'HEAD')
      throw svcError('SVC-SRV-004', { method: method.slice(0, 32), allow: ['GET', 'HEAD'] });
    if (setting !== undefined) {
      const found = await filesets.find(setting, asked.path, patience);
      if (found === undefined) throw unknown();
      await sendFile({ exchange, found, filesets, gate, isPublic });
    } else if (view !== undefined) {
      if (!(await sendViewFile({ exchange, views, view, path: asked.path, gate }))) throw unknown();
    }
  };

  return async (exchange) => {
    try {
      await answer(exchange);
    } catch (error) {
      if (exchange.req.socket.destroyed) return;
      sendProblem(error, exchange, report, isSvcError(error, 'SVC-SRV-002') ? undefined : conceal);
    }
  };
}

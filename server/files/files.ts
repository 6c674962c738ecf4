import type { Report } from '../../src/base/report.ts';
import type { ChartViews, ViewSetting } from '../../src/engine/fileset/chart-views.ts';
import type { ServedFilesets } from '../../src/engine/fileset/served-model.ts';
import { isSvcError, svcError } from '../../src/text/error.ts';
import { explainByMedium } from '../changed-medium.ts';
import type { Conceal } from '../conceal.ts';
import { type Exchange, hasLeft } from '../exchange.ts';
import type { Gate } from '../gate.ts';
import type { Identify } from '../identity.ts';
import { sendProblem } from '../problem.ts';
import { parseFilesPath } from './parse-files-path.ts';
import { sendDocument, sendFile } from './send-file.ts';

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
  conceal,
}: FilesParts): (exchange: Exchange) => Promise<void> {
  /**
   * Authenticates the client of a FileSet that is not public, or does not exist: both give a client without a credential
   * the same answer. apt shows the reason phrase, and nothing of the body.
   */
  const identifyReader = async (exchange: Exchange, fileset: string | undefined): Promise<void> => {
    try {
      await identify(exchange, { floor: 'viewer', session: false });
    } catch (error) {
      const isBare = (exchange.req.headers.authorization ?? '') === '';
      if (!isSvcError(error, 'SVC-AUTH-002') || !isBare) throw error;
      exchange.res.statusMessage = 'Unauthorized, or no such FileSet';
      throw svcError('SVC-AUTH-002', { session: error.params.session as string | undefined, fileset });
    }
  };

  const answer = async (exchange: Exchange): Promise<void> => {
    const asked = parseFilesPath(exchange.path);
    const setting = asked && filesets.settings.get(asked.name);
    const view = asked && views.settings.get(asked.name);
    const isPublic = (setting ?? view)?.anonymous === true;
    // sessions are refused: another site could otherwise make a signed-in browser fetch files
    if (!isPublic) await identifyReader(exchange, asked?.name);
    const unknown = (lacks: 'file' | 'folder' | 'fileset') =>
      svcError('SVC-SRV-002', { path: exchange.path.slice(0, 512), lacks, name: asked?.name });
    if (asked === undefined || (setting ?? view) === undefined) throw unknown('fileset');
    const isFolder = asked.path === '' || /\/\.?$/.test(exchange.path);
    if (asked.path === undefined || isFolder) throw unknown(isFolder ? 'folder' : 'file');
    const method = exchange.req.method ?? '';
    if (method !== 'GET' && method !== 'HEAD')
      throw svcError('SVC-SRV-004', { method: method.slice(0, 32), allow: ['GET', 'HEAD'] });
    if (setting !== undefined) {
      const found = await filesets.find(setting, asked.path, patience);
      if (found === undefined) throw unknown('file');
      await sendFile({ exchange, found, filesets, gate, isPublic });
    } else if (view !== undefined) {
      if (!(await sendViewFile({ exchange, views, view, path: asked.path, gate }))) throw unknown('file');
    }
  };

  return async (exchange) => {
    try {
      await answer(exchange);
    } catch (thrown) {
      if (hasLeft(exchange)) return;
      const error = explainByMedium(thrown, gate);
      sendProblem(error, exchange, isSvcError(error, 'SVC-SRV-002') ? undefined : conceal);
    }
  };
}

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
 * @throws the errors of making the index and of sending a file
 */
async function sendViewFile({ exchange, views, view, path, gate }: ViewAnswer): Promise<boolean> {
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

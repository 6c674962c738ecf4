import { createHash } from 'node:crypto';
import type { MediumReport } from '../../../../src/contract/medium.ts';
import { svcError } from '../../../../src/text/error.ts';
import { showVerification } from '../../../views/media.ts';
import type { PageCall } from '../../ui-route.ts';

export interface ReportFile {
  readonly report: MediumReport;
  /** The report as the file has it: the same for every role. */
  readonly text: string;
  /** Lower-case hexadecimal, of the bytes of the file. */
  readonly sha256: string;
}

/** The last report with the file that it is carried away as; undefined before one. @throws SVC-CFG-001 without a zone */
export function toReportFile(call: PageCall): ReportFile | undefined {
  const { report } = showVerification(call);
  if (report === undefined) return undefined;
  const text = `${call.conceal(JSON.stringify(report, null, 2))}\n`;
  return { report, text, sha256: createHash('sha256').update(text).digest('hex') };
}

/** The file `/media/report.json`. @throws SVC-CFG-001 without a zone, SVC-SRV-002 before the first report */
export function reportJson(call: PageCall): { name: string; contentType: string; content: string } {
  const file = toReportFile(call);
  if (file === undefined) throw svcError('SVC-SRV-002', { path: '/media/report.json' });
  return { name: 'media-report.json', contentType: 'application/json', content: file.text };
}

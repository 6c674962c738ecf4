import { silentReport } from '../../../src/base/report.ts';
import { credentialsLimit, parseCredentials } from '../../../src/remote/registry/credentials.ts';
import { readBounded } from '../../cli/read-bounded.ts';

/**
 * Checks a file of logins as the instance will read it. Warnings are left to the instance. @throws SVC-VAL-001 when it
 * is invalid, and the errors of `readBounded`
 */
export async function checkCredentials(file: string): Promise<void> {
  parseCredentials(await readBounded(file, credentialsLimit), file, silentReport);
}

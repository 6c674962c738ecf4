import { silentReport } from '../../../src/base/report.ts';
import { readBounded } from '../../../src/disk/named-file.ts';
import { credentialsLimit, parseCredentials } from '../../../src/remote/registry/credentials.ts';

/**
 * Checks a file of logins as the instance will read it. Warnings are left to the instance. @throws SVC-VAL-001 when it
 * is invalid, and the errors of `readBounded`
 */
export async function checkCredentials(file: string): Promise<void> {
  parseCredentials(await readBounded(file, credentialsLimit), file, silentReport);
}

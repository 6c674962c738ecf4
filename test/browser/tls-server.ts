import { mkdir } from 'node:fs/promises';
import { openListenerCertificate } from '../../src/certificate/listener-certificate.ts';
import { createRecordingReport } from '../kit/instance/recording-report.ts';
import { startTestServer, type TestServer } from '../kit/instance/server.ts';

/** An instance with a certificate of its own making. @param folder of its own */
export async function openTlsServer(folder: string): Promise<TestServer> {
  await mkdir(folder, { recursive: true });
  const report = createRecordingReport();
  const certificate = await openListenerCertificate({
    stateRoot: folder,
    hosts: ['registry.zone-b.example'],
    report,
  });
  return startTestServer({ folder, certificate, hosts: ['registry.zone-b.example'] });
}

import process from 'node:process';

/** Milliseconds for which a lookup may continue. */
const patience = 500;

/**
 * Ends the process with this exit code when its event loop is empty. A lookup of a name in the system (getaddrinfo)
 * cannot be cancelled. Both the event loop and `process.exit` wait for it, for minutes where no name server answers. If
 * only a lookup continues, the process is replaced by one that exits at once.
 */
export function endProcess(exitCode: number): void {
  process.exitCode = exitCode;
  const timer = setTimeout(() => {
    if (!process.getActiveResourcesInfo().includes('GetAddrInfoReqWrap')) return;
    try {
      process.execve?.('/bin/sh', ['sh', '-c', `exit ${exitCode}`], {});
    } catch {
      // there is no shell: the process exits when the lookup ends
    }
  }, patience);
  timer.unref();
}

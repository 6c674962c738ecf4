import { svcError } from '../../text/error.ts';

/** @throws SVC-SRV-006 when the work takes longer than `patience` milliseconds */
export async function bounded<T>(work: Promise<T>, patience: number | undefined): Promise<T> {
  if (patience === undefined) return work;
  let timer: NodeJS.Timeout | undefined;
  const impatient = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(svcError('SVC-SRV-006', {})), patience);
  });
  try {
    return await Promise.race([work, impatient]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}

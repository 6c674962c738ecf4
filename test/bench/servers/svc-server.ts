import { mkdir } from 'node:fs/promises';
import { type Instance, startInstance } from '../../kit/instance/instance.ts';
import type { MeasuredServer } from './measured-server.ts';

/** How the load client presents itself: every server of the project asks, as it does by default. */
export type SvcAuthentication = 'token' | 'basic' | 'none';

export interface SvcServer extends MeasuredServer {
  readonly instance: Instance;
}

/** A built `svc serve` with its store and state in a folder of its own. */
export async function startSvcServer(
  folder: string,
  options: {
    readonly authentication?: SvcAuthentication;
    readonly config?: Readonly<Record<string, unknown>>;
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Promise<SvcServer> {
  const { authentication = 'token', config = {}, env = {} } = options;
  await mkdir(folder, { recursive: true });
  const disabled = authentication === 'none' ? { auth: { disabled: true } } : {};
  const instance = await startInstance({
    folder,
    config: { ...config, ...disabled },
    env,
  });
  try {
    const authorization =
      authentication === 'basic'
        ? instance.authorization
        : authentication === 'token'
          ? `Bearer ${await instance.createToken('admin')}`
          : undefined;
    return {
      host: instance.host,
      pid: instance.process.pid!,
      authorization,
      instance,
      [Symbol.asyncDispose]: () => instance[Symbol.asyncDispose](),
    };
  } catch (error) {
    await instance.kill();
    throw error;
  }
}

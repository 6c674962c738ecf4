import { getRawAsset } from 'node:sea';

/** A copy of what is embedded under this name. */
export function readAsset(name: string): Buffer {
  return Buffer.from(new Uint8Array(getRawAsset(name) as ArrayBuffer));
}

/** Embedded code as a module that the loader takes: it may import the runtime's own modules, and nothing else. */
export function toModuleUrl(name: string): URL {
  return new URL(`data:text/javascript;base64,${readAsset(name).toString('base64')}`);
}

import { getRawAsset } from 'node:sea';

/** Returns a copy of an embedded asset. */
export function readAsset(name: string): Buffer {
  return Buffer.from(new Uint8Array(getRawAsset(name) as ArrayBuffer));
}

/** Converts embedded code to a module URL. Such a module can import only built-in modules of the runtime. */
export function toModuleUrl(name: string): URL {
  return new URL(`data:text/javascript;base64,${readAsset(name).toString('base64')}`);
}

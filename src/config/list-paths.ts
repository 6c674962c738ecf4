import { isAbsolute, resolve } from 'node:path';
import type { Config } from './model.ts';

/** A file or folder that the configuration names. */
export interface ConfiguredPath {
  /** Key path of the setting: `storage.root`. */
  readonly setting: string;
  /** Absolute. */
  readonly path: string;
}

const toPaths = (setting: string, ...paths: readonly (string | undefined)[]): readonly ConfiguredPath[] =>
  paths.flatMap((path) => (path === undefined ? [] : [{ setting, path: resolve(path) }]));

/** Lists the folders of an instance's own data. */
export function listDataFolders({ storage, state }: Config): readonly ConfiguredPath[] {
  return [...toPaths('storage.root', storage.root), ...toPaths('state.root', state.root)];
}

/**
 * Lists the files that configure an instance: the document, the Retriever, keys, certificates, credentials.
 *
 * @param configPath of the configuration document, if there is one
 */
export function listConfigFiles(config: Config, configPath?: string): readonly ConfiguredPath[] {
  const { registries, retriever, server, trust, signing, peers, network, ui, zones } = config;
  const { source } = retriever;
  return [
    ...toPaths('--config', configPath),
    ...toPaths('retriever.source', source !== undefined && isAbsolute(source) ? source : undefined),
    ...toPaths('registries.credentialsFile', registries.credentialsFile),
    ...toPaths('server.tls.certFile', server.tls.certFile),
    ...toPaths('server.tls.keyFile', server.tls.keyFile),
    ...toPaths('trust.roots', ...trust.roots.map(({ keyFile }) => keyFile)),
    ...toPaths('signing.keyFile', signing.keyFile),
    ...toPaths('signing.passwordFile', signing.passwordFile),
    ...toPaths('peers', ...peers.map(({ keyFile }) => keyFile)),
    ...toPaths('zones', ...zones.map(({ retriever }) => retriever).filter(isAbsolute)),
    ...toPaths('network.tls.caFiles', ...network.tls.caFiles),
    ...toPaths('ui.themeOverride', ui.themeOverride),
  ];
}

import type { ApiRoute } from '../api-route.ts';

/** Groups of operations, by the first segment of their path. */
export const groups: Readonly<Record<string, string>> = {
  openapi: 'This document',
  'cli-output': 'Documents of the command line',
  status: 'State of the instance',
  whoami: 'Who makes a request',
  content: 'Content of the store',
  import: 'Unit imports',
  tasks: 'Tasks and their logs',
  recipes: 'Recipes',
  clients: 'Configuration of the clients of the nodes',
  sync: 'Synchronization',
  retriever: 'Source and interval of synchronization',
  plan: 'Plans of a synchronization',
  media: 'Carried media',
  filesets: 'Trees of files',
  'oci-layout': 'OCI image layouts on the host',
  store: 'The store as a whole',
  account: 'The account that is signed in',
  accounts: 'Local accounts',
  tokens: 'API tokens',
  network: 'Listener and outbound connections',
};

/** The group of an operation. */
export function groupOf({ path }: Pick<ApiRoute, 'path'>): string {
  return path.split(/[/.]/)[1]!;
}

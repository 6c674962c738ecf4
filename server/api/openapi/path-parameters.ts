import { client } from '../../../src/contract/common.ts';
import { accountName, deliveryId, repositoryText, tagText, taskId } from '../../../src/contract/patterns.ts';
import type { Schema } from '../../../src/contract/schema.ts';
import type { Part } from './answers.ts';

interface PathParameter {
  readonly description: string;
  readonly example: string;
  readonly schema: Schema;
}

/** A path parameter of the same name means the same in every path. A value outside of its schema names nothing. */
const parameters: Readonly<Record<string, PathParameter>> = {
  repo: {
    description: 'Repository. Its slashes may be sent as they are, or encoded as `%2F`',
    example: 'team/app',
    schema: repositoryText,
  },
  tag: {
    description: 'Tag of the repository',
    example: '1.4.2',
    schema: tagText,
  },
  file: {
    description: 'Path of the file, as `path` of the list has it, with its slashes as they are',
    example: 'dists/stable/Release',
    schema: { type: 'string', minLength: 1, maxLength: 4096 },
  },
  id: {
    description: 'Identifier of the task',
    example: 'tsk_5f0c2a9be471',
    schema: taskId,
  },
  delivery: {
    description: 'Identifier of the delivery',
    example: 'dlv_3f9c01ab77de',
    schema: deliveryId,
  },
  recipe: {
    description: 'Name of the recipe',
    example: 'platform',
    schema: { type: 'string', minLength: 1, maxLength: 128 },
  },
  client: {
    description: 'Client of a node',
    example: 'containerd',
    schema: client,
  },
  zone: {
    description: 'Name of a zone of the configuration',
    example: 'zone-b',
    schema: { type: 'string', minLength: 1, maxLength: 128 },
  },
  name: {
    description: 'Name of the account or token',
    example: 'ana',
    schema: accountName,
  },
};

/** Lists the parameters of a path as OpenAPI parameters. */
export function listPathParameters(path: string): readonly Part[] {
  return [...path.matchAll(/\{([a-z]+)\}/g)].map(([, name]) => {
    const known = parameters[name!];
    if (known === undefined) throw new Error(`the path parameter ${name} has no description`);
    return { name, in: 'path', required: true, ...known };
  });
}

/** Fills the parameters of a path with their examples; slashes of a repository stay. */
export function fillPath(path: string): string {
  return path.replace(/\{([a-z]+)\}/g, (_, name: string) => {
    const { example } = parameters[name] ?? {};
    return String(example).split('/').map(encodeURIComponent).join('/');
  });
}

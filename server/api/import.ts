import { Inspection } from '../../src/contract/content.ts';
import { importReference } from '../../src/contract/patterns.ts';
import { boolean, digest, list, object, text } from '../../src/contract/schema.ts';
import { TaskAnswer } from '../../src/contract/task.ts';
import { withoutCredentials } from '../../src/oci/reference.ts';
import { showInspection } from '../views/inspection.ts';
import { type ApiRoute, route } from './api-route.ts';
import { audited, toTaskDetails } from './audited.ts';
import { taskSteps } from './next-steps.ts';
import { contacting, queueing, reading } from './openapi/error-codes.ts';

const reference = importReference;
const name = text({ minLength: 1, maxLength: 256 });

/** Maximum number of digests in an audit record. */
const maxAuditedDigests = 100;

export const importRoutes: readonly ApiRoute[] = [
  route({
    id: 'inspectArtifact',
    method: 'GET',
    path: '/import/inspect',
    floor: 'operator',
    errors: [...contacting, ...reading, 'SVC-REG-004'],
    summary: 'Inspects an artifact of a registry, or a chart of a chart repository, before an import',
    parameters: [
      {
        name: 'reference',
        schema: reference,
        required: true,
        description:
          '`registry/repository:tag`, `…@digest`, `oci://…`, or `https://repository/chart[:version]` of a chart repository',
        example: 'registry.example/library/app:1.4.2',
      },
    ],
    success: { status: 200, description: 'The content an import would add', schema: Inspection },
    handler: async (call) => ({
      json: await showInspection(call, {
        reference: call.query.reference,
        holder: call.holder,
        signal: call.signal,
      }),
    }),
  }),
  route({
    id: 'importArtifact',
    method: 'POST',
    path: '/import',
    floor: 'operator',
    errors: [...queueing, 'SVC-REG-001', 'SVC-POL-001', 'SVC-MED-030'],
    summary: 'Imports an inspected artifact',
    audit: 'import.create',
    body: {
      schema: object({
        reference,
        platforms: { ...list(object({ name, digest })), minItems: 1 },
        'vendorDependencies?': boolean,
      }),
      required: true,
      examples: {
        image: {
          summary: 'Imports one platform of an image',
          value: {
            reference: 'registry.example/library/app:1.4.2',
            platforms: [
              {
                name: 'linux/amd64',
                digest: 'sha256:4f1d8a5c0e7b93628ad1c4f5e6907b8a2d3c4e5f60718293a4b5c6d7e8f90a1b',
              },
            ],
          },
        },
      },
    },
    success: { status: 201, description: 'The created task', schema: TaskAnswer, next: taskSteps },
    handler: async (call) => {
      const { body, identity, exchange, operations } = call;
      const { reference: asked, platforms, vendorDependencies = false } = body;
      const task = await audited(
        call,
        'import.create',
        withoutCredentials(asked),
        () =>
          operations.submitImport({
            reference: asked,
            platforms,
            vendorDependencies,
            replaces: call.shown,
            actor: identity.actor,
            rank: call.holder.rank,
            origin: exchange.origin,
            requestId: exchange.correlationId,
          }),
        { vendorDependencies, digests: platforms.slice(0, maxAuditedDigests).map((chosen) => chosen.digest) },
        toTaskDetails,
      );
      return { json: { task } };
    },
  }),
];
